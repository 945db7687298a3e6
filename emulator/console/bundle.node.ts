// Bundles the console: the page's code in small chunks and its style, compressed. The build writes them into the package; when running from
// sources, the server creates them in memory on the first request.

import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

/** The files of the console by name, compressed with brotli, and the initial ones. */
export interface ConsoleFiles {
  readonly script: string;
  readonly style: string;
  /** Static imports of the first script, which are preloaded. */
  readonly early: readonly string[];
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** The bundled files of the console. */
export interface BundledConsole extends ConsoleFiles {
  /** The bundled sources, relative to the package. */
  readonly inputs: readonly string[];
}

const entries = { script: 'emulator/console/main.tsx', style: 'emulator/console/style/main.css' } as const;

/**
 * Bundles the console, compressed with a quality up to 11, the slowest. Names contain a digest: a file never changes under its name.
 * Rejects if the sources do not build.
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

/** Returns outputs with everything they import, statically or also dynamically. */
export function reachedFrom({ outputs }: Metafile, entries: readonly string[], when: 'at once' | 'ever'): string[] {
  const reached = new Set(entries);
  for (const path of reached) {
    for (const { kind, path: next, external } of outputs[path]?.imports ?? [])
      if (external !== true && (when === 'ever' || kind === 'import-statement')) reached.add(next);
  }
  return [...reached];
}
