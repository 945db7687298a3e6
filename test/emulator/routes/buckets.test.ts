import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, strictEmulator } from '../../support/emulator.ts';

const buckets: readonly (readonly [string, string, readonly string[]])[] = [
  ['GCE', 'credential=gcp-main&cluster_uid=1&cloud_project=harbor-test', ['harbor-test-state']],
  ['azure', 'secret_namespace=a&secret_name=b&cluster_uid=1', ['backups', 'media']],
  ['nowhere', 'secret_namespace=a&secret_name=b&cluster_uid=1', []],
];
for (const [cloud, query, names] of buckets) {
  test(`buckets of ${cloud} with ${query}`, async () => {
    const { json } = await as(strictEmulator(), 'bob')('GET', `/user/clouds/${cloud}/buckets?${query}`);
    assert.deepEqual(json(), { names });
  });
}
