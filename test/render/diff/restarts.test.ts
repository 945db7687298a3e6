// Workloads whose pods are replaced, even if nothing else about them changes in meaning.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DiffOptions, diffObjects } from '../../../render/diff/difference.ts';
import { differenceText } from '../../../render/diff/text.ts';
import { meaningOf } from '../../../render/snapshot/meaning.ts';

interface Shape {
  readonly kind?: string;
  readonly name?: string;
  readonly labels?: string;
  readonly template?: string;
  readonly spec?: string;
}

const container = '{name: a, image: "a:1", env: [{name: A, value: "1"}, {name: B, value: "2"}]}';

function workload({ kind = 'Deployment', name = 'a', labels = '', template = '', spec = '' }: Shape): string {
  return `apiVersion: apps/v1
kind: ${kind}
metadata: {name: ${name}, labels: {${labels}}}
spec:
  ${spec}
  template:
    metadata: {labels: {app: a, ${template}}}
    spec: {containers: [${container}]}
`;
}

function restarts(before: string, after: string, options?: DiffOptions): string[] {
  const { summary } = diffObjects({ documents: before }, { documents: after }, options);
  return summary.restarts.map(({ kind, name }) => `${kind} ${name}`);
}

const bumped = (shape: Shape, change: Partial<Shape>): string[] =>
  restarts(workload(shape), workload({ ...shape, ...change }));

test('version labels restart pods if they are part of the pod template', () => {
  const old = { labels: 'helm.sh/chart: a-1.0.0', template: 'helm.sh/chart: a-1.0.0' };
  const now = { labels: 'helm.sh/chart: a-1.1.0', template: 'helm.sh/chart: a-1.1.0' };
  for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet'])
    assert.deepEqual(bumped({ kind, ...old }, now), [`${kind} a`]);
  assert.deepEqual(bumped(old, { labels: now.labels }), []);
  const difference = diffObjects({ documents: workload(old) }, { documents: workload({ ...old, ...now }) });
  assert.deepEqual(difference.objects, []);
  assert.match(differenceText(difference), /^1 the same\n1 workload restarts: Deployment a\nleft out: 2 entries/);
});

test('a changed checksum or a new order restarts pods', () => {
  const checksum = (sum: string): string =>
    workload({}).replace('labels: {app: a, }', `labels: {app: a}, annotations: {checksum/config: ${sum.repeat(64)}}`);
  const config = (value: string): string =>
    `---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: ${value}}\n`;
  assert.deepEqual(restarts(checksum('a') + config('1'), checksum('b') + config('2')), ['Deployment a']);
  const swapped = workload({}).replace(
    /\{name: A, value: "1"\}, (\{name: B, value: "2"\})/,
    '$1, {name: A, value: "1"}',
  );
  assert.notEqual(swapped, workload({}));
  assert.deepEqual(restarts(workload({}), swapped), ['Deployment a']);
  assert.deepEqual(restarts(workload({}), workload({}).replace('"a:1"', "'a:1'")), []);
});

test('pods stay if the controller does not follow the template', () => {
  const change = { template: 'app.kubernetes.io/version: 2' };
  assert.deepEqual(bumped({ template: 'app.kubernetes.io/version: 1', spec: 'replicas: 0' }, change), []);
  assert.deepEqual(bumped({ template: 'app.kubernetes.io/version: 1', spec: 'paused: true' }, change), []);
  const onDelete = 'updateStrategy: {type: OnDelete}';
  assert.deepEqual(
    bumped({ kind: 'StatefulSet', template: 'app.kubernetes.io/version: 1', spec: onDelete }, change),
    [],
  );
  assert.deepEqual(bumped({ spec: 'replicas: 1' }, { spec: 'replicas: 2' }), []);
  assert.deepEqual(bumped({ kind: 'CronJob' }, change), []);
  assert.deepEqual(restarts(workload({}), workload({ name: 'b', ...change })), []);
});

test('a snapshot whose pods restart differs, and names each workload once', () => {
  const [before, after] = ['1', '2'].map((version) => workload({ template: `app.kubernetes.io/version: ${version}` }));
  const inNamespace = (text: string): string => text.replace('{name: a,', '{name: a, namespace: shop,');
  const { files, alike, summary } = meaningOf([
    { path: 'default.yaml', status: 'different', before: before!, after: after! },
    { path: 'resources/a.yaml', status: 'different', before: inNamespace(before!), after: inNamespace(after!) },
  ]);
  assert.deepEqual(
    files.map(({ path }) => path),
    ['default.yaml', 'resources/a.yaml'],
  );
  assert.deepEqual(alike, []);
  assert.deepEqual(
    summary.restarts.map(({ namespace, name }) => `${namespace}/${name}`),
    ['shop/a'],
  );
});
