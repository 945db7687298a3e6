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
  'version.yaml': order(', version: 9.x'),
  'missing.yaml': order('').replaceAll('mine', 'nowhere'),
  'through.yaml': order('').replace('Local, name: mine', 'Local, name: order.yaml/mine'),
  'types.yaml': order('').replace('namespace: shop', 'namespace: n'),
  'bracket.json': '{"spec": {"packages": [}}',
  'twice.yaml': 'spec: {}\nspec: {}\n',
  'tab.yaml': 'spec:\n\tpackages: []\n',
  'two.yaml': 'a: 1\n---\nb: 2\n',
  'alias.yaml': 'spec:\n  a: *nothing\n',
  'laughs.yaml': Array.from(
    { length: 9 },
    (_, i) => `a${i}: &a${i} [${Array(9).fill(i === 0 ? 'x' : `*a${i - 1}`)}]\n`,
  ).join(''),
  'empty.yaml': '',
  'list.json': '[]',
  'template.hbs': '{{#each',
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
  ['check schema.yaml --skip-schema-validation', 1, /nil pointer|can't evaluate field b/],
  ['render version.yaml', 1, /^Error: version\.yaml:3:98: .*"9\.x".*\nThere are these versions: 1\.0\.0\.\n$/],
  [
    'render missing.yaml',
    1,
    /^Error: missing\.yaml:3:7: .*chart "nowhere" not found in Local "nowhere" \(looked in .*nowhere\)\nPut the chart, .*--charts DIR/,
  ],
  [
    'render types.yaml',
    1,
    'types.yaml:3:81: error: spec.packages[0].chart.namespace: must be a string, not a boolean. Write it in quotes.\n',
  ],
  ['render bracket.json', 1, /^Error: bracket\.json:1:24: .*\nClose the bracket/],
  ['render twice.yaml', 1, 'Error: twice.yaml:2:1: the key "spec" occurs a second time\nRemove one of the two.\n'],
  ['render tab.yaml', 1, /^Error: tab\.yaml:2:1: found character that cannot start any token\nIndent with spaces, /],
  ['render two.yaml', 1, 'Error: two.yaml:2:1: expected a single document\nKeep one Order to a file.\n'],
  [
    'render alias.yaml',
    1,
    "Error: alias.yaml:2:6: unknown anchor 'nothing' referenced\nDefine the anchor before its alias, or quote the text if no alias is meant.\n",
  ],
  ['render laughs.yaml', 1, /^Error: laughs\.yaml:4:22: document contains excessive aliasing\nWrite out/],
  ['render empty.yaml', 1, /^empty\.yaml:1:1: error: an Order must be an object, not null\. Begin with "spec:"/],
  ['check list.json', 1, /^list\.json:1:1: error: an Order must be an object, not a list\. Begin with "spec:"/],
  ['check -', 1, /^<stdin>:1:1: error: an Order must be an object, not null\./],
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
  ['render order.yaml --kube-version x', 1, /^Error: invalid kube version 'x': .*\nGive a version such as/],
  [
    'render order.yaml -o yaml --script-template gone.hbs',
    1,
    /^Error: the script template gone\.hbs cannot be read: ENOENT.*\nName a Handlebars file\.\n$/,
  ],
  [
    'render order.yaml -o toast',
    2,
    /--output takes manifest, .*kustomize, not "toast"\nRun 'drydock render --help' for usage\.\n$/,
  ],
  ['render order.yaml --toast', 2, "Error: unknown flag: --toast\nRun 'drydock render --help' for usage.\n"],
  ['render', 2, /takes one argument.*\nRun 'drydock render --help'/],
  ['check order.yaml two.yaml', 1, /two\.yaml:2:1: expected a single document/],
  ['check', 2, /takes files of Orders.*\nRun 'drydock check --help'/],
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
  ['snapshot order.yaml/x.tgz', 1, /^Error: path ".*" not found\nName a chart folder/],
  ['render through.yaml', 1, /^Error: through\.yaml:3:7: .*not found in Local "order\.yaml\/mine"/],
  ['template order.yaml/x', 1, 'Error: repo order.yaml not found\n'],
  [
    'template mine --set a.b=1 --output-dir order.yaml',
    1,
    'Error: stat order.yaml/mine/templates: not a directory\n\nUse --debug flag to render out invalid YAML\n',
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
