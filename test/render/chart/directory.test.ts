// Charts on disk; every error text and warning is Helm 3.17.3's.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { loadChartPath } from '../../../render/chart/directory.node.ts';
import { tgz } from './tar.ts';

const root = mkdtempSync(join(tmpdir(), 'drydock-directory-'));
after(() => rmSync(root, { recursive: true }));

const head = 'apiVersion: v2\nname: c\nversion: 0.1.0\n';
let count = 0;

function folder(files: Readonly<Record<string, string | Uint8Array>>): string {
  const path = join(root, String(++count));
  for (const [name, data] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), data);
  }
  return path;
}

test('files are sorted within each folder, with ignore rules applied', async () => {
  const chart = await loadChartPath(
    folder({
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
  assert.deepEqual(
    chart.files.map(({ name }) => name),
    ['.helmignore', 'B', 'a/z', 'a-b'],
  );
  assert.deepEqual(
    chart.templates.map(({ name }) => name),
    ['templates/A.yaml', 'templates/b.yaml'],
  );
  assert.deepEqual(
    chart.children[0]?.templates.map(({ name }) => name),
    ['templates/.shown'],
  );
});

test('links are followed and reported', async () => {
  const outside = folder({ 'd/x': '1' });
  const path = folder({ 'Chart.yaml': head });
  symlinkSync(join(outside, 'd'), join(path, 'l'));
  symlinkSync('l', join(path, 'm'));
  const warnings: string[] = [];
  const chart = await loadChartPath(path, { onWarning: (line) => warnings.push(line) });
  assert.deepEqual(
    chart.files.map(({ name }) => name),
    ['l/x', 'm/x'],
  );
  const line = (name: string): string =>
    `walk.go:75: found symbolic link in path: ${path}/${name} resolves to ${outside}/d. Contents of linked file included and used`;
  assert.deepEqual(warnings, [line('l'), line('m')]);
});

test('an archive is not filtered', async () => {
  const path = join(folder({ x: '' }), 'c.tgz');
  writeFileSync(
    path,
    tgz([
      { name: 'c/Chart.yaml', data: head },
      { name: 'c/templates/.h', data: '' },
      { name: 'c/.helmignore', data: '*' },
    ]),
  );
  const chart = await loadChartPath(path);
  assert.deepEqual(
    chart.templates.map(({ name }) => name),
    ['templates/.h'],
  );
});

const files = folder({
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
