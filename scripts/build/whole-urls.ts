// An esbuild plugin: with a limit on line length, esbuild also splits strings, and then bundlers such as Vite do not find the file in `new
// URL('./file.js', import.meta.url)`. This joins such strings and moves the line breaks before them, so that line numbers stay the same.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Returns the plugin. */
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
          if (whole !== code) await writeFile(path, whole);
        }
      });
    },
  };
}

/** Returns code in which no string in `new URL(…)` spans several lines. */
export function withWholeUrls(code: string): string {
  return code.replace(/(?<=\bnew URL\()"[^"\n\\]*(?:\\\n[^"\n\\]*)+"/g, (text) => {
    const lines = text.split('\\\n');
    return `${'\n'.repeat(lines.length - 1)}${lines.join('')}`;
  });
}
