// Makes dist/cjs/: the entry points for loaders that know CommonJS alone, and the command `serve`, which starts from it. All
// code is one file, so that they share what they are made of; each part of it runs when one of them is first required.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { compressedPackages } from './compressed-packages.ts';
import { handImports, ownImport } from './handed-import.ts';
import { onlyRooms } from './only-rooms.ts';

const whole = 'drydock.cjs';

/** Rooms of the command that `serve` runs; it never asks for the others. */
const servingRooms = /[\\/]command[\\/](?:config[\\/]load|serving[\\/]serve)\.node\.ts$/;

// Where the file is, which CommonJS tells as a path. Bundlers for pages take the ESM beside it.
const ownUrl = "const __url = globalThis.process?.getBuiltinModule?.('node:url')?.pathToFileURL(__filename).href;";

/** Bundles sources, by the name of their entry point, and under `serve` the command, into a folder. */
export async function buildCommonJs(
  options: BuildOptions,
  sources: Readonly<Record<string, string>>,
  folder: string,
): Promise<void> {
  const getters = Object.entries({ ...sources, serve: 'emulator/command/main.node.ts' }).map(
    ([name, source]) => `  get '${name}'() { return require('./${source}'); },`,
  );
  const { outputFiles } = await build({
    ...options,
    ...compressedPackages,
    stdin: { contents: `module.exports = {\n${getters.join('\n')}\n};\n`, resolveDir: options.absWorkingDir ?? '.' },
    outfile: join(folder, whole),
    format: 'cjs',
    // Read as bytes of one each, which V8 keeps as they are.
    charset: 'ascii',
    define: { 'import.meta.url': '__url' },
    banner: { js: ownUrl },
    minify: true,
    // A stack trace tells them.
    keepNames: true,
    lineLimit: 160,
    write: false,
    plugins: [onlyRooms(servingRooms, /[\\/]command[\\/]run\.node\.ts$/), ...(options.plugins ?? [])],
  });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, whole), ownImport + handImports(outputFiles?.[0]?.text ?? ''));
  for (const name of Object.keys(sources)) {
    await writeFile(join(folder, `${name}.cjs`), `module.exports = require('./${whole}')['${name}'];\n`);
  }
}
