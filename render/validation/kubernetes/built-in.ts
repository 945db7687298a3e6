// Validates objects of built-in kinds: unknown fields, wrong types and values, missing fields.
// Mirrors: k8s.io/apimachinery, pkg/runtime/serializer/json (strict), pkg/api/resource, pkg/util/intstr, pkg/apis/meta/v1, v0.36.

import { joinPath, type Steps } from '../../core/paths.ts';
import { suggest } from '../../core/suggest.ts';
import { type GoMap, type GoValue, Int, isNil } from '../../go/value.ts';
import { entryOf, isIn, knownVersions, minorOf, splitLines, typesOfKinds } from './lifecycles.ts';
import { types } from './tables.generated.ts';

/** The kind of a problem: an unknown field, a wrong type or value, or a missing field. */
type FaultKind = 'unknown' | 'invalid' | 'missing';

export interface ObjectViolation {
  readonly kind: FaultKind;
  /** The field, such as `spec.replicas`. */
  readonly path: string;
  readonly steps: Steps;
  /** For example `unknown field "spec.replcas"`. */
  readonly message: string;
  /** How to fix it, as one sentence. */
  readonly hint: string;
}

/** Returns the problem of an unknown field. `known` are the names of its siblings. */
export function unknownField(path: Steps, known: Iterable<string>): ObjectViolation {
  const meant = suggest(String(path.at(-1)), known);
  const hint = meant === undefined ? 'Leave it out, or move it to where it belongs.' : `Did you mean "${meant}"?`;
  return fault('unknown', path, (text) => `unknown field "${text}"`, hint);
}

export function missingField(path: Steps): ObjectViolation {
  return fault('missing', path, (text) => `missing required field "${text}"`, 'Give it.');
}

export function wrongType(path: Steps, got: string, expected: string): ObjectViolation {
  const hint =
    expected === 'string' && (got === 'integer' || got === 'number' || got === 'boolean')
      ? 'Write it in quotes: the template may pipe it to quote.'
      : `Give ${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}.`;
  return fault('invalid', path, (text) => `invalid type for ${text}: got "${got}", expected "${expected}"`, hint);
}

export function wrongValue(path: Steps, reason: string, hint: string): ObjectViolation {
  return fault('invalid', path, (text) => `invalid value for ${text}: ${reason}`, hint);
}

function fault(kind: FaultKind, steps: Steps, message: (path: string) => string, hint: string): ObjectViolation {
  const path = steps.reduce<string>((text, step) => joinPath(text, step), '');
  return { kind, path, steps, message: message(path === '' ? 'the object' : path), hint };
}

/** The type of a field in the tables: a letter, a type name, or `[` and `{` before the element type of a list or a map. */
type ObjectFields = string;

interface ShapeField {
  readonly shape: ObjectFields;
  readonly isRequired: boolean;
}

/** The shapes of a Kubernetes version. */
export interface Shapes {
  /** The version of the tables, such as `1.31`: the nearest available one. */
  readonly version: string;
  /** Returns the type of a kind; undefined if the version does not have it. */
  typeOf(apiVersion: string, kind: string): string | undefined;
  fieldsOf(type: string): ReadonlyMap<string, ShapeField>;
}

const none: ReadonlyMap<string, ShapeField> = new Map();
const shapes = new Map<number, Shapes>();
let lines: ReadonlyMap<string, string> | undefined;

/** Returns the shapes for a version such as `v1.31.2`. The tables are large and loaded on demand. */
export function shapesOf(version: string): Shapes {
  const [oldest, newest] = knownVersions;
  const minor = Math.min(newest, Math.max(oldest, minorOf(version)));
  const known = shapes.get(minor) ?? readShapes(minor);
  shapes.set(minor, known);
  return known;
}

function readShapes(minor: number): Shapes {
  const byKind = typesOfKinds(minor);
  const fields = new Map<string, ReadonlyMap<string, ShapeField>>();
  return {
    version: `1.${minor}`,
    typeOf: (apiVersion, kind) => byKind.get(`${apiVersion} ${kind}`),
    fieldsOf: (type) => {
      const found = fields.get(type) ?? readFields(lineOf(type), minor);
      fields.set(type, found);
      return found;
    },
  };
}

function lineOf(type: string): string | undefined {
  lines ??= new Map(splitLines(types).map((line) => [line.slice(0, line.indexOf(' ')), line]));
  return lines.get(type);
}

function readFields(line: string | undefined, minor: number): ReadonlyMap<string, ShapeField> {
  if (line === undefined) return none;
  const words = line
    .split(' ')
    .slice(1)
    .filter((word) => isIn(entryOf(word), minor));
  return new Map(
    words.map((word): [string, ShapeField] => {
      const [, name = '', shape = '', mark] = /^([^:]+):([^!@]+)(!?)/.exec(word) ?? [];
      return [name, { shape, isRequired: mark === '!' }];
    }),
  );
}

// Mirrors: k8s.io/apimachinery, pkg/api/validation/objectmeta.go and pkg/util/validation; k8s.io/kubernetes, pkg/apis/*/validation, v1.37.

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const subdomain = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const keyName = /^(?=.{1,63}$)([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelValue = /^(?=.{0,63}$)(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const pathSegment = /^(?!\.{1,2}$)[^/%]*$/;

interface NameRule {
  readonly pattern: RegExp;
  readonly what: string;
  readonly hint: string;
}

const labelRule: NameRule = {
  pattern: label,
  what: 'DNS label',
  hint: 'Use at most 63 lower-case letters, digits and "-", with a letter or digit at both ends.',
};
const subdomainRule: NameRule = {
  pattern: subdomain,
  what: 'DNS subdomain',
  hint: 'Use lower-case letters, digits, "-" and ".", with a letter or digit at both ends of each part.',
};
const segmentRule: NameRule = { pattern: pathSegment, what: 'path segment', hint: 'Leave out "/" and "%".' };

// All other kinds, and custom resources, have DNS subdomains as names.
const ruleOfKind: Readonly<Record<string, NameRule>> = {
  'v1 Namespace': labelRule,
  'v1 Service': labelRule,
  'policy/v1 PodDisruptionBudget': segmentRule,
  ...Object.fromEntries(
    ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'].map((kind) => [
      `rbac.authorization.k8s.io/v1 ${kind}`,
      segmentRule,
    ]),
  ),
};

/** Returns the problem of an object's name, if the server refuses it. */
export function nameFaults(apiVersion: string, kind: string, metadata: GoValue): ObjectViolation[] {
  const name = metadata instanceof Map ? metadata.get('name') : undefined;
  // A missing name is reported elsewhere; the names of IPAddress objects are addresses.
  if (typeof name !== 'string' || name === '' || kind === 'IPAddress') return [];
  const { pattern, what, hint } = ruleOfKind[`${apiVersion} ${kind}`] ?? subdomainRule;
  const path = ['metadata', 'name'];
  if (!pattern.test(name)) return [wrongValue(path, `${quoted(name)} is not a ${what}`, hint)];
  if (apiVersion === 'batch/v1' && kind === 'CronJob' && name.length > 52)
    return [wrongValue(path, `the name of a CronJob has at most 52 characters, not ${name.length}`, 'Shorten it.')];
  return [];
}

/** Returns the problems of the labels and annotations of an object, or of a template in it. */
function metadataFaults(metadata: GoMap, path: Steps): ObjectViolation[] {
  const namespace = metadata.get('namespace');
  const faults: ObjectViolation[] = [];
  if (typeof namespace === 'string' && namespace !== '' && !label.test(namespace)) {
    faults.push(wrongValue([...path, 'namespace'], `${quoted(namespace)} is not a DNS label`, labelRule.hint));
  }
  faults.push(...labelFaults(metadata.get('labels') ?? null, [...path, 'labels']));
  const annotations = metadata.get('annotations');
  if (!(annotations instanceof Map)) return faults;
  const at = [...path, 'annotations'];
  for (const key of annotations.keys()) faults.push(...keyFaults(key.toLowerCase(), key, at));
  return faults;
}

/** Returns the problems of a map of labels: those of an object or of a selector. */
function labelFaults(labels: GoValue, path: Steps): ObjectViolation[] {
  if (!(labels instanceof Map)) return [];
  return [...labels].flatMap(([key, value]) => {
    const faults = keyFaults(key, key, path);
    if (typeof value === 'string' && !labelValue.test(value)) {
      const hint =
        'Use at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends: the template may pipe it to trunc 63 and trimSuffix.';
      faults.push(wrongValue([...path, key], `${quoted(value)} is not a label value`, hint));
    }
    return faults;
  });
}

function keyFaults(key: string, shown: string, path: Steps): ObjectViolation[] {
  const [name = '', prefix, ...more] = key.split('/').reverse();
  if (keyName.test(name) && (prefix === undefined || subdomain.test(prefix)) && more.length === 0) return [];
  const hint = 'Write NAME or DOMAIN/NAME; a name has at most 63 letters, digits, "-", "_" and ".".';
  return [wrongValue([...path, shown], `${quoted(shown)} is not a valid key`, hint)];
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 70 ? `${text.slice(0, 70)}…` : text);
}

interface Open {
  readonly value: GoValue;
  readonly shape: string;
  readonly path: Steps;
}

/** Returns the problems of a value of a type such as `V1Deployment`, in field order. */
export function checkObjectShape(value: GoValue, type: string, shapes: Shapes, at: Steps = []): ObjectViolation[] {
  return checkEach<Open>({ value, shape: type, path: at }, (open, faults) => checkValue(open, shapes, faults));
}

/** Returns the problems of a value and of what is in it; `check` adds those of a value, and returns the values in it. */
export function checkEach<Value>(
  start: Value,
  check: (value: Value, faults: ObjectViolation[]) => readonly Value[],
): ObjectViolation[] {
  const faults: ObjectViolation[] = [];
  // An explicit stack: deep nesting must not crash the process.
  const open = [start];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const inner of check(next, faults).toReversed()) open.push(inner);
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
      return value.map((item, index) => ({ value: item, shape: shape.slice(1), path: [...path, index] }));
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
    return [...value].map(([key, item]) => ({ value: item, shape: shape.slice(1), path: [...path, key] }));
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
  if (shape === 'V1ObjectMeta' && path.at(-2) !== 'jobTemplate') faults.push(...metadataFaults(value, path));
  if (shape === 'V1LabelSelector') {
    faults.push(...labelFaults(value.get('matchLabels') ?? null, [...path, 'matchLabels']));
  }
  for (const [name, { isRequired }] of fields) {
    if (isRequired && isNil(value.get(name) ?? null)) faults.push(missingField([...path, name]));
  }
  for (const [name, item] of value) {
    const field = fields.get(name);
    // Required fields of a null are not reported separately; the null itself is.
    if (field === undefined) faults.push(unknownField([...path, name], fields.keys()));
    else if (!isNil(item)) open.push({ value: item, shape: field.shape, path: [...path, name] });
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

function scalarFault(value: GoValue, shape: string, path: Steps): ObjectViolation | undefined {
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

function integerFault(value: GoValue, shape: string, path: Steps): ObjectViolation | undefined {
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
