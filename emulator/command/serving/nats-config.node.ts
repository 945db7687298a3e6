// The command `nats-config`: the configuration of a nats-server that accepts the emulator's credentials.

import { parseArgs } from 'node:util';
import { UsageError } from '../flags.ts';
import type { CommandIo } from '../io.ts';

const help = `Usage: drydock nats-config [flags]

Prints the configuration with which a nats-server accepts the messaging credentials of the emulator.

Flags:
  --seed TEXT        the seed of the emulator (default drydock)
  --listen ADDRESS   where the server listens (default 127.0.0.1:4222)

Example:
  drydock nats-config > nats.conf && nats-server --config nats.conf
`;

/** Runs `nats-config` and gives the exit code. Throws UsageError. */
export async function natsConfigCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const { seed = 'drydock', listen = '127.0.0.1:4222', help: asked } = readFlags(argv);
  if (asked) {
    io.stdout(help);
    return 0;
  }
  const { natsServerConfig } = await import('../../keys/nats.ts');
  io.stdout(natsServerConfig(seed, listen));
  return 0;
}

function readFlags(argv: readonly string[]): {
  readonly seed?: string;
  readonly listen?: string;
  readonly help?: boolean;
} {
  const options = {
    seed: { type: 'string' },
    listen: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: false }).values;
  } catch (failure) {
    throw new UsageError((failure as Error).message);
  }
}
