// What a run compiled is kept for the next one, and is never trusted blindly.

import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { execa } from 'execa';

const folder = mkdtempSync(join(tmpdir(), 'drydock-kept-'));
const launcher = join(folder, 'launch.cjs');
const cache = join(folder, 'cache/drydock');

before(async () => {
  const source = fileURLToPath(new URL('../../../emulator/command/kept-code.node.ts', import.meta.url));
  const program = join(folder, 'program.cjs');
  writeFileSync(
    program,
    `#!/usr/bin/env node\nconst grow = (n) => [...Array(n).keys()].join();\nconsole.log(grow(3), __filename);\n`,
  );
  await build({
    stdin: {
      contents: `import { runKept } from ${JSON.stringify(source)}; runKept(${JSON.stringify(program)}, 'abc');`,
      resolveDir: folder,
    },
    outfile: launcher,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
});
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
