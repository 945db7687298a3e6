// Every golden case gives the bytes that real Helm gave when they were recorded (see fixtures/golden/origin.json).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../support/cli.ts';
import { chartsDirectory, commandOf, readCases, readRecord } from '../support/golden.ts';
import { recordedHelms } from '../support/helms.ts';

for (const golden of await readCases()) {
  for (const helm of [3, 4] as const) {
    if (golden.helm !== undefined && golden.helm !== helm) continue;
    test(`Helm ${helm}: ${golden.chart}/${golden.case}`, async () => {
      const want = await readRecord(golden, helm);
      const got = await runInProcess([...commandOf(golden), '--helm', recordedHelms[helm]], chartsDirectory);
      assert.equal(got.stdout, want.stdout);
      assert.equal(got.stderr, want.stderr);
      assert.equal(got.exitCode, want.exitCode);
    });
  }
}
