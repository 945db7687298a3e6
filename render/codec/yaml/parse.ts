// `yaml.Unmarshal` of sigs.k8s.io/yaml, which converts YAML through JSON.
// Mirrors: sigs.k8s.io/yaml 1.4.0, yaml.go, `Unmarshal` with the two stages of its errors; go-yaml v2, readerc.go and decode.go.

import { prefixGoError } from '../../core/catch.ts';
import { formatFloat } from '../../go/number.ts';
import { GoError, type GoMap, type GoValue, Int, sortedKeys } from '../../go/value.ts';
import { expectArray, expectMap, jsonNumber } from '../json.ts';
import { placeFromOne } from './cursor.ts';
import { type ComposedYaml, YamlComposer } from './grammar.ts';
import { readMembers } from './members.ts';
import { findMember } from './places.ts';
import { readSource, type YamlSource } from './reader.ts';
import { YamlScanner } from './scanner.ts';

interface ComposeOptions {
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

/**
 * Parses the first document of a YAML text as `interface{}`: numbers are float64, keys strings, of duplicate keys the last one wins. Throws
 * GoError, for example `error converting YAML to JSON: yaml: line 2: mapping values are not allowed in this context`.
 */
export function parseYaml(text: string): GoValue {
  return read(text, false, () => false);
}

/**
 * Parses the first document of a YAML text like kustomize and helmfile, with go-yaml v3: `yes`, `no`, `on` and `off` are strings. Throws
 * GoError.
 */
export function parseYaml12(text: string): GoValue {
  return read(text, false, () => false, false);
}

/** Parses a YAML mapping; an empty document is an empty map. Throws GoError, also if the document is not a mapping. */
export function parseYamlMap(text: string): GoMap {
  const value = parseYaml(text);
  return value === null ? new Map() : prefixGoError(decoding, () => expectMap(value));
}

/** Parses a YAML sequence; an empty document is an empty one. Throws GoError, also if the document is not a sequence. */
export function parseYamlArray(text: string): GoValue[] {
  const value = parseYaml(text);
  return value === null ? [] : prefixGoError(decoding, () => expectArray(value));
}

/** A path in a value: keys of maps, and indexes of lists. */
export type ValuePath = readonly (string | number)[];

/** Reports whether the target struct has a string field at a path: there even `.inf` is a text. */
export type IsTextField = (path: ValuePath) => boolean;

/** Parses like `parseYaml` but keeps integers as `Int`, for structs with string fields: see `scalarText`. Throws GoError. */
export function parseYamlExact(text: string, isText: IsTextField = () => false): GoValue {
  return read(text, true, isText);
}

/** Returns the text of a scalar from `parseYamlExact` in a string field: `1` and `true` become texts. Undefined for anything else. */
export function scalarText(value: GoValue): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value instanceof Int) return String(value.value);
  return typeof value === 'number' ? formatFloat(value, 'g', -1, 32) : undefined;
}

/**
 * Parses a text with a single document, in YAML or JSON, like `parseYaml`. Every error has a place, and `problem` is the message without
 * go-yaml's own line number. Throws GoError, also for duplicate keys.
 */
export function parseDocument(text: string): GoValue {
  const { value, hasNonFinite, mayRepeatKeys } = composeYaml(text, { isWhole: true });
  if (hasNonFinite) checkNumbers(value, () => false, text);
  const repeated = mayRepeatKeys ? readMembers(text).repeated : undefined;
  if (repeated !== undefined) {
    const { steps, line, column } = repeated;
    const key = steps[steps.length - 1];
    const isWord = key === 'true' || key === 'false';
    throw new GoError(`the key ${JSON.stringify(key)} occurs a second time`, {
      place: { line, column },
      hint: `Remove one of the two.${isWord ? ' YAML reads y, yes and on as true, n, no and off as false: quote a name.' : ''}`,
    });
  }
  return value;
}

function read(text: string, exact: boolean, isText: IsTextField, hasBoolWords = true): GoValue {
  try {
    const { value, hasNonFinite } = composeYaml(text, { exact, hasBoolWords });
    if (hasNonFinite) checkNumbers(value, isText, text);
    return value;
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    const { message, place, kind, problem } = error;
    throw new GoError(`error converting YAML to JSON: ${message}`, { place, kind, problem });
  }
}

interface Placed {
  readonly value: GoValue;
  /** The last step of its path, and its parent; undefined for the document. */
  readonly step: string | number;
  readonly holder: Placed | undefined;
}

// JSON has no infinity. The first one in the order in which maps are written is reported.
function checkNumbers(document: GoValue, isText: IsTextField, text: string): void {
  const left: Placed[] = [{ value: document, step: '', holder: undefined }];
  for (let placed = left.pop(); placed !== undefined; placed = left.pop()) {
    const { value } = placed;
    if (typeof value === 'number') {
      if (!Number.isFinite(value) && !isText(pathOf(placed))) refuseNumber(value, placed, text);
      continue;
    }
    const steps = Array.isArray(value) ? [...value.keys()] : value instanceof Map ? sortedKeys(value) : [];
    for (const step of steps.toReversed()) {
      const item = (Array.isArray(value) ? value[step as number] : (value as GoMap).get(step as string)) as GoValue;
      left.push({ value: item, step, holder: placed });
    }
  }
}

function refuseNumber(value: number, placed: Placed, text: string): void {
  try {
    jsonNumber(value);
  } catch (error) {
    const { line, column } = findMember(text, pathOf(placed).map(String));
    throw new GoError((error as GoError).message, { place: { line, column } });
  }
}

function pathOf(placed: Placed): ValuePath {
  const path: (string | number)[] = [];
  for (let at = placed; at.holder !== undefined; at = at.holder) path.push(at.step);
  return path.reverse();
}

const decoding = 'error unmarshaling JSON: while decoding JSON';
