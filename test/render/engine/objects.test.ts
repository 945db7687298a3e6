// Types, methods and files that no recorded row has; results are those of Helm 3.17.3.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadChart, template } from '../../../render/index.ts';
import { recordedHelms } from '../../support/rows.ts';

const helm = recordedHelms[3];

function output(expression: string): string {
  const files = {
    'Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
    'values.yaml': 'a: {b: 1}\n',
    'del.txt': 'a\x7f',
    'templates/t.yaml': `# ${expression}\n`,
  };
  return /\n# ?(.*)\n$/.exec(template(loadChart(files, { helm }), { helm }))?.[1] ?? '';
}

for (const [expression, text] of [
  ['{{ typeOf (.Values.Table "a") }}', 'chartutil.Values'],
  ['{{ typeOf .Files.nope }}', '[]uint8'],
  ['{{ typeOf .Chart.Metadata }}', 'chart.Metadata'],
  ['{{ typeOf .Chart.Sources }}', '[]string'],
  ['{{ typeOf .Capabilities.Copy }}', '*chartutil.Capabilities'],
  ['{{ .Chart.Annotations.foo | quote }}', '""'],
  ['{{ $x := .Capabilities.KubeVersion }}{{ $x }}', 'v1.32.0'],
  // YAML does not allow one of the characters.
  ['{{ (.Files.Glob "*").AsConfig | quote }}', '""'],
] as const) {
  test(expression, () => assert.equal(output(expression), text));
}

for (const [expression, message] of [
  ['{{ .Values.PathValue "" }}', /error calling PathValue: YAML path cannot be empty$/],
  ['{{ .Values.PathValue "z.z.q" }}', /error calling PathValue: "q" is not a value$/],
] as const) {
  test(`refuses ${expression}`, () => assert.throws(() => output(expression), { message }));
}
