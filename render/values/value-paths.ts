// The paths of the tables and lists among a rendering's values, so that an observer can name what a template reads.

import { type GoMap, type GoValue, NamedMap } from '../go/value.ts';
import type { Steps } from './paths.ts';
import { Reads } from './reads.ts';

/** Functions whose result is a copy of the maps that are their arguments. */
const copiers: ReadonlySet<string> = new Set(
  'deepCopy mustDeepCopy merge mustMerge mergeOverwrite mustMergeOverwrite omit pick'.split(' '),
);

/** The paths of one rendering's values; the rendering takes `reads` as an option. */
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

  /** Returns the path of a table or list; undefined if it is not one of the values. */
  of(value: GoValue): Steps | undefined {
    return this.#paths.get(targetOf(value));
  }

  /** Notes the result of a function: what is read of a copy was read of its original, the first argument that is a value. */
  functionEnded(name: string, copy: GoValue, args: readonly GoValue[]): void {
    if (!copiers.has(name)) return;
    const path = args.map((one) => this.of(one)).find((known) => known !== undefined);
    if (path !== undefined) this.#index(targetOf(copy), path);
  }

  /** Notes a field: `.Values` may be others than the chart was given, such as a copy that it had read from a text. */
  fieldEnded(name: string, value: GoValue | undefined): void {
    if (name === 'Values' && value instanceof Map) this.#index(targetOf(value), []);
  }
}

// A map that is seen under another type shares its entries.
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
