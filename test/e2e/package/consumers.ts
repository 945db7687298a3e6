// Tests the packed package in typical projects, into which the archive is installed. `npm run test:e2e -- consumers [WORD…]`: each
// uses another loader, bundler, test runner or version of msw.

import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { nodeFolder, nodeMajors } from '../../../scripts/dev/tools/node-binary.ts';
import { installProject, packProduct } from '../../../scripts/dev/tools/product.ts';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { writeFiles } from '../../../scripts/dev/tools/write-files.ts';

/** A user's project: the packages it installs, its files, and the commands that must succeed. */
interface Consumer {
  readonly name: string;
  readonly packages?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** Files of `consumers/`. */
  readonly copies?: readonly string[];
  readonly commands: readonly (readonly string[])[];
  /** Runs the commands on every supported Node version rather than only on this one. */
  readonly everyNode?: true;
}

const chart = `new Map(Object.entries({
  'Chart.yaml': 'apiVersion: v2\\nname: tiny\\nversion: 1.0.0\\n',
  'templates/a.yaml': 'kind: {{ .Values.kind | default "Tiny" }}\\n',
}).map(([path, text]) => [path, new TextEncoder().encode(text)]))`;
const render = `template(loadChart(${chart}))`;
const useAll = `if (!/kind: Tiny/.test(${render})) throw new Error('not rendered');
const emulator = createEmulator();
if (emulator.users().length === 0) throw new Error('no users');
try { loadChart(new Map()); throw new Error('no error'); } catch (error) { if (!(error instanceof RenderError)) throw error; }`;
const esm = `import { loadChart, template } from 'drydock';
import { RenderError } from 'drydock/order';
import { createEmulator } from 'drydock/emulator';
import { startWorker } from 'drydock/emulator/browser';
${useAll}
await startWorker().then(() => { throw new Error('started'); }, () => undefined);`;
const commonJs = `const { loadChart, template } = require('drydock');
const { RenderError } = require('drydock/order');
const { createEmulator } = require('drydock/emulator');
const { directoryRegistry } = require('drydock/node');
require('drydock/snapshot');
${useAll}`;
const withMsw = `import { setupServer } from 'msw/node';
import { createEmulator } from 'drydock/emulator';
import { mswHandlers } from 'drydock/emulator/msw';
const emulator = createEmulator();
const server = setupServer(...mswHandlers(emulator, { baseUrl: 'https://platform.example.com' }));
server.listen({ onUnhandledRequest: 'error' });
const headers = { Authorization: 'token ' + emulator.users()[0].token };
const answer = await fetch('https://platform.example.com/api/v1/user', { headers });
server.close();
if ((await answer.json()).login !== 'ada') throw new Error('the handlers do not match');`;
const page = `import { loadChart, template } from 'drydock';
document.title = ${render};
void import('drydock/emulator/browser').then(({ startWorker }) => startWorker());`;
const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: false,
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
};
const typedCommonJs = `import { createEmulator, type Emulator } from 'drydock/emulator';
export const emulator: Emulator = createEmulator();`;

/** Compiles the documented calls with a version of TypeScript and each module resolution. */
function typeScript(version: string): Consumer {
  const configs = ['node16', 'nodenext', 'bundler'].map((moduleResolution) => {
    const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution;
    const files = ['library.ts', ...(module === 'esnext' ? [] : ['common.cts'])];
    return [`${moduleResolution}.json`, { compilerOptions: { ...compilerOptions, module, moduleResolution }, files }];
  });
  return {
    name: `TypeScript ${version} (node16, nodenext, bundler)`,
    packages: [`typescript@${version}`, 'msw@2'],
    copies: ['library.ts'],
    files: {
      'common.cts': typedCommonJs,
      ...Object.fromEntries(configs.map(([name, config]) => [name, JSON.stringify(config)])),
    },
    commands: configs.map(([name]) => ['tsc', '--project', `${name}`]),
  };
}

// Node 20 cannot run TypeScript and later versions cannot run enums, but the command must load the file on all of them.
const configuration = `import { defineConfig } from 'drydock/config';
enum Folder { charts = 'node_modules/drydock/fixtures/charts' }
const inputs: readonly string[] = ['node_modules/drydock/fixtures/orders/shop.yaml'];
export default defineConfig({ charts: [Folder.charts], check: { inputs }, snapshot: { inputs } });`;
const runnerTest = (test: string): string => `${test}
test('renders', () => { ${useAll.replaceAll('\n', ' ')} });`;

const nextApplication = {
  'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;',
  'app/page.js': "import { Mock } from './mock';\nexport default () => <Mock />;",
  'app/mock.js': `'use client';
import { createClient } from 'drydock/client';
import { useEffect, useState } from 'react';
export function Mock() {
  const [name, setName] = useState('');
  useEffect(() => {
    if (process.env.NODE_ENV !== 'development') return;
    void import('./emulator').then(async ({ start }) => {
      const token = await start();
      const { data } = await createClient({ token }).GET('/user');
      setName(data?.full_name ?? '');
    });
  }, []);
  return <p>{name}</p>;
}`,
  'app/emulator.js': `import { defineRoute } from 'drydock/emulator';
import { startWorker } from 'drydock/emulator/browser';
const getNotice = defineRoute({ name: 'getNotice', method: 'GET', path: '/notice', run: ({ db }) => ({ status: 200, json: db.person.count() }) });
export async function start() {
  const { emulator } = await startWorker({ routes: [getNotice] });
  return emulator.world().db.token.create({ user: 'ada' }).token;
}`,
};

const consumers: readonly Consumer[] = [
  {
    name: 'ESM, every entry point',
    packages: ['msw@2'],
    copies: ['entry-points.js'],
    commands: [['node', 'entry-points.js']],
    everyNode: true,
  },
  { name: 'CommonJS', files: { 'a.cjs': commonJs }, commands: [['node', 'a.cjs']], everyNode: true },
  {
    name: 'command with a configuration',
    files: { 'drydock.config.ts': configuration },
    commands: [
      ['drydock', 'template', 'node_modules/drydock/fixtures/charts/web'],
      ['drydock', 'check'],
      ['drydock', 'snapshot', '--update'],
      ['drydock', 'snapshot'],
    ],
    everyNode: true,
  },
  {
    name: 'node:test',
    copies: ['snapshot.test.js'],
    commands: [['node', '--test', 'snapshot.test.js']],
    everyNode: true,
  },
  ...['2.0.0', '2.6.0', '2'].map(
    (version): Consumer => ({
      name: `msw ${version}`,
      packages: [`msw@${version}`],
      files: { 'a.js': withMsw },
      commands: [['node', 'a.js']],
    }),
  ),
  ...['5.9.3', '7.0.2'].map(typeScript),
  {
    name: 'Vite',
    packages: ['vite@7', 'msw@2'],
    files: { 'index.html': '<script type="module" src="/main.js"></script>', 'main.js': page },
    commands: [['vite', 'build', '--logLevel', 'warn']],
  },
  {
    name: 'webpack',
    packages: ['webpack@5', 'webpack-cli@6', 'msw@2'],
    files: { 'main.js': page },
    commands: [
      [
        'webpack',
        '--mode',
        'production',
        '--entry',
        './main.js',
        '--output-path',
        'out',
        '--performance-hints',
        'false',
      ],
    ],
  },
  ...(['next@15', 'next@16'] as const).map(
    (next): Consumer => ({
      name: `Next (${next === 'next@15' ? 'webpack' : 'Turbopack'}), a client component with data and a custom route`,
      packages: [next, 'react@19', 'react-dom@19', 'msw@2', 'openapi-fetch@0.17'],
      files: nextApplication,
      commands: [['next', 'build']],
    }),
  ),
  {
    name: 'vitest, with jsdom too',
    packages: ['vitest@3', 'jsdom@26', 'msw@2'],
    files: {
      'a.test.js': `${esm.split('\n').slice(0, 4).join('\n')}\n${runnerTest("import { test } from 'vitest';")}`,
      'b.test.js': `// @vitest-environment jsdom\nimport { expect, test } from 'vitest';
test('startWorker rejects outside a page', async () => {
  const { startWorker } = await import('drydock/emulator/browser');
  await expect(startWorker()).rejects.toThrow('outside a page');
});`,
    },
    commands: [['vitest', 'run']],
  },
  {
    name: 'jest',
    packages: ['jest@30'],
    files: { 'a.test.cjs': `${commonJs.split('\n').slice(0, 5).join('\n')}\n${runnerTest('')}` },
    commands: [['jest', '--testMatch', '**/*.test.cjs']],
  },
  {
    name: 'Bun',
    packages: ['@oven/bun-linux-x64@1'],
    files: { 'a.js': esm, 'b.cjs': commonJs },
    commands: [
      ['bun', 'a.js'],
      ['bun', 'b.cjs'],
    ],
  },
  {
    name: 'Deno',
    packages: ['@deno/linux-x64-glibc@2'],
    files: { 'a.js': esm },
    commands: [['deno', 'run', '--allow-all', 'a.js']],
  },
];

const words = process.argv.slice(2);
const workspace = temporaryFolder('drydock-consumers-');
let failed = 0;

const archive = await packProduct(workspace);
for (const consumer of consumers) {
  if (words.length > 0 && !words.some((word) => consumer.name.includes(word))) continue;
  const failures = await run(consumer, archive);
  console.log(`${failures.length === 0 ? 'ok' : 'not ok'}  ${consumer.name}`);
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) failed++;
}

process.exitCode = failed === 0 ? 0 : 1;

/** Returns the output of a project's commands if they fail. */
async function run(consumer: Consumer, archive: string): Promise<string[]> {
  const { name, packages = [], files = {}, copies = [], commands, everyNode } = consumer;
  const folder = join(workspace, name.replace(/\W+/g, '-').toLowerCase());
  await mkdir(folder, { recursive: true });
  await installProject(folder, [archive, ...packages]);
  await writeFiles(folder, files);
  for (const copy of copies) await cp(join(import.meta.dirname, 'consumers', copy), join(folder, copy));
  const failures: string[] = [];
  for (const node of everyNode ? await Promise.all(nodeMajors.map(nodeFolder)) : ['']) {
    for (const [command = '', ...args] of commands) {
      const env = {
        PATH: `${node}:${join(folder, 'node_modules/@oven/bun-linux-x64/bin')}:${join(folder, 'node_modules/@deno/linux-x64-glibc')}:${process.env.PATH}`,
        NEXT_TELEMETRY_DISABLED: '1',
      };
      const { exitCode, all } = await execa(command, args, {
        cwd: folder,
        env,
        preferLocal: true,
        localDir: folder,
        all: true,
        reject: false,
        timeout: 600_000,
      });
      if (exitCode !== 0) failures.push(`${node} ${command} ${args.join(' ')}\n${all}`);
    }
  }
  return failures;
}
