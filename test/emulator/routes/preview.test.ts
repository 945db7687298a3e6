// Available charts and drafts: shown and rendered while they are edited, without storing anything.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { orderJson } from '../../../emulator/console/order/document.ts';
import { createEmulator } from '../../../emulator/emulator.ts';
import { loadChart, memoryRegistry } from '../../../render/index.ts';
import { as } from '../../support/emulator.ts';

const shop = await readFile(new URL('../../../fixtures/orders/shop.yaml', import.meta.url), 'utf8');
const now = '2026-01-02T03:04:05Z';
const emulator = createEmulator({ now });
const anyone = as(emulator);
const ada = as(emulator, 'ada');

interface Problem {
  readonly code: string;
  readonly issues: readonly {
    readonly path: string;
    readonly place?: { readonly file: string; readonly line: number };
  }[];
}

test('available charts are listed, each with its selection for an Order', async () => {
  const listed = (await anyone('GET', '//__drydock/charts')).json() as readonly Record<string, unknown>[];
  const names = listed.map(({ name }) => name);
  assert.deepEqual(names, ['backup', 'crds-and-hooks', 'postgres', 'redis', 'web']);
  const { version, sourceRef } = listed[4] ?? {};
  assert.deepEqual([version, sourceRef], ['1.4.2', { kind: 'Embed', name: 'web' }]);
});

test('a chart is shown with its values as written, and a missing one is refused', async () => {
  const web = (await anyone('GET', '//__drydock/charts/web?kind=Embed&source=web')).json() as Record<string, unknown>;
  assert.match(String(web.values), /^# How many copies/);
  assert.equal(web.schema, null);
  assert.equal(web.templates, undefined);
  const { templates } = (await anyone('GET', '//__drydock/charts/web?kind=Embed&source=web&templates=true')).json() as {
    templates: readonly { name: string; text: string }[];
  };
  assert.match(
    templates.find(({ name }) => name === 'templates/deployment.yaml')?.text ?? '',
    /\.Values\.replicaCount/,
  );
  const none = await anyone('GET', '//__drydock/charts/web?kind=Embed&source=web&version=9.9.9');
  assert.deepEqual([none.status, none.at('code')], [422, 'CHART_NOT_FOUND']);
});

test('a draft renders to the bytes of the stored Order, in every form', async () => {
  const stored = await ada('POST', '/user/deploy/orders', orderJson(shop));
  const draft = (path: string) => anyone('POST', `//__drydock/preview${path}`, { order: stored.text });
  const uid = stored.at('metadata.uid');
  const route = async (path: string) => (await ada('GET', `/user/deploy/orders/${uid}/${path}`)).text;
  assert.equal((await draft('')).at('manifest'), await route('render/manifest'));
  assert.equal((await draft('/resources')).text, await route('render/resources'));
  assert.equal(
    (await draft('/resources?skipCRDs=true&format=json')).text,
    await route('render/resources?skipCRDs=true&format=json'),
  );
  assert.equal((await draft('/scripts/pkgmgr3')).text, await route('pkgmgr3?format=raw'));
  assert.equal((await draft('/scripts/yaml?os=linux')).text, await route('yaml?format=raw'));
  assert.match((await draft('/scripts/yaml?os=windows')).text, /^function Invoke-Kubectl/m);
});

test('a draft is not stored, and not in the log', async () => {
  const fresh = createEmulator({ now });
  const before = fresh.orders().length;
  await as(fresh)('POST', '//__drydock/preview', { order: shop });
  assert.deepEqual([fresh.orders().length, fresh.countRequests()], [before, 0]);
});

test('errors of a draft have their place in the text', async () => {
  const refused = async (order: string): Promise<Problem> => {
    const answer = await anyone('POST', '//__drydock/preview', { order });
    assert.equal(answer.status, 422);
    return answer.json() as Problem;
  };
  const missing = await refused('spec:\n  packages:\n    - chart:\n        name: web\n');
  assert.deepEqual([missing.code, missing.issues[0]?.place?.line], ['ORDER_INVALID', 3]);
  const chart = '{name: nope, sourceRef: {kind: Embed, name: nope}, version: "", releaseName: a, namespace: b}';
  const absent = await refused(`spec:\n  packages:\n    - chart: ${chart}\n`);
  assert.deepEqual(
    [absent.code, absent.issues[0]?.path, absent.issues[0]?.place?.line],
    ['CHART_NOT_FOUND', 'spec.packages[0].chart', 3],
  );
  const syntax = (await refused('spec:\n  a: b: c\n')) as Problem & { readonly line: number };
  assert.deepEqual([syntax.code, syntax.line], ['ORDER_INVALID', 2]);
});

test('a line of the manifest is explained: its template, its values, and what sets them', async () => {
  const { manifest } = (await anyone('POST', '//__drydock/preview', { order: shop })).json() as { manifest: string };
  const lines = manifest.split('\n');
  const line = lines.findLastIndex((text) => /^ +replicas: /.test(text)) + 1;
  interface Explained {
    readonly text: string;
    readonly parts: readonly {
      readonly place: { readonly file: string };
      readonly values: readonly { readonly path: string; readonly setBy: readonly { kind: string; line?: number }[] }[];
    }[];
  }
  const ask = async (line: number): Promise<Explained> =>
    (await anyone('POST', '//__drydock/preview/line', { order: shop, line: line })).json() as Explained;
  const output = await ask(line);
  assert.equal(output.text, lines[line - 1]);
  const values = output.parts.flatMap((part) => part.values);
  assert.ok(values.length > 0);
  const ordered = values.flatMap(({ setBy }) => setBy).filter(({ kind }) => kind === 'order');
  for (const setter of ordered) assert.match(shop.split('\n')[(setter.line ?? 0) - 1] ?? '', /replica/i);
  for (const odd of [1, 2, lines.length, 999_999]) assert.deepEqual((await ask(odd)).parts, []);
});

test('a draft is compared with another draft, with another Helm, and with itself', async () => {
  const other = shop.replace(/image: \{tag: "2\.2\.0"/, 'image: {tag: "2.3.0"');
  assert.notEqual(other, shop);
  interface Told {
    readonly count: number;
    readonly summary: { readonly changed: number; readonly restarts: readonly { readonly name: string }[] };
    readonly objects: readonly { readonly entries: readonly { readonly path: string }[] }[];
  }
  const compare = async (base: object, order = other): Promise<Told> =>
    (await anyone('POST', '//__drydock/preview/diff', { order, base })).json() as Told;
  const output = await compare({ order: shop });
  assert.ok(output.summary.changed > 0 && output.count >= output.summary.changed);
  assert.ok(output.objects.some(({ entries }) => entries.some(({ path }) => /image$/.test(path))));
  assert.deepEqual(
    output.summary.restarts.map(({ name }) => name),
    ['web'],
  );
  assert.equal((await compare({ order: other })).count, 0);
  const refused = await anyone('POST', '//__drydock/preview/diff', { order: shop, base: { order: 'spec: [' } });
  assert.deepEqual([refused.status, refused.at('code')], [422, 'ORDER_INVALID']);
});

test('invalid requests are refused with a sentence', async () => {
  for (const [path, body, status] of [
    ['/preview', {}, 422],
    ['/preview', { order: '' }, 422],
    ['/preview/scripts/make', { order: shop }, 404],
    ['/preview/scripts/yaml?os=plan9', { order: shop }, 422],
  ] as const) {
    const answer = await anyone('POST', `//__drydock${path}`, body);
    assert.equal(answer.status, status, path);
    assert.ok(String(answer.at('message')).length > 10);
  }
});

test('a chart shows its own icon, and never the address of another host', async () => {
  const fresh = as(createEmulator({ now }));
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
  const data = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  const pictures: Readonly<Record<string, readonly [icon: string, shown: string | undefined]>> = {
    far: ['https://elsewhere.example/a.png', undefined],
    data: [data, data],
    file: ['./art/mark.svg', data],
    lost: ['art/none.svg', undefined],
    above: ['../art/mark.svg', undefined],
    page: ['data:text/html,<p>', undefined],
    long: [`data:image/png;base64,${'A'.repeat(40_000)}`, undefined],
  };
  const fileOf = (path: string, text: string) => ({ path, data: Buffer.from(text).toString('base64') });
  const files = Object.entries(pictures).flatMap(([name, [icon]]) => [
    fileOf(`${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\nicon: ${JSON.stringify(icon)}\n`),
    fileOf(`${name}/art/mark.svg`, svg),
  ]);
  assert.equal((await fresh('POST', '//__drydock/files', { files })).status, 200);
  const listed = (await fresh('GET', '//__drydock/charts')).json() as readonly Record<string, string>[];
  for (const [name, [, shown]] of Object.entries(pictures))
    assert.equal(listed.find((chart) => chart.name === name)?.icon, shown, name);
});

const order = `apiVersion: releases.x-helm.dev/v1alpha1
kind: Order
metadata: {name: a}
spec:
  packages:
    - chart: {name: app, version: 1.0.0, sourceRef: {name: x}, releaseName: app, namespace: shop, values: {replicaCount: 3}}
`;
const charts = as(
  createEmulator({
    now,
    registry: memoryRegistry(
      [
        ['1.0.0', 'replicaCount'],
        ['2.0.0', 'replicas'],
      ].map(([version, value]) =>
        loadChart({
          'Chart.yaml': `apiVersion: v2\nname: app\nversion: ${version}\n`,
          'values.yaml': `${value}: 1\ndebug: false\n`,
          'templates/app.yaml': `kind: A\nmetadata: {name: a}\nspec:\n  replicas: {{ .Values.${value} }}\n  {{- if .Values.debug }}\n  debug: true\n  {{- end }}\n`,
        }),
      ),
    ),
  }),
);

test('the computed values of a draft are listed with their origin', async () => {
  const [app] = (await charts('POST', '//__drydock/preview/values', { order })).json() as readonly {
    readonly package: string;
    readonly values: readonly object[];
  }[];
  assert.deepEqual([app?.package, app?.values.length], ['app', 2]);
  const setByChart = { kind: 'chart', path: 'replicaCount', where: 'app/values.yaml', line: 1, column: 1, value: 1 };
  const where = 'spec.packages[0].chart.values.replicaCount';
  assert.deepEqual(app?.values[1], {
    ...{ path: 'replicaCount', steps: ['replicaCount'], value: 3, isGiven: true, isChanged: true },
    setBy: [{ kind: 'order', path: 'replicaCount', where, line: 6, column: 108, value: 3 }, setByChart],
  });
});

test('the effect of another chart version on the values of a package is reported', async () => {
  const upgraded = order.replace('1.0.0', '2.0.0');
  const ask = (index: number) => charts('POST', '//__drydock/preview/upgrade', { order, upgraded, package: index });
  assert.deepEqual((await ask(0)).json(), {
    values: [{ path: 'replicaCount', value: 3, kind: 'moved', to: 'replicas' }],
    defaults: [],
  });
  const refused = await ask(1);
  assert.deepEqual([refused.status, refused.at('code')], [422, 'ORDER_INVALID']);
});

test('returns the coverage of a chart and a schema for its values', async () => {
  const { at } = await charts('GET', '//__drydock/charts/app/coverage?version=1.0.0');
  assert.deepEqual(['before', 'after', 'total', 'cases'].map(at), [1, 2, 2, ['defaults']]);
  assert.match(JSON.stringify(at('generated')), /debug: true/);
  const { schema } = (await charts('GET', '//__drydock/charts/app/schema?version=1.0.0')).json() as {
    schema: { properties: Record<string, unknown> };
  };
  assert.deepEqual(Object.keys(schema.properties), ['replicaCount', 'debug', 'global']);
});
