// The folder for compiled code: only one that neither another user nor a cloned repository can write to.

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { execa } from 'execa';
import { temporaryFolder } from '../../../scripts/dev/tools/tools.ts';

const folder = realpathSync(temporaryFolder('drydock-code-folder-'));
const program = join(folder, 'program.cjs');
const source = fileURLToPath(new URL('../../../render/cli/code-folder.node.ts', import.meta.url));

before(() =>
  build({
    stdin: {
      contents: `import { codeFolder } from ${JSON.stringify(source)}; console.log(String(codeFolder()));`,
      resolveDir: folder,
    },
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  }),
);

async function codeFolder(env: Readonly<Record<string, string>>, cwd = folder): Promise<string> {
  const { stdout } = await execa(process.execPath, [program], { cwd, env: { NODE_DISABLE_COMPILE_CACHE: '', ...env } });
  return stdout;
}

test("is created in the user's cache folder, readable only by the user", async () => {
  const home = temporaryFolder('drydock-code-home-');
  const found = await codeFolder({ XDG_CACHE_HOME: join(home, 'cache') });
  assert.equal(found, join(realpathSync(home), 'cache/drydock'));
  assert.equal(statSync(found).mode & 0o777, 0o700);
});

test('is not used if it is not writable or caching is off', async () => {
  assert.equal(await codeFolder({ XDG_CACHE_HOME: '/dev/null/none' }), 'undefined');
  assert.equal(await codeFolder({ NODE_DISABLE_COMPILE_CACHE: '1' }), 'undefined');
});

test('is never inside the current project', async () => {
  const checkout = join(folder, 'checkout');
  mkdirSync(join(checkout, '.git'), { recursive: true });
  mkdirSync(join(checkout, 'charts'));
  mkdirSync(join(checkout, '.cache/drydock'), { recursive: true, mode: 0o700 });
  symlinkSync(checkout, join(folder, 'elsewhere'));
  const environments: readonly Readonly<Record<string, string>>[] = [
    { XDG_CACHE_HOME: './.cache' },
    { XDG_CACHE_HOME: '', HOME: '' },
    { XDG_CACHE_HOME: '', HOME: '.' },
    { XDG_CACHE_HOME: join(checkout, '.cache') },
    { XDG_CACHE_HOME: join(folder, 'elsewhere/.cache') },
  ];
  for (const env of environments) {
    for (const cwd of [checkout, join(checkout, 'charts')]) {
      const found = await codeFolder(env, cwd);
      assert.ok(found === 'undefined' || !realpathSync(found).startsWith(checkout), `${JSON.stringify(env)}: ${found}`);
    }
  }
  assert.deepEqual(readdirSync(checkout).sort(), ['.cache', '.git', 'charts']);
  assert.deepEqual(readdirSync(join(checkout, 'charts')), []);
  // From another folder it is used, which shows that the test can fail.
  const outside = temporaryFolder('drydock-code-outside-');
  assert.equal(
    await codeFolder({ XDG_CACHE_HOME: join(checkout, '.cache') }, outside),
    join(checkout, '.cache/drydock'),
  );
});

test('is not used if others can write to it', async () => {
  const home = temporaryFolder('drydock-code-shared-');
  mkdirSync(join(home, 'drydock'));
  chmodSync(join(home, 'drydock'), 0o777);
  assert.equal(await codeFolder({ XDG_CACHE_HOME: home }), 'undefined');
});
