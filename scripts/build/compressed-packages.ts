// Makes the parts of dist/ that are large and asked for by few: whole packages, each one file that lies compressed.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { handImports } from './handed-import.ts';

/** The packages that lie compressed, and the name under which `imports` of package.json has each. */
const names = {
  // Runs a configuration in TypeScript.
  'jiti/static': '#compiler',
  // Fetches charts.
  undici: '#transport',
  // Verifies them.
  openpgp: '#signatures',
} as const;

/** What makes the bundles ask for the compressed packages. */
export const compressedPackages = {
  alias: names as Readonly<Record<string, string>>,
  external: Object.values(names),
};

const loader = (file: string, exports: readonly string[]): string => `import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';
const code = brotliDecompressSync(readFileSync(new URL('${file}', import.meta.url))).toString();
const module = { exports: {} };
const load = compileFunction(code, ['module', 'exports', 'require', '__import']);
load(module, module.exports, createRequire(import.meta.url), (path) => import(path));
export const { ${exports.join(', ')} } = module.exports;
`;

/** Bundles each of the packages into a folder; gives what they are made of. */
export async function buildCompressedPackages(options: BuildOptions, folder: string): Promise<Metafile[]> {
  return await Promise.all(
    Object.entries(names).map(async ([specifier, name]) => {
      const { metafile, outputFiles } = await build({
        ...options,
        entryPoints: [specifier],
        outdir: folder,
        platform: 'node',
        format: 'cjs',
        minify: true,
        metafile: true,
        write: false,
        plugins: [],
      });
      const file = name.slice(1);
      const code = handImports(outputFiles[0]?.text ?? '');
      await writeFile(join(folder, `${file}.cjs.br`), brotliCompressSync(code));
      const exports = Object.keys((await import(specifier)) as object).filter((member) => member !== 'default');
      await writeFile(join(folder, `${file}.js`), loader(`${file}.cjs.br`, exports));
      return metafile;
    }),
  );
}
