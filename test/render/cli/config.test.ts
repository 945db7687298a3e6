// The configuration file: where it is found, its effect and precedence, and every error with its place.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { captureCommand } from '../../support/cli.ts';
import { createProject } from '../../support/project.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures');
const shop = readFileSync(join(fixtures, 'orders/shop.yaml'), 'utf8');

/** Writes files into a new project and returns its folder. */
function projectOf(files: Readonly<Record<string, string>>): string {
  return createProject({ 'package.json': '{}', 'orders/shop.yaml': shop, ...files }).folder;
}

const run = (cwd: string, ...argv: readonly string[]) => runWith({}, cwd, ...argv);
const runWith = (env: Readonly<Record<string, string>>, cwd: string, ...argv: readonly string[]) =>
  captureCommand(argv, { cwd, env, signal: AbortSignal.abort() });

const ts = `import { defineConfig } from 'drydock/config';
import { Port } from './port';

export default defineConfig({
  check: { inputs: ['orders/*.yaml'] },
  serve: { port: Port.any, quiet: true, settings: { version: '7', pageSize: 3 } },
});
`;

test('a TypeScript file is run with its imports, from any folder of the project', async () => {
  const root = projectOf({ 'drydock.config.ts': ts, 'port.ts': 'export enum Port {\n  any = 0,\n}\n' });
  assert.deepEqual(await run(root, 'check'), { exitCode: 0, stdout: '0 errors, 0 warnings\n', stderr: '' });
  assert.equal((await run(join(root, 'orders'), 'check')).exitCode, 0);
  assert.match((await run(root, 'serve')).stdout, /^http:\/\/127\.0\.0\.1:\d+\n$/);
});

test('the command line takes precedence', async () => {
  const root = projectOf({
    'drydock.config.json': '{"check": {"inputs": ["nothing.yaml"], "json": true}, "render": {"os": "windows"}}',
  });
  assert.equal((await run(root, 'check')).exitCode, 1);
  assert.match((await run(root, 'check', 'orders/shop.yaml')).stdout, /^\{/);
  assert.match((await run(root, 'check', 'orders/shop.yaml', '--json=false')).stdout, /^0 errors/);
  assert.equal((await run(root, 'check', '--no-config')).exitCode, 2);
  // Its settings for scripts do not interfere.
  assert.match((await run(root, 'render', 'orders/shop.yaml')).stdout, /^---/);
  assert.match((await run(root, 'render', 'orders/shop.yaml', '-o', 'yaml')).stdout, /^function Invoke-Kubectl/m);
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
    assert.equal((await run(root, ...flags, 'check', 'odd.yaml')).stderr, '', name);
  }
});

// A configuration, the command, the error, and the file. Default `drydock.config.json`.
const faults: readonly (readonly [text: string, command: string, message: RegExp, name?: string])[] = [
  ['{"charts": 5,}', 'check', /^Error: drydock\.config\.json:1:14: .*JSON/],
  ['[]', 'check', /^Error: drydock\.config\.json:1:1: expected an object, not a list\n$/],
  [
    '{\n  "chart": [],\n  "check": {"jsn": 1},\n  "kubeVersion": 1.3\n}',
    'check',
    /^Error: drydock\.config\.json:2:3: chart: there is no such member; did you mean "charts"\?\ndrydock\.config\.json:3:13: check\.jsn: .*"json"\?\ndrydock\.config\.json:4:3: kubeVersion: expected a text in quotes, not 1\.3\n$/,
  ],
  ['{"__proto__": 1}', 'check', /__proto__: there is no such member/],
  ['{"serve": {"hosted": true}}', 'serve', /is a setting: write it as serve\.settings\.hosted/],
  ['{"serve": {"settings": {"pageSize": "x"}}}', 'serve', /1:25: serve\.settings\.pageSize: must be a whole number/],
  ['export default {\n  a: {{\n', 'check', /^Error: drydock\.config\.ts: .*drydock\.config\.ts:2/, 'drydock.config.ts'],
  [
    'export const charts = 1;',
    'check',
    /^Error: drydock\.config\.mjs: expected an object, not undefined/,
    'drydock.config.mjs',
  ],
];

for (const [text, command, message, name = 'drydock.config.json'] of faults) {
  test(`reports ${name}: ${text.replaceAll('\n', ' ')}`, async () => {
    const { exitCode, stdout, stderr } = await run(projectOf({ [name]: text }), command, 'orders/shop.yaml');
    assert.deepEqual([exitCode, stdout], [1, '']);
    assert.match(stderr, message);
  });
}

test('a named file must exist, and two are an error', async () => {
  const root = projectOf({ 'drydock.config.json': '{}', 'drydock.config.mjs': 'export default {};' });
  assert.match(
    (await run(root, 'check', 'orders/shop.yaml')).stderr,
    /holds drydock\.config\.json and drydock\.config\.mjs: keep one/,
  );
  for (const [given, reported] of [
    ['none.json', '--config none.json: there is no such file'],
    ['', '--config takes a path, not ""'],
  ] as const) {
    const { exitCode, stderr } = await run(root, 'check', '--config', given);
    assert.deepEqual([exitCode, stderr.split('\n')[0]], [2, `Error: ${reported}`]);
  }
  assert.match((await run(root, 'check', '--config', 'orders/shop.yaml')).stderr, /a configuration ends in \.json/);
});

test('DRYDOCK_CONFIG refuses configurations inside a checkout', async () => {
  const program = "import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\nexport default {};\n";
  const withProgram = projectOf({ 'drydock.config.mjs': program });
  const withJson = projectOf({ 'drydock.config.json': '{"check": {"inputs": ["orders/shop.yaml"]}}' });
  const json = { DRYDOCK_CONFIG: 'json' };
  const refused = await runWith(json, withProgram, 'check', 'orders/shop.yaml');
  assert.equal(refused.exitCode, 2);
  assert.match(
    refused.stderr,
    /^Error: drydock\.config\.mjs: DRYDOCK_CONFIG=json refuses a configuration that is a program\nWrite it as/,
  );
  assert.equal(existsSync(join(withProgram, 'ran')), false);
  assert.equal((await runWith(json, withJson, 'check')).exitCode, 0);
  const unnamed = await runWith({ DRYDOCK_CONFIG: 'none' }, withJson, 'check');
  assert.equal(unnamed.exitCode, 2);
  assert.match(
    unnamed.stderr,
    /DRYDOCK_CONFIG=none refuses a configuration that the command line does not name\nPass --config FILE/,
  );
  const unknown = await runWith({ DRYDOCK_CONFIG: 'yes' }, projectOf({}), 'check', 'orders/shop.yaml');
  assert.deepEqual(
    [unknown.exitCode, unknown.stderr.split('\n')[0]],
    [2, 'Error: DRYDOCK_CONFIG is any, json or none, not "yes"'],
  );
});

test('former names of commands and their sections still work, but are not in help', async () => {
  const config = (section: object): string => JSON.stringify({ charts: [join(fixtures, 'charts')], ...section });
  const root = projectOf({ 'drydock.config.json': config({ seal: { kubeVersion: '1.31' } }) });
  const { exitCode, stdout, stderr } = await run(root, 'seal', 'orders/shop.yaml');
  assert.equal(exitCode, 0, stderr);
  assert.match(stdout, /seal:/);
  assert.deepEqual(await run(root, 'pin', 'orders/shop.yaml'), { exitCode, stdout, stderr });
  const wrong = projectOf({ 'drydock.config.json': config({ seal: { kubeVersoin: '1.31' } }) });
  const fault = /seal\.kubeVersoin: there is no such member; did you mean "kubeVersion"\?/;
  assert.match((await run(wrong, 'pin', 'orders/shop.yaml')).stderr, fault);
  const help = (await run(root, 'help')).stdout;
  assert.match(help, /^ {2}pin ORDER /m);
  assert.doesNotMatch(help, /^ {2}(?:seal|merge) /m);
});
