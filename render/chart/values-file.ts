// A values file: one YAML mapping or, with Helm 4, several that are merged.
// Mirrors: helm.sh/helm/v4/pkg/chart/v2/loader, load.go, `LoadValues` and `MergeMaps`, v4.2.3.

import { parseYamlMap } from '../codec/yaml/parse.ts';
import { convertGoError } from '../core/catch.ts';
import { trimSpace } from '../go/trim.ts';
import { encodeUtf8 } from '../go/utf8.ts';
import { GoError, type GoMap } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';

/** Returns the values of a file as a Helm version reads them. Throws GoError with Helm's message. */
export function readValues(text: string, { values, wording }: Helm): GoMap {
  if (!values.severalDocuments) return parseYamlMap(text);
  let merged: GoMap = new Map();
  try {
    for (const { document, line } of splitDocuments(values.losesLastLine ? withoutLostLine(text) : text)) {
      merged = mergeMaps(merged, parseDocument(document, line, wording.valuesDocument));
    }
  } catch (error) {
    if (!(error instanceof SeparatorError)) throw error;
    throw new GoError(`error reading yaml document: ${error.message}`, { cause: error, place: error.place });
  }
  return merged;
}

function parseDocument(document: string, line: number, word: (error: string) => string): GoMap {
  return convertGoError(
    () => parseYamlMap(document),
    (cause) => {
      const { place } = cause;
      const at = place.line === undefined ? place : { ...place, line: place.line + line };
      return new GoError(word(cause.message), { cause, place: at });
    },
  );
}

// The library reads 4,096 bytes at a time and loses a last line that ends exactly there.
// Mirrors: `LineReader.Read`.
function withoutLostLine(text: string): string {
  const start = text.lastIndexOf('\n') + 1;
  const { length } = encodeUtf8(text.slice(start));
  return length > 0 && length % 4096 === 0 ? text.slice(0, start) : text;
}

export interface TextDocument {
  readonly document: string;
  /** Number of lines of the text before it. */
  readonly line: number;
}

/** A line that starts with `---` and continues with more than a comment. */
class SeparatorError extends GoError {}

/**
 * Yields the documents of a text: a line that starts with `---` ends the previous document or, if there is none, is the first line of the
 * next. Throws GoError `invalid Yaml document separator: …`.
 * Mirrors: k8s.io/apimachinery/pkg/util/yaml, decoder.go, `YAMLReader.Read`, v0.36.
 */
export function* splitDocuments(text: string): Generator<TextDocument> {
  let lines: string[] = [];
  let start = 0;
  const all = text.split('\n');
  // Text after the last line break is a line only if it is not empty.
  if (all.at(-1) === '') all.pop();
  for (const [i, line] of all.entries()) {
    if (line.startsWith('---')) {
      checkSeparator(line, i);
      if (lines.length > 0) {
        yield { document: lines.join(''), line: start };
        lines = [];
        start = i + 1;
        continue;
      }
    }
    lines.push(`${line.endsWith('\r') ? line.slice(0, -1) : line}\n`);
  }
  if (lines.length > 0) yield { document: lines.join(''), line: start };
}

function checkSeparator(line: string, index: number): void {
  const rest = trimSpace(line.slice('---'.length));
  if (rest === '' || rest.startsWith('#')) return;
  throw new SeparatorError(`invalid Yaml document separator: ${rest}`, {
    place: { line: index + 1, column: 1 },
  });
}

/** Merges a map over another one: the upper value wins, even null. Only non-map values are shared with the input. */
export function mergeMaps(under: GoMap, over: GoMap): GoMap {
  const merged: GoMap = new Map(under);
  for (const [key, value] of over) {
    const existing = merged.get(key);
    merged.set(key, value instanceof Map && existing instanceof Map ? mergeMaps(existing, value) : value);
  }
  return merged;
}
