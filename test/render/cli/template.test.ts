// `drydock template` as a process: streams, exit codes, files, the environment.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { CommandIo } from '../../../render/cli/program.ts';
import { chartIn, chartYaml, createProject } from '../../support/project.ts';

const shown = (line: string): string => `---\n# Source: c/templates/a.yaml\nkind: ConfigMap\na: ${line}\n`;
const template = 'kind: ConfigMap\na: {{ .Values.a }} {{ .Release.Name }} {{ .Release.Namespace }}\n';
const chart = { 'values.yaml': 'a: 1\n', 'templates/a.yaml': template };
const { folder, read, write, run } = createProject({
  ...chartIn('c', chart),
  'v.yaml': 'a: 2\n',
  'w.yaml': 'a: 3\n',
  'bad.yaml': '- a\n',
  'new.yaml': 'a: 1\n',
});

const outputs: readonly (readonly [argv: string, shown: string, io?: Partial<CommandIo>])[] = [
  ['./c', '1 release-name default'],
  ['r ./c', '1 r env', { env: { HELM_NAMESPACE: 'env' } }],
  ['r ./c -f -', '7 r default', { stdin: async () => 'a: 7\n' }],
  ['r c -f v.yaml,w.yaml', '3 r default'],
  ['r c -f v.yaml --set a=4', '4 r default'],
  ['r c --wait --timeout=3s --repo x -l a=b', '1 r default'],
];
for (const [argv, want, io] of outputs) {
  test(`template ${argv}`, async () => {
    const answer = await run(['template', ...argv.split(' ')], io);
    assert.deepEqual(answer, { exitCode: 0, stdout: shown(want), stderr: '' });
  });
}

test('template: a name template', async () => {
  const named = (text: string) => run(['template', '--name-template', text, './c'], { env: { E: 'e' } });
  assert.equal((await named('{{ upper "x" | lower }}-{{ env "E" }}')).stdout, shown('1 x-e default'));
  const { stderr } = await named('{{ foo }}');
  assert.equal(stderr, 'Error: template: name-template:1: function "foo" not defined\n');
});

const refusals: readonly (readonly [argv: readonly string[], exitCode: number, message: string])[] = [
  [['r', './d'], 1, 'path "./d" not found'],
  // A fault in a values file before one that is missing.
  [
    ['r', 'c', '-f', 'bad.yaml,x'],
    1,
    'failed to parse bad.yaml: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  [['', 'c'], 1, 'release name "": no name provided'],
  [[], 2, '"drydock template" requires at least 1 argument\n\nUsage:  drydock template [NAME] [CHART] [flags]'],
  [['-g', 'r', 'c'], 2, 'cannot set --generate-name and also specify a name'],
  [
    ['r', 'c', '--post-renderer', 'zzz'],
    2,
    'invalid argument "zzz" for "--post-renderer" flag: unable to find binary at zzz: exec: "zzz": executable file not found in $PATH',
  ],
];
for (const [argv, exitCode, message] of refusals) {
  test(`template ${argv.join(' ')} is refused`, async () => {
    assert.deepEqual(await run(['template', ...argv]), { exitCode, stdout: '', stderr: `Error: ${message}\n` });
  });
}

test('template: --debug prints output that is not valid YAML', async () => {
  write(
    chartIn('odd', {
      ...chart,
      'Chart.yaml': chartYaml('c'),
      'templates/b.yaml': 'b: [\n',
      'templates/empty.yaml': ' \n',
    }),
  );
  const message =
    'Error: YAML parse error on c/templates/b.yaml: error converting YAML to JSON: yaml: line 1: did not find expected node content';
  assert.deepEqual(await run(['template', 'r', 'odd']), {
    exitCode: 1,
    stdout: '',
    stderr: `${message}\n\nUse --debug flag to render out invalid YAML\n`,
  });
  const debug = await run(['template', 'r', 'odd', '--debug']);
  assert.equal(debug.exitCode, 1);
  assert.equal(debug.stderr, `${message}\n`);
  assert.equal(debug.stdout, `${shown('1 r default')}\n---\n# Source: c/templates/b.yaml\nb: [\n`);
});

test('template: --dependency-update packs the folders that dependencies name, as Helm does', async () => {
  const dependency = (version: string, repository: string): string =>
    chartYaml('c', `dependencies:\n- {name: lib, version: "${version}", repository: "${repository}"}\n`);
  write({
    'parent/Chart.yaml': dependency('^1', 'file://../lib'),
    'lib/Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 1.2.0\n',
    'lib/templates/a.yaml': 'a: {{ .Chart.Version }}\n',
  });
  const argv = ['template', 'r', 'parent', '--dependency-update'];
  const rendered = '---\n# Source: c/charts/lib/templates/a.yaml\na: 1.2.0\n';
  const first = `Saving 1 charts\nDeleting outdated charts\n${rendered}`;
  assert.deepEqual(await run(argv), { exitCode: 0, stdout: first, stderr: '' });
  assert.deepEqual(await run(argv), { exitCode: 0, stdout: rendered, stderr: '' });
  assert.match(read('parent/Chart.lock'), /^- name: lib\n {2}repository: file:\/\/\.\.\/lib\n {2}version: 1\.2\.0\n/m);

  write({ 'other/Chart.yaml': dependency('^1', 'file://../none') });
  const { exitCode, stderr } = await run(['template', 'r', 'other', '--dependency-update']);
  assert.deepEqual([exitCode, stderr.split('\n')[0]], [1, `Error: directory ${folder}/none not found`]);
});

test('template: --output-dir writes a file for each template', async () => {
  write(
    chartIn('many', {
      'Chart.yaml': chartYaml('c'),
      'templates/a.yaml': 'kind: A\n---\nkind: B\n',
      'templates/hook.yaml': 'kind: Job\nmetadata: {annotations: {helm.sh/hook: test}}\n',
      'crds/x.yaml': 'kind: CustomResourceDefinition\n',
    }),
  );
  const argv = ['template', 'r', 'many', '--output-dir', 'out', '--release-name', '--include-crds'];
  assert.deepEqual(await run(argv), {
    exitCode: 0,
    stdout:
      'wrote out/c/crds/x.yaml\nwrote out/r/c/templates/a.yaml\nwrote out/r/c/templates/a.yaml\nwrote out/r/c/templates/hook.yaml\n\n',
    stderr: '',
  });
  assert.equal(
    read('out/r/c/templates/a.yaml'),
    '---\n# Source: c/templates/a.yaml\nkind: A\n---\n# Source: c/templates/a.yaml\nkind: B\n',
  );
});

test('template: file arguments are URLs to Helm first, and unsupported ones are refused', async () => {
  write({ '50%.yaml': 'a: 2\n', 'x:y': 'a: 3\n', 'with blanks/50 %25.yaml': 'a: 4\n' });
  const words = 'parse "50%.yaml": invalid URL escape "%.y"';
  const refused = await run(['template', 'c', '--values', '50%.yaml']);
  assert.equal(refused.stderr, `Error: ${words}\n`);
  const file = await run(['template', 'c', '--set-file', 'a=50%.yaml']);
  assert.equal(file.stderr, `Error: failed parsing --set-file data: ${words}\n`);
  for (const [name, value] of [
    ['x:y', '3'],
    ['with blanks/50 %25.yaml', '4'],
  ] as const)
    assert.match((await run(['template', 'c', '-f', name])).stdout, new RegExp(`^a: ${value} `, 'm'));
});

// Recorded: Helm 3.17.3 and 4.2.3.
const ahead: readonly (readonly [argv: readonly string[], namespace: string])[] = [
  [['--set-string', '-n=x'], 'x'],
  [['--set', '-n=x,b=2'], 'x,b=2'],
  [['--set', '-n=y', '--set', '-n=z'], 'z'],
  [['--namespace', 'z', '--set', '-n=y'], 'z'],
  [['-fnew.yaml'], 'ew.yaml'],
  [['-f=new.yaml'], 'default'],
  [['--version', '--', '-n', 'x'], 'x'],
  // The first error ends parsing, and so does a help flag.
  [['--set', '--debug=x=1', '--set', '-n=y'], 'default'],
  [['--set', '-h=1', '--set', '-n=y'], 'default'],
  [['--set', '-v=x', '--set', '-n=y'], 'default'],
  [['--set', '-v=3', '--set', '-n=y'], 'y'],
  [['--kube-context', '-n=x'], 'default'],
  [['-test.v', '-v3', '--vmodule=a=1', '--log-backtrace-at', 'a.go:3', '--logtostderr', '-nx'], 'x'],
];
for (const helm of ['3', '4']) {
  for (const [argv, namespace] of ahead) {
    test(`Helm ${helm} parses global flags first: ${argv.join(' ')}`, async () => {
      const { stdout, stderr } = await run(['template', '--helm', helm, 't', 'c', ...argv]);
      assert.equal(stderr, '');
      assert.equal(/ t (.*)$/m.exec(stdout)?.[1], namespace);
    });
  }
}

const wrongLogFlags: readonly (readonly [string, string])[] = [
  ['--vmodule=x', 'syntax error: expect comma-separated list of filename=N'],
  ['--log-backtrace-at=a:1', 'syntax error: expect file.go:234'],
  ['--log-file-max-size=-1', 'strconv.ParseUint: parsing "-1": invalid syntax'],
];
for (const [flag, reason] of wrongLogFlags) {
  test(`${flag} is wrong usage`, async () => {
    const { exitCode, stderr } = await run(['template', 'c', flag]);
    const [, name, text] = /^(.*?)=(.*)$/.exec(flag) ?? [];
    assert.deepEqual(
      [exitCode, stderr.split('\n')[0]],
      [2, `Error: invalid argument "${text}" for "${name}" flag: ${reason}`],
    );
  });
}

test('Helm 4 rejects an invalid color mode', async () => {
  const { exitCode, stderr } = await run(['template', '--helm', '4.2.3', 'c', '--colour=x']);
  assert.equal(exitCode, 2);
  const error = String.raw`"invalid color mode \"x\": must be one of: never, auto, always"`;
  assert.equal(stderr, `level=WARN msg="command failed" error=${error}\n`);
});

write(chartIn('p', { 'values.yaml': 'a: 1\n', 'templates/a.yaml': 'x: {{ .Values | toJson }}\n' }));
const opening = '---\n# Source: p/templates/a.yaml\nx: ';

test('--set-file accepts - for standard input, which is empty for a second one', async () => {
  const input = { stdin: async () => 'k: v\n' };
  for (const [argv, want] of [
    [['--set-file', 'a=-'], '{"a":"k: v\\n"}'],
    [['--set-file', 'a=-,b=-'], '{"a":"k: v\\n","b":""}'],
    [['-f', '-', '--set-file', 'a=-'], '{"a":"","k":"v"}'],
  ] as const) {
    assert.equal((await run(['template', 'p', ...argv], input)).stdout, `${opening}${want}\n`);
  }
});

test('--help accepts a value', async () => {
  assert.equal((await run(['template', 'p', '--help=false'])).stdout, `${opening}{"a":1}\n`);
  assert.match((await run(['template', 'p', '--help=true'])).stdout, /^Usage: /);
  const { stderr } = await run(['template', 'p', '--help=x']);
  assert.match(stderr, /invalid argument "x" for "-h, --help" flag: strconv\.ParseBool: parsing "x": invalid syntax/);
});

test('an index without its closing bracket ends --set in Helm 4 and fails in Helm 3', async () => {
  const argv = ['template', 'p', '--set', 'b=1,c.d=2,l[0'];
  assert.match((await run(argv)).stderr, /failed parsing --set data: error parsing index: EOF/);
  const { stdout } = await run([...argv, '--helm', '4.2.3']);
  assert.equal(stdout, `${opening}{"a":1,"b":1,"c":{"d":2}}\n`);
});

test('since Go 1.24 comments count in the lines of parse errors, and Helm 4 hides why an archive cannot be read', async () => {
  write({ ...chartIn('licence', { 'templates/a.yaml': '{{/*\nlicence\n*/}}\n{{ if }}\n' }), 'bad.tgz': gzipSync('x') });
  for (const [helm, line, reason] of [
    ['3.17', 2, 'unexpected EOF'],
    ['3.18', 4, 'unexpected EOF'],
    ['4.2.3', 4, 'unable to load chart archive'],
  ] as const) {
    const parsed = await run(['template', 'licence', '--helm', helm]);
    assert.match(
      parsed.stderr,
      new RegExp(`parse error at \\(licence/templates/a\\.yaml:${line}\\): missing value for if`),
    );
    assert.match((await run(['template', 'bad.tgz', '--helm', helm])).stderr, new RegExp(`^Error: ${reason}\n`));
  }
});
