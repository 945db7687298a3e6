// Parses YAML completely: all documents, all digits, and replaced entries.

import { GoError, type GoMap, type GoValue } from '../../go/value.ts';
import { isBreak, type TokenPlace } from './cursor.ts';
import { YamlComposer } from './grammar.ts';
import { ReplacedEntries, type ReplacedEntry } from './key.ts';
import type { ValuePath } from './parse.ts';
import { readSource } from './reader.ts';
import { YamlScanner } from './scanner.ts';

/** An entry that is not part of the value because a later entry has the same key. */
export interface ReplacedValue {
  readonly path: ValuePath;
  readonly value: GoValue;
}

/** A YAML document. Integers are `Int`; a number with more digits than a float64 holds is a `JsonNumber`. */
export interface WholeDocument {
  readonly value: GoValue;
  readonly replaced: readonly ReplacedValue[];
}

/** A parsed YAML text. */
export interface WholeYaml {
  readonly documents: readonly WholeDocument[];
  /** The text after a document that is not part of any document. Empty if everything was parsed. */
  readonly rest: string;
}

/** Parses every document of a YAML text. Throws GoError. */
export function parseWholeYaml(text: string): WholeYaml {
  const source = readSource(text);
  if (source.fault !== undefined) throw new GoError(`yaml: ${source.fault}`);
  const scanner = new YamlScanner(source);
  const documents: WholeDocument[] = [];
  for (;;) {
    documents.push(readDocument(scanner));
    const hasEnd = scanner.peek() === 'document-end';
    while (scanner.peek() === 'document-end') scanner.skip();
    const kind = scanner.peek();
    if (kind === 'stream-end') return { documents, rest: '' };
    if (kind === 'document-start' || hasEnd) continue;
    return { documents, rest: source.text.slice(offsetOf(source.text, scanner.start), -1) };
  }
}

function readDocument(scanner: YamlScanner): WholeDocument {
  const composer = new YamlComposer(scanner, true);
  const replaced = new ReplacedEntries();
  composer.replaced = replaced;
  const { value } = composer.document();
  return { value, replaced: withPaths(value, replaced.entries) };
}

function offsetOf(text: string, { line, column }: TokenPlace): number {
  let at = 0;
  for (let left = line; left > 0; at++) {
    if (!isBreak(text.charCodeAt(at))) continue;
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    left--;
  }
  return at + column;
}

function withPaths(value: GoValue, replaced: readonly ReplacedEntry[]): ReplacedValue[] {
  if (replaced.length === 0) return [];
  const paths = new Map<GoMap, ValuePath>();
  const open: (readonly [path: ValuePath, value: GoValue])[] = [[[], value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [path, item] = next;
    if (item instanceof Map) {
      paths.set(item, path);
      for (const [key, inner] of item) open.push([[...path, key], inner]);
    } else if (Array.isArray(item)) for (const [at, inner] of item.entries()) open.push([[...path, at], inner]);
  }
  return replaced.map((entry) => ({ path: [...(paths.get(entry.map) ?? []), entry.key], value: entry.value }));
}
