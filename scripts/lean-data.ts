// An esbuild plugin: leaves out of a bundle what the data library carries along and the store never calls
// (request handlers, GraphQL, date comparison), most of its weight and of its time to load.

import type { Plugin } from 'esbuild';

// What takes the place of which import, inside the data library only. The first two bring in msw and GraphQL.
const standIns: Readonly<Record<string, string>> = {
  './model/generateRestHandlers': 'module.exports = {};',
  './model/generateGraphQLHandlers': 'module.exports = {};',
  'date-fns': 'module.exports = {};',
  debug: 'exports.debug = () => () => {};',
  lodash: "exports.isFunction = (value) => typeof value === 'function';",
};

/** Gives the plugin. */
export function leanData(): Plugin {
  return {
    name: 'lean-data',
    setup(build) {
      build.onResolve({ filter: /^(?:\.|date-fns$|debug$|lodash$)/ }, ({ path, importer }) =>
        path in standIns && /[\\/]@mswjs[\\/]data[\\/]/.test(importer) ? { path, namespace: 'lean-data' } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: 'lean-data' }, ({ path }) => ({ contents: standIns[path] ?? '' }));
    },
  };
}
