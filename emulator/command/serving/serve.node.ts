// The command `serve`: an emulator on a port until it is stopped.

import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Registry } from '../../../render/index.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../emulator.ts';
import { type Persistence, persist } from '../../persist.node.ts';
import { type EmulatorServer, isEverywhere, startServer } from '../../server.node.ts';
import { UsageError } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { type FixtureFolder, readFixtures, watchFolder } from './fixtures.node.ts';

const help = `Usage: drydock serve [flags]

Serves the emulator of the user API until it is stopped (Ctrl-C).

Flags:
  --port N             port; 0 takes any free one (default 4010)
  --host ADDRESS       address to listen on (default 127.0.0.1: this machine only)
  --allow-host NAME    let in requests for this host name too; repeatable, "*" is all
  --cors ORIGIN        let pages of this origin call; repeatable, "*" is all (default: any port of this machine)
  --json               print one JSON object when ready: url, users (login, token, is_admin)
  --fixtures DIR       what a fresh emulator holds, one JSON file per kind, in place of the built-in seed
  --watch              with --fixtures: go back to the seed when a file of it changes
  --persist FILE       keep the state over restarts
  --charts DIR         look for charts of orders in this folder too; repeatable
  --seed TEXT          what ids, tokens and keys follow from (default drydock)
  --now TIME           freeze the clock at this time
  --hosted             be a hosted deployment: adds GET /user/cloudmsg-token
  --msgbus URL         endpoint in messaging credentials; repeatable (default nats://127.0.0.1:4222)
  --strict             answer 500 where an answer breaks its own schema
  --body-limit BYTES   longest body that is read (default 5242880)
  --no-control         do not serve the control routes under /__drydock/
  --log                print a line per request, without secrets

Examples:
  drydock serve --port 0 --json
  drydock serve --fixtures ./fixtures --watch --persist state.json
`;

const flags = {
  port: { type: 'string' },
  host: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  cors: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  fixtures: { type: 'string' },
  watch: { type: 'boolean' },
  persist: { type: 'string' },
  charts: { type: 'string', multiple: true },
  seed: { type: 'string' },
  now: { type: 'string' },
  hosted: { type: 'boolean' },
  msgbus: { type: 'string', multiple: true },
  strict: { type: 'boolean' },
  'body-limit': { type: 'string' },
  'no-control': { type: 'boolean' },
  log: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Flags = ReturnType<typeof parseArgs<{ readonly options: typeof flags }>>['values'];

/** Runs `serve` until it is stopped and gives the exit code. Throws UsageError, FixtureError, PersistError. */
export async function serveCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const given = readFlags(argv);
  if (given.help) {
    io.stdout(help);
    return 0;
  }
  const path = (name: string): string => (isAbsolute(name) ? name : resolve(io.cwd, name));
  const folder = given.fixtures === undefined ? undefined : path(given.fixtures);
  const emulator = createEmulator(
    optionsOf(given, folder === undefined ? undefined : await readFixtures(folder), path),
  );
  const persistence = given.persist === undefined ? undefined : await persist(emulator, path(given.persist));
  const server = await listen(emulator, given, persistence, io);
  const unwatch = folder !== undefined && given.watch ? watchSeed(emulator, folder, persistence, io) : undefined;
  announce(server, given, io);
  await stopped(io.signal);
  unwatch?.();
  await server.close();
  await persistence?.flush();
  return 0;
}

function readFlags(argv: readonly string[]): Flags {
  let given: Flags;
  try {
    given = parseArgs({ args: [...argv], options: flags, allowPositionals: false }).values;
  } catch (failure) {
    throw new UsageError((failure as Error).message);
  }
  if (given.watch && given.fixtures === undefined) throw new UsageError('--watch needs --fixtures DIR');
  return given;
}

function wholeNumber(flag: string, text: string, limit: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= limit) return number;
  throw new UsageError(`--${flag} ${text}: expected a whole number from 0 to ${limit}`);
}

function optionsOf(given: Flags, folder: FixtureFolder | undefined, path: (name: string) => string): EmulatorOptions {
  const { seed, now, hosted, msgbus, strict, cors, charts } = given;
  if (now !== undefined && Number.isNaN(Date.parse(now)))
    throw new UsageError(`--now ${now}: expected a time such as 2025-01-01T00:00:00Z`);
  const limit = given['body-limit'];
  return {
    ...folder?.settings,
    ...(folder && { fixtures: folder.fixtures, scenarios: folder.scenarios }),
    ...(seed !== undefined && { seed }),
    ...(now !== undefined && { now }),
    ...(hosted && { hosted }),
    ...(strict && { strict }),
    ...(msgbus && { msgbusEndpoints: msgbus }),
    ...(cors && { origins: cors }),
    ...(limit !== undefined && { bodyLimit: wholeNumber('body-limit', limit, 2 ** 31) }),
    ...(given['no-control'] && { control: false }),
    ...(charts && { registry: folderRegistry(charts.map(path)) }),
  };
}

// The engine is loaded with the first order, not at the start.
function folderRegistry(folders: readonly string[]): Registry {
  return {
    resolve: async (ref) => {
      const { directoryRegistry } = await import('../../../render/chart/registry.node.ts');
      return directoryRegistry(folders).resolve(ref);
    },
  };
}

async function listen(
  emulator: Emulator,
  given: Flags,
  persistence: Persistence | undefined,
  io: CommandIo,
): Promise<EmulatorServer> {
  const port = wholeNumber('port', given.port ?? '4010', 65535);
  const allowedHosts = given['allow-host'] ?? [];
  const onAnswer = (line: string, writes: boolean): void => {
    if (given.log) io.stderr(`${line}\n`);
    if (writes) persistence?.touch();
  };
  try {
    return await startServer(emulator, { port, host: given.host ?? '127.0.0.1', allowedHosts, onAnswer });
  } catch (failure) {
    const { code, message } = failure as NodeJS.ErrnoException;
    throw new ListenError(
      code === 'EADDRINUSE' ? `port ${port} is taken: choose another with --port, or 0 for any` : message,
    );
  }
}

/** Is thrown when the address cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

function watchSeed(
  emulator: Emulator,
  folder: string,
  persistence: Persistence | undefined,
  io: CommandIo,
): () => void {
  return watchFolder(folder, () => {
    readFixtures(folder)
      .then(({ fixtures }) => {
        emulator.reseed(fixtures);
        persistence?.touch();
        io.stderr('drydock: fixtures read again\n');
      })
      .catch((failure: Error) => io.stderr(`drydock: fixtures not taken: ${failure.message}\n`));
  });
}

function announce({ url, emulator }: EmulatorServer, given: Flags, io: CommandIo): void {
  const { host = '127.0.0.1' } = given;
  const users = emulator.users();
  if (!/^(?:127\.|::1$|localhost$)/.test(host)) {
    const reach = isEverywhere(host) ? 'every network of this machine' : host;
    io.stderr(`drydock: listening on ${reach}: others can reach the emulator and its control routes\n`);
  }
  if (given.json) {
    io.stdout(`${JSON.stringify({ url, users })}\n`);
    return;
  }
  const shown = users.slice(0, 20);
  const width = Math.max(...shown.map(({ login }) => login.length), 0);
  const rows = shown.map(
    ({ login, token, is_admin }) => `  ${login.padEnd(width)}  ${token}${is_admin ? '  site admin' : ''}`,
  );
  const [first] = users;
  io.stdout(
    [
      `drydock serves the user API at ${url}/api/v1`,
      `the API, described: ${url}/api/swagger`,
      '',
      'users and their tokens:',
      ...rows,
      ...(users.length > shown.length ? [`  and ${users.length - shown.length} more`] : []),
      '',
      ...(first ? [`try: curl -H 'Authorization: token ${first.token}' ${url}/api/v1/user`, ''] : []),
    ].join('\n'),
  );
}

function stopped(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => resolve();
    if (signal?.aborted) end();
    signal?.addEventListener('abort', end, { once: true });
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
  });
}
