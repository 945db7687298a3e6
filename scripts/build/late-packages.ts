// An esbuild plugin: packages and data that few renderings need are run when one of their names is first used, not at every
// start. Ciphers, hashes and expressions compute their tables as they load, which costs more than a small chart.

import { readFile } from 'node:fs/promises';
import { type Plugin, transform } from 'esbuild';

const late = /^(@noble\/|bcryptjs$|re2js$)/;
const imports = /^import (\{[^}]*\}|\w+) from "([^"]+)"(?: with \{ type: "json" \})?;$/gm;

/** Gives the plugin. It sees our own sources alone; what it cannot put off it refuses. */
export function latePackages(): Plugin {
  return {
    name: 'late-packages',
    setup(build) {
      // The names that are used, so that the rest of the package is left out.
      build.onResolve({ filter: /^late:/ }, ({ path, resolveDir }) => ({
        path: path.slice('late:'.length),
        namespace: 'late',
        pluginData: resolveDir,
      }));
      build.onLoad({ filter: /.*/, namespace: 'late' }, ({ path, pluginData }) => {
        const [from, names] = path.split('|');
        return { contents: `export {${names}} from '${from}';`, resolveDir: pluginData as string };
      });
      build.onLoad({ filter: /[\\/]render[\\/].*\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        if (!/from '(@noble\/|bcryptjs'|re2js'|[^']+\.json')/.test(source)) return undefined;
        const target = build.initialOptions.target ?? 'es2022';
        const { code } = await transform(source, { loader: 'ts', target, sourcefile: path, sourcemap: 'inline' });
        return { contents: putOff(code, path), loader: 'js' };
      });
    },
  };
}

/** Makes every use of an imported name a call of what loads its package. */
function putOff(code: string, path: string): string {
  const loaders: string[] = [];
  const renames: (readonly [name: string, use: string])[] = [];
  // The lines stay as many as they were, for the source map.
  let body = code.replace(imports, (statement, names: string, from: string) => {
    const isData = from.endsWith('.json');
    if (!isData && (!late.test(from) || !names.startsWith('{'))) return statement;
    const loader = `__late${loaders.length}`;
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
    const wanted = `late:${from}|${pairs.map(([theirs]) => theirs).join(',')}`;
    loaders.push(`let ${loader}Module; function ${loader}() { return ${loader}Module ??= require("${wanted}"); }`);
    return '';
  });
  for (const rename of renames) body = replaceUses(body, rename, path);
  return loaders.join(' ') + body;
}

function replaceUses(code: string, [name, use]: readonly [string, string], path: string): string {
  if (new RegExp(`[{,]\\s*${name}\\s*[,}]|(?:const|let|class|function) ${name}\\b`).test(code)) {
    throw new Error(`${path}: ${name} is used in a way that cannot be put off`);
  }
  return code.replace(new RegExp(`(?<![\\w$.'"\`])${name}(?![\\w$'"\`:])`, 'g'), use);
}
