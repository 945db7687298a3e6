// Changes that a cluster rejects, compared with the recorded results of a real API server (`npm run reference -- updates`).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import type { RawEntry } from '../../../render/diff/compare.ts';
import { diffObjects } from '../../../render/diff/difference.ts';
import { isImmutable } from '../../../render/diff/live.ts';
import type { GoMap, GoValue } from '../../../render/go/value.ts';

interface Updates {
  readonly kind: string;
  readonly when?: Readonly<Record<string, GoValue>>;
  readonly refused: readonly string[];
  readonly accepted: readonly string[];
}

const recorded = parse(readFileSync('fixtures/kubernetes/updates.yaml', 'utf8')) as Updates[];

function objectOf({ when = {} }: Updates): GoMap {
  const object: GoMap = new Map();
  for (const [path, value] of Object.entries(when)) {
    const [last = '', ...rest] = path.split('.').reverse();
    let holder = object;
    for (const name of rest.reverse()) {
      const next: GoMap = new Map();
      holder.set(name, next);
      holder = next;
    }
    holder.set(last, value);
  }
  return object;
}

const values: Readonly<Record<string, readonly [before: GoValue | undefined, after: GoValue | undefined]>> = {
  '+': [undefined, 'b'],
  '-': ['a', undefined],
  '~': ['a', 'b'],
  '>': ['1Gi', '2Gi'],
  '<': ['2Gi', '1Gi'],
};
const operations = { '+': 'add', '-': 'remove', '~': 'change', '>': 'change', '<': 'change' } as const;

function entriesOf(pattern: string): RawEntry[] {
  const [first = '', ...rest] = pattern.split(' ');
  const isOfSome = /^[-+~<>]+$/.test(first);
  const steps = (isOfSome ? rest : [first, ...rest]).map((name) => (name === '*' ? 0 : name));
  return (isOfSome ? [...first] : ['+', '-', '~']).map((operation) => {
    const [before, after] = values[operation]!;
    const op = operations[operation as '+'];
    return {
      op,
      steps,
      stepsBefore: steps,
      stepsAfter: steps,
      before,
      after,
      inside: undefined,
      lines: undefined,
      isFixed: false,
    };
  });
}

test('every recorded rejection of the API server is reported', () => {
  assert.ok(recorded.length > 50);
  for (const updates of recorded) {
    const object = objectOf(updates);
    for (const [patterns, wanted] of [
      [updates.refused, true],
      [updates.accepted, false],
    ] as const) {
      for (const pattern of patterns) {
        for (const entry of entriesOf(pattern))
          assert.equal(isImmutable(updates.kind, object, entry), wanted, `${updates.kind} ${entry.op} ${pattern}`);
      }
    }
  }
});

const immutable = (before: string, after: string): string[] =>
  diffObjects({ documents: before }, { documents: after }).objects.flatMap(({ entries }) =>
    entries.filter(({ isImmutable: is }) => is).map(({ path }) => path),
  );
const statefulSet = (metadata: string, spec: string): string =>
  `apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {${metadata}}\nspec: {replicas: 1, selector: {matchLabels: {app: a}}, ${spec}}\n`;

test('an object with another name is new, and so is one with a generated name', () => {
  const [before, after] = ['serviceName: a', 'serviceName: b'];
  assert.deepEqual(immutable(statefulSet('name: a', before), statefulSet('name: a', after)), ['spec.serviceName']);
  assert.deepEqual(immutable(statefulSet('name: a', before), statefulSet('name: b', after)), []);
  assert.deepEqual(immutable(statefulSet('generateName: a-', before), statefulSet('generateName: a-', after)), []);
});

test('defaults of the API server are no change', () => {
  const plain = statefulSet('name: a', 'serviceName: a');
  const policySet = (policy: string): string =>
    statefulSet('name: a', `serviceName: a, podManagementPolicy: ${policy}`);
  assert.deepEqual(immutable(plain, policySet('OrderedReady')), []);
  assert.deepEqual(immutable(policySet('OrderedReady'), plain), []);
  assert.deepEqual(immutable(plain, policySet('Parallel')), ['spec.podManagementPolicy']);
});
