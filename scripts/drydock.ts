#!/usr/bin/env node
// The command `drydock`: hands each command to the room it belongs to, and loads no other.

import module from 'node:module';
import type { CliIo } from '../render/cli/io.ts';
import { decodeUtf8, encodeUtf8 } from '../render/go/utf8.ts';

const help = `Usage: drydock COMMAND [arguments]

Renders deploy Orders and Helm charts offline, and stands in for the platform's user API.

Commands:
  template [NAME] CHART   print what \`helm template\` prints
  render ORDER            render an Order: manifest, resources or install scripts
  check ORDER             tell every fault of an Order
  snapshot ORDER|CHART    compare what is rendered with what is recorded
  serve                   serve the emulator of the user API
  nats-config             print the configuration of a nats-server that takes the emulator's credentials

\`drydock COMMAND --help\` tells more.
`;

type Run = (argv: readonly string[], io: CliIo) => Promise<number>;

const rooms: ReadonlyMap<string, () => Promise<{ readonly runCli: Run }>> = new Map([
  ['template', () => import('../render/cli.node.ts')],
  ['render', () => import('../render/cli.node.ts')],
  ['check', () => import('../render/cli.node.ts')],
  ['snapshot', () => import('../render/cli.node.ts')],
  ['serve', () => import('../emulator/cli.node.ts')],
  ['nats-config', () => import('../emulator/cli.node.ts')],
]);

/** Is the terminal that started this process. Texts leave as bytes, for they may hold some that are no UTF-8. */
const io: CliIo = {
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

async function main(argv: readonly string[]): Promise<number> {
  const [name] = argv;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    io.stdout(help);
    return name === undefined ? 2 : 0;
  }
  const room = rooms.get(name);
  if (room === undefined) {
    io.stderr(`Error: unknown command "${name}" for "drydock"\nRun 'drydock --help' for usage.\n`);
    return 2;
  }
  return (await room()).runCli(argv, io);
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
process.exitCode = await main(process.argv.slice(2));
