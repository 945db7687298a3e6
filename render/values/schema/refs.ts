// Resolves `$ref`: ids, anchors and JSON pointers within a document.
// Mirrors: github.com/xeipuuv/gojsonschema, schemaPool.go, v1.2.0, and its gojsonreference and gojsonpointer.

import { prefixOfJson } from '../../codec/json.ts';
import { orUndefined } from '../../core/catch.ts';
import { quote } from '../../go/number.ts';
import { formatUrl, parseGoUrl, resolveReference, type Url } from '../../go/url.ts';
import { GoError, type GoMap, type GoValue } from '../../go/value.ts';

/** Returns the text of the JSON Schema at a URL; undefined if it is not available offline. */
export type SchemaSource = (url: string) => string | undefined;

/**
 * Makes every `$ref` of a document absolute, in place, and returns a function that resolves such a reference in the document or in one that
 * `load` returns. That function throws GoError with gojsonschema's message; nothing is fetched.
 */
export function resolveReferences(document: GoValue, load: SchemaSource): (reference: string) => GoValue {
  const known = new Map<string, GoValue>();
  walk(document, '', known);
  known.set('', document);
  return (reference) => {
    const named = known.get(reference);
    if (named !== undefined) return named;
    const url = parseGoUrl(reference);
    const address = formatUrl({ ...url, fragment: '' });
    const whole = known.get(address) ?? loadDocument(address, load, known);
    if (whole === undefined) throw notHere(reference, url);
    return known.get(reference) ?? followPointer(whole, url.fragment);
  };
}

function loadDocument(address: string, load: SchemaSource, known: Map<string, GoValue>): GoValue | undefined {
  const text = /^https?:/.test(address) ? load(address) : undefined;
  if (text === undefined) return undefined;
  const { value } = prefixOfJson(text);
  // Its own id is the base of everything below; it is also known by its original URL.
  walk(value, address, known);
  known.set(address, value);
  return value;
}

function notHere(reference: string, url: Url): GoError {
  const isCanonical = url.scheme === 'file' ? url.path.startsWith('/') : url.scheme !== '' && url.host !== '';
  if (!isCanonical) return new GoError(`Reference ${reference} must be canonical`);
  const address = formatUrl({ ...url, fragment: '' });
  // Helm would look in its working directory, where such a file hardly ever exists.
  if (url.scheme === 'file') return new GoError(`open ${address.slice('file://'.length)}: no such file or directory`);
  return new GoError(`Get ${quote(address)}: schemas are not fetched`);
}

// A key like `properties` contains arbitrary names, not keywords; constants are values.
const holdsNames = new Set(['properties', 'dependencies', 'patternProperties']);
const holdsValues = new Set(['const', 'enum']);

function walk(node: GoValue, base: string, known: Map<string, GoValue>): void {
  if (Array.isArray(node)) for (const item of node) walk(item, base, known);
  if (!(node instanceof Map)) return;
  let scope = base;
  const id = node.get(node.has('id') ? 'id' : '$id');
  if (typeof id === 'string') {
    scope = inherit(base, id);
    if (known.has(scope)) return;
    known.set(scope, node);
  }
  const reference = node.get('$ref');
  if (typeof reference === 'string') node.set('$ref', inherit(scope, reference));
  for (const [key, value] of node) {
    if (holdsValues.has(key)) continue;
    if (!holdsNames.has(key)) walk(value, scope, known);
    else if (value instanceof Map) for (const child of value.values()) walk(child, scope, known);
  }
}

function inherit(base: string, text: string): string {
  // An invalid URL is kept; compiling the schema reports it.
  const child = orUndefined(() => parseGoUrl(text));
  return child === undefined ? text : formatUrl(resolveReference(parseGoUrl(base), child));
}

function followPointer(document: GoValue, pointer: string): GoValue {
  if (!pointer.startsWith('/')) return document;
  return pointer.slice(1).split('/').reduce(step, document);
}

function step(node: GoValue, token: string): GoValue {
  if (node instanceof Map) return property(node, token.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (!Array.isArray(node)) throw new GoError(`Invalid token reference '${token}'`);
  if (!/^[+-]?\d+$/.test(token)) throw new GoError(`Invalid array index '${token}'`);
  const item = node[Number(token)];
  if (item === undefined) throw new GoError(`Out of bound array[0,${node.length}] index '${Number(token)}'`);
  return item;
}

function property(node: GoMap, key: string): GoValue {
  const value = node.get(key);
  if (value === undefined) throw new GoError(`Object has no key '${key}'`);
  return value;
}
