// The anchors of a YAML document: what they name, and how much their aliases may multiply.
// Mirrors: go-yaml v2 (sigs.k8s.io/yaml 1.4.0), decode.go, `alias`, `allowedAliasRatio`.

import { copyTree } from '../../go/copy-tree.ts';
import { GoError, type GoValue, Int } from '../../go/value.ts';
import { rememberKeysOf } from './key.ts';

/** What a document lets a name stand for. */
export interface Anchor {
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

  /** Lets an anchor name a collection that begins. */
  open(name: string, isMapping: boolean): Anchor {
    const anchor: Anchor = { value: null, size: -this.#decoded, isOpen: true, isMapping };
    this.#anchors.set(name, anchor);
    return anchor;
  }

  /** Returns an anchor its collection, which has ended. */
  close(anchor: Anchor, value: GoValue): void {
    anchor.value = value;
    anchor.size += this.#decoded;
    anchor.isOpen = false;
  }

  /** Reports whether there is an anchor of that name. */
  has(name: string): boolean {
    return this.#anchors.has(name);
  }

  /** Reports whether the anchor of that name is one of a mapping. */
  isMapping(name: string): boolean {
    return this.#anchors.get(name)?.isMapping === true;
  }

  /** Returns what an alias stands for, a value of its own. Throws GoError for one that cannot stand for anything. */
  resolve(name: string, exact: boolean): GoValue {
    const anchor = this.#anchors.get(name)!;
    this.#decoded++;
    if (anchor.isOpen) throw new GoError(`yaml: anchor '${name}' value contains itself`);
    this.#decoded += anchor.size;
    this.#aliased += anchor.size;
    if (this.#isExcessive()) throw new GoError('yaml: document contains excessive aliasing');
    return copyAnchored(anchor.value, exact);
  }

  // Of a small document 99% may come from aliases, of a large one 10%.
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
