// Go's unstable sort: the order of equal items depends on its exact steps.
// Mirrors: Go, sort/zsortinterface.go (`pdqsort`), 1.23.

/** Reports whether the first of two items comes before the second. */
export type Less<T> = (a: T, b: T) => boolean;

/** Returns the items in the order of Go's `sort.Sort`. */
export function sortAsGo<T>(items: readonly T[], less: Less<T>): readonly T[] {
  const sorter = new Sorter([...items], less);
  sorter.sort(0, items.length, bitLength(items.length));
  return sorter.items;
}

const maxInsertion = 12;
const shortestNinther = 50;
const shortestShifting = 50;
const maxShifts = 5;
const maxSwaps = 12;

function bitLength(value: number): number {
  return value === 0 ? 0 : 32 - Math.clz32(value);
}

class Sorter<T> {
  readonly items: T[];
  readonly #isLess: Less<T>;
  /** Number of pairs out of order found during the search for a pivot. */
  #swaps = 0;

  constructor(items: T[], isLess: Less<T>) {
    this.items = items;
    this.#isLess = isLess;
  }

  #less(a: number, b: number): boolean {
    return this.#isLess(this.items[a] as T, this.items[b] as T);
  }

  #swap(a: number, b: number): void {
    const kept = this.items[a] as T;
    this.items[a] = this.items[b] as T;
    this.items[b] = kept;
  }

  sort(from: number, to: number, badChoices: number): void {
    let [a, b, limit] = [from, to, badChoices];
    let wasBalanced = true;
    let wasPartitioned = true;
    for (;;) {
      const length = b - a;
      if (length <= maxInsertion) {
        this.#insertionSort(a, b);
        return;
      }
      if (limit === 0) {
        this.#heapSort(a, b);
        return;
      }
      if (!wasBalanced) {
        this.#breakPatterns(a, b);
        limit--;
      }
      let pivot = this.#choosePivot(a, b);
      let isIncreasing = this.#swaps === 0;
      if (this.#swaps === maxSwaps) {
        for (let i = a, j = b - 1; i < j; i++, j--) this.#swap(i, j);
        pivot = b - 1 - (pivot - a);
        isIncreasing = true;
      }
      if (wasBalanced && wasPartitioned && isIncreasing && this.#partialInsertionSort(a, b)) return;
      // Probably many items are equal: those equal to the pivot are in place.
      if (a > 0 && !this.#less(a - 1, pivot)) {
        a = this.#partitionEqual(a, b, pivot);
        continue;
      }
      const [middle, isPartitioned] = this.#partition(a, b, pivot);
      wasPartitioned = isPartitioned;
      const [left, right] = [middle - a, b - middle];
      wasBalanced = Math.min(left, right) >= Math.trunc(length / 8);
      if (left < right) {
        this.sort(a, middle, limit);
        a = middle + 1;
      } else {
        this.sort(middle + 1, b, limit);
        b = middle;
      }
    }
  }

  #insertionSort(a: number, b: number): void {
    for (let i = a + 1; i < b; i++) for (let j = i; j > a && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
  }

  #heapSort(first: number, b: number): void {
    const length = b - first;
    for (let i = Math.trunc((length - 1) / 2); i >= 0; i--) this.#siftDown(i, length, first);
    for (let i = length - 1; i >= 0; i--) {
      this.#swap(first, first + i);
      this.#siftDown(0, i, first);
    }
  }

  #siftDown(from: number, length: number, first: number): void {
    for (let root = from, child = 2 * root + 1; child < length; child = 2 * root + 1) {
      if (child + 1 < length && this.#less(first + child, first + child + 1)) child++;
      if (!this.#less(first + root, first + child)) return;
      this.#swap(first + root, first + child);
      root = child;
    }
  }

  #partition(a: number, b: number, pivot: number): readonly [middle: number, wasPartitioned: boolean] {
    this.#swap(a, pivot);
    let [i, j] = [a + 1, b - 1];
    for (let isFirst = true; ; isFirst = false) {
      while (i <= j && this.#less(i, a)) i++;
      while (i <= j && !this.#less(j, a)) j--;
      if (i > j) {
        this.#swap(j, a);
        return [j, isFirst];
      }
      this.#swap(i++, j--);
    }
  }

  #partitionEqual(a: number, b: number, pivot: number): number {
    this.#swap(a, pivot);
    let [i, j] = [a + 1, b - 1];
    for (;;) {
      while (i <= j && !this.#less(a, i)) i++;
      while (i <= j && this.#less(a, j)) j--;
      if (i > j) return i;
      this.#swap(i++, j--);
    }
  }

  /** Sorts a nearly sorted range; returns whether it is sorted now. */
  #partialInsertionSort(a: number, b: number): boolean {
    for (let i = a + 1, shifts = 0; shifts < maxShifts; shifts++) {
      while (i < b && !this.#less(i, i - 1)) i++;
      if (i === b) return true;
      if (b - a < shortestShifting) return false;
      this.#swap(i, i - 1);
      if (i - a >= 2) for (let j = i - 1; j >= 1 && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
      if (b - i >= 2) for (let j = i + 1; j < b && this.#less(j, j - 1); j++) this.#swap(j, j - 1);
    }
    return false;
  }

  #breakPatterns(a: number, b: number): void {
    const length = b - a;
    let random = BigInt(length);
    const mask = (1n << BigInt(bitLength(length))) - 1n;
    const at = a + Math.trunc(length / 4) * 2 - 1;
    for (let i = 0; i < 3; i++) {
      random ^= BigInt.asUintN(64, random << 13n);
      random ^= random >> 17n;
      random ^= BigInt.asUintN(64, random << 5n);
      const other = Number(random & mask);
      this.#swap(at + i, a + (other >= length ? other - length : other));
    }
  }

  #choosePivot(a: number, b: number): number {
    this.#swaps = 0;
    const quarter = Math.trunc((b - a) / 4);
    const places = [a + quarter, a + quarter * 2, a + quarter * 3] as const;
    if (b - a < shortestNinther) return this.#median(...places);
    const [i, j, k] = places.map((place) => this.#median(place - 1, place, place + 1)) as [number, number, number];
    return this.#median(i, j, k);
  }

  #median(first: number, second: number, third: number): number {
    let [a, b, c] = [first, second, third];
    [a, b] = this.#inOrder(a, b);
    [b, c] = this.#inOrder(b, c);
    [a, b] = this.#inOrder(a, b);
    return b;
  }

  #inOrder(a: number, b: number): readonly [number, number] {
    if (!this.#less(b, a)) return [a, b];
    this.#swaps++;
    return [b, a];
  }
}
