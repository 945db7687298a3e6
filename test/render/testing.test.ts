// `drydock/testing` under node:test: what passes, what fails, and the messages.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadChart } from '../../render/chart/load.ts';
import { RenderError } from '../../render/core/errors.ts';
import { ExpectationError, expectOrder, renderChart } from '../../render/testing/expect.node.ts';
import { runningTest, snapshotPath } from '../../render/testing/place.node.ts';

const chart = loadChart({
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'values.yaml': 'replicas: 2\npassword: hush\nfail: ""\n',
  'templates/a.yaml': `kind: Deployment
apiVersion: apps/v1
metadata: {name: web}
spec: {replicas: {{ .Values.replicas }}, ports: [{name: http, port: 80}, {name: https, port: 443}]}
---
kind: Secret
apiVersion: v1
metadata: {name: web}
stringData: {password: {{ .Values.password }}}
`,
  'templates/fail.yaml': '{{ if .Values.fail }}{{ fail .Values.fail }}{{ end }}',
});
const folder = join(import.meta.dirname, '__snapshots__');
after(() => rmSync(folder, { recursive: true, force: true }));

test('a rendering contains part of an object, and a failure shows the differences to the nearest one', async () => {
  const expected = expectOrder(renderChart(chart));
  await expected.toContain({ kind: 'Deployment', spec: { ports: [{ port: 443 }] } });
  await expected.toContain({ metadata: { name: 'web' } });
  await assert.rejects(
    expected.toContain({ kind: 'Deployment', spec: { replicas: 3, ports: [{ name: 'http', port: 81 }] } }),
    (error: Error) => {
      assert.ok(error instanceof ExpectationError);
      assert.match(error.message, /^no object contains \{"kind":"Deployment"/);
      assert.match(error.message, /the nearest is Deployment\/web; it would have to change so:/);
      assert.match(error.message, /spec\.replicas.*2.*3/);
      assert.match(error.message, /port.*80.*81/);
      return true;
    },
  );
  await assert.rejects(expected.toContain({ kind: 'Pod' }), /no object is like it; there are: .*Deployment\/web/);
});

test('a failure is expected by its code', async () => {
  const failing = () => renderChart(chart, { values: { fail: 'no luck' } });
  const error = await expectOrder(failing).toFail('TEMPLATE_EXEC');
  assert.ok(error instanceof RenderError);
  await assert.rejects(expectOrder(failing).toFail('VALUES_INVALID'), /failed with TEMPLATE_EXEC: .*no luck/);
  await assert.rejects(expectOrder(renderChart(chart)).toFail('TEMPLATE_EXEC'), /and it did not$/);
  await assert.rejects(expectOrder(failing).toContain({ kind: 'Pod' }), RenderError);
  await assert.rejects(expectOrder(() => 7 as never).toFail('X'), /must be a rendered chart or Order/);
});

test('snapshots have the name of the test, and report changes in meaning', async (t) => {
  const was = { CI: process.env.CI, UPDATE_SNAPSHOTS: process.env.UPDATE_SNAPSHOTS };
  t.after(() => {
    for (const [name, value] of Object.entries(was)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  delete process.env.UPDATE_SNAPSHOTS;
  process.env.CI = 'true';
  const compare = (replicas: number) =>
    expectOrder(renderChart(chart, { values: { replicas } }), { test: t }).toMatchSnapshot('two pods');
  await assert.rejects(compare(2), /the rendered manifest is not recorded/);
  delete process.env.CI;
  await compare(2);
  const path = snapshotPath(import.meta.filename, 'two pods', 1);
  const text = readFileSync(path, 'utf8');
  assert.match(text, /kind: Deployment/);
  assert.doesNotMatch(text, /hush/, 'the data of a Secret is a fingerprint');
  process.env.CI = 'true';
  await compare(2);
  await assert.rejects(compare(3), /differs from .*\n\n[\s\S]*spec\.replicas.*2.*3[\s\S]*UPDATE_SNAPSHOTS=1/);
  process.env.UPDATE_SNAPSHOTS = '1';
  await compare(3);
  assert.match(readFileSync(path, 'utf8'), /replicas: 3/);
  delete process.env.CI;
  await expectOrder(renderChart(chart), { test: t }).toMatchSnapshot();
  assert.ok(existsSync(snapshotPath(import.meta.filename, t.fullName ?? t.name, 1)));
  await assert.rejects(expectOrder(renderChart(chart)).toMatchSnapshot(), /the current test is unknown/);
});

test("a runner in CI mode records nothing, and the test's file name is not part of the snapshot name", async (t) => {
  const place = globalThis as Record<symbol, unknown>;
  const mark = Symbol.for('expect-global');
  const tell = (currentTestName: string, recording: string): void => {
    const state = { currentTestName, testPath: import.meta.filename, snapshotState: { _updateSnapshot: recording } };
    place[mark] = { getState: () => state };
  };
  const was = process.env.CI;
  t.after(() => {
    delete place[mark];
    if (was !== undefined) process.env.CI = was;
  });
  delete process.env.CI;
  tell('shop > closed', 'none');
  await assert.rejects(expectOrder(renderChart(chart)).toMatchSnapshot(), /is not recorded/);
  for (const name of ['testing.test.ts > shop > pods', 'test/render/testing.test.ts > shop > pods', 'shop > pods']) {
    tell(name, 'new');
    assert.equal(runningTest(undefined, '').name, 'shop > pods');
  }
  const long = 'a row of a table '.repeat(10);
  assert.notEqual(snapshotPath('a.ts', `${long} 1`, 1), snapshotPath('a.ts', `${long} 2`, 1));
});
