// The house stands: import directions, doors, sizes and words, as scripts/floors.ts reads them.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { castsIn, checkFloors } from '../scripts/floors.ts';
import { isHouseDrawn } from '../scripts/site/house.ts';

test('the house stands', async () => {
  assert.deepEqual(await checkFloors(fileURLToPath(new URL('..', import.meta.url))), []);
});

test('casts are counted, and nothing else is', () => {
  const none =
    "import { a as b } from 'x';\nimport * as c from 'y';\n// x as T\n/* x as T */\nconst d = ['x as T'] as const;\n";
  assert.equal(castsIn(none), 0);
  assert.equal(castsIn(`${none}const e = d[0] as string;\nconst f = (g(e) as unknown as H).i as { j: 1 };\n`), 4);
});

test('the picture of the house is that of its imports', async () => {
  assert.ok(await isHouseDrawn(), 'run npm run picture');
});

test('every room has its words on the page of the house', async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const page = await readFile(join(root, 'scripts/docs/how-it-is-built.md'), 'utf8');
  for (const half of ['render', 'emulator']) {
    const entries = await readdir(join(root, half), { withFileTypes: true });
    const rooms = entries.filter((entry) => entry.isDirectory() && entry.name !== 'docs').map(({ name }) => name);
    assert.deepEqual(
      rooms.filter((room) => !page.includes(`\`${half}/${room}/\``)),
      [],
    );
  }
});

const breaches: readonly { readonly name: string; readonly files: Record<string, string>; readonly want: RegExp }[] = [
  {
    name: 'an import that climbs',
    files: { 'render/go/a.ts': "// A.\nimport { b } from '../engine/b.ts';\n", 'render/engine/b.ts': '// B.\n' },
    want: /higher floor/,
  },
  {
    name: 'a cycle in a room',
    files: { 'render/go/a.ts': "// A.\nimport './b.ts';\n", 'render/go/b.ts': "// B.\nimport './a.ts';\n" },
    want: /imports itself through/,
  },
  {
    name: 'a Node module in a file for everywhere',
    files: { 'render/go/a.ts': "// A.\nimport 'node:fs';\n" },
    want: /node:fs/,
  },
  {
    name: 'a package through another door',
    files: { 'render/go/a.ts': "// A.\nimport 'ajv';\n" },
    want: /its door is/,
  },
  { name: 'a clock of its own', files: { 'render/go/a.ts': '// A.\nconst t = Date.now();\n' }, want: /asks the world/ },
  {
    name: 'folders made by Node alone',
    files: {
      'render/a.node.ts': "// A.\nimport { mkdirSync } from 'node:fs';\nmkdirSync('a/b', { recursive: true });\n",
    },
    want: /take makeFolder/,
  },
  {
    name: 'an export without words',
    files: { 'render/go/a.ts': '// A.\n\nexport const a = 1;\n' },
    want: /doc comment/,
  },
  {
    name: 'a second spelling of what is private',
    files: { 'test/a.test.ts': '// A.\nclass A {\n  private readonly b = 1;\n  private constructor() {}\n}\n' },
    want: /keeps b by the word private: write #b/,
  },
  { name: 'a long file', files: { 'render/go/a.ts': `// A.\n${'//\n'.repeat(600)}` }, want: /at most 600/ },
  {
    name: 'a full folder',
    files: Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`render/go/a${i}.ts`, '// A.\n'])),
    want: /holds 41 files/,
  },
  {
    name: 'a package that the table of doors does not name',
    files: { 'render/go/a.ts': "// A.\nimport 'left-pad';\n" },
    want: /left-pad, which has no door/,
  },
  {
    name: 'a door that nobody uses',
    files: { 'render/go/regexp/regexp.ts': '// A.\n' },
    want: /render\/go\/regexp\/regexp.ts as a door of re2js/,
  },
  {
    name: 'a room that is gone',
    files: { 'render/go/a.ts': '// A.\n' },
    want: /names render\/template\/, which is not there/,
  },
  {
    name: 'render that knows the emulator',
    files: { 'render/index.ts': "// A.\nimport '../emulator/index.ts';\n", 'emulator/index.ts': '// B.\n' },
    want: /render knows no emulator/,
  },
  {
    name: 'the product that knows a script',
    files: { 'render/go/a.ts': "// A.\nimport '../../scripts/b.ts';\n", 'scripts/b.ts': '// B.\n' },
    want: /only their own tests/,
  },
  {
    name: 'the product that knows a test',
    files: { 'render/go/a.ts': "// A.\nimport '../../test/support/b.ts';\n", 'test/support/b.ts': '// B.\n' },
    want: /only test\/support\/ is shared/,
  },
  {
    name: 'a script that knows a test',
    files: { 'scripts/a.ts': "// A.\nimport '../test/b.test.ts';\n", 'test/b.test.ts': '// B.\n' },
    want: /only test\/support\/ is shared/,
  },
  {
    name: 'a test that knows a script which is none of its own',
    files: { 'test/a.test.ts': "import '../scripts/build/build.ts';\n", 'scripts/build.ts': '// B.\n' },
    want: /only their own tests/,
  },
];

for (const { name, files, want } of breaches) {
  test(`${name} is a breach`, async (t) => {
    const root = await mkdtemp(join(tmpdir(), 'drydock-floors-'));
    t.after(() => rm(root, { recursive: true }));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    const found = await checkFloors(root);
    assert.ok(
      found.some(({ message }) => want.test(message)),
      JSON.stringify(found),
    );
  });
}
