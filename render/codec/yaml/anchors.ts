// The anchors of a YAML document, and the limit for values created by aliases.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), decode.go, `alias`, `allowedAliasRatio`.

import { copyTree } from '../../go/copy-tree.ts';
import { GoError, type GoValue, Int } from '../../go/value.ts';
import { rememberKeysOf } from './key.ts';

/** The value of an anchor. */
export interface Anchor {
  value: GoValue;
  /** Number of values that Go decodes for an alias of it. */
  size: number;
  /** Whether its value is still being parsed, so that an alias would be a cycle. */
  isOpen: boolean;
  readonly isMapping: boolean;
}

/** The anchors of a document so far. */
export class YamlAnchors {
  readonly #anchors = new Map<string, Anchor>();
  // Number of values that Go has decoded, and how many of them through aliases.
  #decoded = 1;
  #aliased = 0;

  /** Counts one value. */
  count(): void {
    this.#decoded++;
  }

  /** Sets the anchor of a scalar, with its exact number. */
  setScalar(name: string, value: GoValue): void {
    this.#anchors.set(name, { value, size: 1, isOpen: false, isMapping: false });
  }

  /** Sets the anchor of a collection that starts. */
  open(name: string, isMapping: boolean): Anchor {
    const anchor: Anchor = { value: null, size: -this.#decoded, isOpen: true, isMapping };
    this.#anchors.set(name, anchor);
    return anchor;
  }

  /** Sets the value of an anchor whose collection has ended. */
  close(anchor: Anchor, value: GoValue): void {
    anchor.value = value;
    anchor.size += this.#decoded;
    anchor.isOpen = false;
  }

  /** Reports whether an anchor exists. */
  has(name: string): boolean {
    return this.#anchors.has(name);
  }

  /** Reports whether an anchor is that of a mapping. */
  isMapping(name: string): boolean {
    return this.#anchors.get(name)?.isMapping === true;
  }

  /** Returns the value of an alias, as a copy. Throws GoError for an invalid alias. */
  resolve(name: string, exact: boolean): GoValue {
    const anchor = this.#anchors.get(name)!;
    this.#decoded++;
    if (anchor.isOpen) throw new GoError(`yaml: anchor '${name}' value contains itself`);
    this.#decoded += anchor.size;
    this.#aliased += anchor.size;
    if (this.#isExcessive()) throw new GoError('yaml: document contains excessive aliasing');
    return copyAnchored(anchor.value, exact);
  }

  // In a small document 99% of the values can come from aliases, in a large one 10%.
  #isExcessive(): boolean {
    if (this.#aliased <= 100 || this.#decoded <= 1000) return false;
    const share = Math.min(Math.max((this.#decoded - 400_000) / 3_600_000, 0), 1);
    return this.#aliased / this.#decoded > 0.99 - 0.89 * share;
  }
}

/** Returns a copy of a value; unless `exact`, integers become floats. */
export function copyAnchored(value: GoValue, exact: boolean): GoValue {
  const convert = (item: GoValue): GoValue => (item instanceof Int && !exact ? Number(item.value) : item);
  return copyTree(value, convert, rememberKeysOf);
}
