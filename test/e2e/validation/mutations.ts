// Objects of every kind that contains a pod, with typical mistakes. The seed is fixed, so that runs are reproducible.

import type { JsonObject, JsonValue } from '../../../render/order/order.ts';
import { type Shapes, shapesOf } from '../../../render/validation/kubernetes/built-in.ts';
import { Dice, wordList } from '../../support/dice.ts';

/** A mutated object, and the mutation. */
export interface Mutation {
  readonly object: JsonObject;
  readonly what: string;
}

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
  ...[0, 7, -1, 1.5, 3000000000, 1e20],
  ...wordList`a 7 true 100m 1Gi 1.5 5x .5 1e3 +1 Mi 0x1 2025-01-31T12:00:00Z 2025-02-30T12:00:00Z YWJj YWJ`,
  ...['', null, true, [], ['a'], [null], [1], {}, { a: 'b' }, { a: 1 }],
];

/** Returns mutated objects for a version of Kubernetes. */
export function mutations(count: number, seed: number, version: string): Mutation[] {
  const dice = new Dice(seed);
  const shapes = shapesOf(version);
  return Array.from({ length: count }, (_, at) =>
    mutate(pods[at % pods.length] as (typeof pods)[number], dice, shapes),
  );
}

function mutate([apiVersion, kind]: readonly [string, string], dice: Dice, shapes: Shapes): Mutation {
  const type = shapes.typeOf(apiVersion, kind) ?? '';
  const object = { apiVersion, kind, metadata: { name: 'a' }, ...specOf(kind) } as JsonObject;
  // Descends into the object along possible fields and creates missing ones.
  let at = object as Record<string, JsonValue>;
  let shape = type;
  let path = '';
  for (let depth = dice.below(9) + 1; ; depth--) {
    const fields = [...shapes.fieldsOf(shape)].filter(
      ([name]) => name !== 'status' && name !== 'managedFields' && (path !== '' || !/^(?:apiVersion|kind)$/.test(name)),
    );
    const inner = fields.filter(([, field]) => /^[[{]?[A-Z]/.test(field.shape) && !/JSONSchema/.test(field.shape));
    const leadsToPod = (name: string): boolean => /^(?:spec|template|jobTemplate|containers)$/.test(name);
    const candidates =
      dice.below(3) > 0 && inner.some(([name]) => leadsToPod(name))
        ? inner.filter(([name]) => leadsToPod(name))
        : inner;
    const next = candidates[dice.below(Math.max(1, candidates.length))];
    if (depth === 0 || next === undefined) {
      const mistake = makeMistake(
        at,
        fields.map(([name]) => name),
        dice,
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

function makeMistake(at: Record<string, JsonValue>, names: readonly string[], dice: Dice): string {
  const name = names[dice.below(Math.max(1, names.length))] ?? 'name';
  const kind = dice.below(8);
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
  const value = dice.pick(values);
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
