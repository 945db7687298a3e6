// Every golden case gives the bytes that real Helm gave when they were recorded (see fixtures/golden/origin.json).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../support/cli.ts';
import { chartsDirectory, commandOf, readCases, readRecord } from '../support/golden.ts';

for (const golden of await readCases()) {
  test(`${golden.chart}/${golden.case}`, async () => {
    const want = await readRecord(golden);
    const got = await runInProcess(commandOf(golden), chartsDirectory);
    assert.equal(got.stdout, want.stdout);
    assert.equal(got.stderr, want.stderr);
    assert.equal(got.exitCode, want.exitCode);
  });
}
