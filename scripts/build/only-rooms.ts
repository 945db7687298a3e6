// An esbuild plugin: leaves dynamically imported modules out of a bundle that its command never imports.

import { basename, join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Returns the plugin: of what the files of `asking` import dynamically, only `rooms` are bundled. Default: of all files. */
export function onlyRooms(rooms: RegExp, importers = /./): Plugin {
  return {
    name: 'only-rooms',
    setup(setup) {
      setup.onResolve({ filter: /^\.{1,2}\// }, ({ path, kind, importer, resolveDir }) => {
        const isBundled = kind !== 'dynamic-import' || !importers.test(importer) || rooms.test(join(resolveDir, path));
        return isBundled ? undefined : { path: basename(path), namespace: 'other-rooms' };
      });
      setup.onLoad({ filter: /.*/, namespace: 'other-rooms' }, () => ({ contents: 'export {};' }));
    },
  };
}
