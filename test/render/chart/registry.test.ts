// Sources of charts without a network.

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadArchive } from '../../../render/chart/load.ts';
import { folderRegistry } from '../../../render/chart/registry.node.ts';
import {
  type ChartRef,
  chainRegistries,
  memoryRegistry,
  pickCandidate,
  type Registry,
} from '../../../render/chart/registry.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { chartYaml, createProject } from '../../support/project.ts';
import { tgz } from './tar.ts';

const { folder: root, write } = createProject();
const packed = (name: string, version: string, more: Readonly<Record<string, string>> = {}): Uint8Array => {
  const files = Object.entries({ 'Chart.yaml': chartYaml(name, '', version), ...more });
  return tgz(files.map(([path, data]) => ({ name: `${name}/${path}`, data })));
};

function ref(kind: string, source: string, name = 'web', version = ''): ChartRef {
  return { name, version, sourceRef: { kind, name: source, namespace: 'ns' } };
}

async function found(registry: Registry, wanted: ChartRef): Promise<string> {
  const { metadata } = await registry.resolve(wanted);
  return `${metadata.name} ${metadata.version}`;
}

// Available versions, requested version, selected version.
const picks: readonly (readonly [versions: readonly string[], wanted: string, picked: string | undefined])[] = [
  [['1.0.0', '1.2.0', '2.0.0-rc.1', '1.10.0'], '', '1.10.0'],
  [['1.0.0-a', '1.0.0-b'], '', '1.0.0-b'],
  [['1.0.0', '1.2.0'], '1.0.0', '1.0.0'],
  [['1.0.0', '1.2.0', '2.0.0'], '^1.0.0', '1.2.0'],
  [['1.0.0', '2.0.0-rc.1'], '>1.0.0-0', '2.0.0-rc.1'],
  [['1.0.0'], 'not a range', undefined],
  [['odd', '1.0.0'], 'odd', 'odd'],
  [[], '', undefined],
];

for (const [versions, wanted, picked] of picks) {
  test(`${JSON.stringify(wanted)} of ${versions.join(', ') || 'nothing'}`, () => {
    const candidates = versions.map((version) => ({ version }));
    assert.equal(pickCandidate(candidates, wanted)?.version, picked);
  });
}

const stable = 'mirror/charts.example.com/stable';
write({
  [`${stable}/web-1.1.0.tgz`]: packed('web', '1.1.0'),
  [`${stable}/web-1.0.0.tgz`]: packed('web', '1.0.0'),
  'mirror/web/Chart.yaml': chartYaml('web', '', '5.0.0'),
  'mirror/web-6.0.0-rc.1.tgz': packed('web', '6.0.0-rc.1'),
  'mirror/team/own/web-7.0.0.tgz': packed('web', '7.0.0'),
  'secret/web-4.0.0.tgz': packed('web', '4.0.0'),
  'secret/web/Chart.yaml': chartYaml('web', '', '4.0.0'),
});

const mirror = folderRegistry([join(root, 'mirror')]);

const sources: readonly (readonly [title: string, wanted: ChartRef, picked: string])[] = [
  ['a repository by its URL', ref('HelmRepository', 'https://charts.example.com/stable'), 'web 1.1.0'],
  [
    'an exact version, its digest checked',
    ref('HelmRepository', 'https://charts.example.com/stable', 'web', '1.0.0'),
    'web 1.0.0',
  ],
  ['an archive beside the folder', ref('Embed', 'any', 'web', '6.0.0-rc.1'), 'web 6.0.0-rc.1'],
  ['a local path to a chart', ref('Local', './web'), 'web 5.0.0'],
  ['a local path to a folder of charts', ref('Local', 'team/own'), 'web 7.0.0'],
  ['a repository object by its name', ref('HelmRepository', 'team/own'), 'web 7.0.0'],
];

for (const [title, wanted, picked] of sources) {
  test(title, async () => assert.equal(await found(mirror, wanted), picked));
}

test('a folder whose charts match every source', async () => {
  const flat = folderRegistry([join(root, 'mirror')], { isFlat: true });
  for (const wanted of [
    ref('HelmRepository', 'https://other.example.com'),
    ref('OCIRepository', 'oci://other.example.com/charts'),
    ref('HelmRepository', 'elsewhere'),
  ]) {
    assert.equal(await found(flat, wanted), 'web 5.0.0');
    await assert.rejects(mirror.resolve(wanted), { code: 'CHART_NOT_FOUND', member: undefined });
  }
});

for (const [title, wanted] of [
  ['a version that is not there', ref('Local', './web', 'web', '9.x')],
  ['a path outside', ref('Local', '../secret/web')],
  ['an archive that is not mirrored', ref('HelmRepository', 'https://charts.example.com/stable', 'web', '3.0.0')],
] as const) {
  test(`not found: ${title}`, () => assert.rejects(mirror.resolve(wanted), { code: 'CHART_NOT_FOUND' }));
}

test('an archive of a chart whose name continues with a number is not a version', async () => {
  write({ 'numbered/web-2-1.0.0.tgz': packed('web-2', '1.0.0') });
  const numbered = folderRegistry([join(root, 'numbered')]);
  await assert.rejects(numbered.resolve(ref('Embed', '')), { code: 'CHART_NOT_FOUND' });
  write({ 'numbered/web-1.0.0.tgz': packed('web', '1.0.0') });
  assert.equal(await found(numbered, ref('Embed', '', 'web', '>=1.0.0-0')), 'web 1.0.0');
  assert.equal(await found(numbered, ref('Embed', '', 'web-2')), 'web-2 1.0.0');
});

test('a link that leads outside is not followed', async () => {
  mkdirSync(join(root, 'linked'));
  symlinkSync(join(root, 'secret'), join(root, 'linked/in'));
  await assert.rejects(folderRegistry([join(root, 'linked')]).resolve(ref('Local', 'in/web')), {
    code: 'CHART_NOT_FOUND',
  });
});

test('the error contains the chart, the places, and the available versions', async () => {
  await assert.rejects(mirror.resolve(ref('Local', './web', 'web', '9.x')), {
    message: `chart "web" in version "9.x" not found in Local "./web" (looked in ${join(root, 'mirror/web')})`,
    hint: 'There are these versions: 5.0.0.',
  });
});

test('an archive is read once until it changes', async () => {
  write({ 'once/web-1.0.0.tgz': packed('web', '1.0.0') });
  const registry = folderRegistry([join(root, 'once')]);
  const first = await registry.resolve(ref('Embed', ''));
  assert.equal(await registry.resolve(ref('Embed', '')), first);
  write({ 'once/web-1.0.0.tgz': packed('web', '1.0.0', { x: 'x' }) });
  assert.notEqual(await registry.resolve(ref('Embed', '')), first);
});

test('resolves charts in memory, and one source after the other', async () => {
  const memory = memoryRegistry([loadArchive(packed('db', '1.0.0')), loadArchive(packed('db', '2.0.0'))]);
  assert.equal(await found(memory, ref('Embed', 'any', 'db', '1.x')), 'db 1.0.0');
  const both = chainRegistries([memory, mirror]);
  assert.equal(await found(both, ref('Local', './web')), 'web 5.0.0');
  assert.equal(await found(both, ref('Local', './web', 'db')), 'db 2.0.0');
  await assert.rejects(both.resolve(ref('Local', './web', 'nope')), {
    code: 'CHART_NOT_FOUND',
    message:
      /^chart "nope" not found in Local ".\/web" \(looked in the charts in memory\); chart "nope" .* \(looked in .*web.*\)$/,
  });
  const within = chainRegistries([memory, chainRegistries([memoryRegistry([]), memory])]);
  await assert.rejects(within.resolve(ref('Local', './web', 'nope')), {
    message: 'chart "nope" not found in Local "./web" (looked in the charts in memory)',
  });
  await assert.rejects(chainRegistries([]).resolve(ref('Local', 'x')), { code: 'CHART_NOT_FOUND' });
  const broken = memoryRegistry([]);
  broken.resolve = async () => {
    throw new RenderError('CHART_INVALID', 'broken');
  };
  await assert.rejects(chainRegistries([broken, mirror]).resolve(ref('Local', './web')), { code: 'CHART_INVALID' });
});

test('the correct name of a chart is reported, and an invalid version', async () => {
  await assert.rejects(mirror.resolve(ref('Local', './web', 'wbe')), {
    member: 'name',
    hint: 'The chart there is called "web": write that name.',
  });
  await assert.rejects(mirror.resolve(ref('Local', './web', 'web', '>>1')), {
    member: 'version',
    message: 'chart "web": ">>1" is neither a version nor a constraint',
  });
});

test('reports empty folders', async () => {
  await assert.rejects(folderRegistry([join(root, 'missing')]).resolve(ref('Embed', '')), {
    code: 'CHART_NOT_FOUND',
  });
  await assert.rejects(folderRegistry([]).resolve(ref('Embed', '')), { code: 'CHART_NOT_FOUND' });
});
