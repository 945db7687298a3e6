// An esbuild plugin: removes imports of @mswjs/data that the store never uses: msw and GraphQL for its request handlers, and all but one
// function each of lodash and date-fns.

import type { Plugin } from 'esbuild';

const leftOut = (name: string, method: string): string =>
  `exports.${name} = () => { throw new Error('${method} of @mswjs/data is not in this bundle'); };`;

// The replacement of each import, inside the data library only.
const narrower: Readonly<Record<string, string>> = {
  './model/generateRestHandlers': leftOut('generateRestHandlers', 'toHandlers'),
  './model/generateGraphQLHandlers': `${leftOut('generateGraphQLHandlers', 'toHandlers')}
${leftOut('generateGraphQLSchema', 'toGraphQLSchema')}`,
  'date-fns': "exports.compareAsc = require('date-fns/compareAsc');",
  lodash: "exports.isFunction = require('lodash/isFunction');",
};

/** Returns the plugin. */
export function leanData(): Plugin {
  return {
    name: 'lean-data',
    setup(build) {
      build.onResolve({ filter: /^(?:\.|date-fns$|lodash$)/ }, ({ path, importer, resolveDir }) =>
        path in narrower && /[\\/]@mswjs[\\/]data[\\/]/.test(importer)
          ? { path, namespace: 'lean-data', pluginData: resolveDir }
          : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: 'lean-data' }, ({ path, pluginData }) => ({
        contents: narrower[path] ?? '',
        resolveDir: pluginData as string,
      }));
    },
  };
}
