// Decodes the fields of a suite's mappings like go-yaml into structs.
// Mirrors: go.yaml.in/yaml v3, decode.go, `unmarshal` into structs, with and without `KnownFields`.

import { formatValue } from '../go/format.ts';
import { GoError, type GoMap, type GoValue, Int } from '../go/value.ts';
import { wrongTypeError } from './yaml.ts';

/** The fields of a mapping. */
export class SuiteFields {
  readonly #map: GoMap;

  /** `type` is Go's name of the struct. Throws GoError if it is not a mapping and, if `strict`, for an unknown field. */
  constructor(value: GoValue | undefined, type: string, names: readonly string[], strict: boolean) {
    if (value !== undefined && value !== null && !(value instanceof Map)) throw wrongTypeError(value, type);
    this.#map = value ?? new Map();
    const unknown = strict ? [...this.#map.keys()].filter((key) => !names.includes(key)) : [];
    if (unknown.length > 0) {
      const lines = unknown.map((key) => `  field ${key} not found in type ${type}`);
      throw new GoError(`yaml: unmarshal errors:\n${lines.join('\n')}`);
    }
  }

  get(name: string): GoValue {
    return this.#map.get(name) ?? null;
  }

  has(name: string): boolean {
    return this.#map.has(name);
  }

  text(name: string): string {
    return textOf(this.get(name));
  }

  flag(name: string): boolean {
    const value = this.get(name);
    if (value !== null && typeof value !== 'boolean') throw wrongTypeError(value, 'bool');
    return value === true;
  }

  /** Returns a whole number, or undefined. */
  whole(name: string): number | undefined {
    const value = this.get(name);
    if (value === null) return undefined;
    if (!(value instanceof Int) && !Number.isInteger(value)) throw wrongTypeError(value, 'int');
    return Number(value instanceof Int ? value.value : value);
  }

  texts(name: string): readonly string[] {
    return this.list(name, 'string').map(textOf);
  }

  list(name: string, type: string): readonly GoValue[] {
    const value = this.get(name);
    if (value !== null && !Array.isArray(value)) throw wrongTypeError(value, `[]${type}`);
    return value ?? [];
  }

  map(name: string): GoMap {
    const value = this.get(name);
    if (value !== null && !(value instanceof Map)) throw wrongTypeError(value, 'map[string]interface {}');
    return value ?? new Map();
  }
}

function textOf(value: GoValue): string {
  if (value === null) return '';
  if (value instanceof Map || Array.isArray(value)) throw wrongTypeError(value, 'string');
  return formatValue(value);
}
