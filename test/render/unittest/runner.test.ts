// Whole runs of suites, with their reports, compared with those of helm-unittest.

import assert from 'node:assert/strict';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { testCharts } from '../../../render/disk.node.ts';
import { reportForms } from '../../../render/unittest/reports/reports.ts';
import { createProject } from '../../support/project.ts';

const fixtures = fileURLToPath(new URL('../../../fixtures/unittest', import.meta.url));
const expected = (file: string): string => readFileSync(join(fixtures, file), 'utf8');

/** Empties what depends on the run and on the machine, as in the recorded files. */
function withoutRun(text: string): string {
  const varying =
    / (time|duration|run-time|timestamp|run-date|date|hostname|machine-name|user|cwd|platform|current-culture|current-uiculture)="[^"]*"/g;
  return text
    .replace(varying, ' $1=""')
    .replace(/(Time: +).*/, '$1')
    .replace(/<environment>.*<\/environment>/g, '<environment></environment>');
}

for (const form of reportForms) {
  test(`output and ${form} report of passed, failed, skipped and invalid tests`, async () => {
    const { folder, read } = createProject();
    cpSync(fixtures, folder, { recursive: true });
    let output = '';
    const passed = await testCharts(['web', 'wrong'], {
      cwd: folder,
      report: { form, file: 'report.xml' },
      stdout: (text) => {
        output += text;
      },
    });
    assert.equal(passed, false);
    assert.equal(withoutRun(output), expected('output.txt'));
    assert.equal(withoutRun(read('report.xml')), expected(`${form}.xml`));
  });
}
