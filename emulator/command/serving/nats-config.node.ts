// The command `nats-config`: the configuration of a nats-server that accepts the emulator's credentials.

import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultFixtures } from '../../store/default-fixtures.ts';
import { findUser, natsPerson } from '../../store/people.ts';
import { seedStore } from '../../store/seed.ts';
import type { Store } from '../../store/store.ts';
import { UsageError } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { readFixtures } from './fixtures.node.ts';

const help = `Usage: drydock nats-config [flags]

Prints the configuration with which a nats-server accepts the messaging credentials of the emulator: an account for
each person, who says and hears user.ID.> and hears notice.user.ID.>, notice.org.ID.> and notice.all.>; the admin, who
hears every person and says the notices; JetStream for each of them; a websocket for pages.

Flags:
  --seed TEXT           the seed of the emulator (default drydock)
  --fixtures DIR        the fixtures of the emulator (default: the built-in people)
  --listen ADDRESS      where the server listens (default 127.0.0.1:4222)
  --websocket ADDRESS   where pages connect (default 127.0.0.1:9222)
  --store DIR           where JetStream keeps its streams (default nats-store)
  --credentials WHO     print a credentials file instead: of a login, of "admin", or of "system", who may ask all of $SYS

Examples:
  drydock nats-config > nats.conf && nats-server --config nats.conf
  drydock serve --msgbus nats://127.0.0.1:4222 --msgbus ws://127.0.0.1:9222
  drydock nats-config --credentials system > sys.creds && nats --creds sys.creds server list
`;

const flags = {
  seed: { type: 'string', default: 'drydock' },
  fixtures: { type: 'string' },
  listen: { type: 'string', default: '127.0.0.1:4222' },
  websocket: { type: 'string', default: '127.0.0.1:9222' },
  store: { type: 'string', default: 'nats-store' },
  credentials: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Flags = ReturnType<typeof parseArgs<{ readonly options: typeof flags }>>['values'];

/** Runs `nats-config` and gives the exit code. Throws UsageError, FixtureError. */
export async function natsConfigCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const given = readFlags(argv);
  if (given.help) {
    io.stdout(help);
    return 0;
  }
  const folder = given.fixtures;
  const fixtures =
    folder === undefined
      ? defaultFixtures
      : (await readFixtures(isAbsolute(folder) ? folder : resolve(io.cwd, folder))).fixtures;
  io.stdout(await print(seedStore(fixtures), given));
  return 0;
}

async function print(store: Store, given: Flags): Promise<string> {
  const { natsServerConfig, personCredentials, staffCredentials } = await import('../../keys/nats.ts');
  const { seed, listen, websocket, store: folder, credentials: who } = given;
  if (who === undefined) {
    const people = store.user.all().map((user) => natsPerson(store, user));
    return natsServerConfig(seed, people, { listen, websocket, store: folder });
  }
  if (who === 'admin' || who === 'system') return staffCredentials(seed, who);
  const user = findUser(store, who);
  if (user) return personCredentials(seed, natsPerson(store, user));
  throw new UsageError(`--credentials ${who}: there is no such login; "admin" and "system" are there too`);
}

function readFlags(argv: readonly string[]): Flags {
  try {
    return parseArgs({ args: [...argv], options: flags, allowPositionals: false }).values;
  } catch (failure) {
    throw new UsageError((failure as Error).message);
  }
}
