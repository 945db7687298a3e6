// Values that an Order sets and nothing reads: what is reported, what is not, and that it is correct.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspectOrder, renderOrder } from '../../../../render/api/order.ts';
import { loadChart } from '../../../../render/chart/load.ts';
import { memoryRegistry } from '../../../../render/chart/registry.ts';
import type { JsonObject } from '../../../../render/order/order.ts';
import { validateOrder } from '../../../../render/order/validate.ts';

const chart = loadChart({
  'Chart.yaml': `apiVersion: v2
name: web
version: 1.0.0
dependencies:
  - {name: cache, version: 1.x, condition: cache.enabled}
  - {name: store, version: 1.x, condition: store.enabled, tags: [data]}
`,
  'values.yaml':
    '# -- How many\nreplicas: 1\nimage: {tag: a}\nhosts: []\nstore: {enabled: false}\n# -- Read in debug mode\nextra: {}\n',
  'templates/web.yaml': `kind: ConfigMap
metadata: {name: web}
data:
  replicas: {{ .Values.replicas | quote }}
  tag: {{ .Values.image.tag }}
  {{- range .Values.hosts }}
  host-{{ .name }}: x
  {{- end }}
  {{- if hasKey .Values "debug" }}
  all: {{ toYaml .Values.extra | quote }}
  {{- end }}
  {{- with .Values.accounts }}
  accounts: {{ keys . | join "," }}
  {{- end }}
`,
  'charts/cache/Chart.yaml': 'apiVersion: v2\nname: cache\nversion: 1.0.0\n',
  'charts/cache/templates/cache.yaml': `kind: ConfigMap
metadata: {name: cache}
data: {size: {{ .Values.size | default 1 | quote }}, zone: {{ .Values.global.zone | default "a" }}}
`,
  'charts/store/Chart.yaml': 'apiVersion: v2\nname: store\nversion: 1.0.0\n',
});

const orderWith = (more: JsonObject): JsonObject => {
  const chart = { name: 'web', sourceRef: { name: 'x' }, releaseName: 'r', namespace: 'default', ...more };
  return { spec: { packages: [{ chart }] } };
};

async function unread(values: JsonObject, valuesPatch: readonly JsonObject[] = []): Promise<unknown[]> {
  const order = orderWith({ values, valuesPatch: [...valuesPatch] });
  const registry = memoryRegistry([chart]);
  const issues = await inspectOrder(order, { registry });
  // A caller that renders anyway gets the same result without another rendering.
  const rendered = await renderOrder(order, { registry, watch: true }).catch(() => undefined);
  assert.deepEqual(rendered?.issues ?? issues, issues);
  return issues
    .filter(({ code }) => code === 'UNREAD_VALUE')
    .map(({ path, severity, hint }) => {
      assert.equal(severity, 'warning');
      return [path.replace('spec.packages[0].chart.', ''), hint];
    });
}

const look = "Look for its name in the chart's values, or leave it out.";

test('reports unread values, with the most similar name that is read', async () => {
  assert.deepEqual(await unread({ replicas: 2, image: { tag: 'b' } }), []);
  assert.deepEqual(await unread({ replica: 2 }), [
    ['values.replica', 'Did you mean "replicas"? The chart describes it as: How many'],
  ]);
  assert.deepEqual(await unread({ image: { tagg: 'b' }, weather: { rain: true, sun: false } }), [
    ['values.weather', look],
    ['values.image.tagg', 'Did you mean "tag"?'],
  ]);
  assert.deepEqual(await unread({ tag: 'b' }), [['values.tag', 'Did you mean image.tag?']]);
  assert.deepEqual(await unread({ extra: { a: 1 } }), [
    ['values.extra', 'The chart describes it as: Read in debug mode. It may count for other values only.'],
  ]);
  assert.deepEqual(await unread({ hosts: [{ name: 'a' }, { name: 'b', nmae: 'c' }] }), [
    ['values.hosts[1].nmae', look],
  ]);
});

test('a value that is only tested for existence, or iterated over, counts as read', async () => {
  assert.deepEqual(await unread({ debug: 1, extra: { a: { b: [1] } } }), []);
  assert.deepEqual(await unread({ accounts: { ada: 1 } }), []);
  assert.deepEqual(await unread({ extra: { a: 1 } }), [
    ['values.extra', 'The chart describes it as: Read in debug mode. It may count for other values only.'],
  ]);
  assert.deepEqual(await unread({ image: null }), []);
});

test('checks subcharts, global values and patches; Helm itself reads conditions and tags', async () => {
  assert.deepEqual(
    await unread({ cache: { size: 2, enabled: true }, tags: { data: false }, global: { zone: 'b' } }),
    [],
  );
  assert.deepEqual(await unread({ cache: { sise: 2 }, global: { zones: 'b' } }), [
    ['values.cache.sise', 'Did you mean "size"?'],
    ['values.global.zones', 'Did you mean "zone"?'],
  ]);
  assert.deepEqual(await unread({ store: { disk: 1, enabled: false } }), [
    ['values.store.disk', 'Enable store, or leave its values out.'],
  ]);
  const patch = [
    { op: 'replace', path: '/replicas', value: 3 },
    { op: 'add', path: '/image/tagg', value: 'x' },
    { op: 'add', path: '/hosts/-', value: { name: 'h' } },
  ];
  assert.deepEqual(await unread({}, patch), [['valuesPatch[1]', 'Did you mean "tag"?']]);
});

test('counts the rest of more than ten thousand unread values, and of unknown fields', async () => {
  const many = Object.fromEntries(Array.from({ length: 10_500 }, (_, index) => [`k${index}`, index]));
  const reported = await unread(many);
  assert.equal(reported.length, 10_001);
  assert.deepEqual(reported.at(-1), ['values', 'Fix or remove the ones above first.']);
  const { warnings } = validateOrder(orderWith(many));
  assert.equal(warnings.length, 10_001);
  assert.deepEqual(warnings.at(-1), {
    path: 'spec.packages[0].chart',
    message: 'has 500 more fields that are not known',
    severity: 'warning',
  });
});

test('reports that too many values to track were not checked', async () => {
  const values = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, { a: i }]));
  const issuesOf = (more: JsonObject): Promise<unknown[]> =>
    inspectOrder(orderWith({ values: { ...values, ...more } }), { registry: memoryRegistry([chart]) }).then((issues) =>
      issues
        .filter(({ path }) => path.includes('values'))
        .map(({ path, message, severity, hint }) => ({ path, message, severity, hint })),
    );
  assert.deepEqual(await issuesOf({ replicas: 1 }), [
    {
      path: 'spec.packages[0].chart.values',
      message: 'holds more than 100000 values: which of them nothing reads was not looked for',
      severity: 'note',
      hint: 'Set fewer values to get a complete list.',
    },
  ]);
  // As many as are tracked.
  assert.equal((await issuesOf({})).length, 10_001);
});
