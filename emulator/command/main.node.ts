#!/usr/bin/env node
// The program `drydock`: the streams of this process, and the exit code.

import module from 'node:module';
import { decodeUtf8, encodeUtf8 } from '../../render/go/utf8.ts';
import type { CommandIo } from './io.ts';
import { runCommand } from './run.node.ts';

// Texts leave as bytes, for they may hold some that are no UTF-8.
const io: CommandIo = {
  cwd: process.cwd(),
  env: process.env,
  stdin: readStandardInput,
  stdout: (text) => void process.stdout.write(encodeUtf8(text)),
  stderr: (text) => void process.stderr.write(encodeUtf8(text)),
};

async function readStandardInput(): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return decodeUtf8(Buffer.concat(chunks));
}

// Compiling the program takes a fifth of a small rendering. Node from 22.1 on can keep what it compiled for the next start.
(module as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();

// A reader that has seen enough, such as `head`, is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}
process.exitCode = await runCommand(process.argv.slice(2), io);
