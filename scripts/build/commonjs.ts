// Builds dist/cjs/: the entry points for loaders that know CommonJS alone, such as Jest's. All code is one file, so that they share
// their modules; each module runs when one of the entry points is first required.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

const whole = 'drydock.cjs';

// Where the file is, which CommonJS tells as a path. Bundlers for pages take the ESM beside it.
const ownUrl = "const __url = globalThis.process?.getBuiltinModule?.('node:url')?.pathToFileURL(__filename).href;";

/** Bundles sources, by the name of their entry point, into a folder. */
export async function buildCommonJs(
  options: BuildOptions,
  sources: Readonly<Record<string, string>>,
  folder: string,
): Promise<void> {
  const getters = Object.entries(sources).map(
    ([name, source]) => `  get '${name}'() { return require('./${source}'); },`,
  );
  await mkdir(folder, { recursive: true });
  await build({
    ...options,
    stdin: { contents: `module.exports = {\n${getters.join('\n')}\n};\n`, resolveDir: options.absWorkingDir ?? '.' },
    outfile: join(folder, whole),
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
    await writeFile(join(folder, `${name}.cjs`), `module.exports = require('./${whole}')['${name}'];\n`);
  }
}
