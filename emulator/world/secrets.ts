// What the log does not tell: tokens, passwords and keys, in addresses, headers and bodies.

const mask = '***';

// The names of fields whose texts are secrets.
const secretName =
  /secret|passw(?:or)?d|passphrase|token|sha1|jwt|seed|credentials?$|private|access_?key|account_?key|api_?key|service_?account|^key$/i;

/** Gives a path and query with the values of token parameters masked. */
export function maskSecrets(target: string): string {
  return target.replace(/([?&](?:token|access_token|code)=)[^&#]*/gi, `$1${mask}`);
}

/** Gives the value of a header with what is secret of it masked; the kind of an `Authorization` stays, and names of cookies. */
export function maskHeader(name: string, value: string): string {
  if (/^(?:proxy-)?authorization$/i.test(name))
    return value.replace(/^(\w+ +)?.*/s, (_, kind = '') => `${kind}${mask}`);
  if (/^cookie$/i.test(name)) return value.replace(/=[^;]*/g, `=${mask}`);
  if (/^set-cookie$/i.test(name)) return value.replace(/=[^;]+/, `=${mask}`);
  if (/^(?:link|location|referer)$/i.test(name)) return maskSecrets(value);
  return secretName.test(name.replaceAll('-', '_')) ? mask : value;
}

/**
 * Gives a body with its secrets masked. `nested` says that all texts of inner objects are secrets, as in cloud credentials.
 * Of a body that is no whole JSON, fields with telling names are masked as far as they can be seen.
 */
export function maskBody(body: string, nested: boolean): string {
  if (!/^\s*[[{]/.test(body)) return maskForm(body);
  try {
    return JSON.stringify(maskValue(JSON.parse(body), nested, 0));
  } catch {
    const fields = /("((?:[^"\\]|\\.)*)"\s*:\s*)"(?:[^"\\]|\\.)*(?:"|\\?$)/g;
    return body.replace(fields, (whole, start: string, name: string) =>
      nested || secretName.test(name) ? `${start}"${mask}"` : whole,
    );
  }
}

// A form is a list of names and values; other texts have no telling names before an equals sign.
function maskForm(body: string): string {
  if (!/^[^\s=&]+=/.test(body)) return body;
  return body.replace(/([^\s=&]+)=([^&\s]*)/g, (whole, name: string, value: string) =>
    value !== '' && secretName.test(name) ? `${name}=${mask}` : whole,
  );
}

function maskValue(value: unknown, nested: boolean, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => maskValue(item, nested, depth));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, maskField(name, inner, nested, depth)]),
  );
}

function maskField(name: string, value: unknown, nested: boolean, depth: number): unknown {
  if (typeof value === 'object' && value !== null) return maskValue(value, nested && name !== 'metadata', depth + 1);
  const isSecret = secretName.test(name) || (nested && depth > 0);
  return isSecret && value !== null && value !== '' && typeof value !== 'boolean' ? mask : value;
}
