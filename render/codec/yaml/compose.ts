// The first document of a YAML text as a Go value. Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), readerc.go and decode.go.

import { GoError } from '../../go/value.ts';
import { placeFromOne } from './error.ts';
import { type ComposedYaml, YamlComposer } from './grammar.ts';
import { readSource, type YamlSource } from './reader.ts';
import { YamlScanner } from './scanner.ts';

/** How a YAML text is read. */
export interface ComposeOptions {
  /** Keep integers as `Int`. Otherwise every number is a float64, as it is once JSON has been between. */
  readonly exact?: boolean;
  /** Accept all of JSON, and refuse a second document. Helm does neither. */
  readonly isWhole?: boolean;
  /** Whether `yes` and `off` are booleans, as in YAML 1.1; true by default. */
  readonly hasBoolWords?: boolean;
}

/** What is wrong with a text of several documents that may hold only one. */
export const documentsProblem = 'yaml: expected a single document';

/** Reads the first document of a YAML text. Throws GoError with go-yaml's text, which begins with `yaml: `. */
export function composeYaml(
  text: string,
  { exact = false, isWhole = false, hasBoolWords = true }: ComposeOptions = {},
): ComposedYaml {
  const source = readSource(text);
  const scanner = new YamlScanner(source);
  scanner.takesJson = isWhole;
  const composer = new YamlComposer(scanner, exact, hasBoolWords);
  // The text may stop short of a forbidden character, which is an error once the end is reached.
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

// The marker behind the document is recognized by its three characters and the next one; nothing is read beyond them.
function endsBefore(scanner: YamlScanner, { text }: YamlSource): boolean {
  const kind = scanner.peek();
  return (kind === 'document-start' || kind === 'document-end') && scanner.pos + 1 < text.length;
}

function expectEnd(scanner: YamlScanner): void {
  while (scanner.peek() === 'document-end') scanner.skip();
  if (scanner.peek() !== 'stream-end') throw new GoError(documentsProblem, { place: placeFromOne(scanner.start) });
}
