#!/usr/bin/env node
// The program as it is installed. `template` and `serve` start from code that an earlier run kept; other commands from the modules.
// CommonJS once bundled: Node starts it sooner than a module.

import module from 'node:module';
import { join } from 'node:path';
import { codeFolder } from './caching/code-folder.node.ts';
import { isTooManyFiles, tooManyFiles } from './file-limit.ts';
import { runKept } from './kept-code.node.ts';

/** Say what the files are made of: their bytes decide whether what is kept belongs to them. Set by the build. */
declare const TEMPLATE_DIGEST: string;
declare const WHOLE_DIGEST: string;
declare const __dirname: string;

interface ModuleWithCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

// Other runtimes have V8's words, and not always what they stand for.
const isNode = process.versions.bun === undefined && !('Deno' in globalThis);

const command = isNode ? process.argv[2] : undefined;
const helms = process.argv.flatMap((word, at, words) => {
  return word === '--helm' ? [words[at + 1] ?? ''] : word.startsWith('--helm=') ? [word.slice('--helm='.length)] : [];
});
// Comparing two Helms takes rooms that the file of `template` goes without.
const isPair = new Set(helms.join(',').split(',')).size > 1;

if (command === 'template' && !isPair) {
  runKept(join(__dirname, 'parts/template.cjs'), { digest: TEMPLATE_DIGEST, isBrief: true });
} else if (command === 'serve') {
  const whole = runKept(join(__dirname, 'cjs/drydock.cjs'), {
    digest: `${WHOLE_DIGEST}-serve`,
    isBrief: false,
    importLate: (specifier) => import(specifier),
  });
  void (whole as { readonly serve: unknown }).serve;
} else {
  // Node 22.1 and newer cache compiled modules: in a folder of ours, for Node's default lies in a temporary folder that others share.
  const folder = codeFolder();
  if (folder !== undefined) (module as ModuleWithCache).enableCompileCache?.(folder);
  import('./drydock.js' as string).catch((error: unknown) => {
    if (!isTooManyFiles(error)) throw error;
    process.stderr.write(`Error: ${tooManyFiles.message}\n${tooManyFiles.hint}\n`);
    process.exitCode = 1;
  });
}
