// Masks tokens, passwords and keys in logged URLs, headers and bodies.

const mask = '***';

// Names of fields whose values are secret.
const secretName =
  /secret|passw(?:or)?d|passphrase|token|sha1|jwt|seed|credentials?$|private|access_?key|account_?key|api_?key|service_?account|^key$/i;

/** Returns a path and query with the values of token parameters masked. */
export function maskSecrets(target: string): string {
  return target.replace(/([?&](?:token|access_token|code)=)[^&#]*/gi, `$1${mask}`);
}

/** Returns a header value with its secret part masked; the scheme of `Authorization` and the names of cookies are kept. */
export function maskHeader(name: string, value: string): string {
  if (/^(?:proxy-)?authorization$/i.test(name))
    return value.replace(/^(\w+ +)?.*/s, (_, kind = '') => `${kind}${mask}`);
  if (/^cookie$/i.test(name)) return value.replace(/=[^;]*/g, `=${mask}`);
  if (/^set-cookie$/i.test(name)) return value.replace(/=[^;]+/, `=${mask}`);
  if (/^(?:link|location|referer)$/i.test(name)) return maskSecrets(value);
  return secretName.test(name.replaceAll('-', '_')) ? mask : value;
}

/** Returns a body with its secrets masked; with `nested`, all strings of inner objects are secret. */
export function maskBody(body: string, nested: boolean): string {
  if (!/^\s*[[{]/.test(body)) return maskForm(body);
  try {
    return JSON.stringify(masked(JSON.parse(body), nested));
  } catch {
    const texts = /"([^"\\]*(?:\\.[^"\\]*)*)(?:"(?:(\s*:\s*)"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$))?|\\?$)/gs;
    return body.replace(texts, (whole, name: string, colon?: string) =>
      colon !== undefined && (nested || secretName.test(name)) ? `"${name}"${colon}"${mask}"` : whole,
    );
  }
}

// A form is a list of names and values; other texts have no field names before an equals sign.
function maskForm(body: string): string {
  if (!/^[^\s=&]+=/.test(body)) return body;
  return body.replace(/(?<![^\s=&])([^\s=&]+)=([^&\s]*)/g, (whole, name: string, value: string) =>
    value !== '' && secretName.test(name) ? `${name}=${mask}` : whole,
  );
}

interface Nested {
  readonly value: Record<string, unknown>;
  readonly nested: boolean;
  readonly depth: number;
}

// Masks members in place and without recursion, because bodies may be deeply nested.
function masked(body: unknown, nested: boolean): unknown {
  const open: Nested[] = [];
  const begin = (value: unknown, isSecret: boolean, depth: number): boolean => {
    if (!isNested(value)) return false;
    open.push({ value, nested: isSecret, depth });
    return true;
  };
  begin(body, nested, 0);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    for (const name of Object.keys(value)) {
      const inner = value[name];
      if (Array.isArray(value)) begin(inner, next.nested, depth);
      else if (!begin(inner, next.nested && name !== 'metadata', depth + 1)) value[name] = maskField(name, inner, next);
    }
  }
  return body;
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function maskField(name: string, value: unknown, { nested, depth }: Nested): unknown {
  const isSecret = secretName.test(name) || (nested && depth > 0);
  return isSecret && value !== null && value !== '' && typeof value !== 'boolean' ? mask : value;
}
