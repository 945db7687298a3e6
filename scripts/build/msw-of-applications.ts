// An esbuild plugin: msw stays an external import, because request handlers and the server that takes them must come from one copy. The
// parts of msw that @mswjs/data imports are bundled.

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
