// Where the values of an Order's text stand, as the quick reader meets them: numbers in lists, for there may be half a million.

/** A place, both from 0. */
interface PlainPlace {
  readonly line: number;
  readonly column: number;
}

/** The places of a document: of each value that of its key, where it has one, or its beginning. */
export class PlainPlaces {
  // By number, in the order in which they begin: the values within a value come behind it, up to where it ends.
  readonly #keys: (string | number)[] = [];
  readonly #lines: number[] = [];
  readonly #columns: number[] = [];
  readonly #ends: number[] = [];
  // What stands right within a value, by its key; made for those that were asked for.
  readonly #inner = new Map<number, ReadonlyMap<string, number>>();

  /** Notes that a value begins, within the one that began last and did not end; gives its number. */
  begin(key: string | number, line: number, column: number): number {
    this.#lines.push(line);
    this.#columns.push(column);
    this.#ends.push(0);
    return this.#keys.push(key) - 1;
  }

  /** Notes that a value ends. */
  end(number: number): void {
    this.#ends[number] = this.#keys.length;
  }

  /** Gives the place of a path's value, or of its nearest parent that has one; the lines and columns count from 1. */
  find(segments: readonly string[]): PlainPlace {
    let found = 0;
    for (const segment of segments) {
      const inner = this.#within(found).get(segment);
      if (inner === undefined) break;
      found = inner;
    }
    return { line: (this.#lines[found] ?? 0) + 1, column: (this.#columns[found] ?? 0) + 1 };
  }

  #within(number: number): ReadonlyMap<string, number> {
    const known = this.#inner.get(number);
    if (known !== undefined) return known;
    const inner = new Map<string, number>();
    const end = this.#ends[number] ?? 0;
    for (let at = number + 1; at < end; at = this.#ends[at] ?? end) inner.set(String(this.#keys[at]), at);
    this.#inner.set(number, inner);
    return inner;
  }
}
