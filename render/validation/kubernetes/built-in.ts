// Validates objects of built-in kinds: unknown fields, wrong types and values, missing fields.
// Mirrors: k8s.io/apimachinery, pkg/runtime/serializer/json (strict), pkg/api/resource, pkg/util/intstr, pkg/apis/meta/v1, v0.36.

import { type GoMap, type GoValue, Int, isNil } from '../../go/value.ts';
import {
  type FieldPath,
  memberPath,
  missingField,
  type ObjectViolation,
  unknownField,
  wrongType,
  wrongValue,
} from './fault.ts';
import { labelFaults, metadataFaults } from './metadata.ts';
import type { Shapes } from './shapes.ts';

/** A value to validate. */
interface Open {
  readonly value: GoValue;
  readonly shape: string;
  readonly path: FieldPath | undefined;
}

/** Returns the problems of a value of a type such as `V1Deployment`, in field order. */
export function checkObjectShape(value: GoValue, type: string, shapes: Shapes, at?: FieldPath): ObjectViolation[] {
  const faults: ObjectViolation[] = [];
  // An explicit stack: deep nesting must not crash the process.
  const open: Open[] = [{ value, shape: type, path: at }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const inner = checkValue(next, shapes, faults);
    for (let i = inner.length - 1; i >= 0; i--) open.push(inner[i]!);
  }
  return faults;
}

// A null counts as absent.
function checkValue({ value, shape, path }: Open, shapes: Shapes, faults: ObjectViolation[]): Open[] {
  if (shape === 'a') return [];
  if (isNil(value))
    return shape.length > 2 && isStruct(shape) ? checkFields(new Map(), { shape, path }, shapes, faults) : [];
  if (shape.startsWith('[')) {
    if (Array.isArray(value)) {
      return value.map((item, index) => ({ value: item, shape: shape.slice(1), path: memberPath(path, index) }));
    }
    faults.push(wrongType(path, typeName(value), 'array'));
    return [];
  }
  if (shape.startsWith('{') || isStruct(shape)) {
    if (!(value instanceof Map)) {
      faults.push(wrongType(path, typeName(value), 'map'));
      return [];
    }
    if (isStruct(shape)) return checkFields(value, { shape, path }, shapes, faults);
    return [...value].map(([key, item]) => ({ value: item, shape: shape.slice(1), path: memberPath(path, key) }));
  }
  const fault = scalarFault(value, shape, path);
  if (fault !== undefined) faults.push(fault);
  return [];
}

function isStruct(shape: string): boolean {
  return /^[A-Z]/.test(shape);
}

function checkFields(
  value: GoMap,
  { shape, path }: Pick<Open, 'shape' | 'path'>,
  shapes: Shapes,
  faults: ObjectViolation[],
): Open[] {
  const fields = shapes.fieldsOf(shape);
  const open: Open[] = [];
  // The server does not validate the metadata of a CronJob's job template.
  if (shape === 'V1ObjectMeta' && path?.before?.step !== 'jobTemplate') faults.push(...metadataFaults(value, path));
  if (shape === 'V1LabelSelector') {
    faults.push(...labelFaults(value.get('matchLabels') ?? null, memberPath(path, 'matchLabels')));
  }
  for (const [name, { isRequired }] of fields) {
    if (isRequired && isNil(value.get(name) ?? null)) faults.push(missingField(memberPath(path, name)));
  }
  for (const [name, item] of value) {
    const field = fields.get(name);
    // Required fields of a null are not reported separately; the null itself is.
    if (field === undefined) faults.push(unknownField(memberPath(path, name), fields.keys()));
    else if (!isNil(item)) open.push({ value: item, shape: field.shape, path: memberPath(path, name) });
  }
  return open;
}

/** Returns the name of a value's type in OpenAPI. */
export function typeName(value: GoValue): string {
  if (isNil(value)) return 'null';
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value;
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (value instanceof Int) return 'integer';
  return Array.isArray(value) ? 'array' : 'map';
}

/** Returns a number as a bigint; undefined if it is not a whole number. */
function integerOf(value: GoValue): bigint | undefined {
  if (value instanceof Int) return value.value;
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : undefined;
}

const dateTime = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,]\d+)?(?:Z|[+-](\d\d):(\d\d))$/;
const quantity = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const bits: Readonly<Record<string, bigint>> = { i: 32n, l: 64n, x: 32n };

function scalarFault(value: GoValue, shape: string, path: FieldPath | undefined): ObjectViolation | undefined {
  const got = typeName(value);
  const isText = typeof value === 'string';
  const wrong = (expected: string): ObjectViolation => wrongType(path, got, expected);
  switch (shape) {
    case 's':
      return isText ? undefined : wrong('string');
    case 'b':
      return typeof value === 'boolean' ? undefined : wrong('boolean');
    case 'd':
      return got === 'integer' || got === 'number' ? undefined : wrong('number');
    case 'i':
    case 'l':
      return integerFault(value, shape, path);
    case 'x':
      if (isText) return undefined;
      return got === 'integer' || got === 'number' ? integerFault(value, shape, path) : wrong('integer or string');
    case 'q':
      if (got === 'integer' || got === 'number') return undefined;
      if (!isText) return wrong('quantity');
      if (quantity.test(value.trim())) return undefined;
      return wrongValue(path, `${JSON.stringify(value)} is not a quantity`, 'Use one such as 100m, 1.5 or 512Mi.');
    case 'y':
      if (!isText) return wrong('string');
      if (base64.test(value.replace(/[\r\n]/g, ''))) return undefined;
      return wrongValue(path, 'it is not base64', 'Pipe it to b64enc, or use stringData of a Secret.');
    default:
      if (!isText) return wrong('string');
      if (isDateTime(value)) return undefined;
      return wrongValue(path, `${JSON.stringify(value)} is not a valid time`, 'Give one such as 2025-01-31T12:00:00Z.');
  }
}

function integerFault(value: GoValue, shape: string, path: FieldPath | undefined): ObjectViolation | undefined {
  const whole = integerOf(value);
  if (whole === undefined) return wrongType(path, typeName(value), shape === 'x' ? 'integer or string' : 'integer');
  const size = bits[shape] ?? 64n;
  if (BigInt.asIntN(Number(size), whole) === whole) return undefined;
  return wrongValue(path, `${whole} does not fit int${size}`, 'Give a smaller number.');
}

function isDateTime(text: string): boolean {
  const found = dateTime.exec(text);
  if (found === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number);
  const days = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= days && hour < 24 && minute < 60 && second < 60;
}
