// The configuration file: where it is found, its effect and precedence, and every error with its place.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { runCommand } from '../../../emulator/cli/run.node.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures');
const shop = readFileSync(join(fixtures, 'orders/shop.yaml'), 'utf8');
const roots: string[] = [];
after(() => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

/** Writes files into a new project and returns its folder. */
function projectOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'drydock-config-'));
  roots.push(root);
  for (const [name, text] of Object.entries({ 'package.json': '{}', 'orders/shop.yaml': shop, ...files })) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const run = (cwd: string, ...argv: readonly string[]) => runWith({}, cwd, ...argv);

async function runWith(env: Readonly<Record<string, string>>, cwd: string, ...argv: readonly string[]) {
  let [out, err] = ['', ''];
  const code = await runCommand(argv, {
    cwd,
    env,
    stdin: async () => '',
    stdout: (text) => {
      out += text;
    },
    stderr: (text) => {
      err += text;
    },
    signal: AbortSignal.abort(),
  });
  return { code, out, err };
}

const ts = `import { defineConfig } from 'drydock/config';
import { Port } from './port';

export default defineConfig({
  check: { inputs: ['orders/*.yaml'] },
  serve: { port: Port.any, quiet: true, settings: { version: '7', pageSize: 3 } },
});
`;

test('a TypeScript file is run with its imports, from any folder of the project', async () => {
  const root = projectOf({ 'drydock.config.ts': ts, 'port.ts': 'export enum Port {\n  any = 0,\n}\n' });
  assert.deepEqual(await run(root, 'check'), { code: 0, out: '0 errors, 0 warnings\n', err: '' });
  assert.equal((await run(join(root, 'orders'), 'check')).code, 0);
  assert.match((await run(root, 'serve')).out, /^http:\/\/127\.0\.0\.1:\d+\n$/);
});

test('the command line takes precedence', async () => {
  const root = projectOf({
    'drydock.config.json': '{"check": {"inputs": ["nothing.yaml"], "json": true}, "render": {"os": "windows"}}',
  });
  assert.equal((await run(root, 'check')).code, 1);
  assert.match((await run(root, 'check', 'orders/shop.yaml')).out, /^\{/);
  assert.match((await run(root, 'check', 'orders/shop.yaml', '--json=false')).out, /^0 errors/);
  assert.equal((await run(root, 'check', '--no-config')).code, 2);
  // Its settings for scripts do not interfere.
  assert.match((await run(root, 'render', 'orders/shop.yaml')).out, /^---/);
  assert.match((await run(root, 'render', 'orders/shop.yaml', '-o', 'yaml')).out, /^function Invoke-Kubectl/m);
  assert.match((await run(root, 'render', 'orders/shop.yaml', '-o', 'yaml', '--os', 'linux')).out, /^#!/);
});

test('it is found as JSON, as both kinds of modules, and by name', async () => {
  const files: Readonly<Record<string, string>> = {
    'drydock.config.json': '\ufeff{"$schema": "./s.json", "quiet": true}',
    'drydock.config.js': 'module.exports = { quiet: true };\n',
    'drydock.config.mjs': 'export default { quiet: true };\n',
    'drydock.config.cjs': 'module.exports = { quiet: true };\n',
    'drydock.config.mts': 'export default { quiet: true as const };\n',
    'other.json': '{"quiet": true}',
  };
  for (const [name, text] of Object.entries(files)) {
    const root = projectOf({ [name]: text, 'odd.yaml': `extra: 1\n${shop}` });
    const flags = name === 'other.json' ? ['--config', 'other.json'] : [];
    assert.equal((await run(root, ...flags, 'check', 'odd.yaml')).err, '', name);
  }
});

test('template ignores it: its output is that of Helm', async () => {
  const root = projectOf({ 'drydock.config.json': '{' });
  assert.equal((await run(root, 'template', join(fixtures, 'charts/web'))).code, 0);
  assert.equal((await run(root, 'check', 'orders/shop.yaml')).code, 1);
});

test('the search stops at the project root', async () => {
  const root = projectOf({ 'drydock.config.json': '{', 'inner/package.json': '{}', 'inner/a.yaml': shop });
  assert.equal((await run(join(root, 'inner'), 'check', 'a.yaml')).code, 0);
});

// A configuration, the command, and the error.
const faults: readonly (readonly [string, string, string, RegExp])[] = [
  ['drydock.config.json', '{"charts": 5,}', 'check', /^Error: drydock\.config\.json:1:14: .*JSON/],
  ['drydock.config.json', '{"charts": [', 'check', /^Error: drydock\.config\.json:1:13: /],
  ['drydock.config.json', '[]', 'check', /^Error: drydock\.config\.json:1:1: expected an object, not a list\n$/],
  [
    'drydock.config.json',
    '{\n  "chart": [],\n  "check": {"jsn": 1},\n  "kubeVersion": 1.3\n}',
    'check',
    /^Error: drydock\.config\.json:2:3: chart: there is no such member; did you mean "charts"\?\ndrydock\.config\.json:3:13: check\.jsn: .*"json"\?\ndrydock\.config\.json:4:3: kubeVersion: expected a text in quotes, not 1\.3\n$/,
  ],
  ['drydock.config.json', '{"serve": []}', 'check', /1:2: serve: expected an object, not a list/],
  ['drydock.config.json', '{"check": {"inputs": [5]}}', 'check', /check\.inputs\[0\]: expected a path, not 5/],
  ['drydock.config.json', '{"__proto__": 1}', 'check', /__proto__: there is no such member/],
  [
    'drydock.config.json',
    '{"render": {"output": "yml"}}',
    'render',
    /render\.output: takes .*, not "yml"; did you mean "yaml"\?/,
  ],
  ['drydock.config.json', '{"serve": {"port": 70000}}', 'serve', /serve\.port: takes a whole number/],
  ['drydock.config.json', '{"serve": {"hosted": true}}', 'serve', /is a setting: write it as serve\.settings\.hosted/],
  ['drydock.config.json', '{"serve": {"settings": {"pagesize": 1}}}', 'serve', /serve\.settings: .*"pageSize"\?/],
  [
    'drydock.config.json',
    '{"serve": {"settings": {"pageSize": "x"}}}',
    'serve',
    /1:25: serve\.settings\.pageSize: must be a whole number/,
  ],
  ['drydock.config.ts', 'export default {\n  a: {{\n', 'check', /^Error: drydock\.config\.ts: .*drydock\.config\.ts:2/],
  ['drydock.config.ts', 'throw new Error("why");', 'check', /^Error: drydock\.config\.ts: why\n$/],
  [
    'drydock.config.mjs',
    'export const charts = 1;',
    'check',
    /^Error: drydock\.config\.mjs: expected an object, not undefined/,
  ],
];

for (const [name, text, command, message] of faults) {
  test(`reports ${name}: ${text.replaceAll('\n', ' ')}`, async () => {
    const { code, out, err } = await run(projectOf({ [name]: text }), command, 'orders/shop.yaml');
    assert.deepEqual([code, out], [1, '']);
    assert.match(err, message);
  });
}

test('a named file must exist, and two are an error', async () => {
  const root = projectOf({ 'drydock.config.json': '{}', 'drydock.config.mjs': 'export default {};' });
  assert.match(
    (await run(root, 'check', 'orders/shop.yaml')).err,
    /holds drydock\.config\.json and drydock\.config\.mjs: keep one/,
  );
  for (const [given, reported] of [
    ['none.json', '--config none.json: there is no such file'],
    ['', '--config takes a path, not ""'],
  ] as const) {
    const { code, err } = await run(root, 'check', '--config', given);
    assert.deepEqual([code, err.split('\n')[0]], [2, `Error: ${reported}`]);
  }
  assert.match((await run(root, 'check', '--config', 'orders/shop.yaml')).err, /a configuration ends in \.json/);
});

test('coverage uses the versions of all commands, and the cases of snapshots unless it has its own', async () => {
  const chart = {
    'charts/a/Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n',
    'charts/a/templates/a.yaml': 'v: {{ .Capabilities.KubeVersion }} {{ .Values.x }}\n',
    'small.yaml': 'x: 1\n',
  };
  const casesOf = async (config: object, ...argv: string[]) => {
    const root = projectOf({ ...chart, 'drydock.config.json': JSON.stringify(config) });
    const { out, err } = await run(root, 'coverage', 'charts/a', '--json', ...argv);
    assert.equal(err, '');
    return JSON.parse(out).charts[0].cases.map(({ name }: { name: string }) => name);
  };
  const shared = { kubeVersion: '1.29', snapshot: { values: ['small.yaml'] } };
  assert.deepEqual(await casesOf(shared), ['small 1.29']);
  assert.deepEqual(await casesOf({ ...shared, coverage: { kubeVersion: ['1.30', '1.31'], values: [] } }), [
    'default 1.30',
    'default 1.31',
  ]);
  assert.deepEqual(await casesOf(shared, '--kube-version', '1.32'), ['small 1.32']);
});

test('DRYDOCK_CONFIG refuses configurations inside a checkout', async () => {
  const program = "import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\nexport default {};\n";
  const withProgram = projectOf({ 'drydock.config.mjs': program });
  const withJson = projectOf({ 'drydock.config.json': '{"check": {"inputs": ["orders/shop.yaml"]}}' });
  const json = { DRYDOCK_CONFIG: 'json' };
  const none = { DRYDOCK_CONFIG: 'none' };
  const refused = await runWith(json, withProgram, 'check', 'orders/shop.yaml');
  assert.equal(refused.code, 2);
  assert.match(
    refused.err,
    /^Error: drydock\.config\.mjs: DRYDOCK_CONFIG=json refuses a configuration that is a program\nWrite it as/,
  );
  assert.equal((await runWith(json, withProgram, 'check', '--config', 'drydock.config.mjs')).code, 2);
  assert.equal((await runWith(json, withProgram, 'check', '--no-config', 'orders/shop.yaml')).code, 0);
  assert.equal(existsSync(join(withProgram, 'ran')), false);
  assert.equal((await runWith(json, withJson, 'check')).code, 0);
  const unnamed = await runWith(none, withJson, 'check');
  assert.equal(unnamed.code, 2);
  assert.match(
    unnamed.err,
    /DRYDOCK_CONFIG=none refuses a configuration that the command line does not name\nPass --config FILE/,
  );
  assert.equal((await runWith(none, withJson, 'check', '--config', 'drydock.config.json')).code, 0);
  assert.equal((await runWith(none, projectOf({}), 'check', 'orders/shop.yaml')).code, 0);
  const unknown = await runWith({ DRYDOCK_CONFIG: 'yes' }, projectOf({}), 'check', 'orders/shop.yaml');
  assert.deepEqual(
    [unknown.code, unknown.err.split('\n')[0]],
    [2, 'Error: DRYDOCK_CONFIG is any, json or none, not "yes"'],
  );
});

test('former names of commands and their sections still work, but are not in help', async () => {
  const config = (section: object): string => JSON.stringify({ charts: [join(fixtures, 'charts')], ...section });
  const root = projectOf({ 'drydock.config.json': config({ seal: { kubeVersion: '1.31' } }) });
  const { code, out, err } = await run(root, 'seal', 'orders/shop.yaml');
  assert.equal(code, 0, err);
  assert.match(out, /seal:/);
  assert.deepEqual(await run(root, 'pin', 'orders/shop.yaml'), { code, out, err });
  const wrong = projectOf({ 'drydock.config.json': config({ seal: { kubeVersoin: '1.31' } }) });
  const fault = /seal\.kubeVersoin: there is no such member; did you mean "kubeVersion"\?/;
  assert.match((await run(wrong, 'pin', 'orders/shop.yaml')).err, fault);
  const help = (await run(root, 'help')).out;
  assert.match(help, /^ {2}pin ORDER /m);
  assert.doesNotMatch(help, /^ {2}(?:seal|merge) /m);
});
