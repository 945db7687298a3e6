// Decodes YAML into Go structs: scalars are converted to string fields, names are case-insensitive.
// Mirrors: sigs.k8s.io/yaml 1.4.0, yaml.go, `convertToJSONableObject` and `jsonUnmarshal`; Go 1.23, encoding/json, decode.go;
// Go 1.27, encoding/json, v2_inject.go.

import { catchGoError } from '../core/catch.ts';
import { withFloats } from '../go/copy-tree.ts';
import { quote } from '../go/number.ts';
import { parseGoTime } from '../go/time/time.ts';
import { GoError, type GoValue, sortedEntries } from '../go/value.ts';
import { jsonKindOf, jsonTarget, quoteJson } from './json.ts';
import type { JsonVersion } from './rules.ts';
import { listRepeatedKeys } from './yaml/members.ts';
import { type IsTextField, parseYamlExact, scalarText } from './yaml/parse.ts';

/** A Go type to decode into. */
export interface GoType {
  /** The name that Go prints. */
  readonly name: string;
  /** Returns the decoded value, given the previous one; `undefined` is Go's nil. */
  readonly decode: (value: GoValue, previous: unknown, place: StructPlace) => unknown;
  /** Reports whether a string is expected at a path of keys. Default: never. */
  readonly isText?: IsTextField;
}

/** The position of the decoder in a struct, and the collected errors: Go continues to the end and returns the first. */
export interface StructPlace {
  /** For example `Metadata.dependencies.name`; empty outside of a struct. */
  readonly field: string;
  /** The keys and indexes from the root. */
  readonly steps: readonly (string | number)[];
  readonly json: JsonVersion;
  readonly faults: GoError[];
  /** Whether an unknown field is an error. Default false. */
  readonly isStrict?: boolean | undefined;
  /** Whether the text is JSON, where a number is not converted to a string. Default false. */
  readonly isJson?: boolean | undefined;
}

/** Options for `decodeYaml`. */
export interface DecodeOptions {
  /** The package of charts in the errors of a Helm version. Default `chart`. */
  readonly goPackage?: string | undefined;
  /** Whether an unknown field or a duplicate key is an error. Default false. */
  readonly isStrict?: boolean | undefined;
  /** The implementation of encoding/json, which words the errors. Default v1. */
  readonly json?: JsonVersion | undefined;
}

/**
 * Decodes the first document of a YAML text over `previous`; fields that it does not contain keep their values. Throws GoError, such as
 * `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal …`.
 * Mirrors: sigs.k8s.io/yaml, `Unmarshal` and `UnmarshalStrict`.
 */
export function decodeYaml<T>(text: string, type: GoType, previous: unknown, options: DecodeOptions = {}): T {
  const { goPackage = 'chart', isStrict, json = 'v1' } = options;
  const value = parseYamlExact(text, type.isText);
  if (isStrict) checkKeys(text);
  const faults: GoError[] = [];
  const decoded = type.decode(value, previous, { field: '', steps: [], json, faults, isStrict });
  const [fault] = faults;
  if (fault !== undefined) {
    const message = fault.message.replace(/\bchart(?=\.\w+$)/, goPackage);
    throw new GoError(`error unmarshaling JSON: while decoding JSON: ${message}`);
  }
  return decoded as T;
}

/** Decodes a value parsed from JSON. Throws GoError, such as `json: cannot unmarshal …`. */
export function decodeJson(value: GoValue, type: GoType, json: JsonVersion = 'v1'): unknown {
  const faults: GoError[] = [];
  const decoded = type.decode(value, undefined, { field: '', steps: [], json, faults, isJson: true });
  if (faults[0] !== undefined) throw faults[0];
  return decoded;
}

function checkKeys(text: string): void {
  const repeated = listRepeatedKeys(text);
  if (repeated.length === 0) return;
  const lines = repeated.map(({ key, line }) => `\n  line ${line}: key ${quote(key)} already set in map`);
  throw new GoError(`error converting YAML to JSON: yaml: unmarshal errors:${lines.join('')}`);
}

/** Go's `string`: numbers and booleans are formatted, floats with 32 bits. */
export const stringType: GoType = {
  name: 'string',
  decode: (value, previous, place) => {
    if (value === null) return previous;
    const text = place.isJson && typeof value !== 'string' ? undefined : scalarText(value);
    return text ?? mismatch(value, 'string', previous, place);
  },
  isText: (path) => path.length === 0,
};

/** Go's `bool`. */
export const boolType: GoType = {
  name: 'bool',
  decode: (value, previous, place) => {
    if (value === null) return previous;
    return typeof value === 'boolean' ? value : mismatch(value, 'bool', previous, place);
  },
};

/** Go's `interface {}`: all numbers are float64. */
export const anyType: GoType = { name: 'interface {}', decode: withFloats };

const rfc3339 = '2006-01-02T15:04:05Z07:00';

/** Go's `time.Time`; only its errors matter. */
export const timeType: GoType = {
  name: 'time.Time',
  decode: (value, previous, { faults }) => {
    if (value === null) return previous;
    if (typeof value !== 'string') {
      faults.push(new GoError('Time.UnmarshalJSON: input is not a JSON string'));
      return previous;
    }
    // Go parses the time from the JSON text with its escapes.
    const text = quoteJson(value).slice(1, -1);
    return catchGoError(
      () => parseGoTime(rfc3339, text),
      (error) => {
        faults.push(error);
        return previous;
      },
    );
  },
};

/** Returns Go's slice of a type. Elements are decoded over the previous ones, as in Go; `zero` replaces null. */
export function sliceOf(element: GoType, zero: unknown): GoType {
  const name = `[]${element.name}`;
  return {
    name,
    decode: (value, previous, place) => {
      if (value === null) return undefined;
      if (!Array.isArray(value)) return mismatch(value, name, previous, place);
      const before = (previous ?? []) as readonly unknown[];
      return value.map((item, i) => element.decode(item, before[i], within(place, i)) ?? zero);
    },
    isText: ([index, ...path]) => typeof index === 'number' && element.isText?.(path) === true,
  };
}

/** Returns Go's `map[string]string`. Entries are added to the previous ones. */
export const stringMapType: GoType = {
  name: 'map[string]string',
  decode: (value, previous, place) => {
    if (value === null) return undefined;
    if (!(value instanceof Map)) return mismatch(value, 'map[string]string', previous, place);
    const entries = new Map((previous ?? []) as ReadonlyMap<string, unknown>);
    for (const [key, entry] of sortedEntries(value)) {
      entries.set(key, stringType.decode(entry, undefined, within(place, key)) ?? '');
    }
    return entries;
  },
  isText: ([key, ...path]) => typeof key === 'string' && path.length === 0,
};

/**
 * Returns a Go struct type with the given fields by their names in YAML, decoded to an object with properties in camel case. `type` is the
 * name that Go prints, by default in package chart.
 */
export function structOf(name: string, types: Readonly<Record<string, GoType>>, type = `chart.${name}`): GoType {
  const fields = Object.entries(types).map(([field, inside]) => ({ field, inside, property: camelCase(field) }));
  const find = (key: string): (typeof fields)[number] | undefined =>
    fields.find(({ field }) => field === key) ?? fields.find(({ field }) => foldCase(field) === foldCase(key));
  return {
    name: type,
    decode: (value, previous, place) => {
      if (value === null) return previous;
      if (!(value instanceof Map)) return mismatch(value, type, previous, place);
      const decoded: Record<string, unknown> = { ...(previous as object | undefined) };
      const path = place.field === '' ? '' : place.field.slice(place.field.indexOf('.') + 1).concat('.');
      for (const [key, member] of sortedEntries(value)) {
        const found = find(key);
        if (found === undefined) {
          if (place.isStrict) place.faults.push(new GoError(`json: unknown field ${quote(key)}`));
          continue;
        }
        const { field, property, inside } = found;
        const inner = { ...within(place, key), field: `${name}.${path}${field}` };
        decoded[property] = inside.decode(member, decoded[property], inner);
      }
      return decoded;
    },
    isText: ([key, ...path]) => typeof key === 'string' && find(key)?.inside.isText?.(path) === true,
  };
}

// `importValues` for `import-values`, `metadata` for `Metadata`.
function camelCase(field: string): string {
  const name = field.slice(0, 1).toLowerCase() + field.slice(1);
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

// The two non-ASCII letters that encoding/json folds: the Kelvin sign and the long s.
function foldCase(name: string): string {
  return name.toLowerCase().replaceAll('\u017f', 's');
}

/** Returns a pointer type: null is Go's nil. */
export function pointerTo(type: GoType): GoType {
  return {
    name: `*${type.name}`,
    decode: (value, previous, place) => (value === null ? undefined : type.decode(value, previous, place)),
    isText: (path) => type.isText?.(path) === true,
  };
}

function within(place: StructPlace, step: string | number): StructPlace {
  return { ...place, steps: [...place.steps, step] };
}

function mismatch(value: GoValue, type: string, previous: unknown, place: StructPlace): unknown {
  const { field, steps, json, faults } = place;
  const named = field === '' ? 'Go value' : `Go struct field ${field}`;
  const target = json === 'v2' ? jsonTarget(steps) : named;
  faults.push(new GoError(`json: cannot unmarshal ${jsonKindOf(value)} into ${target} of type ${type}`));
  return previous;
}
