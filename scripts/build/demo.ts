// Bundles the static demo from the sources, for dist/. `drydock demo` copies it into a folder.

import { basename } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { build, type OutputFile } from 'esbuild';
import { bundleConsole, reachedFrom } from '../../emulator/console/bundle.node.ts';
import { type DemoParts, demoFiles } from '../../emulator/demo/folder.node.ts';
import { bundleOptions, demoPage, threads } from './build.ts';

/** Returns the files of the demo by name, as served by a host. Rejects if the build fails. */
export async function bundleDemo(): Promise<ReadonlyMap<string, Uint8Array>> {
  return demoFiles(await bundleParts());
}

/** Bundles the files of a demo. Rejects if the build fails. */
export async function bundleParts(): Promise<DemoParts> {
  const files = new Map<string, Uint8Array>();
  const { script, style, early: beside, files: packed } = await bundleConsole(1);
  for (const [name, content] of packed) files.set(name, brotliDecompressSync(content));
  const { outputFiles, metafile } = await build({
    ...bundleOptions,
    entryPoints: demoPage,
    outdir: 'out',
    format: 'esm',
    minify: true,
    splitting: true,
    chunkNames: 'demo-[hash]',
    metafile: true,
    write: false,
  });
  for (const file of [...outputFiles, await bundleWorker()]) files.set(basename(file.path), file.contents);
  const early = reachedFrom(metafile, ['out/in-page.js'], 'at once').map((path) => basename(path));
  return { script, style, files, early: [...beside, ...early] };
}

// Separately, so that a worker is a single file.
async function bundleWorker(): Promise<OutputFile> {
  const { outputFiles } = await build({
    ...bundleOptions,
    entryPoints: { 'render-worker': threads['render-worker'] },
    outdir: 'out',
    format: 'esm',
    minify: true,
    write: false,
  });
  return outputFiles[0] as OutputFile;
}
