// Makes dist/parts/compiler.js, which runs a configuration in TypeScript. It is the largest part of all and asked for by few:
// it lies compressed in the package.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';

const compressed = 'compiler.cjs.br';

const loader = `import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileFunction, constants } from 'node:vm';
import { brotliDecompressSync } from 'node:zlib';
const code = brotliDecompressSync(readFileSync(new URL('${compressed}', import.meta.url))).toString();
const module = { exports: {} };
const options = { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };
compileFunction(code, ['module', 'exports', 'require'], options)(module, module.exports, createRequire(import.meta.url));
export const { createJiti } = module.exports;
`;

/** Bundles jiti into a folder; gives what it is made of. */
export async function buildCompiler(options: BuildOptions, folder: string): Promise<Metafile> {
  const { metafile, outputFiles } = await build({
    ...options,
    entryPoints: ['jiti/static'],
    outdir: folder,
    platform: 'node',
    format: 'cjs',
    minify: true,
    metafile: true,
    write: false,
    plugins: [],
  });
  await writeFile(join(folder, compressed), brotliCompressSync(outputFiles[0]?.contents ?? new Uint8Array()));
  await writeFile(join(folder, 'compiler.js'), loader);
  return metafile;
}
