import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createEmulator,
  defineRoute,
  formatCoverage,
  mergeCoverage,
  summarizeCoverage,
} from '../../../emulator/index.ts';
import { as } from '../../support/emulator.ts';

const operationOf = (coverage: ReturnType<typeof mergeCoverage>, name: string) => {
  const operation = coverage.operations.find((one) => one.name === name);
  assert.ok(operation, name);
  return operation;
};

test('counts operations, status codes and query parameters in all worlds', async () => {
  const run = () => ({ status: 200, json: 1 });
  const custom = defineRoute({ name: 'getThing', method: 'GET', path: '/thing', access: 'public', run });
  const emulator = createEmulator({ routes: [custom] });
  const call = as(emulator, 'ada');
  await call('GET', '/user/clusters?all=true');
  await call('GET', '//@other/api/v1/user/clusters');
  await emulator.fetch('/api/v1/user/emails');
  await emulator.fetch('/api/v1/thing');
  for (const path of ['/api/v1/nowhere', '/__drydock/status', '/avatars/ada']) await emulator.fetch(path);
  const coverage = emulator.coverage();
  assert.deepEqual(coverage.totals.operations, { covered: 3, total: coverage.operations.length });
  const clusters = operationOf(coverage, 'listClusters');
  assert.deepEqual([clusters.count, clusters.filters], [2, [{ name: 'all', count: 1 }]]);
  const statuses = clusters.statuses.map(({ name, count }) => `${name} ${count}`);
  assert.deepEqual(statuses, ['200 2', '302 0', '401 0', '403 0', '422 0']);
  assert.equal(operationOf(coverage, 'listEmails').statuses.find(({ name }) => name === '401')?.count, 1);
  assert.equal(operationOf(coverage, 'getThing').count, 1);
  assert.match(
    summarizeCoverage(coverage),
    /^API coverage: 3 of \d+ operations, 3 of \d+ status codes, 1 of \d+ query parameters$/,
  );
  const page = formatCoverage(coverage);
  assert.match(page, /\| `listClusters` \| `GET \/api\/v1\/user\/clusters` \| 2 \| `302` `401` `403` `422` \|/);
  assert.match(page, /\| `signOut` \| .* \| 0 \| all \|/);
});

test('merges the reports of several processes', async () => {
  const reports = await Promise.all(
    ['/user', '/user/clusters?all=true', '/user'].map(async (path) => {
      const emulator = createEmulator();
      await as(emulator, 'ada')('GET', path);
      return JSON.parse(JSON.stringify(emulator.coverage())) as ReturnType<typeof emulator.coverage>;
    }),
  );
  const merged = mergeCoverage(reports);
  assert.deepEqual([operationOf(merged, 'getCurrentUser').count, operationOf(merged, 'listClusters').count], [2, 1]);
  assert.deepEqual(merged.totals.operations, { covered: 2, total: reports[0]?.operations.length });
  assert.equal(merged.totals.filters.covered, 1);
});

test('the status codes of all reports are merged', () => {
  const report = createEmulator().coverage();
  const [operation, ...others] = report.operations;
  const statuses = [...operation!.statuses, { name: '418', count: 2 }];
  const merged = mergeCoverage([report, { ...report, operations: [{ ...operation!, statuses }, ...others] }]);
  assert.deepEqual(operationOf(merged, operation!.name).statuses, statuses);
});
