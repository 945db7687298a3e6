// The whole command: help, streams, and exit codes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CommandIo } from '../../../render/cli/program.ts';
import type { Answer } from '../../support/golden.ts';
import { chartIn, createProject } from '../../support/project.ts';

const root = join(import.meta.dirname, '../../..');
const shop = join(root, 'fixtures/orders/shop.yaml');
const web = join(root, 'fixtures/charts/web');
const twins = 'twins.yaml';
const packageOf = (name: string, releaseName: string, sourceRef: string): string =>
  `    - chart: {name: ${name}, sourceRef: ${sourceRef}, releaseName: ${releaseName}, namespace: shop}\n`;
const project = createProject({
  // Two packages that create one object: it renders, with an error.
  [twins]: `spec:\n  packages:\n${['a', 'b'].map((name) => packageOf('twin', name, '{kind: Local, name: twin}')).join('')}`,
  ...chartIn('twin', { 'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\n' }),
  'near.yaml': `spec:\n  packages:\n${packageOf('twim', 'a', '{kind: HelmRepository, name: "https://a.example"}')}`,
});
const { folder, write, read } = project;
const run = (argv: readonly string[], io: Partial<CommandIo> = {}) =>
  project.run(argv, { env: {}, signal: AbortSignal.abort(), ...io });
const terminal = { isTerminal: { stdout: true, stderr: true } };
const versions = /^drydock \d+\.\d+\.\d+ \(renders as Helm 3\.17\.3 to 3\.22\.0 and 4\.1\.4 to 4\.3\.1; runs on Node /;

// Command line, exit code, standard output and standard error.
const rows: readonly (readonly [string, number, RegExp, RegExp])[] = [
  ['--version', 0, versions, /^$/],
  ['version --quiet', 0, /^drydock \d+\.\d+\.\d+\n$/, /^$/],
  ['version --json', 0, /^\{"version":"\d+\.\d+\.\d+","helm":"3\.22\.0","helm4":"4\.3\.1","node":"/, /^$/],
  ['version x', 2, /^$/, /takes no arguments/],
  ['help', 0, /^Usage: drydock COMMAND/, /^$/],
  ['', 2, /^Usage: drydock COMMAND/, /^$/],
  ['help template', 0, /^Usage: drydock template \[NAME\] CHART/, /^$/],
  ['help serve', 0, /Settings \(--set NAME=VALUE[\s\S]*\n {2}pageSize +Default number/, /^$/],
  ['help rendr', 2, /^$/, /^Error: unknown command "rendr" for "drydock"; did you mean "render"\?\n/],
  ['--no-colour', 2, /^$/, /^Error: unknown flag: --no-colour\nDid you mean --no-color\?\n/],
  ['completion bsh', 2, /^$/, /did you mean "bash"\?/],
  ['completion pwsh', 0, /^# Completion of drydock for PowerShell/, /^$/],
  ['completion words=--ou -- --config x render -q', 0, /^--output\toutput: .*\n--out\twrite .*\n$/, /^$/],
  ['completion words=--outp -- --config = x render', 0, /^--output\t/, /^$/],
  ['completion words=p -- render --output =', 0, /^pkgmgr3\t\n$/, /^$/],
  ['completion words= -- render --output=x -o', 0, /^manifest\t\nresources\t\n/, /^$/],
  ['completion words= -- render --out', 0, /^:folders\n$/, /^$/],
  ['nats-config --listen foo', 2, /^$/, /^Error: --listen takes HOST:PORT such as 127\.0\.0\.1:4222, not "foo"\n/],
  ['serve --cors nourl', 2, /^$/, /^Error: --cors nourl: give scheme, host/],
  ['serve --msgbus x', 2, /^$/, /^Error: --msgbus x: give a URL such as nats:/],
  ['serve --charts /nope', 2, /^$/, /^Error: --charts \/nope: there is no such folder\n/],
  ['serve --body-limit 0', 2, /^$/, /^Error: --body-limit 0: must be at least 1\n/],
  ['serve --set pagesize=3', 2, /^$/, /there is no setting "pagesize"; did you mean "pageSize"\?/],
  ['serve --set pageSize=x', 2, /^$/, /^Error: --set pageSize=x: must be a whole number\n/],
  ['serve --set emailDomains={}', 2, /^$/, /^Error: --set emailDomains=\{\}: is missing "allow"; is missing "block"\n/],
  ['serve --allow-host a/b', 2, /^$/, /--allow-host takes a host name/],
  ['render twims.yaml', 1, /^$/, /no such file or directory; did you mean "twins\.yaml"\?\n/],
  ['render twins.yaml', 1, /kind: ConfigMap/, /^twins\.yaml:\d+:\d+: error: /],
  ['check twins.yaml', 1, /^1 error, 0 warnings\n$/, /: error: /],
  ['check near.yaml', 1, /^1 error/, /chart "twim" not found in .*; did you mean "twin"\?/],
  ['render twins.yaml --format yaml', 2, /^$/, /--format goes with --output resources/],
  ['render twins.yaml --layout files', 2, /^$/, /--layout goes with --output pkgmgr3 or yaml/],
  ['render twins.yaml -o yaml --skip-crds', 2, /^$/, /--skip-crds goes with --output manifest or resources/],
  ['check nothing*.yaml', 2, /^$/, /^Error: nothing matches nothing\*\.yaml\n/],
  ['snapshot twin -o yml', 2, /^$/, /not "yml"; did you mean "yaml"\?/],
];

for (const [line, exitCode, stdout, stderr] of rows) {
  test(`drydock ${line} exits with ${exitCode}`, async () => {
    const seen = await run(line.split(' ').filter((word) => word !== ''));
    assert.equal(seen.exitCode, exitCode, seen.stderr);
    assert.match(seen.stdout, stdout);
    assert.match(seen.stderr, stderr);
  });
}

test("the output of template is Helm's to the byte, except on a terminal", async () => {
  assert.equal((await run(['template', '--st', 'a'])).stderr, 'Error: unknown flag: --st\n');
  const seen = await run(['template', '--st', 'a'], terminal);
  assert.equal(
    seen.stderr,
    "Error: unknown flag: --st\nDid you mean --set?\nRun 'drydock template --help' for usage.\n",
  );
  assert.equal((await run(['template', './twim'])).stderr, 'Error: path "./twim" not found\n');
  assert.match(
    (await run(['template', './twim'], terminal)).stderr,
    /^Error: path "\.\/twim" not found\n.*did you mean "\.\/twin"\?\n$/,
  );
});

test('global flags come before template, whose own flags are those of Helm', async () => {
  assert.equal((await run(['--no-color', 'template', web])).exitCode, 0);
  assert.equal((await run(['template', web, '--no-color'])).stderr, 'Error: unknown flag: --no-color\n');
});

test('colors are for a terminal, unless the environment or a flag overrides that', async () => {
  const colors = (seen: Answer): boolean => seen.stderr.includes('\u001b[31m');
  const check = (argv: readonly string[], more: Partial<CommandIo>): Promise<Answer> =>
    run([...argv, 'check', twins], more);
  assert.equal(colors(await check([], {})), false);
  assert.equal(colors(await check([], terminal)), true);
  assert.equal(colors(await check(['--no-color'], terminal)), false);
  assert.equal(colors(await check([], { ...terminal, env: { NO_COLOR: '1' } })), false);
  assert.equal(colors(await check([], { ...terminal, env: { TERM: 'dumb' } })), false);
  assert.equal(colors(await check([], { env: { FORCE_COLOR: '1' } })), true);
});

test('progress is for a terminal with several inputs, and not with --quiet', async () => {
  const shows = (seen: Answer): boolean => seen.stderr.includes('[2/2]');
  assert.equal(shows(await run(['check', shop, twins], terminal)), true);
  assert.equal(shows(await run(['check', shop, twins])), false);
  assert.equal(shows(await run(['check', shop, twins, '-q'], terminal)), false);
});

test('check --format json lists every issue of every file with its place', async () => {
  write({ 'torn.yaml': 'a: [1\nb: 2\n' });
  const { exitCode, stdout, stderr } = await run(['check', shop, twins, 'torn.yaml', 'none.yaml', '--json']);
  assert.deepEqual([exitCode, stderr], [1, '']);
  const report = JSON.parse(stdout) as { files: { file: string; issues: Record<string, unknown>[] }[]; errors: number };
  assert.deepEqual(
    report.files.map(({ file, issues }) => [file, issues.length]),
    [
      [shop, 0],
      [twins, 1],
      ['torn.yaml', 1],
      ['none.yaml', 1],
    ],
  );
  assert.equal(report.errors, 3);
  const [clash, syntax] = [report.files[1]?.issues[0], report.files[2]?.issues[0]];
  assert.deepEqual(
    [clash?.severity, clash?.file, typeof clash?.line, typeof clash?.hint],
    ['error', twins, 'number', 'string'],
  );
  assert.deepEqual([syntax?.file, syntax?.line], ['torn.yaml', 2]);
});

test('--quiet leaves results and errors', async () => {
  write({ 'odd.yaml': `extra: 1\n${read(twins)}` });
  assert.equal((await run(['check', 'odd.yaml'])).stderr.split('\n').length, 3);
  assert.equal((await run(['-q', 'check', 'odd.yaml'])).stderr.split('\n').length, 2);
  assert.match((await run(['serve', '--port', '0', '-q'])).stdout, /^http:\/\/127\.0\.0\.1:\d+\n$/);
});

test('patterns that a shell did not expand are expanded', async () => {
  for (const name of ['b', 'deep/a', '[x]']) write({ [`many/${name}.yaml`]: readFileSync(shop, 'utf8') });
  assert.equal((await run(['check', 'many/*.yaml'])).stdout, '0 errors, 0 warnings in 2 Orders\n');
  assert.equal((await run(['check', 'many/**/?.yaml', 'many/b.yaml'])).stdout, '0 errors, 0 warnings in 2 Orders\n');
  assert.equal((await run(['check', 'many/{b,deep/a}.yaml'])).stdout, '0 errors, 0 warnings in 2 Orders\n');
  // A file with that exact name is that file.
  assert.equal((await run(['check', 'many/[x].yaml'])).stdout, '0 errors, 0 warnings\n');
  assert.match((await run(['render', 'many/deep/*.yaml'])).stdout, /^---\n# Source: /);
});

test('doctor lists what is available, what is missing, and the consequences', async () => {
  write({ 'bin/.keep': '' });
  for (const [name, script] of [
    ['helm', "echo 'v3.2.0+g1'"],
    ['kubectl', "echo 'Client Version: v1.31.0'"],
    ['fish', 'exit 3'],
  ] as const) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  const env = { PATH: join(folder, 'bin'), HOME: folder };
  const { exitCode, stdout } = await run(['doctor', '--json'], { env });
  const { ok, findings } = JSON.parse(stdout) as {
    ok: boolean;
    findings: { name: string; status: string }[];
  };
  assert.deepEqual([exitCode, ok], [0, true]);
  const status = Object.fromEntries(findings.map((finding) => [finding.name, finding.status]));
  assert.deepEqual(
    [status.Node, status.helm, status.kubectl, status.fish, status.zsh],
    ['ok', 'ok', 'ok', 'note', 'absent'],
  );
  assert.match((await run(['doctor'], { env })).stdout, /absent {2}zsh +not on the PATH/);
});

// The process itself: its streams, its folder, and unexpected errors.
function start(argv: readonly string[], shell: string) {
  const words = [process.execPath, '--import', 'tsx', join(root, 'emulator/cli/main.node.ts'), ...argv];
  const command = shell.replace('drydock', words.map((word) => `'${word}'`).join(' '));
  return spawnSync('sh', ['-c', command], { cwd: root, encoding: 'utf8' });
}

test('a reader that stops early is not an error', () => {
  const { stdout, stderr } = start(['help', 'serve'], 'drydock | head -n 1');
  assert.deepEqual([stdout, stderr], ['Usage: drydock serve [flags]\n', '']);
});

test('a limit on open files is reported as such, and not as a missing module', async () => {
  for (const code of ['EMFILE', 'ENFILE']) {
    const error = Object.assign(new Error(`${code}: too many open files, open '/dist/parts/order.js'`), {
      code,
      syscall: 'open',
    });
    const { exitCode, stderr } = await run(['check', '-'], { stdin: () => Promise.reject(error) });
    assert.equal(
      stderr,
      'Error: too many open files\nRaise the limit on open files, for example with `ulimit -n 1024`.\n',
    );
    assert.equal(exitCode, 1);
  }
});

test('a full disk is reported in a sentence', { skip: !existsSync('/dev/full') && 'no /dev/full here' }, () => {
  const { status, stderr } = start(['help'], 'drydock > /dev/full');
  assert.equal(status, 1);
  assert.match(stderr, /^Error: standard output cannot be written: ENOSPC.*\n$/);
});
