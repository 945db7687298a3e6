// The formats of a report contain the same and match their schemas: SARIF with ajv, JUnit with xmllint if available.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatReport } from '../../../render/report/format.ts';
import type { Report } from '../../../render/report/model.ts';
import { assertJunit, assertSarif } from '../../support/report-schemas.ts';

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
  const text = formatReport(report, 'sarif');
  assertSarif(text);
  const { results } = JSON.parse(text).runs[0] as {
    results: { level: string; locations: unknown[] }[];
  };
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
  assertJunit(text);
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
