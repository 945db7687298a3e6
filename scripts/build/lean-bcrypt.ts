// An esbuild plugin: the package of password hashes carries the first 33,344 binary digits of pi, which no compression makes
// smaller. A bundle reckons them when the first password is hashed, in a twentieth of the time that one hash takes.

import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import { wordsOfPi } from './digits-of-pi.ts';

const reckoned = fileURLToPath(new URL('digits-of-pi.ts', import.meta.url));
const tables = /^var (P_ORIG|S_ORIG) = \[([\s\d,a-fx]+)\];$/gm;

/** Gives the plugin. */
export function leanBcrypt(): Plugin {
  return {
    name: 'lean-bcrypt',
    setup(build) {
      build.onLoad({ filter: /[\\/]bcryptjs[\\/]index\.js$/ }, async ({ path }) => ({
        contents: withoutDigits(await readFile(path, 'utf8')),
        resolveDir: dirname(path),
      }));
    },
  };
}

function withoutDigits(code: string): string {
  const found = [...code.matchAll(tables)].map(([, name = '', list = '']) => ({ name, words: wordsOf(list) }));
  const words = found.flatMap((table) => table.words);
  const digits = wordsOfPi(words.length);
  if (found.length !== 2 || words.some((word, i) => word !== digits[i])) {
    throw new Error('bcryptjs keeps its tables in another form');
  }
  let start = 0;
  const lean = code.replace(tables, (_, name: string, list: string) => {
    const end = start + wordsOf(list).length;
    const slice = `var ${name} = digitsOfPi.slice(${start}, ${end});`;
    start = end;
    return slice;
  });
  return `import { wordsOfPi } from ${JSON.stringify(reckoned)};\nvar digitsOfPi = wordsOfPi(${words.length});\n${lean}`;
}

function wordsOf(list: string): number[] {
  return list.split(',').flatMap((word) => (word.trim() === '' ? [] : Number(word)));
}
