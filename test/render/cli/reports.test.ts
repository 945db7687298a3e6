// The formats of a report contain the same and match their schemas: SARIF with ajv, JUnit with xmllint if available.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { formatReport } from '../../../render/report/format.ts';
import type { Report } from '../../../render/report/model.ts';
import { needsTools } from '../../support/shells.ts';

const schemas = fileURLToPath(new URL('../../../fixtures/schemas', import.meta.url));

const report: Report = {
  version: '1.2.3',
  time: new Date('2025-01-02T03:04:05Z'),
  files: [
    { file: 'orders/fine.yaml', issues: [] },
    {
      file: 'orders/a b.yaml',
      issues: [
        {
          severity: 'error',
          path: 'spec.packages[0].chart',
          message: 'is <bad> & "worse"\nin \u0000 two lines, 100%',
          hint: 'Fix it.',
          file: 'orders/a b.yaml',
          line: 3,
          column: 7,
        },
        { severity: 'warning', path: 'extra', message: 'is not known', file: 'orders/a b.yaml', line: 1, column: 1 },
        { severity: 'note', path: '', message: 'is noted', file: 'orders/a b.yaml' },
      ],
    },
  ],
};

test('SARIF matches its schema', () => {
  // ajv knows this draft by another name; the parts that the schema uses are the same.
  const { $schema, id, ...schema } = JSON.parse(readFileSync(`${schemas}/sarif-2.1.0.json`, 'utf8')) as Record<
    string,
    unknown
  >;
  assert.match(String($schema), /draft-0[47]/, String(id));
  const fits = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  const log = JSON.parse(formatReport(report, 'sarif')) as {
    runs: { results: { level: string; locations: unknown[] }[] }[];
  };
  assert.ok(fits(log), JSON.stringify(fits.errors));
  const results = log.runs[0]?.results ?? [];
  assert.deepEqual(
    results.map(({ level }) => level),
    ['error', 'warning', 'note'],
  );
  assert.deepEqual(results[0]?.locations, [
    {
      physicalLocation: { artifactLocation: { uri: 'orders/a%20b.yaml' }, region: { startLine: 3, startColumn: 7 } },
      logicalLocations: [{ fullyQualifiedName: 'spec.packages[0].chart' }],
    },
  ]);
  assert.equal(fits({ ...log, version: '3' }), false);
});

test('JUnit matches its schema', () => {
  const text = formatReport(report, 'junit');
  assert.match(
    text,
    /<testsuite id="0" name="orders\/fine.yaml" [^>]*timestamp="2025-01-02T03:04:05" tests="1" failures="0"/,
  );
  assert.match(
    text,
    /<failure message="orders\/a b.yaml:3:7: error: .*&lt;bad&gt; &amp; &quot;worse&quot;&#10;in \ufffd two/,
  );
  assert.match(
    text,
    /<system-out>orders\/a b.yaml:1:1: warning: extra: is not known&#10;orders\/a b.yaml: note: is noted</,
  );
  const args = ['--noout', '--schema', `${schemas}/junit.xsd`, '-'];
  const { status, error, stderr } = spawnSync('xmllint', args, { input: text, encoding: 'utf8' });
  // If the program is missing and not required, the checks above must do.
  if (error === undefined || needsTools) assert.equal(status, 0, stderr);
});

test('GitHub gets one line for each issue', () => {
  assert.equal(
    formatReport(report, 'github'),
    [
      '::error file=orders/a b.yaml,line=3,col=7::spec.packages[0].chart: is <bad> & "worse"%0Ain \u0000 two lines, 100%25%0AFix it.\n',
      '::warning file=orders/a b.yaml,line=1,col=1::extra: is not known\n',
      '::notice file=orders/a b.yaml::is noted\n',
    ].join(''),
  );
});

test('JSON counts issues', () => {
  const { errors, warnings, notes, files } = JSON.parse(formatReport(report, 'json')) as Record<string, unknown>;
  assert.deepEqual([errors, warnings, notes], [1, 1, 1]);
  assert.equal((files as unknown[]).length, 2);
});
