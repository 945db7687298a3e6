// Parses the first document of a YAML text into a Go value.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), readerc.go and decode.go.

import { GoError } from '../../go/value.ts';
import { placeFromOne } from './error.ts';
import { type ComposedYaml, YamlComposer } from './grammar.ts';
import { readSource, type YamlSource } from './reader.ts';
import { YamlScanner } from './scanner.ts';

/** Options for parsing YAML. */
export interface ComposeOptions {
  /** Keeps integers as `Int`. Otherwise every number is a float64, as after a conversion through JSON. */
  readonly exact?: boolean;
  /** Accepts all of JSON, and refuses a second document. Helm does neither. */
  readonly isWhole?: boolean;
  /** Whether `yes` and `off` are booleans, as in YAML 1.1; default true. */
  readonly hasBoolWords?: boolean;
}

/** The message for several documents where only one is allowed. */
export const documentsProblem = 'yaml: expected a single document';

/** Parses the first document of a YAML text. Throws GoError with go-yaml's message, which begins with `yaml: `. */
export function composeYaml(
  text: string,
  { exact = false, isWhole = false, hasBoolWords = true }: ComposeOptions = {},
): ComposedYaml {
  const source = readSource(text);
  const scanner = new YamlScanner(source);
  scanner.takesJson = isWhole;
  const composer = new YamlComposer(scanner, exact, hasBoolWords);
  // The text may end before a forbidden character, which is an error when the end is reached.
  const meetsEnd = (): boolean => source.fault !== undefined && scanner.pos + 4 >= source.text.length;
  try {
    const composed = composer.document();
    if (isWhole) expectEnd(scanner);
    if (!meetsEnd() || endsBefore(scanner, source)) return composed;
  } catch (error) {
    if (!meetsEnd()) throw error;
  }
  throw new GoError(`yaml: ${source.fault}`, { place: source.faultPlace, problem: source.fault });
}

// The marker after the document is recognized by its three characters and the next one; nothing after them is read.
function endsBefore(scanner: YamlScanner, { text }: YamlSource): boolean {
  const kind = scanner.peek();
  return (kind === 'document-start' || kind === 'document-end') && scanner.pos + 1 < text.length;
}

function expectEnd(scanner: YamlScanner): void {
  while (scanner.peek() === 'document-end') scanner.skip();
  if (scanner.peek() !== 'stream-end') throw new GoError(documentsProblem, { place: placeFromOne(scanner.start) });
}
