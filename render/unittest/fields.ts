// The members of mappings in suites, by type.

import { formatValue } from '../go/format.ts';
import { GoError, type GoMap, type GoValue, Int } from '../go/value.ts';

/** The members of a mapping. Each accessor throws GoError for a value of another type; null counts as absent. */
export class SuiteFields {
  readonly #map: GoMap;
  readonly #place: string;
  readonly #isStrict: boolean;

  /** `place` names the mapping in messages. Throws GoError for another value, and for members that are not in `names`, if given. */
  constructor(value: GoValue | undefined, place: string, names?: readonly string[]) {
    if (value !== undefined && value !== null && !(value instanceof Map))
      throw new GoError(`${place} must be a mapping`);
    this.#map = value ?? new Map();
    this.#place = place;
    this.#isStrict = names !== undefined;
    const unknown = [...this.#map.keys()].find((key) => names?.includes(key) === false);
    if (unknown !== undefined) throw new GoError(`${place} has an unknown field ${unknown}`);
  }

  part(name: string, names: readonly string[]): SuiteFields {
    return this.#within(this.get(name), name, names);
  }

  /** Returns the fields of each mapping in an inner mapping. */
  parts(name: string, names: readonly string[]): (readonly [key: string, fields: SuiteFields])[] {
    return [...this.map(name)].map(([key, value]) => [key, this.#within(value, key, names)]);
  }

  #within(value: GoValue, name: string, names: readonly string[]): SuiteFields {
    return new SuiteFields(value, `${this.#place}: ${name}`, this.#isStrict ? names : undefined);
  }

  get(name: string): GoValue {
    return this.#map.get(name) ?? this.#map.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#map.has(name);
  }

  /** Returns a scalar as a text. */
  text(name: string): string {
    return this.#textOf(this.get(name), name);
  }

  /** Returns a text, which must be one in YAML. */
  string(name: string): string {
    const value = this.get(name) ?? '';
    return typeof value === 'string' ? value : this.#refuse(name, 'a string');
  }

  flag(name: string): boolean {
    const value = this.get(name) ?? false;
    return typeof value === 'boolean' ? value : this.#refuse(name, 'true or false');
  }

  /** Returns a whole number, or undefined. */
  whole(name: string): number | undefined {
    const value = this.get(name);
    if (value === null) return undefined;
    const number = value instanceof Int ? Number(value.value) : value;
    return typeof number === 'number' && Number.isInteger(number) ? number : this.#refuse(name, 'a whole number');
  }

  texts(name: string): readonly string[] {
    return this.list(name).map((item) => this.#textOf(item, name));
  }

  list(name: string): readonly GoValue[] {
    const value = this.get(name) ?? [];
    return Array.isArray(value) ? value : this.#refuse(name, 'a list');
  }

  map(name: string): GoMap {
    const value = this.get(name) ?? new Map();
    return value instanceof Map ? value : this.#refuse(name, 'a mapping');
  }

  #textOf(value: GoValue, name: string): string {
    if (value instanceof Map || Array.isArray(value)) return this.#refuse(name, 'a string');
    return value === null ? '' : formatValue(value);
  }

  #refuse(name: string, type: string): never {
    throw new GoError(`${this.#place}: ${name} must be ${type}`);
  }
}
