// Imports point to lower layers, without cycles.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkImports } from '../scripts/dev/check-imports.ts';

test('the sources respect the layers', async () => {
  assert.deepEqual(await checkImports(fileURLToPath(new URL('..', import.meta.url))), []);
});

test('every module is listed on the architecture page', async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const page = await readFile(join(root, 'scripts/docs/how-it-is-built.md'), 'utf8');
  for (const half of ['render', 'emulator']) {
    const entries = await readdir(join(root, half), { withFileTypes: true });
    const modules = entries.filter((entry) => entry.isDirectory() && entry.name !== 'docs').map(({ name }) => name);
    assert.deepEqual(
      modules.filter((module) => !page.includes(`\`${half}/${module}/`)),
      [],
    );
  }
});

const violations: readonly { readonly name: string; readonly files: Record<string, string>; readonly want: RegExp }[] =
  [
    {
      name: 'an import of a higher layer',
      files: { 'render/go/a.ts': "import { b } from '../engine/b.ts';\n", 'render/engine/b.ts': '' },
      want: /higher layer/,
    },
    {
      name: 'an import of another module of the same layer',
      files: { 'render/template/a.ts': "import { b } from '../codec/b.ts';\n", 'render/codec/b.ts': '' },
      want: /same layer/,
    },
    {
      name: 'a cycle within a module',
      files: { 'render/go/a.ts': "import './b.ts';\n", 'render/go/b.ts': "import './a.ts';\n" },
      want: /imports itself through/,
    },
    {
      name: 'a Node module in a file for every platform',
      files: { 'render/go/a.ts': "import 'node:fs';\n" },
      want: /node:fs/,
    },
    {
      name: 'a module that is in no layer',
      files: { 'render/new/a.ts': "import '../go/b.ts';\n", 'render/go/b.ts': '' },
      want: /is in no layer/,
    },
    {
      name: 'an import of the emulator by the engine',
      files: { 'render/index.ts': "import '../emulator/index.ts';\n", 'emulator/index.ts': '' },
      want: /higher layer/,
    },
    {
      name: 'an import past the public API of the engine',
      files: { 'emulator/http/a.ts': "import '../../render/engine/b.ts';\n", 'render/engine/b.ts': '' },
      want: /the emulator may import/,
    },
    {
      name: 'a name that no entry point exports, in a command',
      files: {
        'emulator/cli/a.ts': "import { b } from '../store/b.ts';\n",
        'emulator/store/b.ts': 'export const b = 1;\nexport const c = 1;\n',
        'emulator/index.ts': "export { c } from './store/b.ts';\n",
      },
      want: /imports b of emulator\/store\/b\.ts, which no entry point exports/,
    },
    {
      name: 'a hidden name in a dynamic import of a command',
      files: {
        'render/cli/a.ts': "const { c, b: d } = await import('../engine/b.ts');\n",
        'render/engine/b.ts': 'export const b = 1;\nexport const c = 1;\n',
        'render/index.ts': "export { c } from './engine/b.ts';\n",
      },
      want: /imports b of render\/engine\/b\.ts/,
    },
    {
      name: 'a command that imports a module as a whole',
      files: {
        'render/cli/a.ts': "import * as b from '../engine/b.ts';\n",
        'render/engine/b.ts': 'export const b = 1;\n',
      },
      want: /a command names what it imports/,
    },
    {
      name: 'an import of a script by the product',
      files: { 'render/go/a.ts': "import '../../scripts/b.ts';\n", 'scripts/b.ts': '' },
      want: /neither scripts nor tests/,
    },
  ];

for (const { name, files, want } of violations) {
  test(`${name} is reported`, async (t) => {
    const found = await checkFiles(t, files);
    assert.ok(
      found.some(({ message }) => want.test(message)),
      JSON.stringify(found),
    );
  });
}

test('a command may import public names from the files that define them, and any name of the base folders', async (t) => {
  const found = await checkFiles(t, {
    'render/cli/a.ts': [
      "import { text } from '../core/text.ts';",
      "import type { Shape } from '../engine/shapes.ts';",
      "import { renamed, plain } from '../engine/names.ts';",
      "export const later = async () => (await import('../engine/late.ts')).late;",
      "export const then = import('../engine/late.ts').then(({ late: own }) => own);",
      '',
    ].join('\n'),
    'render/core/text.ts': 'export const text = 1;\n',
    'render/engine/shapes.ts': 'export interface Shape {}\n',
    'render/engine/names.ts': 'export const renamed = 1;\nexport const plain = 1;\n',
    'render/engine/late.ts': 'export async function late() {}\n',
    'render/index.ts': [
      "export type * from './engine/shapes.ts';",
      "export { renamed as other, plain } from './engine/names.ts';",
      "export { late } from './engine/late.ts';",
      '',
    ].join('\n'),
  });
  assert.deepEqual(found, []);
});

async function checkFiles(
  t: TestContext,
  files: Readonly<Record<string, string>>,
): Promise<Awaited<ReturnType<typeof checkImports>>> {
  const root = await mkdtemp(join(tmpdir(), 'drydock-imports-'));
  t.after(() => rm(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return checkImports(root);
}
