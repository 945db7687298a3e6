// What a run compiled is kept for the next one, and is never trusted blindly.

import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { execa } from 'execa';

const folder = mkdtempSync(join(tmpdir(), 'drydock-kept-'));
const launcher = join(folder, 'program-launch.cjs');
const cache = join(folder, 'cache/drydock');

before(() =>
  buildLauncher(
    'program',
    `#!/usr/bin/env node\nconst grow = (n) => [...Array(n).keys()].join();\nconsole.log(grow(3), __filename);\n`,
    { isBrief: true },
  ),
);

async function buildLauncher(name: string, code: string, how: { readonly isBrief: boolean }): Promise<string> {
  const source = fileURLToPath(new URL('../../../emulator/command/kept-code.node.ts', import.meta.url));
  const program = join(folder, `${name}.cjs`);
  const outfile = join(folder, `${name}-launch.cjs`);
  writeFileSync(program, code);
  const call = `runKept(${JSON.stringify(program)}, { digest: 'abc', importLate: (path) => import(path), ...${JSON.stringify(how)} })`;
  await build({
    stdin: { contents: `import { runKept } from ${JSON.stringify(source)}; ${call};`, resolveDir: folder },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
  return outfile;
}
after(() => rmSync(folder, { recursive: true, force: true }));

async function run(env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { stdout, stderr } = await execa(process.execPath, [launcher], {
    env: { XDG_CACHE_HOME: join(folder, 'cache'), NODE_DISABLE_COMPILE_CACHE: '', ...env },
  });
  assert.deepEqual([stdout, stderr], [`0,1,2 ${join(folder, 'program.cjs')}`, '']);
}

/** Gives the path of the only entry, and the round it is in. */
function entry(): { readonly path: string; readonly round: number } {
  const names = readdirSync(cache);
  assert.equal(names.length, 1);
  const path = join(cache, names[0] as string);
  return { path, round: readFileSync(path).readUInt32LE(4) };
}

test('an entry is written, used, and renewed only a few times', async () => {
  await run();
  assert.equal(entry().round, 0);
  for (let i = 0; i < 7; i++) await run();
  assert.equal(entry().round, 5);
});

test('a run that does far more than those before renews it once again', async () => {
  const env = { XDG_CACHE_HOME: join(folder, 'growing'), NODE_DISABLE_COMPILE_CACHE: '' };
  const code = `const spent = () => process.cpuUsage().user / 1000; while (spent() < Number(process.argv[2]));`;
  const growing = await buildLauncher('growing', code, { isBrief: true });
  const rounds: number[] = [];
  for (const spent of [0, 0, 0, 0, 0, 0, 0, 1000, 1000]) {
    await execa(process.execPath, [growing, String(spent)], { env });
    const [name = ''] = readdirSync(join(folder, 'growing/drydock'));
    rounds.push(readFileSync(join(folder, 'growing/drydock', name)).readUInt32LE(4));
  }
  assert.deepEqual(rounds, [0, 1, 2, 3, 4, 5, 5, 6, 6]);
});

test('a torn, an altered and a foreign entry are made anew', async () => {
  const { path } = entry();
  truncateSync(path, 100);
  await run();
  assert.equal(entry().round, 0);
  await run();
  const bytes = readFileSync(path);
  bytes[200] = (bytes[200] as number) ^ 1;
  writeFileSync(path, bytes);
  await run();
  assert.equal(entry().round, 0);
  await run();
  chmodSync(path, 0o666);
  await run();
  assert.equal(entry().round, 0);
});

test('nothing is kept where nothing can be written, or shall be', async () => {
  rmSync(cache, { recursive: true });
  await run({ NODE_DISABLE_COMPILE_CACHE: '1' });
  await run({ XDG_CACHE_HOME: '/dev/null/none' });
  assert.deepEqual(readdirSync(join(folder, 'cache')), []);
});

test('code that a repository brings along is not run, wherever the environment says that the cache is', async () => {
  const code = (text: string): string => `console.log('${text}', (() => '${text}')());\n`;
  const checkout = join(folder, 'checkout');
  const home = join(checkout, '.cache');
  const evil = await buildLauncher('evil', code('evil'), { isBrief: true });
  await execa(process.execPath, [evil], { env: { XDG_CACHE_HOME: home, NODE_DISABLE_COMPILE_CACHE: '' } });
  const [entryName = ''] = readdirSync(join(home, 'drydock'));
  assert.match(entryName, /^abc-/);
  mkdirSync(join(checkout, '.git'));
  mkdirSync(join(checkout, 'charts'));
  symlinkSync(checkout, join(folder, 'elsewhere'));
  // V8 takes code for another source of the same length.
  const good = await buildLauncher('good', code('good'), { isBrief: true });
  const places: readonly Readonly<Record<string, string>>[] = [
    { XDG_CACHE_HOME: './.cache' },
    { XDG_CACHE_HOME: '', HOME: '' },
    { XDG_CACHE_HOME: '', HOME: '.' },
    { XDG_CACHE_HOME: home },
    { XDG_CACHE_HOME: join(folder, 'elsewhere/.cache') },
  ];
  for (const env of places) {
    for (const cwd of [checkout, join(checkout, 'charts')]) {
      const { stdout } = await execa(process.execPath, [good], {
        cwd,
        env: { NODE_DISABLE_COMPILE_CACHE: '', ...env },
      });
      assert.equal(stdout, 'good good', JSON.stringify(env));
    }
  }
  assert.deepEqual(readdirSync(checkout).sort(), ['.cache', '.git', 'charts']);
  assert.deepEqual(readdirSync(join(checkout, 'charts')), []);
  // Outside of the checkout it is run: the test would show it.
  const { stdout } = await execa(process.execPath, [good], { env: { XDG_CACHE_HOME: home } });
  assert.equal(stdout, 'evil evil');
});

test('a folder that others can write to is not used', async () => {
  const env = { XDG_CACHE_HOME: join(folder, 'shared') };
  mkdirSync(join(env.XDG_CACHE_HOME, 'drydock'), { recursive: true });
  chmodSync(join(env.XDG_CACHE_HOME, 'drydock'), 0o777);
  await run(env);
  assert.deepEqual(readdirSync(join(env.XDG_CACHE_HOME, 'drydock')), []);
});

test('a program that stays keeps its code once it has started: it may be killed', async () => {
  const kept = join(folder, 'staying');
  const code = `
const { readdirSync } = require('node:fs');
const names = () => { try { return readdirSync(${JSON.stringify(join(kept, 'drydock'))}); } catch { return []; } };
setInterval(() => names().some((name) => /-\\d+$/.test(name)) && process.kill(process.pid, 'SIGKILL'), 20);
`;
  const staying = await buildLauncher('staying', code, { isBrief: false });
  const env = { XDG_CACHE_HOME: kept, NODE_DISABLE_COMPILE_CACHE: '' };
  const { signal } = await execa(process.execPath, [staying], { env, reject: false, timeout: 60_000 });
  assert.equal(signal, 'SIGKILL');
  const [name = ''] = readdirSync(join(kept, 'drydock'));
  assert.equal(readFileSync(join(kept, 'drydock', name)).readUInt32LE(4), 0);
});

test('a program imports late by what it is handed, the first time and from kept code', async () => {
  const cacheHome = join(folder, 'importing');
  const code = `__import('node:path').then(({ sep }) => console.log(sep === require('node:path').sep));`;
  const importing = await buildLauncher('importing', code, { isBrief: true });
  const env = { XDG_CACHE_HOME: cacheHome, NODE_DISABLE_COMPILE_CACHE: '' };
  for (const round of [0, 1]) {
    const { stdout, stderr } = await execa(process.execPath, [importing], { env });
    assert.deepEqual([stdout, stderr], ['true', '']);
    const [name = ''] = readdirSync(join(cacheHome, 'drydock'));
    assert.equal(readFileSync(join(cacheHome, 'drydock', name)).readUInt32LE(4), round);
  }
});
