// The command `nats-config`: the configuration of a nats-server that accepts the emulator's credentials.

import { resolve } from 'node:path';
import { type ParsedFlags, UsageError } from '../../render/cli/flags.ts';
import type { CommandIo } from '../../render/cli/program.ts';
import { createEmulator, natsConfig, natsCredentials } from '../index.ts';
import { readFixtures } from '../server.node.ts';

/** Runs `nats-config` and returns the exit code. Throws UsageError, FixtureError. */
export async function natsConfigCommand(flags: ParsedFlags, io: CommandIo): Promise<number> {
  if (flags.args.length > 0) throw new UsageError(`"drydock nats-config" takes no arguments, not "${flags.args[0]}"`);
  const [folder, login] = [flags.text('fixtures'), flags.text('credentials')];
  const emulator = createEmulator({
    seed: flags.text('seed') ?? 'drydock',
    fixtures: folder === undefined ? undefined : await readFixtures(resolve(io.cwd, folder)),
  });
  const text =
    login === undefined
      ? await natsConfig(emulator, {
          listen: flags.text('listen'),
          websocket: flags.text('websocket'),
          store: flags.text('store'),
        })
      : await natsCredentials(emulator, login);
  if (text === undefined)
    throw new UsageError(`--credentials ${login}: there is no such login; "admin" and "system" are there too`);
  io.stdout(text);
  return 0;
}
