// An esbuild plugin: leaves dynamically imported modules out of a bundle that its command never imports.

import { basename, join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Returns the plugin: of the dynamic imports in files that match `importers` (default: all), only `included` modules are bundled. */
export function limitDynamicImports(included: RegExp, importers = /./): Plugin {
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
