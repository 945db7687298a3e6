// An esbuild plugin: msw stays an import of the bundle, because request handlers and the server that takes them must come from one copy. What
// @mswjs/data imports from msw is bundled.

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
