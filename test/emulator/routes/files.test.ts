// Uploaded files: each is recognized by its type, and charts can be rendered from then on.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createEmulator } from '../../../emulator/emulator.ts';
import { renderInThreads } from '../../../emulator/rendering/pool.node.ts';
import type { Renderer } from '../../../emulator/rendering/renderer.ts';
import { digestBytes } from '../../../render/chart/digest.ts';
import { packBundle, packChart } from '../../../render/vendor/lock/bundle.ts';
import { as } from '../../support/emulator.ts';

interface HandedFile {
  readonly path: string;
  readonly data: string;
}

interface Taken {
  readonly charts: readonly { readonly name: string; readonly version: string; readonly sourceRef: object }[];
  readonly orders: readonly { readonly name: string; readonly text: string }[];
  readonly values: readonly { readonly name: string }[];
  readonly refused: readonly { readonly name: string; readonly message: string; readonly hint?: string }[];
}

const web = fileURLToPath(new URL('../../../fixtures/charts/web', import.meta.url));

function handed(path: string, content: string | Uint8Array): HandedFile {
  return { path, data: Buffer.from(content).toString('base64') };
}

function webFolder(change: (path: string, text: string) => string): HandedFile[] {
  return readdirSync(web, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => handed(`charts/web/${relative(web, path)}`, change(path, readFileSync(path, 'utf8'))));
}

async function take(ask: ReturnType<typeof as>, files: readonly HandedFile[]): Promise<Taken> {
  return (await ask('POST', '//__drydock/files', { files })).json() as Taken;
}

const orderOf = (name: string, version: string): string =>
  `apiVersion: releases.x-helm.dev/v1alpha1\nkind: Order\nmetadata: {name: o}\nspec:\n  packages:\n    - chart: {name: ${name}, version: ${version}, sourceRef: {kind: Local, name: x}, releaseName: r, namespace: ns}\n`;

async function manifestOf(ask: ReturnType<typeof as>, order: string): Promise<string> {
  return String((await ask('POST', '//__drydock/preview', { order })).at('manifest'));
}

const smallFiles = new Map([
  ['Chart.yaml', Buffer.from('apiVersion: v2\nname: small\nversion: 1.2.0\n')],
  ['templates/a.yaml', Buffer.from('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: small}\n')],
]);
const small = packChart('small', smallFiles);

test('an archive is available from then on, in the list and for Orders, with any renderer', async () => {
  const threads = renderInThreads();
  const custom: Renderer = (job) => threads.render(job);
  for (const options of [{}, { renderer: threads.render }, { renderer: custom }]) {
    const anyone = as(createEmulator(options));
    assert.match(await manifestOf(anyone, orderOf('web', '1.4.2')), /kind: Deployment/);
    const { charts } = await take(anyone, [handed('small-1.2.0.tgz', small)]);
    assert.deepEqual(
      charts.map(({ name, version, sourceRef }) => [name, version, sourceRef]),
      [['small', '1.2.0', { kind: 'Local', name: 'small-1.2.0.tgz' }]],
    );
    assert.match(await manifestOf(anyone, orderOf('small', '^1')), /name: small/);
  }
  threads.stop();
});

test('a folder is read as from disk, without the files in its .helmignore, and takes precedence over a chart of the same name', async () => {
  const anyone = as(createEmulator());
  const folder = webFolder((path, text) => (path.endsWith('NOTES.txt') ? 'Changed notes' : text));
  const more = [
    handed('charts/web/.helmignore', 'left-*\n'),
    handed('charts/web/templates/left-out.yaml', '{{ fail "left out" }}'),
  ];
  const { charts, refused } = await take(anyone, [...folder, ...more, handed('charts/notes.md', 'beside it')]);
  assert.deepEqual(
    [charts[0]?.name, charts[0]?.sourceRef, refused],
    ['web', { kind: 'Local', name: 'charts/web' }, []],
  );
  const preview = await anyone('POST', '//__drydock/preview', { order: orderOf('web', '1.4.2') });
  assert.match(String(preview.at('notes')), /\nChanged notes/);
});

test('a bundle brings its charts and its Order, which renders', async () => {
  const source = 'https://charts.example.com';
  const order = orderOf('small', '^1').replace('{kind: Local, name: x}', `{name: "${source}"}`);
  const digest = digestBytes(small);
  const locked = { source, name: 'small', asked: '^1', version: '1.2.0', archive: 'a.tgz', digest };
  const bundle = packBundle(order, { folder: 'charts', charts: [locked] }, new Map([['a.tgz', small]]));
  const anyone = as(createEmulator());
  const taken = await take(anyone, [handed('shop.tgz', bundle)]);
  assert.deepEqual(
    [taken.charts[0]?.name, taken.orders, taken.refused],
    ['small', [{ name: 'shop.tgz', text: order }], []],
  );
  assert.match(await manifestOf(anyone, order), /name: small/);
});

test('texts are Orders or values, even invalid ones; other files are refused with a sentence', async () => {
  const anyone = as(createEmulator());
  const { orders, values, refused } = await take(anyone, [
    handed('order.yaml', orderOf('web', '1.4.2')),
    handed('half.yaml', 'kind: Order\nspec: {packages: [\n'),
    handed('values.yaml', 'replicaCount: 3\n'),
    handed('broken.yaml', 'a: b: c\n'),
    handed('list.json', '[1]'),
    handed('object.yaml', 'apiVersion: v1\nkind: Service\n'),
    handed('cut.tgz', small.slice(0, 60)),
    handed('photo.jpg', 'left alone beside others'),
  ]);
  const namesOf = (files: readonly { readonly name: string }[]): string => files.map(({ name }) => name).join(' ');
  assert.deepEqual([orders, values, refused].map(namesOf), [
    'order.yaml half.yaml',
    'values.yaml',
    'broken.yaml list.json object.yaml cut.tgz',
  ]);
  assert.ok(refused.every(({ message }) => message !== ''));
  const alone = await take(anyone, [handed('photo.jpg', 'x')]);
  assert.match(alone.refused[0]?.hint ?? '', /archive or folder/);
});

test('an invalid body is refused with a sentence', async () => {
  const anyone = as(createEmulator());
  for (const body of ['{"files": [{"path": 1}]}', '{"files": 5}', 'x', '{"files": [{"path": "a", "data": "%"}]}']) {
    const answer = await anyone('POST', '//__drydock/files', body);
    assert.deepEqual([answer.status, answer.at('message')], [422, 'the body is not a list of files'], body);
  }
});

test('uploads are forgotten on reset, and built-in charts are not', async () => {
  const ask = as(createEmulator());
  await take(ask, [handed('small-1.2.0.tgz', small)]);
  const names = async (): Promise<string> => JSON.stringify((await ask('GET', '//__drydock/charts')).json());
  assert.match(await names(), /"small"/);
  assert.deepEqual((await ask('DELETE', '//__drydock/files')).json(), { charts: 1 });
  assert.doesNotMatch(await names(), /"small"/);
  assert.match(await names(), /"web"/);
});
