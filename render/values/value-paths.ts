// The paths of tables and lists in a rendering's values, so that an observer can name what a template reads.

import { type GoMap, type GoValue, NamedMap } from '../go/value.ts';
import type { Steps } from './paths.ts';
import { Reads } from './reads.ts';

/** Functions that return a copy of their map arguments. */
const copiers: ReadonlySet<string> = new Set(
  'deepCopy mustDeepCopy merge mustMerge mergeOverwrite mustMergeOverwrite omit pick'.split(' '),
);

/** Tracks the paths of one rendering's values. The rendering takes `reads` as an option. */
export class ValuePaths {
  readonly reads: Reads;
  /** The merged values of the whole chart. */
  values: GoMap = new Map();
  readonly #paths = new Map<GoValue, Steps>();

  constructor() {
    this.reads = new IndexedReads((values) => {
      this.values = values;
      this.#index(values, []);
    });
  }

  #index(value: GoValue, path: Steps): void {
    if (!(value instanceof Map) && !Array.isArray(value)) return;
    if (this.#paths.has(value)) return;
    this.#paths.set(value, path);
    if (Array.isArray(value)) for (const [at, item] of value.entries()) this.#index(item, [...path, at]);
    else Map.prototype.forEach.call(value, (item: GoValue, key: string) => this.#index(item, [...path, key]));
  }

  /** Returns the path of a table or list; undefined if it is not part of the values. */
  of(value: GoValue): Steps | undefined {
    return this.#paths.get(targetOf(value));
  }

  /** Records the result of a function: reading a copy counts as reading its original, the first argument that is a value. */
  functionEnded(name: string, copy: GoValue, args: readonly GoValue[]): void {
    if (!copiers.has(name)) return;
    const path = args.map((one) => this.of(one)).find((known) => known !== undefined);
    if (path !== undefined) this.#index(targetOf(copy), path);
  }

  /** Records a field: `.Values` may be a copy, such as one parsed from a text. */
  fieldEnded(name: string, value: GoValue | undefined): void {
    if (name === 'Values' && value instanceof Map) this.#index(targetOf(value), []);
  }
}

// A map viewed as another type shares its entries.
function targetOf(value: GoValue): GoValue {
  return value instanceof NamedMap ? value.target : value;
}

class IndexedReads extends Reads {
  readonly #onValues: (values: GoMap) => void;

  constructor(onValues: (values: GoMap) => void) {
    super();
    this.#onValues = onValues;
  }

  override watch(values: GoMap): GoMap {
    const watched = super.watch(values);
    this.#onValues(watched);
    return watched;
  }
}
