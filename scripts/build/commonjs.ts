// Builds dist/cjs/: the entry points for loaders without ESM, such as Jest's. All code is in one file, so that the entry points share their
// modules; each module runs when an entry point that needs it is first required.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

const whole = 'drydock.cjs';

// The file's own URL; CommonJS only has a path. Bundlers for the browser use the ESM files.
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
