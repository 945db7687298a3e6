// Finds the place of a member of a YAML text by its path, from the tokens.

import { keyText } from './key.ts';
import { listMembers } from './members.ts';
import { readSource } from './reader.ts';
import { resolvePlain } from './scalar.ts';
import { YamlScanner, type YamlTokenKind } from './scanner.ts';

/** A place in a text, from 1. `isWhole`: it is the place of the member itself, not of a parent. */
export interface FoundPlace {
  readonly line: number;
  readonly column: number;
  readonly isWhole: boolean;
}

// Longer paths are not useful; the first steps are enough to find the place.
const maxSteps = 1000;

/**
 * Returns the place of a member of a text that was already parsed as YAML, or of its nearest existing parent: that of its key, if it has
 * one. Of duplicate keys the last one is used, as in the value.
 */
export function findMember(text: string, steps: readonly string[]): FoundPlace {
  const scanner = new YamlScanner(readSource(text));
  scanner.takesJson = true;
  while (/^(stream-start|directive|document-start)$/.test(scanner.peek())) scanner.skip();
  return new Search(scanner, steps.slice(0, maxSteps)).inNode(0, placeAt(scanner));
}

type Position = Omit<FoundPlace, 'isWhole'>;

function placeAt(scanner: YamlScanner): Position {
  scanner.peek();
  const { line, column } = scanner.start;
  return { line: line + 1, column: column + 1 };
}

class Search {
  readonly #scanner: YamlScanner;
  readonly #steps: readonly string[];

  constructor(scanner: YamlScanner, steps: readonly string[]) {
    this.#scanner = scanner;
    this.#steps = steps;
  }

  /** Skips the next node, which the first `depth` steps lead to, and returns the place of what the other steps lead to. */
  inNode(depth: number, at: Position): FoundPlace {
    if (depth === this.#steps.length) {
      skipNode(this.#scanner);
      return { ...at, isWhole: true };
    }
    skipProperties(this.#scanner);
    const kind = this.#scanner.peek();
    if (kind === 'mapping-start' || kind === '{') return this.#inMapping(depth, at);
    if (kind === 'sequence-start' || kind === '[' || kind === '-') return this.#inSequence(depth, at);
    skipNode(this.#scanner);
    return { ...at, isWhole: false };
  }

  #inMapping(depth: number, at: Position): FoundPlace {
    const scanner = this.#scanner;
    let found: FoundPlace = { ...at, isWhole: false };
    scanner.skip();
    for (let kind = scanner.peek(); !isEnd(kind); kind = scanner.peek()) {
      if (kind === ',') scanner.skip();
      else found = this.#inPair(depth, found);
    }
    scanner.skip();
    return found;
  }

  // Returns `before` if it is another pair.
  #inPair(depth: number, before: FoundPlace): FoundPlace {
    const scanner = this.#scanner;
    if (scanner.peek() === 'key') scanner.skip();
    const at = placeAt(scanner);
    const isWanted = takeKey(scanner) === this.#steps[depth];
    const hasValue = scanner.peek() === 'value';
    if (hasValue) scanner.skip();
    if (isWanted && hasValue && !isEmpty(scanner.peek())) return this.inNode(depth + 1, at);
    if (isWanted) return { ...at, isWhole: depth + 1 === this.#steps.length };
    if (hasValue) skipNode(scanner);
    return before;
  }

  #inSequence(depth: number, at: Position): FoundPlace {
    const scanner = this.#scanner;
    const wanted = Number(this.#steps[depth]);
    let found: FoundPlace = { ...at, isWhole: false };
    // The dashes of a list below a key need not be deeper than the key: such a list has no start or end token.
    const hasEnd = scanner.peek() !== '-';
    if (hasEnd) scanner.skip();
    for (let index = 0; !isEnd(scanner.peek()) && (hasEnd || scanner.peek() === '-'); ) {
      const dash = placeAt(scanner);
      const kind = scanner.peek();
      if (kind === '-' || kind === ',') scanner.skip();
      if (kind === ',') continue;
      found = this.#inItem(depth, index++ === wanted ? dash : undefined) ?? found;
    }
    if (hasEnd) scanner.skip();
    return found;
  }

  // `wanted` is the place of the item's dash, if it is the one that is looked for.
  #inItem(depth: number, wanted: Position | undefined): FoundPlace | undefined {
    const scanner = this.#scanner;
    const kind = scanner.peek();
    if (kind === '-' || isEnd(kind)) return wanted && { ...wanted, isWhole: depth + 1 === this.#steps.length };
    const at = placeAt(scanner);
    if (kind === 'key' || kind === 'value') {
      const pair = this.#inPair(depth + 1, { ...at, isWhole: false });
      return wanted && pair;
    }
    if (wanted) return this.inNode(depth + 1, at);
    skipNode(scanner);
    return undefined;
  }
}

function isEnd(kind: YamlTokenKind): boolean {
  return kind === 'block-end' || kind === '}' || kind === ']' || kind === 'stream-end' || kind === 'document-end';
}

// An empty value has no token: the next token belongs to something else.
function isEmpty(kind: YamlTokenKind): boolean {
  return isEnd(kind) || kind === 'key' || kind === 'value' || kind === ',';
}

function takeKey(scanner: YamlScanner): string | undefined {
  skipProperties(scanner);
  const kind = scanner.peek();
  const { value } = scanner;
  if (kind !== 'value') skipNode(scanner);
  if (kind === 'quoted') return value;
  return kind === 'plain' ? keyText(resolvePlain(value)) : undefined;
}

function skipProperties(scanner: YamlScanner): void {
  for (let kind = scanner.peek(); kind === 'anchor' || kind === 'tag'; kind = scanner.peek()) scanner.skip();
}

function skipNode(scanner: YamlScanner): void {
  skipProperties(scanner);
  const kind = scanner.peek();
  if (kind === 'plain' || kind === 'quoted' || kind === 'alias') scanner.skip();
  else if (kind === '-') while (scanner.peek() === '-') skipEntry(scanner);
  else if (/^(mapping-start|sequence-start|\{|\[)$/.test(kind)) skipCollection(scanner);
}

function skipEntry(scanner: YamlScanner): void {
  scanner.skip();
  if (scanner.peek() !== '-') skipNode(scanner);
}

function skipCollection(scanner: YamlScanner): void {
  let open = 0;
  do {
    const kind = scanner.peek();
    if (kind === 'stream-end') return;
    if (/^(mapping-start|sequence-start|\{|\[)$/.test(kind)) open++;
    if (/^(block-end|\}|\])$/.test(kind)) open--;
    scanner.skip();
  } while (open > 0);
}

/** Returns the place of a member like findMember. */
export type PlaceFinder = (steps: readonly string[]) => FoundPlace;

/** Returns a lookup of places in a text that was already parsed as YAML. */
export function placeFinder(text: string): PlaceFinder {
  let isSecond = false;
  let places: ReadonlyMap<string, FoundPlace> | undefined;
  return (steps) => {
    // A single lookup does not need the index.
    if (isSecond) places ??= placesOf(text);
    isSecond = true;
    return places?.get(keyOf(steps)) ?? findMember(text, steps);
  };
}

function placesOf(text: string): ReadonlyMap<string, FoundPlace> {
  const places = new Map<string, FoundPlace>();
  for (const { steps, line, column, content } of listMembers(text)) {
    if (content === undefined) places.set(keyOf(steps), { line, column, isWhole: true });
    else if (content !== 'pair') places.set(keyOf(steps), { ...content, isWhole: true });
  }
  return places;
}

function keyOf(steps: readonly (string | number)[]): string {
  return steps.join('\0');
}
