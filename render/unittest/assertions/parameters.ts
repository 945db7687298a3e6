// Decodes the parameters of an assertion.
// Mirrors: github.com/mitchellh/mapstructure v1.5.0, mapstructure.go, `Decode`.

import { formatValue } from '../../go/format.ts';
import { GoError, type GoMap, type GoValue, Int, int, kindOf, typeOf } from '../../go/value.ts';

/** The parameters of an assertion; names are case-insensitive. */
export class Parameters {
  readonly #given: ReadonlyMap<string, GoValue>;
  readonly #errors: string[] = [];

  /** Throws GoError if it is not a mapping. */
  constructor(given: GoValue) {
    if (given !== null && !(given instanceof Map)) throw new GoError(`'' expected a map, got '${kindOf(given)}'`);
    this.#given = new Map([...(given ?? new Map())].map(([key, value]) => [key.toLowerCase(), value]));
  }

  any(name: string): GoValue {
    return this.#given.get(name.toLowerCase()) ?? null;
  }

  text(name: string): string {
    const value = this.any(name);
    return typeof value === 'string' ? value : value === null ? '' : this.#refuse(name, 'string', value, '');
  }

  flag(name: string): boolean {
    const value = this.any(name);
    return typeof value === 'boolean' ? value : value === null ? false : this.#refuse(name, 'bool', value, false);
  }

  count(name: string): Int | undefined {
    const value = this.any(name);
    if (value instanceof Int) return value;
    if (typeof value === 'number') return int(Math.trunc(value));
    return value === null ? undefined : this.#refuse(name, 'int', value, undefined);
  }

  texts(name: string): readonly string[] {
    const value = this.any(name);
    const items = Array.isArray(value) ? value : value === null ? [] : [value];
    return items.map((item, i) =>
      typeof item === 'string' ? item : this.#refuse(`${name}[${i}]`, 'string', item, ''),
    );
  }

  /** Returns a text of a nested mapping, such as the `pattern` of `matchRegex`. */
  inner(name: string, member: string): string {
    const value = this.any(name);
    return value instanceof Map ? new Parameters(value as GoMap).text(member) : '';
  }

  /** Throws GoError for all parameters of a wrong type. */
  check(): void {
    if (this.#errors.length === 0) return;
    const lines = this.#errors.map((line) => `* ${line}`).sort();
    throw new GoError(`${lines.length} error(s) decoding:\n\n${lines.join('\n')}`);
  }

  #refuse<T>(name: string, type: string, value: GoValue, instead: T): T {
    const field = name.charAt(0).toUpperCase() + name.slice(1);
    const got = `got unconvertible type '${typeOf(value)}', value: '${formatValue(value)}'`;
    this.#errors.push(`'${field}' expected type '${type}', ${got}`);
    return instead;
  }
}
