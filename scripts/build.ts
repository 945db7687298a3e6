// Makes dist/, what the package ships: the command and the libraries, bundled with esbuild, and the libraries' types.

import { chmod, copyFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { execa } from 'execa';
import { leanData } from './lean-data.ts';
import { readyValidators } from './ready-validators.ts';
import { writeSchemas } from './schemas.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = join(root, 'dist');

/** Options that every bundle shares: ESM, nothing eval'd at run time, names kept readable. */
const shared: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  minifySyntax: true,
  minifyWhitespace: true,
  plugins: [leanData(), readyValidators()],
};

/** CommonJS packages ask for `require` of Node's own modules; an ESM bundle has none unless it is made. */
export const requireBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

// The package's exports. They are bundled together, for all platforms alike: a chart that `drydock/node` loads goes into
// `drydock`, and an error of either is an `instanceof` the one class.
const libraries = {
  index: 'render/index.ts',
  node: 'render/disk.node.ts',
  snapshot: 'render/snapshot.node.ts',
  emulator: 'emulator/index.ts',
  'emulator-msw': 'emulator/msw.ts',
  'emulator-node': 'emulator/server.node.ts',
  'emulator-browser': 'emulator/worker.browser.ts',
  'emulator-browser-elsewhere': 'emulator/worker.elsewhere.ts',
  config: 'emulator/command/config/config.ts',
};

/** Bundles everything; gives the path of the command's bundle. */
export async function buildAll(): Promise<string> {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  await build({
    ...shared,
    entryPoints: { drydock: 'emulator/command/main.node.ts' },
    outdir: dist,
    platform: 'node',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    banner: { js: requireBanner },
  });
  await build({
    ...shared,
    entryPoints: libraries,
    outdir: dist,
    platform: 'browser',
    splitting: true,
    chunkNames: 'chunks/library-[name]-[hash]',
    minify: true,
    // Handlers and the server that takes them must come from one copy: the application's.
    external: ['node:*', 'msw', 'msw/browser'],
  });
  await chmod(join(dist, 'drydock.js'), 0o755);
  return join(dist, 'drydock.js');
}

/** Bundles the engine alone into one minified browser file; gives its bytes and its gzipped size. */
export async function buildBrowserEngine(): Promise<{ readonly code: Uint8Array; readonly gzipBytes: number }> {
  const result = await build({
    ...shared,
    entryPoints: ['render/index.ts'],
    platform: 'browser',
    minify: true,
    write: false,
  });
  const code = result.outputFiles[0]?.contents ?? new Uint8Array();
  return { code, gzipBytes: gzipSync(code).length };
}

/** Writes what only an installed package needs: the types of the libraries, and msw's worker script for pages. */
async function buildExtras(): Promise<void> {
  const project = ['--project', 'scripts/types.tsconfig.json'];
  const types = await execa('tsc', project, { cwd: root, preferLocal: true, stdio: 'inherit', reject: false });
  if (types.exitCode !== 0) process.exitCode = 1;
  const worker = createRequire(import.meta.url).resolve('msw/mockServiceWorker.js');
  await copyFile(worker, join(dist, 'mockServiceWorker.js'));
  await writeSchemas(join(dist, 'schemas'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const command = await buildAll();
  await buildExtras();
  const engine = await buildBrowserEngine();
  await writeFile(join(dist, 'drydock-render.min.js'), engine.code);
  const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`;
  console.log(`dist/drydock.js            ${kilobytes((await stat(command)).size)}`);
  console.log(`browser engine, one file   ${kilobytes(engine.code.length)}, gzipped ${kilobytes(engine.gzipBytes)}`);
}
