// The esbuild plugins of the build, and checks of what it wrote.

import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { type Metafile, type Plugin, transform } from 'esbuild';
import { reachedFrom } from '../../emulator/console/bundle.node.ts';

/**
 * Imports Node's modules, which packages name with and without `node:`, and which CommonJS ones load with `require`, which an ESM bundle
 * does not have; not those that a package excludes from browsers.
 */
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

/**
 * Removes imports of @mswjs/data that the store never uses: msw and GraphQL for its request handlers, and all but one function each of
 * lodash and date-fns.
 */
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

/**
 * Keeps msw an external import, because request handlers and the server that takes them must come from one copy. The parts of msw that
 * @mswjs/data imports are bundled.
 */
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

const lazy = /^(@noble\/|bcryptjs$|fflate$|re2js$)/;
const imports = /^import (\{[^}]*\}|\w+) from "([^"]+)"(?: with \{ type: "json" \})?;$/gm;

/**
 * Loads packages for ciphers, hashes, archives and regular expressions, and JSON files, on first use instead of at startup. They take
 * 40 of the 120 ms of processor time of a process that renders a small chart; Helm takes 55. JavaScript has no lazy `import` statement
 * yet, and synchronous functions cannot use a dynamic import. It only rewrites our own sources, and throws if it cannot.
 */
export function lazyPackages(): Plugin {
  return {
    name: 'lazy-packages',
    setup(build) {
      // Only the names that are used, so that the rest of the package is removed.
      build.onResolve({ filter: /^lazy:/ }, ({ path, resolveDir }) => ({
        path: path.slice('lazy:'.length),
        namespace: 'lazy',
        pluginData: resolveDir,
      }));
      build.onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path, pluginData }) => {
        const [from, names] = path.split('|');
        return { contents: `export {${names}} from '${from}';`, resolveDir: pluginData as string };
      });
      build.onLoad({ filter: /[\\/]render[\\/].*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (!/from '(@noble\/|bcryptjs'|fflate'|re2js'|[^']+\.json')/.test(source)) return undefined;
        const target = build.initialOptions.target ?? 'es2022';
        const { code } = await transform(source, { loader: 'ts', target, sourcefile: path, sourcemap: 'inline' });
        return { contents: deferImports(code, path), loader: 'js' };
      });
    },
  };
}

/** Replaces every use of an imported name by a call that loads its package. */
function deferImports(code: string, path: string): string {
  const loaders: string[] = [];
  const renames: (readonly [name: string, use: string])[] = [];
  // Keeps the number of lines, for the source map.
  let body = code.replace(imports, (statement, names: string, from: string) => {
    const isData = from.endsWith('.json');
    if (!isData && (!lazy.test(from) || !names.startsWith('{'))) return statement;
    const loader = `__lazy${loaders.length}`;
    if (isData) {
      renames.push([names, `${loader}()`]);
      loaders.push(`function ${loader}() { return require("${from}"); }`);
      return '';
    }
    const pairs = names
      .slice(1, -1)
      .split(',')
      .map((pair) => pair.trim().split(' as '));
    for (const [theirs = '', ours = theirs] of pairs) renames.push([ours, `${loader}().${theirs}`]);
    const wanted = `lazy:${from}|${pairs.map(([theirs]) => theirs).join(',')}`;
    loaders.push(`let ${loader}Module; function ${loader}() { return ${loader}Module ??= require("${wanted}"); }`);
    return '';
  });
  for (const rename of renames) body = replaceUses(body, rename, path);
  return loaders.join(' ') + body;
}

function replaceUses(code: string, [name, use]: readonly [string, string], path: string): string {
  if (new RegExp(`[{,]\\s*${name}\\s*[,}]|(?:const|let|class|function) ${name}\\b`).test(code)) {
    throw new Error(`${path}: ${name} is used in a way that cannot be deferred`);
  }
  return code.replace(new RegExp(`(?<![\\w$.'"\`])${name}(?![\\w$'"\`:])`, 'g'), use);
}

/**
 * Joins the strings of `new URL('./file.js', import.meta.url)`, which esbuild splits at its limit on line length, because bundlers such as
 * Vite do not find the file otherwise. Moves the line breaks before them, so that line numbers stay the same. Throws if the build does not
 * write the file.
 */
export function wholeUrls(): Plugin {
  return {
    name: 'whole-urls',
    setup(build) {
      const { absWorkingDir = '.', write } = build.initialOptions;
      if (write === false) return;
      build.onEnd(async ({ metafile }) => {
        for (const file of Object.keys(metafile?.outputs ?? {}).filter((name) => name.endsWith('.js'))) {
          const path = join(absWorkingDir, file);
          const code = await readFile(path, 'utf8');
          const whole = withWholeUrls(code);
          const missing = filesNamedBy(file, whole).find((named) => metafile?.outputs[named] === undefined);
          if (missing !== undefined) throw new Error(`${file} names ${missing}, which does not exist`);
          if (whole !== code) await writeFile(path, whole);
        }
      });
    },
  };
}

/** Returns the files that an output loads by `new URL('./file.js', import.meta.url)`. */
function filesNamedBy(output: string, code: string): string[] {
  const named = code.matchAll(/\bnew URL\(\s*"(\.[^"]+\.js)",\s*import\.meta\.url/g);
  return [...named].map(([, path = '']) => posix.join(dirname(output), path));
}

/** Returns code in which no string in `new URL(…)` spans several lines. */
export function withWholeUrls(code: string): string {
  return code.replace(/(?<=\bnew URL\()"[^"\n\\]*(?:\\\n[^"\n\\]*)+"/g, (text) => {
    const lines = text.split('\\\n');
    return `${'\n'.repeat(lines.length - 1)}${lines.join('')}`;
  });
}

/** Throws if an output for pages imports one of Node's modules, which bundlers for the browser do not have. */
export function refuseBuiltins(metafile: Metafile, loadedByPages: readonly string[]): void {
  for (const file of reachedFrom(metafile, loadedByPages, 'ever')) {
    const builtin = importsOf(metafile, file).find((path) => path.startsWith('node:'));
    if (builtin !== undefined) throw new Error(`${file} is for pages and imports ${builtin}`);
  }
}

const networkSources = /(?:^|\/)render\/vendor(?:\/fetch\/|\.node\.ts)|(?:^|\/)node_modules\/(?:undici|openpgp)\//;
const networkModules = /^node:(?:https?|http2|net|tls|dns|dgram)(?:\/|$)/;

/**
 * Throws if an output, such as `dist/index.js`, or a chunk that it loads, contains code that fetches, or imports a network module of Node,
 * unless it may listen as a server does.
 */
export function refuseNetwork(metafile: Metafile, output: string, mayListen: boolean): void {
  for (const file of reachedFrom(metafile, [output], 'ever')) {
    const source = Object.keys(metafile.outputs[file]?.inputs ?? {}).find((input) => networkSources.test(input));
    if (source !== undefined) throw new Error(`${output} is offline, and ${file} holds ${source}`);
    const module = importsOf(metafile, file).find((path) => networkModules.test(path));
    if (module !== undefined && !mayListen) throw new Error(`${output} is offline, and ${file} imports ${module}`);
  }
}

function importsOf({ outputs }: Metafile, file: string): string[] {
  return (outputs[file]?.imports ?? []).flatMap(({ path, external }) => (external === true ? [path] : []));
}
