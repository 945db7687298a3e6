// The whole command: help, streams, and exit codes.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runCommand } from '../../../emulator/cli/run.node.ts';
import type { CommandIo } from '../../../render/cli/program.ts';

const root = join(import.meta.dirname, '../../..');
const shop = join(root, 'fixtures/orders/shop.yaml');
const web = join(root, 'fixtures/charts/web');
const folder = mkdtempSync(join(tmpdir(), 'drydock-run-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Seen {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(argv: readonly string[], more: Partial<CommandIo> = {}): Promise<Seen> {
  let [out, err] = ['', ''];
  const code = await runCommand(argv, {
    cwd: folder,
    env: {},
    stdin: async () => '',
    stdout: (text) => {
      out += text;
    },
    stderr: (text) => {
      err += text;
    },
    signal: AbortSignal.abort(),
    ...more,
  });
  return { code, out, err };
}

const terminal = { isTerminal: { stdout: true, stderr: true } };
const write = (name: string, text: string): string => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
  return name;
};
// Two packages that create one object: it renders, with an error.
const twins = write(
  'twins.yaml',
  `spec:\n  packages:\n${['a', 'b'].map((name) => `    - chart: {name: twin, sourceRef: {kind: Local, name: twin}, releaseName: ${name}, namespace: shop}\n`).join('')}`,
);
write('twin/Chart.yaml', 'apiVersion: v2\nname: twin\nversion: 1.0.0\n');
write('twin/templates/a.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\n');

write(
  'near.yaml',
  'spec:\n  packages:\n    - chart: {name: twim, sourceRef: {kind: HelmRepository, name: "https://a.example"}, releaseName: a, namespace: shop}\n',
);

// Command line, exit code, standard output and standard error.
const rows: readonly (readonly [string, number, RegExp, RegExp])[] = [
  [
    '--version',
    0,
    /^drydock \d+\.\d+\.\d+ \(renders as Helm 3\.17\.3 to 3\.22\.0 and 4\.1\.4 to 4\.3\.1; runs on Node /,
    /^$/,
  ],
  [
    '-v',
    0,
    /^drydock \d+\.\d+\.\d+ \(renders as Helm 3\.17\.3 to 3\.22\.0 and 4\.1\.4 to 4\.3\.1; runs on Node /,
    /^$/,
  ],
  ['version --quiet', 0, /^drydock \d+\.\d+\.\d+\n$/, /^$/],
  [
    'version',
    0,
    /^drydock \d+\.\d+\.\d+ \(renders as Helm 3\.17\.3 to 3\.22\.0 and 4\.1\.4 to 4\.3\.1; runs on Node /,
    /^$/,
  ],
  ['version --json', 0, /^\{"version":"\d+\.\d+\.\d+","helm":"3\.22\.0","helm4":"4\.3\.1","node":"/, /^$/],
  ['version x', 2, /^$/, /takes no arguments/],
  ['help', 0, /^Usage: drydock COMMAND/, /^$/],
  ['--help', 0, /^Usage: drydock COMMAND/, /^$/],
  ['', 2, /^Usage: drydock COMMAND/, /^$/],
  ['help template', 0, /^Usage: drydock template \[NAME\] CHART/, /^$/],
  ['help serve', 0, /Settings \(--set NAME=VALUE[\s\S]*\n {2}pageSize +Default number/, /^$/],
  ['help rendr', 2, /^$/, /^Error: unknown command "rendr" for "drydock"; did you mean "render"\?\n/],
  ['snpashot x', 2, /^$/, /did you mean "snapshot"\?/],
  ['--no-colour', 2, /^$/, /^Error: unknown flag: --no-colour\nDid you mean --no-color\?\n/],
  ['--no-color render --outptu x', 2, /^$/, /Did you mean --output\?\nRun 'drydock render --help' for usage\.\n$/],
  ['completion', 2, /^$/, /takes one of bash, zsh, fish, powershell/],
  ['completion bsh', 2, /^$/, /did you mean "bash"\?/],
  ['completion pwsh', 0, /^# Completion of drydock for PowerShell/, /^$/],
  ['doctor x', 2, /^$/, /takes no arguments/],
  ['nats-config --listen foo', 2, /^$/, /^Error: --listen takes HOST:PORT such as 127\.0\.0\.1:4222, not "foo"\n/],
  ['nats-config --websocket :x', 2, /^$/, /--websocket takes HOST:PORT/],
  ['serve --cors nourl', 2, /^$/, /^Error: --cors nourl: give scheme, host/],
  ['serve --cors https://a.example/path', 2, /^$/, /^Error: --cors https:\/\/a\.example\/path: give scheme, host/],
  ['serve --msgbus x', 2, /^$/, /^Error: --msgbus x: give a URL such as nats:/],
  ['serve --charts /nope', 2, /^$/, /^Error: --charts \/nope: there is no such folder\n/],
  ['serve --charts twim', 2, /^$/, /there is no such folder; did you mean "twin"\?/],
  ['serve --body-limit 0', 2, /^$/, /^Error: --body-limit 0: must be at least 1\n/],
  ['serve --set pagesize=3', 2, /^$/, /there is no setting "pagesize"; did you mean "pageSize"\?/],
  ['serve --set pageSize=x', 2, /^$/, /^Error: --set pageSize=x: must be a whole number\n/],
  ['serve --set emailDomains={}', 2, /^$/, /^Error: --set emailDomains=\{\}: is missing "allow"; is missing "block"\n/],
  ['serve --set emailDomains={"allow":[1]}', 2, /^$/, /is missing "block"; emailDomains\.allow\[0\]: must be a string/],
  ['serve --set pageSize', 2, /^$/, /--set takes NAME=VALUE, not "pageSize"/],
  ['serve --allow-host a/b', 2, /^$/, /--allow-host takes a host name/],
  ['render shpo.yaml', 1, /^$/, /no such file or directory\n/],
  ['render twims.yaml', 1, /^$/, /no such file or directory; did you mean "twins\.yaml"\?\n/],
  ['render twins.yaml', 1, /kind: ConfigMap/, /^twins\.yaml:\d+:\d+: error: /],
  ['check twins.yaml', 1, /^1 error, 0 warnings\n$/, /: error: /],
  ['check near.yaml', 1, /^1 error/, /chart "twim" not found in .*; did you mean "twin"\?/],
  ['render twins.yaml --format yaml', 2, /^$/, /--format goes with --output resources/],
  ['render twins.yaml --os windows', 2, /^$/, /--os goes with --output pkgmgr3 or yaml/],
  ['render twins.yaml -o yaml --skip-crds', 2, /^$/, /--skip-crds goes with --output manifest or resources/],
  ['check nothing*.yaml', 2, /^$/, /^Error: nothing matches nothing\*\.yaml\n/],
  ['snapshot twin -o yml', 2, /^$/, /not "yml"; did you mean "yaml"\?/],
];

for (const [line, code, out, err] of rows) {
  test(`drydock ${line} exits with ${code}`, async () => {
    const seen = await run(line.split(' ').filter((word) => word !== ''));
    assert.equal(seen.code, code, seen.err);
    assert.match(seen.out, out);
    assert.match(seen.err, err);
  });
}

test("the output of template is Helm's to the byte, except on a terminal", async () => {
  assert.equal((await run(['template', '--st', 'a'])).err, 'Error: unknown flag: --st\n');
  const seen = await run(['template', '--st', 'a'], terminal);
  assert.equal(seen.err, "Error: unknown flag: --st\nDid you mean --set?\nRun 'drydock template --help' for usage.\n");
  assert.equal((await run(['template', './twim'])).err, 'Error: path "./twim" not found\n');
  assert.match(
    (await run(['template', './twim'], terminal)).err,
    /^Error: path "\.\/twim" not found\n.*did you mean "\.\/twin"\?\n$/,
  );
});

test('global flags come before template, whose own flags are those of Helm', async () => {
  assert.equal((await run(['--no-color', 'template', web])).code, 0);
  assert.equal((await run(['template', web, '--no-color'])).err, 'Error: unknown flag: --no-color\n');
});

test('resources are YAML, or JSON on request, with the same content', async () => {
  const { parse } = await import('yaml');
  const yaml = await run(['render', shop, '-o', 'resources', '--seed', 'x']);
  const json = await run(['render', shop, '-o', 'resources', '--seed', 'x', '--format', 'json']);
  assert.match(yaml.out, /^- name: /);
  const names = (text: { resources: { key: string }[] }[]): string[][] =>
    text.map(({ resources }) => resources.map(({ key }) => key));
  assert.deepEqual(names(parse(yaml.out)), names(JSON.parse(json.out)));
});

test('colors are for a terminal, unless the environment or a flag overrides that', async () => {
  const colors = (seen: Seen): boolean => seen.err.includes('\u001b[31m');
  const check = (argv: readonly string[], more: Partial<CommandIo>): Promise<Seen> =>
    run([...argv, 'check', twins], more);
  assert.equal(colors(await check([], {})), false);
  assert.equal(colors(await check([], terminal)), true);
  assert.equal(colors(await check(['--no-color'], terminal)), false);
  assert.equal(colors(await check([], { ...terminal, env: { NO_COLOR: '1' } })), false);
  assert.equal(colors(await check([], { ...terminal, env: { NO_COLOR: '' } })), true);
  assert.equal(colors(await check([], { ...terminal, env: { TERM: 'dumb' } })), false);
  assert.equal(colors(await check([], { env: { FORCE_COLOR: '1' } })), true);
  assert.equal(colors(await check([], { ...terminal, env: { FORCE_COLOR: '0' } })), false);
  assert.equal(colors(await check(['--no-color'], { env: { FORCE_COLOR: '1' } })), false);
});

test('differences are colored on a terminal, and plain elsewhere', async () => {
  await run(['snapshot', web, '--update']);
  write(
    'snapshots/web.snap/minimal-values.yaml',
    readFileSync(join(folder, 'snapshots/web.snap/minimal-values.yaml'), 'utf8').replace('apps/v1', 'apps/v2'),
  );
  assert.match((await run(['snapshot', web, '--lines'])).out, /\n-apiVersion: apps\/v2\n\+apiVersion: apps\/v1\n/);
  assert.match(
    (await run(['snapshot', web], terminal)).out,
    /\n\u001b\[33m {2}~ Deployment default\/release-name-web /,
  );
  assert.match(
    (await run(['snapshot', web, '--lines'], terminal)).out,
    /\n\u001b\[31m-apiVersion: apps\/v2\u001b\[39m\n\u001b\[32m\+apiVersion: apps\/v1\u001b\[39m\n/,
  );
});

test('progress is for a terminal with several inputs, and not with --quiet', async () => {
  const shows = (seen: Seen): boolean => seen.err.includes('[2/2]');
  assert.equal(shows(await run(['check', shop, twins], terminal)), true);
  assert.equal(shows(await run(['check', shop, twins])), false);
  assert.equal(shows(await run(['check', shop, twins, '-q'], terminal)), false);
});

test('check --format json lists every issue of every file with its place', async () => {
  write('torn.yaml', 'a: [1\nb: 2\n');
  const { code, out, err } = await run(['check', shop, twins, 'torn.yaml', 'none.yaml', '--json']);
  assert.deepEqual([code, err], [1, '']);
  const report = JSON.parse(out) as { files: { file: string; issues: Record<string, unknown>[] }[]; errors: number };
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

test('snapshot --format json lists the status of each input', async () => {
  const first = await run(['snapshot', web, 'none.yaml', '--json', '--snapshots', 'json']);
  assert.equal(first.code, 1);
  const { inputs } = JSON.parse(first.out) as { inputs: { status: string; changes?: { status: string }[] }[] };
  assert.deepEqual(
    inputs.map(({ status }) => status),
    ['different', 'fault'],
  );
  assert.ok(inputs[0]?.changes?.every(({ status }) => status === 'new'));
  await run(['snapshot', web, '--update', '--snapshots', 'json']);
  assert.match((await run(['snapshot', web, '--json', '--snapshots', 'json'])).out, /"status": "same"/);
});

test('--quiet leaves results and errors', async () => {
  const odd = write('odd.yaml', `extra: 1\n${readFileSync(join(folder, twins), 'utf8')}`);
  assert.equal((await run(['check', odd])).err.split('\n').length, 3);
  assert.equal((await run(['-q', 'check', odd])).err.split('\n').length, 2);
  assert.match((await run(['serve', '--port', '0', '-q'])).out, /^http:\/\/127\.0\.0\.1:\d+\n$/);
});

test('patterns that a shell did not expand are expanded', async () => {
  write('many/b.yaml', readFileSync(shop, 'utf8'));
  write('many/deep/a.yaml', readFileSync(shop, 'utf8'));
  write('many/[x].yaml', readFileSync(shop, 'utf8'));
  assert.equal((await run(['check', 'many/*.yaml'])).out, '0 errors, 0 warnings in 2 Orders\n');
  assert.equal((await run(['check', 'many/**/?.yaml', 'many/b.yaml'])).out, '0 errors, 0 warnings in 2 Orders\n');
  assert.equal((await run(['check', 'many/{b,deep/a}.yaml'])).out, '0 errors, 0 warnings in 2 Orders\n');
  // A file with that exact name is that file.
  assert.equal((await run(['check', 'many/[x].yaml'])).out, '0 errors, 0 warnings\n');
  assert.match((await run(['render', 'many/deep/*.yaml'])).out, /^---\n# Source: /);
});

test('doctor lists what is available, what is missing, and the consequences', async () => {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const [name, message] of [
    ['helm', 'v3.2.0+g1'],
    ['kubectl', 'Client Version: v1.31.0'],
  ] as const) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\necho '${message}'\n`, { mode: 0o755 });
  }
  writeFileSync(join(folder, 'bin/fish'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  const env = { PATH: join(folder, 'bin'), TZ: 'Nowhere/Zone', HOME: folder };
  const { code, out } = await run(['doctor', '--json'], { env });
  const { ok, findings } = JSON.parse(out) as {
    ok: boolean;
    findings: { name: string; status: string; allows: string }[];
  };
  assert.deepEqual([code, ok], [0, true]);
  const status = Object.fromEntries(findings.map((finding) => [finding.name, finding.status]));
  assert.deepEqual(
    [status.Node, status.helm, status.kubectl, status.fish, status.zsh, status['time zone'], status['own charts']],
    ['ok', 'note', 'ok', 'note', 'absent', 'note', 'ok'],
  );
  assert.match(findings.find(({ name }) => name === 'helm')?.allows ?? '', /needs 3\.8 or later/);
  assert.match((await run(['doctor'], { env })).out, /absent {2}zsh +not on the PATH/);
});

// The process itself: its streams, its folder, and unexpected errors.
const program = [...process.execArgv.filter((flag) => !flag.includes('test')), join(root, 'emulator/cli/main.node.ts')];
function start(
  argv: readonly string[],
  shell: string,
): { readonly code: number | null; readonly out: string; readonly err: string } {
  const quoted = [process.execPath, '--import', 'tsx', program.at(-1) ?? '', ...argv]
    .map((word) => `'${word}'`)
    .join(' ');
  const { status, stdout, stderr } = spawnSync('sh', ['-c', shell.replace('drydock', quoted)], {
    cwd: root,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

test('a reader that stops early is not an error', () => {
  const { out, err } = start(['help', 'serve'], 'drydock | head -n 1');
  assert.deepEqual([out, err], ['Usage: drydock serve [flags]\n', '']);
});

test('a limit on open files is reported as such, and not as a missing module', async () => {
  for (const code of ['EMFILE', 'ENFILE']) {
    const error = Object.assign(new Error(`${code}: too many open files, open '/dist/parts/order.js'`), {
      code,
      syscall: 'open',
    });
    const { code: exitCode, err } = await run(['check', '-'], { stdin: () => Promise.reject(error) });
    assert.equal(
      err,
      'Error: too many open files\nRaise the limit on open files, for example with `ulimit -n 1024`.\n',
    );
    assert.equal(exitCode, 1);
  }
});

test('a full disk is reported in a sentence', { skip: !existsSync('/dev/full') && 'no /dev/full here' }, () => {
  const { code, err } = start(['help'], 'drydock > /dev/full');
  assert.equal(code, 1);
  assert.match(err, /^Error: standard output cannot be written: ENOSPC.*\n$/);
});
