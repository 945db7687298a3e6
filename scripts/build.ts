// Bundles the product into dist/ with esbuild: the command for Node, the libraries for Node and the browser.

import { chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type BuildOptions, build } from 'esbuild';
import { leanData } from './lean-data.ts';

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
  plugins: [leanData()],
};

// CommonJS packages ask for `require` of Node's own modules; an ESM bundle has none unless it is made.
const requireBanner =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** Bundles everything; gives the path of the command's bundle. */
export async function buildAll(): Promise<string> {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  await build({
    ...shared,
    entryPoints: {
      drydock: 'scripts/drydock.ts',
      'emulator-node': 'emulator/server.node.ts',
      'chart-directory': 'render/chart/directory.node.ts',
    },
    outdir: dist,
    platform: 'node',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    banner: { js: requireBanner },
  });
  await build({
    ...shared,
    entryPoints: {
      index: 'render/index.ts',
      emulator: 'emulator/index.ts',
      'emulator-browser': 'emulator/worker.browser.ts',
    },
    outdir: dist,
    platform: 'browser',
    splitting: true,
    chunkNames: 'chunks/browser-[name]-[hash]',
    minify: true,
    // Handlers and the server that takes them must come from one copy: the application's.
    external: ['msw', 'msw/browser'],
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const command = await buildAll();
  const engine = await buildBrowserEngine();
  await writeFile(join(dist, 'drydock-render.min.js'), engine.code);
  const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KiB`;
  console.log(`dist/drydock.js            ${kilobytes((await stat(command)).size)}`);
  console.log(`browser engine, one file   ${kilobytes(engine.code.length)}, gzipped ${kilobytes(engine.gzipBytes)}`);
}
