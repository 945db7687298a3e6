// An esbuild plugin: packages for ciphers, hashes, archives and regular expressions, and JSON files, are loaded on first use instead of at startup.
// They take 40 of the 120 ms of processor time of a process that renders a small chart; Helm takes 55. JavaScript has no lazy `import`
// statement yet, and synchronous functions cannot use a dynamic import.

import { readFile } from 'node:fs/promises';
import { type Plugin, transform } from 'esbuild';

const lazy = /^(@noble\/|bcryptjs$|fflate$|re2js$)/;
const imports = /^import (\{[^}]*\}|\w+) from "([^"]+)"(?: with \{ type: "json" \})?;$/gm;

/** Returns the plugin. It only rewrites our own sources, and throws if it cannot. */
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
