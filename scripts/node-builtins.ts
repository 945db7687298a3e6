// An esbuild plugin: packages name Node's own modules with and without `node:`, and CommonJS ones by `require`, which an
// ESM bundle has not. All of them become imports.

import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

/** Gives the plugin. */
export function nodeBuiltins(): Plugin {
  return {
    name: 'node-builtins',
    setup(build) {
      build.onResolve({ filter: /^(?:node:)?[a-z_0-9]+(?:\/[a-z]+)?$/ }, ({ path, kind }) => {
        const name = path.replace(/^node:/, '');
        if (!builtinModules.includes(name)) return undefined;
        if (kind === 'require-call' && build.initialOptions.format === 'esm')
          return { path: name, namespace: 'builtin' };
        return { path: `node:${name}`, external: true, sideEffects: false };
      });
      build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
        contents: `import whole from 'node:${path}';\nmodule.exports = whole;\n`,
      }));
    },
  };
}
