// An esbuild plugin: packages name Node's modules with and without `node:`, and CommonJS ones load them with `require`, which an ESM bundle
// does not have. All become imports, except those that a package excludes from browsers.

import { existsSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';

/** Returns the plugin. */
export function nodeBuiltins(): Plugin {
  return {
    name: 'node-builtins',
    setup(build) {
      build.onResolve({ filter: /^(?:node:)?[a-z_0-9]+(?:\/[a-z]+)?$/ }, ({ path, kind, importer }) => {
        const name = path.replace(/^node:/, '');
        // Node 20 does not have it, and a static import would fail there. Its features are not used.
        if (path === 'node:sqlite') return { path: name, namespace: 'left-out' };
        if (!builtinModules.includes(name)) return undefined;
        if (isLeftOut(name, dirname(importer))) return { path: name, namespace: 'left-out' };
        if (kind === 'require-call' && build.initialOptions.format === 'esm')
          return { path: name, namespace: 'builtin' };
        return { path: `node:${name}`, external: true, sideEffects: false };
      });
      build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
        contents: `import whole from 'node:${path}';\nmodule.exports = whole;\n`,
      }));
      build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};\n' }));
    },
  };
}

// The `browser` field of package.json: `{ "crypto": false }`. Node has WebCrypto too, so one copy serves both.
function isLeftOut(name: string, folder: string): boolean {
  const file = join(folder, 'package.json');
  if (existsSync(file)) {
    const { browser } = JSON.parse(readFileSync(file, 'utf8')) as { browser?: Readonly<Record<string, unknown>> };
    return browser?.[name] === false;
  }
  return folder !== dirname(folder) && isLeftOut(name, dirname(folder));
}

/** Throws if an output for pages imports one of Node's modules, which bundlers for the browser do not have. */
export function refuseBuiltins({ outputs }: Metafile, loadedByPages: readonly string[]): void {
  const reached = new Set(loadedByPages);
  for (const file of reached) {
    for (const { path, external } of outputs[file]?.imports ?? []) {
      if (external !== true) reached.add(path);
      else if (path.startsWith('node:')) throw new Error(`${file} is for pages and imports ${path}`);
    }
  }
}

const networkSources = /(?:^|\/)render\/(?:fetch\/|vendor\.node\.ts)|(?:^|\/)node_modules\/(?:undici|openpgp)\//;
const networkModules = /^node:(?:https?|http2|net|tls|dns|dgram)(?:\/|$)/;

/** An entry point and its permission. */
interface Bounds {
  /** The path of its output, such as `dist/index.js`. */
  readonly output: string;
  /** Whether it may import Node's network modules, as a server does. */
  readonly mayListen: boolean;
}

/** Throws if an output, or a chunk that it loads, contains code that fetches or imports a network module of Node. */
export function refuseNetwork({ outputs }: Metafile, bounds: readonly Bounds[]): void {
  for (const { output, mayListen } of bounds) {
    const reached = new Set([output]);
    for (const file of reached) {
      const source = Object.keys(outputs[file]?.inputs ?? {}).find((input) => networkSources.test(input));
      if (source !== undefined) throw new Error(`${output} is offline, and ${file} holds ${source}`);
      for (const { path, external } of outputs[file]?.imports ?? []) {
        if (external !== true) reached.add(path);
        else if (!mayListen && networkModules.test(path))
          throw new Error(`${output} is offline, and ${file} imports ${path}`);
      }
    }
  }
}
