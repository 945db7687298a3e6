// Tests that the package works as documented after it is packed and installed into an empty project. `npm run test:e2e -- package`
// The command, a bundle for browsers, the package linters, and the size limits; consumers.ts has the entry points and types.

import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { execa } from 'execa';
import { entryPoints, packageExports } from '../../../scripts/build/entry-points.ts';
import { buildProduct } from '../../../scripts/dev/tools/product.ts';
import { check, installTools, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { writeFiles } from '../../../scripts/dev/tools/write-files.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const consumers = join(root, 'test/e2e/package/consumers');
const project = temporaryFolder('drydock-package-');
const order = 'node_modules/drydock/fixtures/orders/shop.yaml';
const chart = 'node_modules/drydock/fixtures/charts/web';

/** Packs the package, installs it as a user would, and copies the consumers. */
async function install(): Promise<string> {
  await buildProduct();
  const packed = await execa('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    cwd: root,
    stderr: 'inherit',
  });
  const [{ filename, size, unpackedSize, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('['))) as [
    { filename: string; size: number; unpackedSize: number; files: readonly { path: string }[] },
  ];
  checkSize(`${filename}: ${files.length} files, packed`, size, 4_500_000);
  checkSize('installed', unpackedSize, 15_000_000);
  const foreign = files.filter(
    ({ path }) =>
      !/^(dist|fixtures\/(charts|orders|seed))\/|^(LICENSE|README\.md|package\.json|plugin\.yaml)$/.test(path),
  );
  check('the package contains only the product', foreign.length === 0);
  const { exports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { exports: unknown };
  check('package.json exports the entry points', isDeepStrictEqual(exports, packageExports()));
  await writeFile(join(project, 'package.json'), '{"private":true,"type":"module"}\n');
  await addPackages(`./${filename}`);
  await cp(consumers, project, { recursive: true });
  return join(project, filename);
}

function checkSize(what: string, bytes: number, limit: number): void {
  const kilobytes = (count: number): string => `${(count / 1000).toFixed(0)} KB`;
  check(`${what}: ${kilobytes(bytes)} of ${kilobytes(limit)}`, bytes <= limit);
}

/**
 * Runs two linters for each kind of module resolution. A resolver without `exports` only finds the main entry point. Entry points that are
 * ESM only are left out: every supported Node can `require` them.
 */
async function checkLint(archive: string): Promise<void> {
  const tools = await installTools('package', ['publint@0.3.25', '@arethetypeswrong/cli@0.18.5']);
  const esmOnly = entryPoints.flatMap(({ name, isEsmOnly }) => (isEsmOnly === true ? [name] : []));
  for (const [name, ...words] of [
    ['publint', 'run', archive, '--strict'],
    ['attw', archive, '--profile', 'node16', '--no-color', '--no-emoji', '--exclude-entrypoints', ...esmOnly],
  ] as const) {
    const { exitCode, all } = await execa(tools.bin(name), words, { cwd: tools.folder, all: true, reject: false });
    if (exitCode !== 0) console.error(all);
    check(`${name} reports no errors`, exitCode === 0);
  }
}

async function addPackages(...packages: readonly string[]): Promise<void> {
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
  await execa('npm', ['install', ...flags, ...packages], { cwd: project, stdio: 'inherit' });
}

/** Command lines of the installed package, run in the project, each with its exit code and a pattern that the output must match. */
const commands: readonly (readonly [argv: string, code: number, output?: RegExp])[] = [
  ['serve --help', 0, /^Usage: drydock serve /],
  ['template demo parent --dependency-update', 0, /kind: ConfigMap/],
  ['template demo parent --helm 3,4', 0, /kind: ConfigMap/],
  [`render ${order}`, 0, /kind: StatefulSet/],
  [`render ${order} --output yaml`, 0, /^#!/],
  [`check ${order}`, 0],
  [`snapshot ${order} ${chart}`, 1],
  [`snapshot ${order} ${chart} --update`, 0],
  [`snapshot ${order} ${chart}`, 0],
  ['render --toast', 2],
];

async function checkCommand(): Promise<void> {
  const command = join(project, 'node_modules/.bin/drydock');
  await writeFiles(project, {
    'parent/Chart.yaml':
      'apiVersion: v2\nname: parent\nversion: 0.1.0\ndependencies: [{name: child, version: 0.1.0, repository: "file://../child"}]\n',
    'child/Chart.yaml': 'apiVersion: v2\nname: child\nversion: 0.1.0\n',
    'child/templates/map.yaml': 'kind: ConfigMap\n',
  });
  for (const [argv, code, output] of commands) {
    const { exitCode, stdout } = await execa(command, argv.split(' '), { cwd: project, reject: false });
    check(`drydock ${argv} exits with ${code}`, exitCode === code && (output?.test(stdout) ?? true));
  }
  const source = ['--import', 'tsx', 'emulator/cli/main.node.ts', 'template', 'demo', 'fixtures/charts/web'];
  const expected = await execa(process.execPath, source, { cwd: root });
  const rendered = await execa(command, ['template', 'demo', chart], { cwd: project });
  check('drydock template prints the same as from source', rendered.stdout === expected.stdout);
  const program = await readFile(join(project, 'node_modules/drydock/dist/parts/template.cjs'), 'utf8');
  const builtins = new Set([...program.matchAll(/require\("(node:[\w/]+)"\)/g)].map(([, name]) => name));
  check(
    `drydock template only loads modules of Node that start quickly: ${[...builtins].join(', ')}`,
    builtins.size > 0 && [...builtins].every((name) => name === 'node:fs' || name === 'node:path'),
  );
  const limited = await execa('sh', ['-c', `ulimit -n 20; exec "$0" render "$1"`, command, order], {
    cwd: project,
    reject: false,
  });
  const message = 'Error: too many open files\nRaise the limit on open files, for example with `ulimit -n 1024`.';
  check('a limit on open files is reported with a hint', limited.exitCode === 1 && limited.stderr === message);
}

async function checkBundle(): Promise<void> {
  const outfile = join(project, 'page.js');
  const { metafile } = await build({
    absWorkingDir: project,
    entryPoints: ['page.entry.js'],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    outfile,
    metafile: true,
    logLevel: 'silent',
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  check(
    'a bundle for the browser imports no module of Node',
    imports.every(({ external }) => external !== true),
  );
  const { stdout } = await execa(process.execPath, [outfile], { cwd: project });
  check('the bundle renders a chart', /^---\n# Source: tiny\/templates\/a\.yaml\n/.test(stdout));
  const isRejected = await build({
    absWorkingDir: project,
    stdin: { contents: "import 'drydock/node'", resolveDir: project },
    bundle: true,
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  }).then(
    () => false,
    () => true,
  );
  check('drydock/node cannot be bundled for the browser', isRejected);
}

/** The initial size of a page that imports one function of an entry point, compressed with Brotli. */
async function checkSizes(): Promise<void> {
  const imports = [
    ["import { RenderError } from 'drydock'", 30_000],
    ["import { validateOrder } from 'drydock/order'", 30_000],
    ["import { template } from 'drydock'", 220_000],
    ["import { createEmulator } from 'drydock/emulator'", 350_000],
  ] as const;
  for (const [line, limit] of imports) {
    const name = /\{ (\w+) \}/.exec(line)?.[1];
    const { outputFiles, metafile } = await build({
      absWorkingDir: project,
      stdin: { contents: `${line};\nglobalThis.used = ${name};\n`, resolveDir: project },
      bundle: true,
      minify: true,
      splitting: true,
      format: 'esm',
      platform: 'browser',
      outdir: 'sizes',
      metafile: true,
      write: false,
      logLevel: 'silent',
    });
    // Dynamic imports do not count.
    const loaded = new Set(['sizes/stdin.js']);
    for (const file of loaded) {
      for (const { path, kind } of metafile.outputs[file]?.imports ?? [])
        if (kind === 'import-statement') loaded.add(path);
    }
    const files = outputFiles.filter(({ path }) => loaded.has(relative(project, path)));
    checkSize(line, brotliCompressSync(Buffer.concat(files.map(({ contents }) => contents))).length, limit);
  }
}

const archive = await install();
await checkLint(archive);
await checkCommand();
await addPackages('msw@2');
await checkBundle();
await checkSizes();
