// An esbuild plugin: leaves out of a bundle what the package of regular expressions holds beyond Go's own: classes of
// characters that `render/go/regexp/regexp.ts` refuses, and sets of patterns. Tables are a third of its weight.

import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { classesUnknownToGo } from '../../render/go/regexp/classes.ts';

/** Gives the plugin. */
export function leanRegexp(): Plugin {
  return {
    name: 'lean-regexp',
    setup(build) {
      build.onLoad({ filter: /[\\/]re2js[\\/]build[\\/]index\.js$/ }, async ({ path }) => ({
        contents: pureClasses(withoutTables(await readFile(path, 'utf8'))),
      }));
    },
  };
}

function withoutTables(code: string): string {
  const lines = code.split('\n');
  const kept = lines.filter(
    (line) => !classesUnknownToGo.has(/^\t\t(\w+): \(\) => new UnicodeRangeTable\(/.exec(line)?.[1] ?? ''),
  );
  if (lines.length - kept.length < classesUnknownToGo.size) throw new Error('re2js keeps its tables in another form');
  return kept.join('\n');
}

// A class with static fields is kept by bundlers although nobody uses it, unless it is marked as free of effects.
function pureClasses(code: string): string {
  return code.replace(/^(var \w+ = )(class[\s\S]*?^\});/gm, '$1/* @__PURE__ */ (() => $2)();');
}
