// Addresses of schemas: a URL with an anchor or a JSON pointer as its fragment.
// Mirrors: github.com/santhosh-tekuri/jsonschema/v6, util.go, v6.0.2.

import { quote } from '../../../go/number.ts';
import { formatUrl, parseGoUrl, pathEscape, pathUnescape, resolveReference, type Url } from '../../../go/url.ts';
import { GoError, type GoValue } from '../../../go/value.ts';

/** A URL without its fragment, and the decoded fragment: a JSON pointer, empty or with a slash before each step, or an anchor. */
export interface Address {
  readonly url: string;
  readonly fragment: string;
}

/** Splits off the fragment. Throws GoError if it is not properly escaped. */
export function splitFragment(text: string): Address {
  const [url, fragment] = split(text);
  return { url, fragment: orParsingError(text, () => pathUnescape(fragment)) };
}

/** Splits a text at its first `#`. */
export function split(text: string): [before: string, after: string] {
  const at = text.indexOf('#');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Resolves a reference against `base`. Throws GoError for an invalid one. */
export function joinAddress(base: string, reference: string): Address {
  const from = orParsingError(base, () => parseGoUrl(base));
  const { url, fragment } = splitFragment(reference);
  const to = orParsingError(url, () => parseGoUrl(url));
  const joined = resolveReference(from, to);
  const isWithin = to.scheme === '' && from.opaque !== '';
  return { url: textOf(isWithin ? { ...joined, opaque: from.opaque } : joined), fragment };
}

// Go keeps valid unescaped characters of a path as written.
function textOf(url: Url): string {
  return formatUrl({ ...url, fragment: '' }).replace(/%(5B|5D|21|27|28|29|2A)/g, (escaped) => pathUnescape(escaped));
}

function orParsingError<T>(text: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`error in parsing ${quote(text)}: ${error.message}`);
  }
}

/** Reports whether a fragment is a JSON pointer, not an anchor. */
export function isPointer(fragment: string): boolean {
  return fragment === '' || fragment.startsWith('/');
}

/** Appends steps to a pointer. */
export function appendPointer(pointer: string, ...steps: readonly (string | number)[]): string {
  return pointer + pointerOf(steps.map(String));
}

/** Returns the JSON pointer of steps. */
export function pointerOf(steps: readonly string[]): string {
  return steps.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Formats an address like the library. */
export function formatAddress(url: string, pointer: string): string {
  return `${url}#${pointer.split('/').map(pathEscape).join('/')}`;
}

/** Returns the value at a pointer. Throws GoError if there is none. */
export function lookUp(document: GoValue, url: string, pointer: string): GoValue {
  let node: GoValue | undefined = document;
  for (const token of pointer.split('/').slice(1)) {
    if (/~(?![01])/.test(token)) throw new GoError(`invalid json-pointer ${quote(formatAddress(url, pointer))}`);
    const step = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (node instanceof Map) node = node.get(step);
    else node = Array.isArray(node) && /^[+-]?\d+$/.test(step) ? node[Number(step)] : undefined;
    if (node === undefined) throw new GoError(`json-pointer in ${quote(formatAddress(url, pointer))} not found`);
  }
  return node;
}
