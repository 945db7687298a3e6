// The command `nats-config`: the configuration of a nats-server that accepts the emulator's credentials.

import { resolve } from 'node:path';
import { type ParsedFlags, UsageError } from '../../render/cli/flags.ts';
import type { CommandIo } from '../../render/cli/io.ts';
import { readFolder } from '../fixture-folder.node.ts';
import { defaultFixtures } from '../store/default-fixtures.ts';
import { findUser, natsPerson } from '../store/people.ts';
import { seedStore } from '../store/seed.ts';
import type { Store } from '../store/store.ts';
import { Clock } from '../world/clock.ts';

/** Runs `nats-config` and returns the exit code. Throws UsageError, FixtureError. */
export async function natsConfigCommand(flags: ParsedFlags, io: CommandIo): Promise<number> {
  if (flags.args.length > 0) throw new UsageError(`"drydock nats-config" takes no arguments, not "${flags.args[0]}"`);
  const folder = flags.text('fixtures');
  const fixtures = folder === undefined ? defaultFixtures : (await readFolder(resolve(io.cwd, folder))).fixtures;
  io.stdout(await print(seedStore(fixtures, new Clock().now()), flags));
  return 0;
}

async function print(store: Store, flags: ParsedFlags): Promise<string> {
  const { natsServerConfig, personCredentials, staffCredentials } = await import('../keys/nats.ts');
  const seed = flags.text('seed') ?? 'drydock';
  const who = flags.text('credentials');
  if (who === undefined) {
    const people = store.user.all().map((user) => natsPerson(store, user));
    return natsServerConfig(seed, people, {
      listen: flags.text('listen') ?? '127.0.0.1:4222',
      websocket: flags.text('websocket') ?? '127.0.0.1:9222',
      store: flags.text('store') ?? 'nats-store',
    });
  }
  if (who === 'admin' || who === 'system') return staffCredentials(seed, who);
  const user = findUser(store, who);
  if (user) return personCredentials(seed, natsPerson(store, user));
  throw new UsageError(`--credentials ${who}: there is no such login; "admin" and "system" are there too`);
}
