// Builds dist/, the content of the package: the command, the entry points as ESM and CommonJS, their types, and the licenses of bundled
// code. Names are kept and lines are short, so that stack traces are readable without source maps.

import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { bundleConsole, reachedFrom } from '../../emulator/console/bundle.node.ts';
import { buildCommonJs } from './commonjs.ts';
import { type EntryPoint, entryPoints, parts } from './entry-points.ts';
import { writeSchemas } from './generate/schemas.ts';
import { buildLauncher } from './launcher.ts';
import { lazyPackages } from './lazy-packages.ts';
import { leanData } from './lean-data.ts';
import { mswOfApplications } from './msw-of-applications.ts';
import { nodeBuiltins, refuseBuiltins, refuseNetwork } from './node-builtins.ts';
import { readyValidators } from './ready-validators.ts';
import { buildTypes } from './types.ts';
import { wholeUrls } from './whole-urls.ts';

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

/** CommonJS packages `require` Node's modules; in an ESM bundle `require` must be created. */
export const requireBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** The entry points of rendering workers, which are started by file path. */
const threads = {
  'render-thread': 'emulator/rendering/render-thread.node.ts',
  'render-worker': 'emulator/rendering/render-worker.browser.ts',
  'snapshot-thread': 'render/snapshot/job-thread.node.ts',
  'language-thread': 'render/language-server/thread.node.ts',
};

/** The files of the static demo, beside the console: `drydock demo` copies them and their imports into its folder. */
const demoPage = {
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

/** Bundles the command, the entry points as ESM (shared parts once) and as CommonJS, and the launcher; returns the path of the command. */
async function buildAll(): Promise<string> {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const partFiles = Object.entries(parts).map(([name, source]) => [`parts/${name}`, source]);
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: {
      drydock: 'emulator/cli/main.node.ts',
      ...threads,
      ...demoPage,
      ...sourcesByName(),
      ...Object.fromEntries(partFiles),
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
  const offline = entryPoints.filter(({ isOnline }) => isOnline !== true);
  refuseNetwork(
    metafile,
    offline.map(({ name }) => ({ output: `dist/${name}.js`, mayListen: name.startsWith('emulator') })),
  );
  await buildCommonJs(
    bundleOptions,
    sourcesByName(({ isEsmOnly }) => isEsmOnly !== true),
    join(dist, 'cjs'),
  );
  const launcher = await buildLauncher(bundleOptions, dist);
  await listDemoFiles(metafile);
  const page = await buildConsole(join(dist, 'console-files'));
  const inputs = [...[metafile, ...launcher].flatMap(shippedInputs), ...page];
  await writeFile(join(dist, 'THIRD-PARTY.txt'), await thirdPartyNotices(root, inputs));
  await chmod(join(dist, 'drydock.js'), 0o755);
  // Node 22 parses the nearest package.json again for every module; the root's, with all its exports, takes a fifth of a command's start.
  await writeFile(join(dist, 'package.json'), '{ "type": "module", "sideEffects": false }\n');
  return join(dist, 'drydock.cjs');
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
