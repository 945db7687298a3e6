// Parses YAML completely: all documents, with all digits.

import { GoError, type GoValue } from '../../go/value.ts';
import { isBreak, type TokenPlace } from './cursor.ts';
import { YamlComposer } from './grammar.ts';
import { readSource } from './reader.ts';
import { YamlScanner } from './scanner.ts';

/** A parsed YAML text. */
export interface WholeYaml {
  /** Integers are `Int`; a number with more digits than a float64 holds is a `JsonNumber`. */
  readonly documents: readonly GoValue[];
  /** The text after a document that is not part of any document. Empty if everything was parsed. */
  readonly rest: string;
}

/** Parses every document of a YAML text. Throws GoError. */
export function parseWholeYaml(text: string): WholeYaml {
  const source = readSource(text);
  if (source.fault !== undefined) throw new GoError(`yaml: ${source.fault}`);
  const scanner = new YamlScanner(source);
  const documents: GoValue[] = [];
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

function readDocument(scanner: YamlScanner): GoValue {
  const composer = new YamlComposer(scanner, true);
  composer.keepsDigits = true;
  return composer.document().value;
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
