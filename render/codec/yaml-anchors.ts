// The anchors of a YAML document: what they name, and how much their aliases may multiply.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), decode.go, `alias`, `allowedAliasRatio`.

import { GoError, type GoMap, type GoValue, Int } from '../go/value.ts';

interface Anchor {
  value: GoValue;
  /** How many values Go decodes when it comes to an alias of it. */
  size: number;
  /** Whether its value is still being read, so that an alias would put it into itself. */
  isOpen: boolean;
  readonly isMapping: boolean;
}

/** The anchors that a document has so far. */
export class YamlAnchors {
  readonly #anchors = new Map<string, Anchor>();
  // How many values Go has decoded here, and how many of them because of aliases.
  #decoded = 1;
  #aliased = 0;

  /** Counts one more value. */
  count(): void {
    this.#decoded++;
  }

  /** Lets an anchor name a scalar, with its number in full. */
  setScalar(name: string, value: GoValue): void {
    this.#anchors.set(name, { value, size: 1, isOpen: false, isMapping: false });
  }

  /** Lets an anchor name the collection that `read` reads. */
  setCollection(name: string, isMapping: boolean, read: () => GoValue): GoValue {
    const anchor: Anchor = { value: null, size: -this.#decoded, isOpen: true, isMapping };
    this.#anchors.set(name, anchor);
    anchor.value = read();
    anchor.size += this.#decoded;
    anchor.isOpen = false;
    return anchor.value;
  }

  /** Tells whether there is an anchor of that name. */
  has(name: string): boolean {
    return this.#anchors.has(name);
  }

  /** Tells whether the anchor of that name is one of a mapping. */
  isMapping(name: string): boolean {
    return this.#anchors.get(name)?.isMapping === true;
  }

  /** Gives what an alias stands for, a value of its own. Throws GoError for one that cannot stand for anything. */
  resolve(name: string, exact: boolean): GoValue {
    const anchor = this.#anchors.get(name) as Anchor;
    this.#decoded++;
    if (anchor.isOpen) throw new GoError(`yaml: anchor '${name}' value contains itself`);
    this.#decoded += anchor.size;
    this.#aliased += anchor.size;
    if (this.#isExcessive()) throw new GoError('yaml: document contains excessive aliasing');
    return copyValue(anchor.value, exact);
  }

  // Of a small document 99% may come from aliases, of a large one 10%.
  #isExcessive(): boolean {
    if (this.#aliased <= 100 || this.#decoded <= 1000) return false;
    const share = Math.min(Math.max((this.#decoded - 400_000) / 3_600_000, 0), 1);
    return this.#aliased / this.#decoded > 0.99 - 0.89 * share;
  }
}

/** Gives a copy of a value; unless `exact`, integers become floats. */
export function copyValue(value: GoValue, exact: boolean): GoValue {
  if (value instanceof Int) return exact ? value : Number(value.value);
  if (Array.isArray(value)) return value.map((item) => copyValue(item, exact));
  if (!(value instanceof Map)) return value;
  const copy: GoMap = new Map();
  for (const [key, item] of value) copy.set(key, copyValue(item, exact));
  return copy;
}
