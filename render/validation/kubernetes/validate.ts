// Validates objects against the schemas of a Kubernetes version and of accompanying definitions, and reports removed APIs.

import { orUndefined } from '../../core/catch.ts';
import type { Steps } from '../../core/paths.ts';
import { compileRegexp } from '../../go/regexp/regexp.ts';
import { type GoMap, type GoValue, Int, isNil } from '../../go/value.ts';
import { listMember, member, textMember } from '../../manifest/objects.ts';
import {
  checkEach,
  checkObjectShape,
  missingField,
  nameFaults,
  type ObjectViolation,
  type Shapes,
  shapesOf,
  typeName,
  unknownField,
  wrongType,
  wrongValue,
} from './built-in.ts';
import { type KindFault, kindFault } from './lifecycles.ts';

// Mirrors: k8s.io/apiextensions-apiserver, pkg/apiserver/schema (pruning, defaulting, objectmeta) and validation, v0.36.

interface Open {
  readonly value: GoValue;
  readonly schema: GoValue;
  readonly path: Steps;
  /** Whether it is a whole object, with a type and metadata. */
  readonly isObject: boolean;
  /** Whether unknown fields are preserved here. */
  readonly isKept: boolean;
}

const objectFields = ['apiVersion', 'kind', 'metadata'] as const;

/** Returns the problems of a custom resource according to the schema of its version. */
function checkCustom(value: GoMap, schema: GoValue, shapes: Shapes): ObjectViolation[] {
  const start: Open = { value, schema, path: [], isObject: true, isKept: false };
  return checkEach(start, (open, faults) => checkValue(open, shapes, faults));
}

function is(schema: GoValue, key: string): boolean {
  return member(schema, key) === true;
}

function checkValue(open: Open, shapes: Shapes, faults: ObjectViolation[]): Open[] {
  const { value, schema, path, isObject } = open;
  if (!(schema instanceof Map)) return [];
  const type = member(schema, 'type');
  if (isNil(value)) {
    if (!is(schema, 'nullable') && typeof type === 'string') faults.push(wrongType(path, 'null', type));
    return [];
  }
  if (!fits(value, schema, type)) {
    const expected = is(schema, 'x-kubernetes-int-or-string') ? 'integer or string' : String(type);
    faults.push(wrongType(path, typeName(value) === 'map' ? 'object' : typeName(value), expected));
    return [];
  }
  faults.push(...valueFaults(value, schema, path));
  if (Array.isArray(value)) {
    const isKept = open.isKept || is(schema, 'x-kubernetes-preserve-unknown-fields');
    const items = member(schema, 'items');
    return value.map((item, at) => ({
      value: item,
      schema: items,
      path: [...path, at],
      isObject: false,
      isKept,
    }));
  }
  if (!(value instanceof Map)) return [];
  return checkMembers({ ...open, isObject: isObject || is(schema, 'x-kubernetes-embedded-resource') }, shapes, faults);
}

function checkMembers(
  { value, schema, path, isObject, isKept }: Open,
  shapes: Shapes,
  faults: ObjectViolation[],
): Open[] {
  const map = value as GoMap;
  const properties = member(schema, 'properties');
  const known = properties instanceof Map ? properties : new Map<string, GoValue>();
  const others = member(schema, 'additionalProperties');
  const keeps = is(schema, 'x-kubernetes-preserve-unknown-fields') || others !== null;
  for (const name of listMember(schema, 'required')) {
    if (typeof name !== 'string') continue;
    const own = known.get(name) ?? null;
    const isAbsent = !map.has(name) || isPrunedNull(map.get(name) ?? null, own);
    if (isAbsent && member(own, 'default') === null) faults.push(missingField([...path, name]));
  }
  const open: Open[] = [];
  for (const [name, item] of map) {
    const at = [...path, name];
    if (isObject && objectFields.some((field) => field === name)) {
      if (name === 'metadata') faults.push(...checkObjectShape(item, 'V1ObjectMeta', shapes, at));
      else if (typeof item !== 'string') faults.push(wrongType(at, typeName(item), 'string'));
      continue;
    }
    const own = known.get(name) ?? (others instanceof Map ? others : null);
    // Pruning happens before validation.
    if (isPrunedNull(item, own)) continue;
    if (own !== null) open.push({ value: item, schema: own, path: at, isObject: false, isKept });
    else if (!known.has(name) && !keeps && !isKept) {
      faults.push(unknownField(at, [...known.keys(), ...(isObject ? objectFields : [])]));
    }
  }
  return open;
}

// The server removes a null member unless its schema is nullable, or replaces it with the default. List items stay null.
function isPrunedNull(value: GoValue, schema: GoValue): boolean {
  return isNil(value) && schema !== null && !is(schema, 'nullable');
}

function fits(value: GoValue, schema: GoValue, type: GoValue): boolean {
  const own = typeName(value);
  if (is(schema, 'x-kubernetes-int-or-string')) return own === 'integer' || own === 'string';
  if (type === 'object') return own === 'map';
  if (type === 'number') return own === 'integer' || own === 'number';
  return typeof type !== 'string' || type === '' || own === type;
}

const hint = 'Look at the definition of the kind for what it takes.';

function valueFaults(value: GoValue, schema: GoMap, path: Steps): ObjectViolation[] {
  const reason = reasonAgainst(value, schema);
  return reason === undefined ? [] : [wrongValue(path, reason, hint)];
}

/** Returns why a value violates its schema, apart from its type and members. */
function reasonAgainst(value: GoValue, schema: GoMap): string | undefined {
  const options = member(schema, 'enum');
  if (Array.isArray(options) && options.length > 0 && !options.some((option) => isEqual(option, value))) {
    return `${shown(value)} is none of ${options.map(shown).join(', ')}`;
  }
  const limit = (key: string): number | undefined => numberOf(member(schema, key));
  const number = numberOf(value);
  if (number !== undefined) return numberReason(number, limit, schema);
  if (typeof value === 'string') return textReason(value, limit, member(schema, 'pattern'));
  const [size, least, most] = Array.isArray(value)
    ? [value.length, limit('minItems'), limit('maxItems')]
    : [(value as GoMap).size, limit('minProperties'), limit('maxProperties')];
  if (size !== undefined && least !== undefined && size < least) return `it has ${size} entries, at least ${least}`;
  if (size !== undefined && most !== undefined && size > most) return `it has ${size} entries, at most ${most}`;
  return undefined;
}

type Limit = (key: string) => number | undefined;

function numberReason(number: number, limit: Limit, schema: GoMap): string | undefined {
  const [least, most, step] = [limit('minimum'), limit('maximum'), limit('multipleOf')];
  if (least !== undefined && (is(schema, 'exclusiveMinimum') ? number <= least : number < least)) {
    return `${number} is less than ${least}`;
  }
  if (most !== undefined && (is(schema, 'exclusiveMaximum') ? number >= most : number > most)) {
    return `${number} is more than ${most}`;
  }
  if (step !== undefined && step > 0 && !Number.isInteger(number / step))
    return `${number} is not a multiple of ${step}`;
  return undefined;
}

function textReason(text: string, limit: Limit, pattern: GoValue): string | undefined {
  const length = [...text].length;
  const [least, most] = [limit('minLength'), limit('maxLength')];
  if (least !== undefined && length < least) return `it has ${length} characters, at least ${least}`;
  if (most !== undefined && length > most) return `it has ${length} characters, at most ${most}`;
  if (typeof pattern !== 'string' || pattern === '' || matches(text, pattern)) return undefined;
  return `${shown(text)} does not match ${pattern}`;
}

// A definition with an invalid pattern is refused itself.
function matches(text: string, pattern: string): boolean {
  return orUndefined(() => compileRegexp(pattern).matchString(text)) ?? true;
}

function numberOf(value: GoValue): number | undefined {
  return value instanceof Int ? Number(value.value) : typeof value === 'number' ? value : undefined;
}

function shown(value: GoValue): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  return String(numberOf(value) ?? (typeof value === 'boolean' ? value : typeName(value)));
}

function isEqual(one: GoValue, other: GoValue): boolean {
  const number = numberOf(one);
  return number === undefined ? one === other : number === numberOf(other);
}

/** A problem of an object: of a field, or of its kind as a whole. */
export interface ObjectFault extends Omit<ObjectViolation, 'kind'> {
  readonly kind: ObjectViolation['kind'] | KindFault['kind'];
}

export interface Validator {
  /** The version of the schemas, such as `1.31`: the nearest available one. */
  readonly version: string;
  /** Returns the problems of an object. Without a schema, only the metadata of a custom resource are validated. */
  check(object: GoMap): ObjectFault[];
  /** Returns the problems of its API version and kind only. */
  checkApi(object: GoMap): ObjectFault[];
}

/** Creates a validator. `definitions` are custom resource definitions, whose kinds are validated by their schemas. */
export function createValidator(kubeVersion: string, definitions: readonly GoMap[] = []): Validator {
  const shapes = shapesOf(kubeVersion);
  const custom = new Map(definitions.flatMap(schemasOf));
  return {
    version: shapes.version,
    checkApi: (object) => apiFaults(textMember(object, 'apiVersion'), textMember(object, 'kind'), kubeVersion),
    check: (object) => {
      const apiVersion = textMember(object, 'apiVersion');
      const kind = textMember(object, 'kind');
      const missing = [...(apiVersion === '' ? ['apiVersion'] : []), ...(kind === '' ? ['kind'] : [])];
      if (missing.length > 0) return missing.map((name) => missingField([name]));
      // kubectl sends the items of a list one by one, and refuses a list without items.
      if (apiVersion === 'v1' && kind === 'List') {
        return Array.isArray(member(object, 'items')) ? [] : [missingField(['items'])];
      }
      return [
        ...apiFaults(apiVersion, kind, kubeVersion),
        ...nameFaults(apiVersion, kind, member(object, 'metadata')),
        ...fieldFaults(object, { apiVersion, kind, shapes, custom }),
      ];
    },
  };
}

interface Known {
  readonly apiVersion: string;
  readonly kind: string;
  readonly shapes: Shapes;
  readonly custom: ReadonlyMap<string, GoValue>;
}

function fieldFaults(object: GoMap, { apiVersion, kind, shapes, custom }: Known): ObjectViolation[] {
  const type = shapes.typeOf(apiVersion, kind);
  if (type !== undefined) return checkObjectShape(object, type, shapes);
  const schema = custom.get(`${apiVersion} ${kind}`);
  if (schema !== undefined) return checkCustom(object, schema, shapes);
  const metadata = member(object, 'metadata');
  return metadata === null ? [] : checkObjectShape(metadata, 'V1ObjectMeta', shapes, ['metadata']);
}

// A version without a schema accepts anything; one of a definition with `preserveUnknownFields` keeps unknown fields.
function schemasOf(definition: GoMap): (readonly [string, GoValue])[] {
  const spec = member(definition, 'spec');
  const [group, kind] = [textMember(spec, 'group'), textMember(member(spec, 'names'), 'kind')];
  const listed = member(spec, 'versions');
  if (!Array.isArray(listed) || member(spec, 'preserveUnknownFields') === true) return [];
  return listed.flatMap((version) => {
    const schema = member(member(version, 'schema'), 'openAPIV3Schema');
    return schema instanceof Map ? [[`${group}/${textMember(version, 'name')} ${kind}`, schema] as const] : [];
  });
}

function apiFaults(apiVersion: string, kind: string, kubeVersion: string): ObjectFault[] {
  const fault = apiVersion === '' || kind === '' ? undefined : kindFault(apiVersion, kind, kubeVersion);
  if (fault === undefined) return [];
  return [{ ...fault, path: '', steps: ['apiVersion'], message: `${apiVersion} ${kind} ${fault.message}` }];
}
