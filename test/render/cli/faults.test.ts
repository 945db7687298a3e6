// Error messages for invalid input: what, where, and how to fix it; and the exit code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chartIn, createProject } from '../../support/project.ts';

const order = (chart: string): string =>
  `spec:\n  packages:\n    - chart: {name: mine, sourceRef: {kind: Local, name: mine}, releaseName: r, namespace: shop${chart}}\n`;
const { run } = createProject({
  ...chartIn('mine', {
    'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: {{ .Values.a.b }}\n',
    'values.schema.json': '{"properties": {"a": {"type": "object"}}}',
  }),
  ...chartIn('syntax', { 'templates/a.yaml': 'a: 1\nb: {{ if }}\n' }),
  'order.yaml': order(', values: {a: {b: 1}}'),
  'windows.yaml': `\ufeff${order(', values: {a: {b: 1}}').replaceAll('\n', '\r\n')}`,
  'fails.yaml': order(', values: {a: {}}').replace(
    'name: mine, sourceRef: {kind: Local, name: mine}',
    'name: syntax, sourceRef: {kind: Local, name: syntax}',
  ),
  'nil.yaml': order(''),
  'schema.yaml': order(', values: {a: 5}'),
  'missing.yaml': order('').replaceAll('mine', 'nowhere'),
  'bracket.json': '{"spec": {"packages": [}}',
  'twice.yaml': 'spec: {}\nspec: {}\n',
  'empty.yaml': '',
});

const rows: readonly (readonly [argv: string, exitCode: number, stderr: RegExp | string])[] = [
  ['check order.yaml', 0, ''],
  ['check windows.yaml', 0, ''],
  [
    'check fails.yaml',
    1,
    /^fails\.yaml:3:7: error: spec\.packages\[0\]\.chart: .*parse error at \(syntax\/templates\/a\.yaml:2\).*\. Correct the template syntax/,
  ],
  [
    'render nil.yaml',
    1,
    /^Error: nil\.yaml:3:7: package shop\/r .*mine\/templates\/a\.yaml:6:15: .*<\.Values\.a\.b>.*\nLook at the expression/,
  ],
  [
    'check schema.yaml',
    1,
    /schema\(s\)[\s\S]*- at '\/a': got number, want object\nSet values that the schema allows, or render with --skip-schema-validation\.\n$/,
  ],
  [
    'render missing.yaml',
    1,
    /^Error: missing\.yaml:3:7: .*chart "nowhere" not found in Local "nowhere" \(looked in .*nowhere\)\nPut the chart, .*--charts DIR/,
  ],
  ['render bracket.json', 1, /^Error: bracket\.json:1:24: .*\nClose the bracket/],
  ['render twice.yaml', 1, 'Error: twice.yaml:2:1: the key "spec" occurs a second time\nRemove one of the two.\n'],
  ['render empty.yaml', 1, /^empty\.yaml:1:1: error: an Order must be an object, not null\. Begin with "spec:"/],
  [
    'check gone.yaml',
    1,
    'Error: open gone.yaml: no such file or directory\nName the file of an Order, or - for standard input.\n',
  ],
  [
    'render mine',
    1,
    'Error: read mine: is a directory\nThis is a chart, not an Order: `drydock template` renders it.\n',
  ],
  [
    'render order.yaml --charts gone',
    1,
    'Error: there is no folder gone\nName a folder that holds charts: --charts DIR.\n',
  ],
  [
    'render order.yaml --out order.yaml/x',
    1,
    /^Error: ENOTDIR: .*order\.yaml(?:\/x)?'\nName a path that can be read and written\.\n$/,
  ],
  [
    'render order.yaml --outptu x',
    2,
    "Error: unknown flag: --outptu\nDid you mean --output?\nRun 'drydock render --help' for usage.\n",
  ],
  ['render', 2, /takes one argument.*\nRun 'drydock render --help'/],
  [
    'snapshot mine -f gone.yaml',
    1,
    'mine, case gone (gone.yaml) does not render:\nError: mine: open gone.yaml: no such file or directory\nName a values file in YAML that can be read, or - for standard input.\n',
  ],
  ['snapshot mine/templates', 1, /^Error: mine\/templates: Chart\.yaml file is missing\nPoint at the folder/],
  ['snapshot syntax', 1, /^Error: parse error at \(syntax\/templates\/a\.yaml:2\).*\nCorrect the template syntax/],
  // `template` prints Helm's messages: no hint, no usage.
  ['template gone', 1, 'Error: non-absolute URLs should be in form of repo_name/path_to_chart, got: gone\n'],
  [
    'template syntax',
    1,
    /^Error: parse error at \(syntax\/templates\/a\.yaml:2\): missing value for if\n\nUse --debug flag to render out invalid YAML\n$/,
  ],
];

for (const [argv, exitCode, expected] of rows) {
  test(`drydock ${argv}`, async () => {
    const answer = await run(argv.split(' '));
    if (typeof expected === 'string') assert.equal(answer.stderr, expected);
    else assert.match(answer.stderr, expected);
    assert.equal(answer.exitCode, exitCode);
  });
}
