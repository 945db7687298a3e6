#!/usr/bin/env node
// The program as it is installed. `template` starts from code that an earlier run kept; the other commands from the modules.
// CommonJS once bundled: Node starts it sooner than a module.

import module from 'node:module';
import { join } from 'node:path';
import { runKept } from './kept-code.node.ts';

/** Says what the command in one file is made of: its bytes decide whether what is kept belongs to it. Set by the build. */
declare const TEMPLATE_DIGEST: string;
declare const __dirname: string;

// Other runtimes have V8's words, and not always what they stand for.
const isNode = process.versions.bun === undefined && !('Deno' in globalThis);

const helms = process.argv.flatMap((word, at, words) => {
  return word === '--helm' ? [words[at + 1] ?? ''] : word.startsWith('--helm=') ? [word.slice('--helm='.length)] : [];
});
// Comparing two Helms takes rooms that the file of `template` goes without.
const isPair = new Set(helms.join(',').split(',')).size > 1;

if (isNode && process.argv[2] === 'template' && !isPair)
  runKept(join(__dirname, 'parts/template.cjs'), TEMPLATE_DIGEST);
else {
  // Node from 22.1 on can keep modules that it compiled for the next start.
  (module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
  void import('./drydock.js' as string);
}
