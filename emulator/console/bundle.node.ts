// Makes the files of the console: the page's code in small parts, its style, each compressed once. The build writes them into the
// package; where the sources run, the server makes them in memory when the first page asks.

import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

/** The files of the console: by name, compressed with brotli; and which of them a page begins with. */
export interface ConsoleFiles {
  /** The name of the first script. */
  readonly script: string;
  /** The name of the style sheet. */
  readonly style: string;
  /** What the first script imports at once: asked for beside it, it comes no later. */
  readonly early: readonly string[];
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** The files of the console as they were just made. */
export interface BundledConsole extends ConsoleFiles {
  /** What left something in them, from the folder of the package. */
  readonly inputs: readonly string[];
}

const entries = { script: 'emulator/console/main.tsx', style: 'emulator/console/style/main.css' } as const;

/**
 * Bundles the console, compressed with a quality up to 11, the slowest. Names contain a digest: a file never changes under its
 * name. Rejects where the sources do not build.
 */
export async function bundleConsole(quality = 5): Promise<BundledConsole> {
  const folder = fileURLToPath(new URL('../..', import.meta.url));
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: { main: entries.script, style: entries.style },
    outdir: 'out',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    logLevel: 'silent',
  });
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const files = new Map(
    outputFiles.map(({ path, contents }) => [basename(path), brotliCompressSync(contents, { params })]),
  );
  const outputOf = (entry: string): string =>
    Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entry)?.[0] ?? '';
  const script = outputOf(entries.script);
  const early = reachedFrom(metafile, [script], 'at once').filter((path) => path !== script);
  const inputs = Object.values(metafile.outputs).flatMap((output) =>
    Object.entries(output.inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  return {
    script: basename(script),
    style: basename(outputOf(entries.style)),
    early: early.map((path) => basename(path)),
    files,
    inputs,
  };
}

/** Returns outputs with all that they import: at once, or later too. */
export function reachedFrom({ outputs }: Metafile, entries: readonly string[], when: 'at once' | 'ever'): string[] {
  const reached = new Set(entries);
  for (const path of reached) {
    for (const { kind, path: next, external } of outputs[path]?.imports ?? [])
      if (external !== true && (when === 'ever' || kind === 'import-statement')) reached.add(next);
  }
  return [...reached];
}
