// Documents as Kubernetes objects, as kubectl reads what Helm sends: with flattened lists and complete texts.
// Mirrors: k8s.io/apimachinery/pkg/util/yaml, decoder.go, `YAMLReader`, v0.32: each line ends in a newline, the last too.

import { parseYaml } from '../codec/yaml/parse.ts';
import { convertGoError } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import type { Steps } from '../core/paths.ts';
import type { GoMap, GoValue } from '../go/value.ts';
import { type SourcedDocument, sentText } from './source.ts';

/** Returns the objects of a document or a file of documents, in order. Throws MANIFEST_INVALID for invalid YAML. */
export function readObjects(document: SourcedDocument): GoMap[] {
  return splitStream(sentText(document)).flatMap((text) => flattenList(parseManifestDocument(text, document.path)));
}

/**
 * Returns the documents of a text unchanged, each up to its last line break: a block scalar at its end keeps its own lines. Blank documents
 * are left out.
 */
export function splitStream(text: string): string[] {
  const whole = text.endsWith('\n') ? text : `${text}\n`;
  const documents: string[] = [];
  let start = whole.startsWith('---') ? 3 : 0;
  for (let at = whole.indexOf('\n---', start - 1); at >= 0; at = whole.indexOf('\n---', start - 1)) {
    documents.push(whole.slice(start, at + 1));
    start = at + 4;
  }
  return [...documents, whole.slice(start)].filter((document) => document.trim() !== '');
}

/** Returns a member of a map, or null. */
export function member(value: GoValue, key: string): GoValue {
  return value instanceof Map ? (value.get(key) ?? null) : null;
}

/** Returns a member as text: numbers and bools as written; empty if it is missing. */
export function textMember(value: GoValue, key: string): string {
  const found = member(value, key);
  if (typeof found === 'string') return found;
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : '';
}

/** Returns the list under a key of a map; empty if there is none. */
export function listMember(value: GoValue, key: string): readonly GoValue[] {
  const list = member(value, key);
  return Array.isArray(list) ? list : [];
}

/** A value within an object, and its path. */
export interface InnerValue {
  readonly steps: Steps;
  readonly value: GoValue;
}

/** Yields a value and all values in it, in the order of the document. An explicit stack: deep nesting must not crash the process. */
export function* valuesIn(start: GoValue): Generator<InnerValue> {
  const open: InnerValue[] = [{ steps: [], value: start }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next;
    const { steps, value } = next;
    const inner = value instanceof Map || Array.isArray(value) ? [...value.entries()] : [];
    for (const [key, item] of inner.reverse()) open.push({ steps: [...steps, key], value: item });
  }
}

/** Parses a document of a file. Throws MANIFEST_INVALID for invalid YAML. */
export function parseManifestDocument(document: string, path: string): GoValue {
  return convertGoError(
    () => parseYaml(document),
    (cause) =>
      new RenderError('MANIFEST_INVALID', `YAML parse error on ${path}: ${cause.message}`, {
        place: { file: path },
        cause,
        hint: 'Correct the YAML of this file.',
      }),
    path,
  );
}

function flattenList(value: GoValue): GoMap[] {
  if (!(value instanceof Map)) return [];
  const kind = textMember(value, 'kind');
  const items = member(value, 'items');
  if (!kind.endsWith('List') || !Array.isArray(items)) return [value];
  return items.flatMap((item) => flattenList(item instanceof Map ? withType(item, value, kind) : item));
}

/** Returns an item of a list with its type: items of a typed list (`ConfigMapList`) need not repeat it. */
export function withType(item: GoMap, list: GoMap, listKind: string): GoMap {
  if (item.has('kind') || listKind === 'List') return item;
  return new Map([['apiVersion', member(list, 'apiVersion')], ['kind', listKind.slice(0, -'List'.length)], ...item]);
}
