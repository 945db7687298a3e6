// Charts on disk; every error text and warning is Helm 3.17.3's.

import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { chartYaml, createProject, type Files } from '../../support/project.ts';
import { tgz } from './tar.ts';

const head = chartYaml('c');
const folderOf = (files: Files): string => createProject(files).folder;
const namesOf = (files: readonly { readonly name: string }[] = []): string[] => files.map(({ name }) => name);

test('files are sorted within each folder, with ignore rules applied', async () => {
  const chart = await loadChartPath(
    folderOf({
      'Chart.yaml': `\ufeff${head}`,
      '.helmignore': 'skip/\n*.bak\n',
      'a-b': '',
      'a/z': '',
      'a.bak': '',
      B: '',
      'skip/x': '',
      'templates/b.yaml': '',
      'templates/.hidden': '',
      'templates/A.yaml': '',
      'charts/s/Chart.yaml': 'name: s\nversion: 1.0.0',
      'charts/s/templates/.shown': '',
    }),
  );
  assert.deepEqual(namesOf(chart.files), ['.helmignore', 'B', 'a/z', 'a-b']);
  assert.deepEqual(namesOf(chart.templates), ['templates/A.yaml', 'templates/b.yaml']);
  assert.deepEqual(namesOf(chart.children[0]?.templates), ['templates/.shown']);
});

test('links are followed and reported', async () => {
  const outside = folderOf({ 'd/x': '1' });
  const path = folderOf({ 'Chart.yaml': head });
  symlinkSync(join(outside, 'd'), join(path, 'l'));
  symlinkSync('l', join(path, 'm'));
  const warnings: string[] = [];
  const chart = await loadChartPath(path, { onWarning: (line) => warnings.push(line) });
  assert.deepEqual(namesOf(chart.files), ['l/x', 'm/x']);
  const line = (name: string): string =>
    `walk.go:75: found symbolic link in path: ${path}/${name} resolves to ${outside}/d. Contents of linked file included and used`;
  assert.deepEqual(warnings, [line('l'), line('m')]);
});

test('an archive is not filtered', async () => {
  const archive = tgz([
    { name: 'c/Chart.yaml', data: head },
    { name: 'c/templates/.h', data: '' },
    { name: 'c/.helmignore', data: '*' },
  ]);
  const chart = await loadChartPath(join(folderOf({ 'c.tgz': archive }), 'c.tgz'));
  assert.deepEqual(namesOf(chart.templates), ['templates/.h']);
});

const files = folderOf({
  'x.yaml': 'a: 1',
  'short.txt': 'text',
  'long.txt': 'text '.repeat(200),
  'a.zip': 'PK\x03\x04',
  'big/Chart.yaml': head,
  'big/big.bin': new Uint8Array(5 * 1024 * 1024 + 1),
  'none/README.md': '',
  'rules/.helmignore': '**',
  'broken/Chart.yaml': head,
});
symlinkSync('nowhere', join(files, 'broken/l'));

for (const [name, message] of [
  ['x.yaml', `file '${files}/x.yaml' seems to be a YAML file, but expected a gzipped archive`],
  ['short.txt', `file '${files}/short.txt' does not appear to be a gzipped archive; got 'application/octet-stream'`],
  ['long.txt', `file '${files}/long.txt' does not appear to be a gzipped archive; got 'text/plain; charset=utf-8'`],
  ['a.zip', `file '${files}/a.zip' does not appear to be a gzipped archive; got 'application/zip'`],
  ['big', 'chart file "big.bin" is larger than the maximum file size 5242880'],
  ['none', 'Chart.yaml file is missing'],
  ['rules', 'double-star (**) syntax is not supported'],
  ['broken', `error evaluating symlink ${files}/broken/l: lstat ${files}/broken/nowhere: no such file or directory`],
] as const) {
  test(`refused: ${name}`, () => assert.rejects(loadChartPath(join(files, name)), { code: 'CHART_INVALID', message }));
}

test('a missing folder is reported', async () => {
  await assert.rejects(loadChartPath('./no/such'), { code: 'CHART_NOT_FOUND', message: 'path "./no/such" not found' });
});
