// `drydock template` as a process: streams, exit codes, files, the environment.

import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runCommand } from '../../../emulator/cli/run.node.ts';
import type { CommandIo } from '../../../render/cli/program.ts';

const folders: string[] = [];
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

const chart = {
  'c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 0.1.0\n',
  'c/values.yaml': 'a: 1\n',
  'c/templates/a.yaml': 'kind: ConfigMap\na: {{ .Values.a }} {{ .Release.Name }} {{ .Release.Namespace }}\n',
};

/** Writes files into a new folder and returns its path. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'drydock-cli-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

async function run(cwd: string, argv: readonly string[], more: Partial<CommandIo> = {}) {
  const seen = { exitCode: 0, stdout: '', stderr: '' };
  seen.exitCode = await runCommand(argv, {
    cwd,
    env: {},
    stdin: async () => '',
    stdout: (text) => {
      seen.stdout += text;
    },
    stderr: (text) => {
      seen.stderr += text;
    },
    ...more,
  });
  return seen;
}

const shown = (line: string): string => `---\n# Source: c/templates/a.yaml\nkind: ConfigMap\na: ${line}\n`;

const rows: {
  what: string;
  argv: string[];
  io?: Partial<CommandIo>;
  stdout?: string;
  stderr?: string;
  exitCode?: number;
}[] = [
  { what: 'no name', argv: ['./c'], stdout: shown('1 release-name default') },
  { what: 'a generated name is the same', argv: ['-g', './c'], stdout: shown('1 release-name default') },
  {
    what: 'a name template',
    argv: ['--name-template', '{{ upper "x" | lower }}-{{ env "E" }}', './c'],
    io: { env: { E: 'e' } },
    stdout: shown('1 x-e default'),
  },
  { what: 'a namespace', argv: ['r', './c', '-n', 'ns'], stdout: shown('1 r ns') },
  {
    what: 'the namespace of the environment',
    argv: ['r', './c'],
    io: { env: { HELM_NAMESPACE: 'env' } },
    stdout: shown('1 r env'),
  },
  {
    what: 'values from standard input',
    argv: ['r', './c', '-f', '-'],
    io: { stdin: async () => 'a: 7\n' },
    stdout: shown('7 r default'),
  },
  {
    what: 'values files, the later over the earlier, --set over both',
    argv: ['r', 'c', '-f', 'v.yaml,w.yaml', '--set', 'a=4'],
    stdout: shown('4 r default'),
  },
  { what: 'values from a file', argv: ['r', 'c', '-f', 'v.yaml'], stdout: shown('2 r default') },
  { what: 'only what is asked for', argv: ['r', 'c', '-s', 'templates/*.yaml'], stdout: shown('1 r default') },
  {
    what: "Helm's other flags",
    argv: ['r', 'c', '--wait', '--timeout=3s', '--repo', 'x', '-l', 'a=b'],
    stdout: shown('1 r default'),
  },
  {
    what: 'a template that is not there',
    argv: ['r', 'c', '-s', 'x'],
    stderr: 'Error: could not find template x in chart\n',
    exitCode: 1,
  },
  { what: 'a missing chart', argv: ['r', './d'], stderr: 'Error: path "./d" not found\n', exitCode: 1 },
  {
    what: 'a missing values file',
    argv: ['r', 'c', '-f', 'x'],
    stderr: 'Error: open x: no such file or directory\n',
    exitCode: 1,
  },
  {
    what: 'a folder for a values file',
    argv: ['r', 'c', '-f', 'c'],
    stderr: 'Error: read c: is a directory\n',
    exitCode: 1,
  },
  {
    what: 'a fault in a values file before one that is missing',
    argv: ['r', 'c', '-f', 'bad.yaml,x'],
    stderr:
      'Error: failed to parse bad.yaml: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}\n',
    exitCode: 1,
  },
  {
    what: 'a bad name',
    argv: ['Bad', 'c'],
    stderr:
      'Error: release name "Bad": invalid release name, must match regex ^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$ and the length must not be longer than 53\n',
    exitCode: 1,
  },
  { what: 'an empty name', argv: ['', 'c'], stderr: 'Error: release name "": no name provided\n', exitCode: 1 },
  {
    what: 'a name template that fails',
    argv: ['--name-template', '{{ foo }}', 'c'],
    stderr: 'Error: template: name-template:1: function "foo" not defined\n',
    exitCode: 1,
  },
  { what: 'an unknown flag', argv: ['r', 'c', '--zz'], stderr: 'Error: unknown flag: --zz\n', exitCode: 2 },
  {
    what: 'no chart',
    argv: [],
    stderr:
      'Error: "drydock template" requires at least 1 argument\n\nUsage:  drydock template [NAME] [CHART] [flags]\n',
    exitCode: 2,
  },
  {
    what: 'too many arguments',
    argv: ['a', 'b', 'c', 'd'],
    stderr: 'Error: expected at most two arguments, unexpected arguments: c, d\n',
    exitCode: 2,
  },
  {
    what: 'two names',
    argv: ['-g', 'r', 'c'],
    stderr: 'Error: cannot set --generate-name and also specify a name\n',
    exitCode: 2,
  },
  {
    what: 'a post-renderer that is not there',
    argv: ['r', 'c', '--post-renderer', 'zzz'],
    stderr:
      'Error: invalid argument "zzz" for "--post-renderer" flag: unable to find binary at zzz: exec: "zzz": executable file not found in $PATH\n',
    exitCode: 2,
  },
];

for (const { what, argv, io, stdout, stderr, exitCode } of rows) {
  test(`template: ${what}`, async () => {
    const cwd = await folderOf({ ...chart, 'v.yaml': 'a: 2\n', 'w.yaml': 'a: 3\n', 'bad.yaml': '- a\n' });
    assert.deepEqual(await run(cwd, ['template', ...argv], io), {
      exitCode: exitCode ?? 0,
      stdout: stdout ?? '',
      stderr: stderr ?? '',
    });
  });
}

test('template: --debug prints output that is not valid YAML', async () => {
  const cwd = await folderOf({ ...chart, 'c/templates/b.yaml': 'b: [\n', 'c/templates/empty.yaml': ' \n' });
  const message =
    'Error: YAML parse error on c/templates/b.yaml: error converting YAML to JSON: yaml: line 1: did not find expected node content';
  assert.deepEqual(await run(cwd, ['template', 'r', 'c']), {
    exitCode: 1,
    stdout: '',
    stderr: `${message}\n\nUse --debug flag to render out invalid YAML\n`,
  });
  const debug = await run(cwd, ['template', 'r', 'c', '--debug']);
  assert.equal(debug.exitCode, 1);
  assert.equal(debug.stderr, `${message}\n`);
  assert.equal(debug.stdout, `${shown('1 r default')}\n---\n# Source: c/templates/b.yaml\nb: [\n`);
});

test('template: --dependency-update packs the folders that dependencies name, as Helm does', async () => {
  const dependency = (version: string, repository: string): string =>
    `apiVersion: v2\nname: c\nversion: 1.0.0\ndependencies:\n- {name: lib, version: "${version}", repository: "${repository}"}\n`;
  const files = {
    'c/Chart.yaml': dependency('^1', 'file://../lib'),
    'lib/Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 1.2.0\n',
    'lib/templates/a.yaml': 'a: {{ .Chart.Version }}\n',
  };
  const cwd = await folderOf(files);
  const argv = ['template', 'r', 'c', '--dependency-update'];
  const rendered = '---\n# Source: c/charts/lib/templates/a.yaml\na: 1.2.0\n';
  const first = `Saving 1 charts\nDeleting outdated charts\n${rendered}`;
  assert.deepEqual(await run(cwd, argv), { exitCode: 0, stdout: first, stderr: '' });
  assert.deepEqual(await run(cwd, argv), { exitCode: 0, stdout: rendered, stderr: '' });
  const lock = await readFile(join(cwd, 'c/Chart.lock'), 'utf8');
  assert.match(lock, /^- name: lib\n {2}repository: file:\/\/\.\.\/lib\n {2}version: 1\.2\.0\n/m);

  for (const [version, repository, message] of [
    [
      '^2',
      'file://../lib',
      'can\'t get a valid version for 1 subchart(s): "lib" (repository "file://../lib", version "^2"). Make sure a matching chart version exists in the repo, or change the version constraint in Chart.yaml',
    ],
    ['^1', 'file://../none', 'directory DIR/none not found'],
    [
      '^1',
      'https://charts.example.com',
      'An error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch missing dependencies: found in Chart.yaml, but missing in charts/ directory: lib',
    ],
  ] as const) {
    const other = await folderOf({ ...files, 'c/Chart.yaml': dependency(version, repository) });
    const { exitCode, stderr } = await run(other, argv);
    assert.deepEqual([exitCode, stderr.replaceAll(other, 'DIR').split('\n')[0]], [1, `Error: ${message}`]);
  }
});

test('template: --output-dir writes a file for each template', async () => {
  const cwd = await folderOf({
    ...chart,
    'c/templates/a.yaml': 'kind: A\n---\nkind: B\n',
    'c/templates/hook.yaml': 'kind: Job\nmetadata: {annotations: {helm.sh/hook: test}}\n',
    'c/crds/x.yaml': 'kind: CustomResourceDefinition\n',
  });
  const argv = ['template', 'r', 'c', '--output-dir', 'out', '--release-name', '--include-crds'];
  assert.deepEqual(await run(cwd, argv), {
    exitCode: 0,
    stdout:
      'wrote out/c/crds/x.yaml\nwrote out/r/c/templates/a.yaml\nwrote out/r/c/templates/a.yaml\nwrote out/r/c/templates/hook.yaml\n\n',
    stderr: '',
  });
  assert.equal(
    await readFile(join(cwd, 'out/r/c/templates/a.yaml'), 'utf8'),
    '---\n# Source: c/templates/a.yaml\nkind: A\n---\n# Source: c/templates/a.yaml\nkind: B\n',
  );
});

test('template: a post-renderer changes manifests but not hooks', async () => {
  const cwd = await folderOf({
    ...chart,
    'c/templates/hook.yaml': 'kind: Job\nmetadata: {annotations: {helm.sh/hook: test}}\n',
    'upper.sh': '#!/bin/sh\ntr a-z A-Z\n',
  });
  await chmod(join(cwd, 'upper.sh'), 0o755);
  const { stdout } = await run(cwd, ['template', 'r', 'c', '--post-renderer', './upper.sh'], { env: process.env });
  assert.equal(
    stdout,
    '---\n# SOURCE: C/TEMPLATES/A.YAML\nKIND: CONFIGMAP\nA: 1 R DEFAULT\n' +
      '---\n# Source: c/templates/hook.yaml\nkind: Job\nmetadata: {annotations: {helm.sh/hook: test}}\n',
  );
});

test('template: --help describes every flag that has an effect', async () => {
  const { stdout, exitCode } = await run('/', ['template', '--help']);
  assert.equal(exitCode, 0);
  for (const flag of ['--set-json', '-f, --values', '--show-only', '--include-crds', '--is-upgrade', '--output-dir']) {
    assert.ok(stdout.includes(flag), flag);
  }
});

test('an unknown command is wrong usage', async () => {
  assert.deepEqual(await run('/', ['zz']), {
    exitCode: 2,
    stdout: '',
    stderr: 'Error: unknown command "zz" for "drydock"\nRun \'drydock --help\' for usage.\n',
  });
});

test('template: file arguments are URLs to Helm first, and unsupported ones are refused', async () => {
  const folder = await folderOf({
    ...chart,
    '50%.yaml': 'a: 2\n',
    'x:y': 'a: 3\n',
    'with blanks/50 %25.yaml': 'a: 4\n',
  });
  const rows: readonly (readonly [string, string])[] = [
    ['50%.yaml', 'parse "50%.yaml": invalid URL escape "%.y"'],
    [':x', 'parse ":x": missing protocol scheme'],
    ['1:2', 'parse "1:2": first path segment in URL cannot contain colon'],
  ];
  for (const [name, words] of rows) {
    const { stderr } = await run(folder, ['template', 'c', '--values', name]);
    assert.equal(stderr, `Error: ${words}\n`);
    const given = await run(folder, ['template', 'c', '--set-file', `a=${name}`]);
    assert.equal(given.stderr, `Error: failed parsing --set-file data: ${words}\n`);
  }
  for (const [name, value] of [
    ['x:y', '3'],
    ['with blanks/50 %25.yaml', '4'],
  ] as const)
    assert.match((await run(folder, ['template', 'c', '-f', name])).stdout, new RegExp(`^a: ${value} `, 'm'));
});

// Recorded: Helm 3.17.3 and 4.2.3.
const ahead: readonly (readonly [argv: readonly string[], namespace: string])[] = [
  [['--set-string', '-n=x'], 'x'],
  [['--set', '-nx=1'], 'x=1'],
  [['--set', '-n=x,b=2'], 'x,b=2'],
  [['--set', '--namespace=x'], 'x'],
  [['--set-file', '-n=new.yaml'], 'new.yaml'],
  [['--set', '-n=y', '--set', '-n=z'], 'z'],
  [['--set', '-n=y', '--namespace', 'z'], 'z'],
  [['--namespace', 'z', '--set', '-n=y'], 'z'],
  [['-fnew.yaml'], 'ew.yaml'],
  [['-fnew.yaml', '-n', 'z'], 'z'],
  [['-f', 'new.yaml'], 'default'],
  [['-f=new.yaml'], 'default'],
  [['--version', '--', '-n', 'x'], 'x'],
  // The first error ends parsing, and so does a help flag.
  [['--set', '--debug=x=1', '--set', '-n=y'], 'default'],
  [['--set', '---x=1', '--set', '-n=y'], 'default'],
  [['--set', '-h=1', '--set', '-n=y'], 'default'],
  [['--set', '--help=1', '--set', '-n=y'], 'default'],
  [['--set', '-v=x', '--set', '-n=y'], 'default'],
  [['--set', '-v=3', '--set', '-n=y'], 'y'],
  [['--set', '--qps=x', '--set', '-n=y'], 'default'],
  [['--set', '--stderrthreshold=warning', '--set', '-n=y'], 'y'],
  [['--kube-context', '-n=x'], 'default'],
  [['--version', '-nx'], 'x'],
  [['--labels', '-n=x'], 'x'],
  [['-test.v', '-v3', '--vmodule=a=1', '--log-backtrace-at', 'a.go:3', '--logtostderr', '-nx'], 'x'],
];
for (const helm of ['3', '4']) {
  for (const [argv, namespace] of ahead) {
    test(`Helm ${helm} parses global flags first: ${argv.join(' ')}`, async () => {
      const folder = await folderOf({
        'c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
        'c/templates/a.yaml': 'ns: {{ .Release.Namespace | toJson }}\n',
        'new.yaml': 'a: 1\n',
      });
      const { stdout, stderr } = await run(folder, ['template', '--helm', helm, 't', 'c', ...argv]);
      assert.equal(stderr, '');
      assert.equal(stdout, `---\n# Source: c/templates/a.yaml\nns: ${JSON.stringify(namespace)}\n`);
    });
  }
}

test('an unknown letter before a global flag only takes its value if it is the last one', async () => {
  const folder = await folderOf({
    't/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    't/templates/a.yaml': 'ns: {{ .Release.Namespace }}\n',
  });
  assert.match((await run(folder, ['template', '-an', 't'])).stdout, /^ns: t$/m);
  assert.match((await run(folder, ['template', '-ga', 'x', 't'])).stdout, /^ns: default$/m);
});

const wrongLogFlags: readonly (readonly [string, string])[] = [
  ['--vmodule=x', 'syntax error: expect comma-separated list of filename=N'],
  ['--vmodule=a=-1', 'negative value for vmodule level'],
  ['--log-backtrace-at=a:1', 'syntax error: expect file.go:234'],
  ['--log-backtrace-at=a.go:0', 'negative or zero value for level'],
  ['--stderrthreshold=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
  ['--log-file-max-size=-1', 'strconv.ParseUint: parsing "-1": invalid syntax'],
];
for (const [flag, reason] of wrongLogFlags) {
  test(`${flag} is wrong usage`, async () => {
    const { exitCode, stderr } = await run(await folderOf(chart), ['template', 'c', flag]);
    const [name, text] = [flag.slice(0, flag.indexOf('=')), flag.slice(flag.indexOf('=') + 1)];
    assert.deepEqual(
      [exitCode, stderr.split('\n')[0]],
      [2, `Error: invalid argument "${text}" for "${name}" flag: ${reason}`],
    );
  });
}
test('Helm 4 rejects an invalid color mode', async () => {
  const { exitCode, stderr } = await run(await folderOf(chart), ['template', '--helm', '4.2.3', 'c', '--colour=x']);
  assert.equal(exitCode, 2);
  const error = String.raw`"invalid color mode \"x\": must be one of: never, auto, always"`;
  assert.equal(stderr, `level=WARN msg="command failed" error=${error}\n`);
});

const printing = { ...chart, 'c/templates/a.yaml': 'x: {{ .Values | toJson }}\n' };
const opening = '---\n# Source: c/templates/a.yaml\nx: ';

test('--set-file accepts - for standard input, which is empty for a second one', async () => {
  const folder = await folderOf(printing);
  const input = { stdin: async () => 'k: v\n' };
  for (const [argv, want] of [
    [['--set-file', 'a=-'], '{"a":"k: v\\n"}'],
    [['--set-file', 'a=-,b=-'], '{"a":"k: v\\n","b":""}'],
    [['-f', '-', '--set-file', 'a=-'], '{"a":"","k":"v"}'],
  ] as const) {
    assert.equal((await run(folder, ['template', 'c', ...argv], input)).stdout, `${opening}${want}\n`);
  }
});

test('--help accepts a value', async () => {
  const folder = await folderOf(printing);
  assert.equal((await run(folder, ['template', 'c', '--help=false'])).stdout, `${opening}{"a":1}\n`);
  assert.match((await run(folder, ['template', 'c', '--help=true'])).stdout, /^Usage: /);
  const { stderr } = await run(folder, ['template', 'c', '--help=x']);
  assert.match(stderr, /invalid argument "x" for "-h, --help" flag: strconv\.ParseBool: parsing "x": invalid syntax/);
});

test('an index without its closing bracket ends --set in Helm 4 and fails in Helm 3', async () => {
  const folder = await folderOf(printing);
  const argv = ['template', 'c', '--set', 'b=1,c.d=2,l[0'];
  assert.match((await run(folder, argv)).stderr, /failed parsing --set data: error parsing index: EOF/);
  const { stdout } = await run(folder, [...argv, '--helm', '4.2.3']);
  assert.equal(stdout, `${opening}{"a":1,"b":1,"c":{"d":2}}\n`);
});

test('since Go 1.24 comments count in the lines of parse errors, and Helm 4 hides why an archive cannot be read', async () => {
  const folder = await folderOf({ ...chart, 'c/templates/a.yaml': '{{/*\nlicence\n*/}}\n{{ if }}\n' });
  await writeFile(join(folder, 'bad.tgz'), gzipSync('x'));
  for (const [helm, line, reason] of [
    ['3.17', 2, 'unexpected EOF'],
    ['3.18', 4, 'unexpected EOF'],
    ['4.2.3', 4, 'unable to load chart archive'],
  ] as const) {
    const parsed = await run(folder, ['template', 'c', '--helm', helm]);
    assert.match(parsed.stderr, new RegExp(`parse error at \\(c/templates/a\\.yaml:${line}\\): missing value for if`));
    assert.match(
      (await run(folder, ['template', 'bad.tgz', '--helm', helm])).stderr,
      new RegExp(`^Error: ${reason}\n`),
    );
  }
});
