// Tests that the package works as documented after it is packed and installed into an empty project. `npm run test:e2e -- package`
// The command, a bundle for browsers, the package linters, and the size limits; consumers.ts has the entry points and types.

import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { execa } from 'execa';
import { entryPoints } from '../../../scripts/build/entry-points.ts';
import { buildProduct } from '../../../scripts/dev/tools/product.ts';
import { check, installTools, temporaryFolder } from '../../../scripts/dev/tools/tools.ts';
import { writeFiles } from '../../../scripts/dev/tools/write-files.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const consumers = join(root, 'test/e2e/package/consumers');

const project = temporaryFolder('drydock-package-');

const archive = await install();
await checkLint(archive);
await checkCommand();
await addPackages('msw@2');
await checkBundle();
await checkSizes();

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

interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
}

/** Runs the installed command. */
async function drydock(...argv: readonly string[]): Promise<CommandResult> {
  const command = join(project, 'node_modules/.bin/drydock');
  const { exitCode = -1, stdout } = await execa(command, argv, {
    cwd: project,
    reject: false,
    stripFinalNewline: false,
  });
  return { exitCode, stdout };
}

async function checkCommand(): Promise<void> {
  for (const name of ['template', 'render', 'check', 'snapshot', 'serve']) {
    const { exitCode, stdout } = await drydock(name, '--help');
    check(`drydock ${name} --help`, exitCode === 0 && stdout.startsWith(`Usage: drydock ${name} `));
  }
  const installed = join('node_modules', 'drydock', 'fixtures');
  const order = join(installed, 'orders', 'shop.yaml');
  const chart = join(installed, 'charts', 'web');
  const rendered = await drydock('template', 'demo', chart);
  const origin = join(root, 'fixtures/charts/web');
  const expected = await execa(
    process.execPath,
    ['--import', 'tsx', join(root, 'emulator/cli/main.node.ts'), 'template', 'demo', origin],
    {
      cwd: root,
      stripFinalNewline: false,
    },
  );
  check(
    'drydock template prints the same as from source',
    rendered.exitCode === 0 && rendered.stdout === expected.stdout,
  );
  await writeFiles(join(project, 'parent'), {
    'Chart.yaml':
      'apiVersion: v2\nname: parent\nversion: 0.1.0\ndependencies: [{name: child, version: 0.1.0, repository: "file://../child"}]\n',
  });
  await writeFiles(join(project, 'child'), {
    'Chart.yaml': 'apiVersion: v2\nname: child\nversion: 0.1.0\n',
    'templates/map.yaml': 'kind: ConfigMap\n',
  });
  const updated = await drydock('template', 'demo', 'parent', '--dependency-update');
  check('drydock template packs dependencies', updated.exitCode === 0 && updated.stdout.includes('kind: ConfigMap'));
  const program = await readFile(join(project, 'node_modules/drydock/dist/parts/template.cjs'), 'utf8');
  const builtins = new Set([...program.matchAll(/require\("(node:[\w/]+)"\)/g)].map(([, name]) => name));
  check(
    `drydock template only loads modules of Node that start quickly: ${[...builtins].join(', ')}`,
    builtins.size > 0 && [...builtins].every((name) => name === 'node:fs' || name === 'node:path'),
  );
  const compared = await drydock('template', 'demo', 'parent', '--helm', '3,4');
  check('drydock template compares Helm versions', compared.exitCode === 0 && compared.stdout.includes('ConfigMap'));
  const manifest = await drydock('render', order);
  check(
    'drydock render finds the bundled charts',
    manifest.exitCode === 0 && /kind: StatefulSet/.test(manifest.stdout),
  );
  for (const output of ['resources', 'pkgmgr3', 'yaml']) {
    check(`drydock render --output ${output}`, (await drydock('render', order, '--output', output)).exitCode === 0);
  }
  check('drydock check', (await drydock('check', order)).exitCode === 0);
  check('drydock snapshot fails without recorded snapshots', (await drydock('snapshot', order, chart)).exitCode === 1);
  check('drydock snapshot --update records', (await drydock('snapshot', order, chart, '--update')).exitCode === 0);
  check('drydock snapshot passes if nothing has changed', (await drydock('snapshot', order, chart)).exitCode === 0);
  check('an unknown flag exits with 2', (await drydock('render', '--toast')).exitCode === 2);
  const command = join(project, 'node_modules/.bin/drydock');
  for (const files of [20, 32]) {
    const limited = await execa('sh', ['-c', `ulimit -n ${files}; exec "$0" render "$1"`, command, order], {
      cwd: project,
      reject: false,
    });
    const message = 'Error: too many open files\nRaise the limit on open files, for example with `ulimit -n 1024`.';
    check(
      `a limit of ${files} open files is reported with a hint`,
      limited.exitCode === 1 && limited.stderr === message,
    );
  }
  // A repository must not be able to supply code through the current folder.
  const checkout = join(project, 'checkout');
  await mkdir(checkout);
  const env = { HOME: '', XDG_CACHE_HOME: '.', TMPDIR: '.', TMP: '.', TEMP: '.' };
  await execa(command, ['version'], { cwd: checkout, env });
  await execa(command, ['template', join(project, chart)], { cwd: checkout, env });
  check('compiled code is not cached in the current folder', (await readdir(checkout)).length === 0);
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
