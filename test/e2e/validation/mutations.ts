// Objects of every kind that contains a pod, with typical mistakes. The seed is fixed, so that runs are reproducible.

import type { JsonObject, JsonValue } from '../../../render/order/order.ts';
import { type Shapes, shapesOf } from '../../../render/validation/kubernetes/built-in.ts';

/** A mutated object, and the mutation. */
export interface Mutation {
  readonly object: JsonObject;
  readonly what: string;
}

/**
 * Returns numbers below a bound, reproducible by seed.
 * Mirrors: mulberry32.
 */
export function dice(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

type Roll = (bound: number) => number;

const pods: readonly (readonly [apiVersion: string, kind: string])[] = [
  ['v1', 'Pod'],
  ['v1', 'ReplicationController'],
  ['apps/v1', 'Deployment'],
  ['apps/v1', 'StatefulSet'],
  ['apps/v1', 'DaemonSet'],
  ['apps/v1', 'ReplicaSet'],
  ['batch/v1', 'Job'],
  ['batch/v1', 'CronJob'],
];

const values: readonly JsonValue[] = [
  null,
  true,
  0,
  7,
  -1,
  1.5,
  3000000000,
  1e20,
  '',
  'a',
  '7',
  'true',
  '100m',
  '1Gi',
  '1.5',
  '5x',
  '.5',
  '1e3',
  '+1',
  'Mi',
  '0x1',
  '2025-01-31T12:00:00Z',
  '2025-02-30T12:00:00Z',
  'YWJj',
  'YWJ',
  [],
  ['a'],
  [null],
  [1],
  {},
  { a: 'b' },
  { a: 1 },
];

/** Returns mutated objects for a version of Kubernetes. */
export function mutations(count: number, seed: number, version: string): Mutation[] {
  const roll = dice(seed);
  const shapes = shapesOf(version);
  return Array.from({ length: count }, (_, at) =>
    mutate(pods[at % pods.length] as (typeof pods)[number], roll, shapes),
  );
}

function mutate([apiVersion, kind]: readonly [string, string], roll: Roll, shapes: Shapes): Mutation {
  const type = shapes.typeOf(apiVersion, kind) ?? '';
  const object = { apiVersion, kind, metadata: { name: 'a' }, ...specOf(kind) } as JsonObject;
  // Descends into the object along possible fields and creates missing ones.
  let at = object as Record<string, JsonValue>;
  let shape = type;
  let path = '';
  for (let depth = roll(9) + 1; ; depth--) {
    const fields = [...shapes.fieldsOf(shape)].filter(
      ([name]) => name !== 'status' && name !== 'managedFields' && (path !== '' || !/^(?:apiVersion|kind)$/.test(name)),
    );
    const inner = fields.filter(([, field]) => /^[[{]?[A-Z]/.test(field.shape) && !/JSONSchema/.test(field.shape));
    const leadsToPod = (name: string): boolean => /^(?:spec|template|jobTemplate|containers)$/.test(name);
    const candidates =
      roll(3) > 0 && inner.some(([name]) => leadsToPod(name)) ? inner.filter(([name]) => leadsToPod(name)) : inner;
    const next = candidates[roll(Math.max(1, candidates.length))];
    if (depth === 0 || next === undefined) {
      const mistake = makeMistake(
        at,
        fields.map(([name]) => name),
        roll,
      );
      return { object, what: `${kind}${path}: ${mistake}` };
    }
    const [name, field] = next;
    path += `.${name}`;
    const found = at[name];
    if (field.shape.startsWith('[')) {
      const list = Array.isArray(found) && found.length > 0 ? (found as JsonValue[]) : [{}];
      at[name] = list;
      at = list[0] as Record<string, JsonValue>;
    } else if (field.shape.startsWith('{')) {
      at[name] = { a: {} };
      at = (at[name] as Record<string, JsonValue>).a as Record<string, JsonValue>;
    } else {
      const map = typeof found === 'object' && found !== null ? found : {};
      at[name] = map as JsonObject;
      at = map as Record<string, JsonValue>;
    }
    shape = field.shape.replace(/^[[{]/, '');
  }
}

function makeMistake(at: Record<string, JsonValue>, names: readonly string[], roll: Roll): string {
  const name = names[roll(Math.max(1, names.length))] ?? 'name';
  const kind = roll(8);
  if (kind === 0) {
    const wrong = `${name.slice(0, -1)}${name.length > 3 ? '' : 'x'}`;
    at[wrong] = 'a';
    return `${wrong} instead of ${name}`;
  }
  if (kind === 1) {
    const wrong = name.toUpperCase();
    at[wrong] = 1;
    return `${wrong} instead of ${name}`;
  }
  const value = values[roll(values.length)] as JsonValue;
  at[name] = value;
  return `${name} is ${JSON.stringify(value)}`;
}

function specOf(kind: string): JsonObject {
  const pod = { containers: [{ name: 'a', image: 'a' }] };
  const template = { metadata: { labels: { a: 'b' } }, spec: pod };
  const selector = { matchLabels: { a: 'b' } };
  if (kind === 'Pod') return { spec: pod };
  if (kind === 'CronJob') return { spec: { schedule: '* * * * *', jobTemplate: { spec: { template } } } };
  if (kind === 'ReplicationController') return { spec: { selector: { a: 'b' }, template } };
  return { spec: { ...(kind === 'Job' ? {} : { selector }), template } };
}
