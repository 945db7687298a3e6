// The fuzz test recognizes effects of go-yaml's byte order marks, and nothing else. Results: Helm 3.17.3.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadChart, template as renderTemplate } from '../render/index.ts';
import { isSkippedMark } from './fuzz/marks.ts';
import { chartOfRow, textOfOutput } from './support/rows.ts';

const encoder = new TextEncoder();

function answer(template: string): string {
  const files = Object.entries(chartOfRow(template, ''));
  const chart = loadChart(new Map(files.map(([name, text]) => [name, encoder.encode(text)] as const)));
  return textOfOutput(renderTemplate(chart, { releaseName: 'r' }));
}

const row = (text: string): string => `{{ fromYaml ${JSON.stringify(text)} | toJson }}`;

const skipped: readonly (readonly [string, string])[] = [
  [
    '\ufeff\ufeff- 1\n- 2\n',
    `{"Error":"error converting YAML to JSON: yaml: line 1: did not find expected '-' indicator"}`,
  ],
  [
    '\ufeff\ufeff? a\r\n: {,}\r\n',
    '{"Error":"error converting YAML to JSON: yaml: line 1: did not find expected key"}',
  ],
];
for (const [text, want] of skipped) {
  test(`a skipped mark: ${JSON.stringify(text)}`, () => {
    assert.notEqual(answer(row(text)), want);
    assert.equal(isSkippedMark(row(text), want, answer), true);
  });
}

const others: readonly (readonly [string, string])[] = [
  // No mark, marks with another result, marks elsewhere.
  [row('- 1\n- 2\n'), '{"a":1}'],
  [row('\ufeff\ufeffa: 1\nb: 2\n'), '{"a":1,"b":3}'],
  [row('\ufeffa: \ufeff1\n'), `{"Error":"error converting YAML to JSON: yaml: line 2: could not find expected ':'"}`],
  ['{{ "\\ufeff\\ufeffa" | upper }}', ' A'],
];
for (const [template, want] of others) {
  test(`another difference: ${template}`, () => assert.equal(isSkippedMark(template, want, answer), false));
}
