// drydock.lock: written as it is read, with the places of errors.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RenderError } from '../../../render/core/errors.ts';
import {
  archivePath,
  findLocked,
  formatLock,
  type Lock,
  parseLock,
  publicUrl,
  sourceKey,
  sourceOrigin,
} from '../../../render/vendor/lock/lock.ts';

const digest = `sha256:${'ab'.repeat(32)}`;
const chart = {
  source: 'https://charts.example.com',
  name: 'web',
  asked: '^1.0.0',
  version: '1.2.3+build.4',
  url: 'https://charts.example.com/web-1.2.3.tgz',
  archive: 'charts.example.com/web-1.2.3+build.4.tgz',
  digest,
};
const lock: Lock = {
  folder: 'charts',
  charts: [chart, { ...chart, name: 'api', asked: '', version: '1', manifest: digest }],
};

test('a lock is read as written, sorted, and written identically', () => {
  const text = formatLock(lock);
  const read = parseLock(text);
  assert.deepEqual(
    read.charts.map(({ name }) => name),
    ['api', 'web'],
  );
  assert.deepEqual(read.charts[1], chart);
  assert.equal(formatLock(read), text);
  assert.match(text, /version: "1"\n/);
});

test('every error in a lock is reported', () => {
  const faulty = (text: string): RenderError => {
    try {
      parseLock(text);
    } catch (error) {
      if (error instanceof RenderError) return error;
      throw error;
    }
    throw new Error('was read');
  };
  const text = formatLock(lock);
  assert.match(faulty('').message, /lockVersion is missing/);
  assert.match(faulty(text.replace('lockVersion: 1', 'lockVersion: 2')).message, /"2", and this drydock knows 1/);
  assert.match(faulty(text.replace('folder: charts', 'folder: ../x')).message, /folder must be the name/);
  for (const path of ['../x.tgz', '/x.tgz', 'a/../x.tgz', 'a\\\\x.tgz', 'x.zip']) {
    const { message, code } = faulty(text.replace(/archive: .*/, `archive: "${path}"`));
    assert.equal(code, 'CHART_INVALID');
    assert.match(message, /charts\[0\]\.archive is not valid: "/);
  }
  assert.match(faulty(text.replace(/asked: .*/, 'asked: 1')).message, /charts\[0\]\.asked must be a string in quotes/);
  assert.match(faulty(text.replace('  - source', '<<<<<<< HEAD\n  - source')).message, /merge conflict markers/);
  const { issues, hint } = faulty(text.replaceAll(digest, 'sha256:1'));
  assert.equal(issues.length, 3);
  assert.match(hint ?? '', /drydock vendor/);
});

test('a reference matches the same words first, then the best version in range', () => {
  const ref = (version: string, name = 'web') => ({
    name,
    version,
    sourceRef: { name: 'https://Charts.example.com/?a=b' },
  });
  assert.equal(findLocked(lock, ref('^1.0.0'))?.version, '1.2.3+build.4');
  assert.equal(findLocked(lock, ref('>=1.2'))?.version, '1.2.3+build.4');
  assert.equal(findLocked(lock, ref('^2'))?.version, undefined);
  assert.equal(findLocked(lock, ref('', 'other')), undefined);
});

test('sources are one string, and no secret of a URL is written', () => {
  assert.equal(sourceKey('HTTPS://user:pw@Charts.Example.com/a/?token=x'), 'https://charts.example.com/a');
  assert.equal(sourceKey('./charts/web/'), 'charts/web');
  assert.equal(publicUrl('https://user:pw@host/a?sig=x#y'), 'https://host/a');
  assert.equal(archivePath('https://h:1/../a/%2e/b', { name: 'web', version: '1' }), 'h_1/a/_2e/b/web-1.tgz');
  const origin = (kind: string, name: string) => sourceOrigin({ name: 'web', version: '', sourceRef: { kind, name } });
  assert.deepEqual(origin('OCIRepository', 'oci://h/c/web'), { kind: 'oci', url: 'oci://h/c/web' });
  assert.deepEqual(origin('HelmRepository', 'oci://h/c/web'), { kind: 'oci', url: 'oci://h/c/web/web' });
  assert.deepEqual(origin('HelmRepository', 'bitnami'), { kind: 'named', repository: 'bitnami' });
  assert.deepEqual(origin('Local', 'charts/web'), { kind: 'path', path: 'charts/web' });
});
