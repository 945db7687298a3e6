// Every golden case renders to the bytes recorded from the real Helm of each version (see fixtures/README.md).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { helmVersions } from '../../render/core/helm-version.ts';
import { majorOf } from '../../render/helm/versions.ts';
import { runInProcess } from '../support/cli.ts';
import { chartsDirectory, commandOf, readCases, readRecords } from '../support/golden.ts';

const answerOf = await readRecords();

for (const golden of await readCases()) {
  for (const version of helmVersions) {
    if (golden.helm !== undefined && golden.helm !== majorOf(version)) continue;
    test(`Helm ${version}: ${golden.chart}/${golden.case}`, async () => {
      const want = await answerOf(golden, version);
      const got = await runInProcess([...commandOf(golden), '--helm', version], chartsDirectory);
      assert.equal(got.stdout, want.stdout);
      assert.equal(got.stderr, want.stderr);
      assert.equal(got.exitCode, want.exitCode);
    });
  }
}
