// An esbuild plugin: leaves msw to the application that imports a bundle, for handlers and the server that takes them must come
// from one copy. What the data library imports of msw is its own affair and comes with it.

import type { Plugin } from 'esbuild';

/** Returns the plugin. */
export function mswOfApplications(): Plugin {
  return {
    name: 'msw-of-applications',
    setup(build) {
      build.onResolve({ filter: /^msw(?:\/browser)?$/ }, ({ path, importer }) =>
        /[\\/]node_modules[\\/]/.test(importer) ? undefined : { path, external: true },
      );
    },
  };
}
