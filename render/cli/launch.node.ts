#!/usr/bin/env node
// The installed program. It is CommonJS, which Node starts faster than an ES module. `template` runs from one file, other commands from
// modules; Node caches the compiled code of both.

import module, { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { codeFolder } from './code-folder.node.ts';
import { isTooManyFiles, tooManyFiles } from './file-limit.ts';

declare const __filename: string;

/** Node 22.1 and newer. */
interface ModuleWithCache {
  readonly enableCompileCache?: (folder: string) => unknown;
}

// Bun and Deno accept V8's flags but interpret them differently.
const isNode = process.versions.bun === undefined && !('Deno' in globalThis);
const major = Number.parseInt(process.versions.node, 10);

// A folder of our own, because Node's default is a shared temporary folder.
const folder = codeFolder();
if (folder !== undefined) (module as ModuleWithCache).enableCompileCache?.(folder);

if (isNode && process.argv[2] === 'template') {
  // A short process does not benefit from V8's optimizing compiler: without this, a large chart takes half as long again.
  if (major >= 22) setFlagsFromString('--invocation-count-for-turbofan=30000');
  createRequire(__filename)('./parts/template.cjs');
} else {
  import('./drydock.js' as string).catch((error: unknown) => {
    if (!isTooManyFiles(error)) throw error;
    process.stderr.write(`Error: ${tooManyFiles.message}\n${tooManyFiles.hint}\n`);
    process.exitCode = 1;
  });
}
