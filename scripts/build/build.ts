// Builds dist/, the content of the package: the command, the entry points as ESM and CommonJS, their types, and the licenses of bundled
// code. Names are kept and lines are short, so that stack traces are readable without source maps.

import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { bundleConsole, reachedFrom } from '../../emulator/console/bundle.node.ts';
import { type EntryPoint, entryPoints, parts } from './entry-points.ts';
import { writeSchemas } from './generate/schemas.ts';
import {
  lazyPackages,
  leanData,
  mswOfApplications,
  nodeBuiltins,
  refuseBuiltins,
  refuseNetwork,
  wholeUrls,
} from './plugins.ts';
import { readyValidators } from './ready-validators.ts';
import { buildTypes } from './types.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');

/** The outputs that may run in a page. */
const pageEntries = entryPoints.filter(({ platform }) => platform !== 'node').map(({ name }) => `dist/${name}.js`);

/** Options of every bundle. All platforms get the same code; handlers and their server come from one msw. */
export const bundleOptions: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: 'browser',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  external: ['openapi-fetch'],
  // The others are resolved as for the browser; these have no browser variant.
  alias: Object.fromEntries(
    ['vscode-languageserver', 'vscode-languageserver-protocol', 'vscode-jsonrpc'].map((name) => [
      `${name}/node`,
      `./node_modules/${name}/lib/node/main.js`,
    ]),
  ),
  plugins: [nodeBuiltins(), leanData(), mswOfApplications(), lazyPackages(), readyValidators(), wholeUrls()],
};

/** The entry points of rendering workers, which are started by file path. */
export const threads = {
  'render-thread': 'emulator/rendering/worker.node.ts',
  'render-worker': 'emulator/rendering/worker.browser.ts',
  'snapshot-thread': 'render/snapshot/job-thread.node.ts',
  'language-thread': 'render/language-server/thread.node.ts',
};

/** The files of the static demo, beside the console: `drydock demo` copies them and their imports into its folder. */
export const demoPage = {
  demo: 'emulator/demo/demo.browser.ts',
  'in-page': 'emulator/demo/in-page.browser.ts',
};

/** Returns the source of every entry point by file name, with its replacement on other platforms. */
function sourcesByName(isWanted: (entry: EntryPoint) => boolean = () => true): Record<string, string> {
  const sources: Record<string, string> = {};
  for (const { name, source, elsewhere } of entryPoints.filter(isWanted)) {
    sources[name] = source;
    if (elsewhere !== undefined) sources[`${name}-elsewhere`] = elsewhere;
  }
  return sources;
}

/** Bundles the command, the entry points as ESM (shared parts once) and as CommonJS, and the launcher. */
async function buildAll(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: {
      drydock: 'emulator/cli/main.node.ts',
      ...threads,
      ...demoPage,
      ...sourcesByName(),
      ...Object.fromEntries(Object.entries(parts).map(([name, source]) => [`parts/${name}`, source])),
    },
    outdir: dist,
    format: 'esm',
    // Only whitespace is minified, so that stack traces have names; lines are short, so that their numbers are meaningful.
    minifyWhitespace: true,
    lineLimit: 160,
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    metafile: true,
  });
  const otherPages = ['render-worker', ...Object.keys(demoPage)].map((name) => `dist/${name}.js`);
  refuseBuiltins(metafile, [...pageEntries, ...otherPages]);
  for (const { name, isOnline } of entryPoints)
    if (isOnline !== true) refuseNetwork(metafile, `dist/${name}.js`, name.startsWith('emulator'));
  await buildCommonJs(join(dist, 'cjs'));
  const launcher = await buildLauncher(dist);
  await listDemoFiles(metafile);
  const page = await buildConsole(join(dist, 'console-files'));
  const inputs = [...[metafile, ...launcher].flatMap(shippedInputs), ...page];
  await writeFile(join(dist, 'THIRD-PARTY.txt'), await thirdPartyNotices(root, inputs));
  await chmod(join(dist, 'drydock.js'), 0o755);
  // Node 22 parses the nearest package.json again for every module; the root's, with all its exports, takes a fifth of a command's start.
  await writeFile(join(dist, 'package.json'), '{ "type": "module", "sideEffects": false }\n');
}

/** Writes the list of bundles that `drydock demo` copies. */
async function listDemoFiles(metafile: Metafile): Promise<void> {
  const names = (paths: readonly string[]): string[] => paths.map((path) => relative('dist', path));
  const entries = [...Object.keys(demoPage), 'render-worker'].map((name) => `dist/${name}.js`);
  const files = names(reachedFrom(metafile, entries, 'ever')).sort();
  const early = names(reachedFrom(metafile, ['dist/in-page.js'], 'at once'));
  await writeFile(join(dist, 'demo-files.json'), `${JSON.stringify({ files, early })}\n`);
}

/** Returns the source files that contributed to the bundles. */
function shippedInputs({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
}

/** Bundles the engine for a page into one minified file, all of it or the named exports; returns its size in bytes, plain and gzipped. */
export async function buildBrowserEngine(
  names = '*',
): Promise<{ readonly code: Uint8Array; readonly gzipBytes: number }> {
  const result = await build({
    ...bundleOptions,
    stdin: { contents: `export ${names} from './render/index.ts';`, resolveDir: root },
    format: 'esm',
    minify: true,
    write: false,
  });
  const code = result.outputFiles[0]?.contents ?? new Uint8Array();
  return { code, gzipBytes: gzipSync(code).length };
}

const commonJs = 'drydock.cjs';

// The file's own URL; CommonJS only has a path. Bundlers for the browser use the ESM files.
const ownUrl = "const __url = globalThis.process?.getBuiltinModule?.('node:url')?.pathToFileURL(__filename).href;";

/**
 * Bundles the entry points for loaders without ESM, such as Jest's, into a folder. All code is in one file, so that the entry points share
 * their modules; each module runs when an entry point that needs it is first required.
 */
async function buildCommonJs(folder: string): Promise<void> {
  const sources = sourcesByName(({ isEsmOnly }) => isEsmOnly !== true);
  const getters = Object.entries(sources).map(
    ([name, source]) => `  get '${name}'() { return require('./${source}'); },`,
  );
  await mkdir(folder, { recursive: true });
  await build({
    ...bundleOptions,
    stdin: { contents: `module.exports = {\n${getters.join('\n')}\n};\n`, resolveDir: root },
    outfile: join(folder, commonJs),
    format: 'cjs',
    charset: 'ascii',
    define: { 'import.meta.url': '__url' },
    banner: { js: ownUrl },
    minify: true,
    // For stack traces.
    keepNames: true,
    lineLimit: 160,
  });
  for (const name of Object.keys(sources)) {
    await writeFile(join(folder, `${name}.cjs`), `module.exports = require('./${commonJs}')['${name}'];\n`);
  }
}

/**
 * Bundles the installed program, drydock.cjs, and one file with everything that `template` needs into a folder. Returns what they consist
 * of.
 */
async function buildLauncher(folder: string): Promise<Metafile[]> {
  const common = { ...bundleOptions, format: 'cjs', charset: 'ascii', metafile: true } as const;
  const command = await build({
    ...common,
    entryPoints: ['render/cli/template-main.node.ts'],
    outfile: join(folder, 'parts/template.cjs'),
    // A second copy of modules that are also in dist/ in readable form: `dist/drydock.js template` reports the same failure with names.
    minify: true,
    lineLimit: 160,
  });
  const launcher = await build({
    ...common,
    entryPoints: ['render/cli/launch.node.ts'],
    outfile: join(folder, 'drydock.cjs'),
    external: ['./drydock.js', './parts/template.cjs'],
  });
  await chmod(join(folder, 'drydock.cjs'), 0o755);
  return [command.metafile, launcher.metafile];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildAll();
  await buildTypes(root, dist);
  await writeSchemas(join(dist, 'schemas'));
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** Returns the license notices of every package with a file among the inputs of a bundle, by name. Throws if a license is missing. */
async function thirdPartyNotices(root: string, inputs: readonly string[]): Promise<string> {
  const folders = new Set<string>();
  for (const input of inputs) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  const notices = await Promise.all([...folders].sort().map((folder) => noticeOf(join(root, folder))));
  return `The files of this folder hold code of these packages.\n\n${notices.join('\n\n')}\n`;
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const file = (await readdir(folder)).find((one) => /^licen[cs]e/i.test(one));
  if (license === undefined) throw new Error(`${name} names no license`);
  const text = file === undefined ? `License: ${license}` : (await readFile(join(folder, file), 'utf8')).trim();
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${text}`;
}

/** Bundles the console into a folder; returns the source files it contains, for the license notices. */
async function buildConsole(folder: string): Promise<readonly string[]> {
  const { script, style, early, files, inputs } = await bundleConsole(11);
  await mkdir(folder, { recursive: true });
  for (const [name, packed] of files) await writeFile(join(folder, `${name}.br`), packed);
  await writeFile(join(folder, 'index.json'), `${JSON.stringify({ script, style, early })}\n`);
  return inputs;
}
