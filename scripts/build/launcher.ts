// Builds the installed program, dist/drydock.cjs, and one file with everything that `template` needs.

import { chmod } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

/** The modules that `template` imports dynamically; it never imports the others. */
const includedModules = /[\\/]cli[\\/](table[\\/]|rendering[\\/]template\.node\.ts$)/;

/** Bundles the launcher and the file of `template` into a folder. Returns the source files. */
export async function buildLauncher(options: BuildOptions, folder: string): Promise<Metafile[]> {
  const common: BuildOptions = { ...options, format: 'cjs', charset: 'ascii', metafile: true };
  const command = await build({
    ...common,
    entryPoints: ['emulator/cli/main.node.ts'],
    outfile: join(folder, 'parts/template.cjs'),
    // A second copy of modules that are also in dist/ in readable form: `dist/drydock.js template` reports the same failure with names.
    minify: true,
    lineLimit: 160,
    plugins: [limitDynamicImports(includedModules), ...(options.plugins ?? [])],
  });
  const launcher = await build({
    ...common,
    entryPoints: ['render/cli/launch.node.ts'],
    outfile: join(folder, 'drydock.cjs'),
    external: ['./drydock.js', './parts/template.cjs'],
  });
  await chmod(join(folder, 'drydock.cjs'), 0o755);
  return [command.metafile as Metafile, launcher.metafile as Metafile];
}

/** Returns the plugin: of the dynamic imports in files that match `importers` (default: all), only `included` modules are bundled. */
function limitDynamicImports(included: RegExp, importers = /./): Plugin {
  return {
    name: 'limit-dynamic-imports',
    setup(setup) {
      setup.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, importer, resolveDir }) => {
        const isBundled =
          kind !== 'dynamic-import' || !importers.test(importer) || included.test(join(resolveDir, path));
        return isBundled ? undefined : { path: basename(path), namespace: 'omitted-modules' };
      });
      setup.onLoad({ filter: /.*/, namespace: 'omitted-modules' }, () => ({ contents: 'export {};' }));
    },
  };
}
