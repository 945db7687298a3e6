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
  /** Whether the texts in a list are secret. */
  readonly isSecret: boolean;
}

// Masks members in place and without recursion, because bodies may be deeply nested.
function masked(body: unknown, nested: boolean): unknown {
  const open: Nested[] = [];
  if (isNested(body)) open.push({ value: body, nested, depth: 0, isSecret: false });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    const isList = Array.isArray(value);
    for (const name of Object.keys(value)) {
      const inner = value[name];
      const isSecret = isList ? next.isSecret : secretName.test(name) || (next.nested && depth > 0);
      if (isNested(inner)) {
        const isFree = !isList && name === 'metadata';
        open.push({ value: inner, nested: next.nested && !isFree, depth: isList ? depth : depth + 1, isSecret });
      } else if (isSecret) value[name] = maskValue(inner);
    }
  }
  return body;
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function maskValue(value: unknown): unknown {
  return value !== null && value !== '' && typeof value !== 'boolean' ? mask : value;
}
