// Builds the type declarations: one file for each entry point, and one for each part that several of them share.

import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { type LogLevel, type RenderedChunk, type RollupLog, rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { temporaryFolder } from '../dev/tools/tools.ts';
import { entryPoints } from './entry-points.ts';

/** Writes `NAME.d.ts` for each entry point into dist/, and the same for CommonJS into dist/cjs/. Throws on type errors. */
export async function buildTypes(root: string, dist: string): Promise<void> {
  const folder = temporaryFolder('drydock-types-');
  await declare(root, folder);
  const input = Object.fromEntries(
    entryPoints.map(({ name, source }) => [name, join(folder, source.replace(/\.ts$/, '.d.ts'))]),
  );
  const bundle = await rollup({
    input,
    external: [/^node:/, /^msw(?:\/|$)/, 'openapi-fetch'],
    plugins: [dts()],
    onLog: refuseWarning,
  });
  await bundle.write({
    dir: dist,
    chunkFileNames: 'parts/types-[hash].d.ts',
    banner: libraryOf,
    // Declarations have no code to run early.
    hoistTransitiveImports: false,
  });
  await bundle.close();
  await copyForCommonJs(dist);
}

// `await using` needs a library that few projects configure; the declaration file references it for them.
function libraryOf({ exports, modules }: RenderedChunk): string {
  const isDisposable =
    exports.length > 0 && Object.values(modules).some(({ code }) => code?.includes('Symbol.asyncDispose'));
  return isDisposable ? '/// <reference lib="esnext.disposable" />' : '';
}

// A public type must not refer to a type that cannot be imported.
function refuseWarning(_: LogLevel, { message }: RollupLog): void {
  throw new Error(message);
}

// Sources import each other with the .ts extension, which the compiler leaves unchanged in declarations.
async function declare(root: string, folder: string): Promise<void> {
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--stripInternal'];
  const files = entryPoints.map(({ source }) => source);
  const config = join(folder, 'tsconfig.json');
  const typeRoots = [join(root, 'node_modules/@types')];
  await writeFile(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { rootDir: root, typeRoots },
      include: [],
      files: files.map((file) => join(root, file)),
    }),
  );
  await execa('tsc', ['--project', config, ...options, '--outDir', folder], {
    cwd: root,
    preferLocal: true,
    stdio: 'inherit',
  });
}

/** A declaration file is CommonJS only by its extension. */
async function copyForCommonJs(dist: string): Promise<void> {
  const names = await readdir(dist, { recursive: true });
  for (const name of names.filter((one) => one.endsWith('.d.ts'))) {
    const text = await readFile(join(dist, name), 'utf8');
    await writeFile(
      join(dist, 'cjs', name.replace(/^parts\//, '').replace(/\.ts$/, '.cts')),
      text.replace(/(from |import |import\()(['"])\.\.?\/(?:parts\/)?([^'"]+)\.js\2/g, '$1$2./$3.cjs$2'),
    );
  }
}
