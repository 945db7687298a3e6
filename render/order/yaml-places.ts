// Where a member of a YAML document stands, for errors that name it by its path.

import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  type LineCounter,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml';

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
  find(segments: readonly string[]): { readonly line: number; readonly column: number } {
    let node: unknown = this.#document.contents;
    let found: Node | null = isNode(node) ? node : null;
    for (const segment of segments) {
      if (!isCollection(node)) break;
      if (isMap(node)) {
        const pair = this.#pairOf(node, segment);
        if (pair === undefined) break;
        found = isNode(pair.key) ? pair.key : found;
        node = pair.value;
      } else {
        node = node.items[Number(segment)];
        if (!isNode(node)) break;
        found = node;
      }
    }
    const { line, col } = this.#lines.linePos(found?.range?.[0] ?? 0);
    return { line, column: col };
  }

  #pairOf(map: YAMLMap, name: string): Pair | undefined {
    const known =
      this.#pairs.get(map) ??
      new Map(map.items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value ?? ''), pair] as const] : [])));
    this.#pairs.set(map, known);
    return known.get(name);
  }
}
