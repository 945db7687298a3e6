// The command `serve`: an emulator on a port until it is stopped.

import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ParsedFlags, UsageError } from '../../render/cli/flags.ts';
import type { CommandContext } from '../../render/cli/program.ts';
import { listenForStop } from '../../render/cli/stop.node.ts';
import { markFailures } from '../../render/core/errors.ts';
import type { Style } from '../../render/core/style.ts';
import type { Emulator, EmulatorOptions, UserFixture } from '../index.ts';
import type { StoryName } from '../seed.ts';
import { type EmulatorServer, type ServerOptions, startServer } from '../server.node.ts';
import { checkFlags } from './check-flags.node.ts';
import { settingsOf } from './settings.ts';

/** Runs `serve` until it is stopped and returns the exit code. Throws UsageError, FixtureError, PersistError, ListenError. */
export async function serveCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  checkFlags(flags, io.cwd);
  const options = await emulatorOptions(flags, io);
  // Before the readiness line: its reader may stop the server immediately.
  const stop = listenForStop(io.signal);
  try {
    const server = await startServer(options, serverOptions(flags, io)).catch((failure: NodeJS.ErrnoException) => {
      throw listenFailure(failure, flags);
    });
    announce(server, flags, io);
    await stop.wished;
    try {
      await server.close();
    } finally {
      await report(server.emulator, flags, io);
    }
  } finally {
    stop.ignore();
  }
  return 0;
}

// Stories and the loader of routes are loaded on demand.
async function emulatorOptions(flags: ParsedFlags, io: CommandContext): Promise<EmulatorOptions> {
  const story = flags.text('demo') as StoryName | undefined;
  const scale = Number(flags.text('scale') ?? '1');
  const files = flags.list('routes');
  return {
    ...settingsOf(flags),
    fixtures: story && (await import('../seed.ts')).storyFixtures(story, { scale }),
    routes: files.length === 0 ? [] : await (await import('./routes.node.ts')).readRoutes(files, io.cwd),
    now: flags.text('now'),
  };
}

function serverOptions(flags: ParsedFlags, io: CommandContext): ServerOptions {
  const path = (name: string): string | undefined => {
    const text = flags.text(name);
    return text === undefined ? undefined : resolve(io.cwd, text);
  };
  return {
    port: Number(flags.text('port') ?? '4010'),
    host: flags.text('host'),
    allowedHosts: flags.list('allow-host'),
    tls: path('tls'),
    fixturesFolder: path('fixtures'),
    watch: flags.on('watch'),
    chartFolders: flags.list('charts').map((folder) => resolve(io.cwd, folder)),
    persist: path('persist'),
    proxy: flags.text('proxy'),
    record: path('record'),
    console: !flags.on('no-console'),
    onAnswer: flags.on('log') ? (line) => io.stderr(`${line}\n`) : undefined,
    onNotice: (message) => io.stderr(`drydock: ${message}\n`),
  };
}

const wrongHosts: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'the name does not resolve',
  EAI_AGAIN: 'the name does not resolve',
};
const hostHint = 'Name an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of its networks.';

function listenFailure(failure: NodeJS.ErrnoException, flags: ParsedFlags): Error {
  const { code = '', syscall = '', message } = failure;
  if (!/^(?:listen|getaddrinfo)$/.test(syscall)) return failure;
  const [host, port] = [flags.text('host') ?? '127.0.0.1', flags.text('port') ?? '4010'];
  if (code === 'EADDRINUSE') return new ListenError(`port ${port} is taken: choose another with --port, or 0 for any`);
  if (code === 'EACCES')
    return new ListenError(`port ${port} needs more rights: choose one above 1023 with --port, or 0 for any`);
  const problem = wrongHosts[code];
  return problem ? new UsageError(`--host ${host}: ${problem}`, hostHint) : new ListenError(message);
}

class ListenError extends Error {
  override readonly name = 'ListenError';
}

markFailures(ListenError, 'user');

async function report(emulator: Emulator, flags: ParsedFlags, io: CommandContext): Promise<void> {
  const exported = flags.text('export');
  if (exported !== undefined) await writeFile(resolve(io.cwd, exported), json(emulator.world().exportSnapshot()));
  if (!flags.on('coverage') && !flags.has('coverage-report')) return;
  const { formatCoverage, summarizeCoverage } = await import('../index.ts');
  const coverage = emulator.coverage();
  for (const file of flags.list('coverage-report'))
    await writeFile(resolve(io.cwd, file), file.endsWith('.md') ? formatCoverage(coverage) : json(coverage));
  if (flags.on('coverage')) io.stdout(`${summarizeCoverage(coverage)}\n`);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function announce(server: EmulatorServer, flags: ParsedFlags, io: CommandContext): void {
  const { url, consoleUrl, emulator } = server;
  const host = flags.text('host') ?? '127.0.0.1';
  if (!/^(?:127\.|::1$|localhost$)/.test(host)) {
    const reach = host === '0.0.0.0' || host === '::' ? 'every network of this machine' : host;
    io.stderr(`drydock: listening on ${reach}: others can reach the emulator and its control routes\n`);
  }
  if (flags.on('json')) io.stdout(`${JSON.stringify({ url, console: consoleUrl, users: emulator.users() })}\n`);
  else if (io.quiet) io.stdout(`${url}\n`);
  else if (flags.has('record') && !flags.has('fixtures')) {
    const [proxy, folder] = [flags.text('proxy'), flags.text('record')];
    io.stdout(`drydock at ${url} forwards requests to ${proxy} and records the responses in ${folder}\n`);
  } else io.stdout(welcome(server, tableOfPeople(emulator, io.out)));
}

function welcome({ url, consoleUrl, emulator }: EmulatorServer, people: readonly string[]): string {
  const [first] = emulator.users();
  return [
    `drydock serves the user API at ${url}/api/v1`,
    ...(consoleUrl === undefined ? [] : [`the console:        ${consoleUrl}`]),
    `the API, described: ${url}/api/swagger`,
    '',
    ...people,
    '',
    ...(first ? [`try: curl -H 'Authorization: token ${first.token}' ${url}/api/v1/user`, ''] : []),
  ].join('\n');
}

const shownPeople = 20;

/** Returns the table as lines; at most twenty users who can sign in, followed by the number of others. */
export function tableOfPeople(emulator: Emulator, { dim, yellow }: Style): readonly string[] {
  const tokens = new Map(emulator.users().map(({ login, token }) => [login, token]));
  const everyone = emulator.world().db.person.getAll();
  const people = everyone.filter(({ login, password }) => tokens.has(login) || password !== '');
  const shown = people.slice(0, shownPeople);
  const columns = shown.map((person) => {
    const token = tokens.get(person.login);
    return [person.login, token ?? '', noteOn(person, token !== undefined), person.password] as const;
  });
  const width = (at: 0 | 1 | 2): number => Math.max(...columns.map((column) => column[at].length), 0);
  const rows = columns.map(([login, token, note, password]) =>
    [login.padEnd(width(0)), dim(token.padEnd(width(1))), yellow(note.padEnd(width(2))), password].join('  ').trimEnd(),
  );
  const [rest, others] = [people.length - shown.length, everyone.length - people.length];
  return [
    'people, their tokens and, at the end, passwords:',
    ...rows.map((row) => `  ${row}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...(others > 0 ? [`  and ${others} who cannot sign in: without token and password`] : []),
  ];
}

function noteOn({ is_admin, active, prohibit_login }: UserFixture, hasToken: boolean): string {
  if (!active) return 'refused (403): active is false';
  if (prohibit_login) return 'refused (403): prohibit_login is true';
  if (!hasToken)
    return is_admin ? 'site admin, has no token without an expiry date' : 'has no token without an expiry date';
  return is_admin ? 'site admin' : '';
}
