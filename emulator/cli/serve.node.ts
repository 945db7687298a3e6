// The command `serve`: an emulator on a port until it is stopped.

import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ParsedFlags, UsageError } from '../../render/cli/flags.ts';
import type { CommandContext, CommandIo } from '../../render/cli/io.ts';
import { listenForStop } from '../../render/cli/stop.node.ts';
import { markFailures } from '../../render/core/errors.ts';
import { isEverywhere } from '../app/address.ts';
import { formatCoverage, summarizeCoverage } from '../app/coverage.ts';
import { elsewhereLimit, readBytes } from '../app/input.ts';
import { type Recording, replay } from '../app/recordings.ts';
import { reasonOf } from '../core/reasons.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../emulator.ts';
import { type FixtureFolder, readFolder, readRecordings } from '../fixture-folder.node.ts';
import { PersistError, persist } from '../persistence/persist.node.ts';
import { renderInThreads } from '../rendering/threads.node.ts';
import { certificateIn, type EmulatorServer, proxyTo, type ServerOptions, startServer } from '../server.node.ts';
import type { Fixtures } from '../store/fixtures.ts';
import type { StoryName } from '../stories/stories.ts';
import { checkFlags } from './check-flags.node.ts';
import { tableOfPeople } from './people.ts';
import { type ApiRecorder, type Recorder, recordApiInto, recordInto } from './record.node.ts';
import type { readRoutes } from './routes.node.ts';
import { settingsOf } from './settings.ts';
import type { watchFixtures } from './watch.node.ts';

/** Runs `serve` until it is stopped and returns the exit code. Throws UsageError, FixtureError, PersistError, ListenError. */
export async function serveCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  checkFlags(flags, io.cwd);
  const path = (name: string): string => resolve(io.cwd, name);
  const [fixtures, state] = [flags.text('fixtures'), flags.text('persist')];
  const folder = fixtures === undefined ? undefined : path(fixtures);
  const routes = flags.has('routes') ? await loadRoutes(flags.list('routes'), io.cwd) : [];
  const read = folder === undefined ? undefined : await readFolder(folder, routes);
  const recorded = flags.text('record');
  const recorder = recorded === undefined ? undefined : await recorderOf(path(recorded), io);
  const api =
    recorded === undefined || folder !== undefined
      ? undefined
      : recordApiInto(path(recorded), flags.text('proxy') ?? '');
  const options = optionsOf(flags, read, await storyOf(flags));
  const threads = renderInThreads({ folders: flags.list('charts').map(path), limits: options.limits });
  const emulator = createEmulator({
    ...options,
    routes,
    ...elsewhereOf(flags, recorder, api),
    renderer: threads.render,
  });
  const persistence = state === undefined ? undefined : await persist(emulator, path(state));
  // Before the readiness line: its reader may stop the server immediately.
  const stop = listenForStop(io.signal);
  for (const note of persistence?.notes ?? []) io.stderr(`drydock: ${note}\n`);
  try {
    const page = consoleOf(flags, options, emulator);
    const server = await listen(emulator, flags, { io, page });
    const unwatch =
      folder !== undefined && read && flags.on('watch')
        ? await watch(emulator, { folder, content: read, flags: settingsOf(flags), log: loggerOf(io) })
        : undefined;
    announce(server, flags, { io, page });
    await stop.wished;
    await unwatch?.();
    await server.close();
    await recorder?.flush();
    await api?.flush();
    const exported = flags.text('export');
    if (exported !== undefined) await exportState(emulator, path(exported));
    await reportCoverage(emulator, flags, io);
  } finally {
    stop.ignore();
    threads.stop();
    await persistence?.close();
  }
  return 0;
}

async function storyOf(flags: ParsedFlags): Promise<Fixtures | undefined> {
  const name = flags.text('demo');
  if (name === undefined) return undefined;
  const { storyFixtures } = await import('../stories/stories.ts');
  return storyFixtures(name as StoryName, { scale: Number(flags.text('scale') ?? '1') });
}

function optionsOf(
  flags: ParsedFlags,
  folder: FixtureFolder | undefined,
  story: Fixtures | undefined,
): EmulatorOptions {
  const now = flags.text('now');
  return {
    ...folder?.settings,
    ...(folder && { fixtures: folder.fixtures, scenarios: folder.scenarios, recordings: folder.recordings }),
    ...(story !== undefined && { fixtures: story }),
    ...settingsOf(flags),
    ...(now !== undefined && { now }),
  };
}

async function recorderOf(folder: string, io: CommandIo): Promise<Recorder> {
  await mkdir(folder, { recursive: true });
  const failed = ({ message }: Error): void => io.stderr(`drydock: recorded.json not written: ${message}\n`);
  return recordInto(folder, await readRecordings(folder), failed);
}

function elsewhereOf(
  flags: ParsedFlags,
  recorder: Recorder | undefined,
  api: ApiRecorder | undefined,
): EmulatorOptions {
  const url = flags.text('proxy');
  if (url === undefined) return {};
  if (!recorder) return { elsewhere: proxyTo(url) };
  const onAnswer = (recording: Recording): void => {
    // API responses become fixtures.
    if (!api || !isOfApi(recording.path)) recorder.add(recording);
  };
  const ask = proxyTo(url, { onAnswer });
  return {
    passThrough: api !== undefined,
    elsewhere: async (incoming, target) => {
      try {
        const reply = await ask(incoming, target);
        await api?.add(incoming, target, reply);
        return reply;
      } catch (failure) {
        // Fixtures recorded a moment ago count as part of the folder.
        const { method } = incoming;
        const known = await replay(recorder.kept(), { method, target }, () => readBytes(incoming, elsewhereLimit));
        if (known) return known;
        throw failure;
      }
    },
  };
}

function isOfApi(path: string): boolean {
  return /^\/+api\/+v1\//.test(path);
}

/** Where the server is announced, and the URL of its console. */
interface Serving {
  readonly io: CommandContext;
  readonly page: boolean | 'aside';
}

// With a proxy or recordings, another server may have a page at `/`.
function consoleOf(flags: ParsedFlags, { recordings = [] }: EmulatorOptions, { settings }: Emulator): Serving['page'] {
  if (flags.on('no-console') || !settings.control) return false;
  return flags.has('proxy') || recordings.length > 0 ? 'aside' : true;
}

function consoleUrl(url: string, page: Serving['page']): string | undefined {
  return page === false ? undefined : page === 'aside' ? `${url}/__drydock/console/` : `${url}/`;
}

async function listen(emulator: Emulator, flags: ParsedFlags, { io, page }: Serving): Promise<EmulatorServer> {
  const port = Number(flags.text('port') ?? '4010');
  const host = flags.text('host') ?? '127.0.0.1';
  const allowedHosts = flags.list('allow-host');
  const folder = flags.text('tls');
  const tls = folder === undefined ? undefined : await tlsOf(resolve(io.cwd, folder), [host, ...allowedHosts], io);
  const log = flags.on('log') && { onAnswer: (line: string): void => io.stderr(`${line}\n`) };
  try {
    return await startServer(emulator, { port, host, allowedHosts, console: page, ...log, ...(tls && { tls }) });
  } catch (failure) {
    throw listenFailure(failure as NodeJS.ErrnoException, host, port);
  }
}

// The message and the hint for an address that cannot be listened on.
function listenFailure({ code = '', message }: NodeJS.ErrnoException, host: string, port: number): Error {
  const hint = 'Name an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of its networks.';
  if (code === 'EADDRINUSE') return new ListenError(`port ${port} is taken: choose another with --port, or 0 for any`);
  if (code === 'EACCES')
    return new ListenError(`port ${port} is not for this user: choose one from 1024 on with --port, or 0 for any`);
  if (code === 'EADDRNOTAVAIL') return new UsageError(`--host ${host}: this machine has no such address`, hint);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new UsageError(`--host ${host}: the name does not resolve`, hint);
  return new ListenError(message);
}

async function tlsOf(folder: string, names: readonly string[], io: CommandIo): Promise<ServerOptions['tls']> {
  const { key, cert, caFile } = await certificateIn(
    folder,
    names.filter((name) => !isEverywhere(name)),
  );
  if (caFile !== undefined) io.stderr(`drydock: clients are to trust ${caFile}, such as by NODE_EXTRA_CA_CERTS\n`);
  return { key, cert };
}

/** Thrown if the address cannot be listened on. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

markFailures(ListenError, 'user');

// Watching is loaded on demand.
async function watch(...args: Parameters<typeof watchFixtures>): ReturnType<typeof watchFixtures> {
  return (await import('./watch.node.ts')).watchFixtures(...args);
}

// The TypeScript loader is loaded on demand.
async function loadRoutes(...args: Parameters<typeof readRoutes>): ReturnType<typeof readRoutes> {
  return (await import('./routes.node.ts')).readRoutes(...args);
}

function loggerOf(io: CommandIo): (line: string) => void {
  return (line) => io.stderr(`drydock: ${line}\n`);
}

async function exportState(emulator: Emulator, file: string): Promise<void> {
  try {
    await writeFile(file, `${JSON.stringify(emulator.world().exportSnapshot(), null, 2)}\n`);
  } catch (failure) {
    throw new PersistError(`--export ${file}: ${reasonOf(failure)}`);
  }
}

async function reportCoverage(emulator: Emulator, flags: ParsedFlags, io: CommandContext): Promise<void> {
  const coverage = emulator.coverage();
  for (const file of flags.list('coverage-report')) {
    const text = file.endsWith('.md') ? formatCoverage(coverage) : `${JSON.stringify(coverage, null, 2)}\n`;
    try {
      await writeFile(resolve(io.cwd, file), text);
    } catch (failure) {
      throw new PersistError(`--coverage-report ${file}: ${reasonOf(failure)}`);
    }
  }
  if (flags.on('coverage')) io.stdout(`${summarizeCoverage(coverage)}\n`);
}

function announce({ url, emulator }: EmulatorServer, flags: ParsedFlags, { io, page }: Serving): void {
  const shown = consoleUrl(url, page);
  const host = flags.text('host') ?? '127.0.0.1';
  const users = emulator.users();
  if (!/^(?:127\.|::1$|localhost$)/.test(host)) {
    const reach = isEverywhere(host) ? 'every network of this machine' : host;
    io.stderr(`drydock: listening on ${reach}: others can reach the emulator and its control routes\n`);
  }
  if (flags.on('json'))
    io.stdout(`${JSON.stringify({ url, ...(shown !== undefined && { console: shown }), users })}\n`);
  else if (io.quiet) io.stdout(`${url}\n`);
  else if (flags.has('record') && !flags.has('fixtures')) {
    const [proxy, folder] = [flags.text('proxy'), flags.text('record')];
    io.stdout(`drydock at ${url} forwards requests to ${proxy} and records the responses in ${folder}\n`);
  } else io.stdout(welcome({ url, console: shown, users }, tableOfPeople(emulator.world().store, io.out)));
}

/** The first lines about a server. */
interface Welcome {
  readonly url: string;
  readonly console: string | undefined;
  readonly users: ReturnType<Emulator['users']>;
}

function welcome({ url, console, users }: Welcome, people: readonly string[]): string {
  const [first] = users;
  return [
    `drydock serves the user API at ${url}/api/v1`,
    ...(console === undefined ? [] : [`the console:        ${console}`]),
    `the API, described: ${url}/api/swagger`,
    '',
    ...people,
    '',
    ...(first ? [`try: curl -H 'Authorization: token ${first.token}' ${url}/api/v1/user`, ''] : []),
  ].join('\n');
}
