// Where a member of a YAML document stands, for errors that name it by its path.

import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from 'yaml';

/** A place in a text; both from 1. `isWhole` tells whether the member itself was found, or only one that it would be in. */
export interface FoundPlace {
  readonly line: number;
  readonly column: number;
  readonly isWhole: boolean;
}

/** The places of a parsed document. */
export class YamlPlaces {
  readonly #document: Document.Parsed;
  readonly #lines: LineCounter;
  // The members of maps that places were asked of, by name.
  readonly #pairs = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();

  constructor(document: Document.Parsed, lines: LineCounter) {
    this.#document = document;
    this.#lines = lines;
  }

  /** Gives the place of a member, or of its nearest parent that exists: the key where there is one, since a fault is shown where it is named. */
  find(segments: readonly (string | number)[]): FoundPlace {
    let node: unknown = this.#document.contents;
    let found: Node | null = isNode(node) ? node : null;
    let depth = 0;
    for (const segment of segments) {
      if (!isCollection(node)) break;
      if (isMap(node)) {
        const pair = this.#pairOf(node, String(segment));
        if (pair === undefined) break;
        found = isNode(pair.key) ? pair.key : found;
        node = pair.value;
      } else {
        node = node.items[Number(segment)];
        if (!isNode(node)) break;
        found = node;
      }
      depth++;
    }
    const { line, col } = this.#lines.linePos(found?.range?.[0] ?? 0);
    return { line, column: col, isWhole: depth === segments.length };
  }

  #pairOf(map: YAMLMap, name: string): Pair | undefined {
    const known =
      this.#pairs.get(map) ??
      new Map(map.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : [])));
    this.#pairs.set(map, known);
    return known.get(name);
  }
}

/** Gives the places of a text that was already read as YAML. */
export function readPlaces(text: string): YamlPlaces {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { version: '1.1', lineCounter, prettyErrors: false, uniqueKeys: false });
  return new YamlPlaces(document, lineCounter);
}
