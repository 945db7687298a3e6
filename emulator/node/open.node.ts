// Opens the emulator of a server: its fixtures, recordings, rendering threads and persisted state.

import {
  callback,
  either,
  flag,
  listOf,
  membersOf,
  optionsOf,
  text,
  wholeNumber,
} from '../../render/core/arguments.ts';
import { isEverywhere } from '../app/security.ts';
import { type Settings, settingRules } from '../app/settings.ts';
import { EmulatorError, type Issue } from '../core/errors.ts';
import { createEmulator, type Emulator, type EmulatorOptions, internalsOf } from '../emulator.ts';
import { readFolder } from '../fixture-folder.node.ts';
import { renderInThreads } from '../rendering/pool.node.ts';
import { certificateIn } from './certificate.node.ts';
import { proxyTo } from './proxy.node.ts';

/** Options of the server. */
export interface ServerOptions {
  /** 0 selects any free port. Default 0. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string | undefined;
  /** Host names that requests can use, in addition to those of this machine and IP addresses; `*` allows all. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Speaks HTTPS with this key and certificate, in PEM, or with those of a folder: see `certificateIn`. */
  readonly tls?: string | { readonly key: string; readonly cert: string } | undefined;
  /**
   * Folder with fixtures, `settings.json`, `scenarios.json` and recordings. Options of the emulator take precedence. Default: the bundled
   * fixtures.
   */
  readonly fixturesFolder?: string | undefined;
  /**
   * Applies changes in `fixturesFolder`: every world is reset to changed fixtures, and earlier edits are saved in a snapshot. Default false.
   */
  readonly watch?: boolean | undefined;
  /** Folders with charts, before those bundled with drydock. */
  readonly chartFolders?: readonly string[] | undefined;
  /** File that keeps all worlds and snapshots across restarts. */
  readonly persist?: string | undefined;
  /** URL of another server, to which requests for other addresses are forwarded. Replaces the `elsewhere` option of the emulator. */
  readonly proxy?: string | undefined;
  /**
   * Folder in which the responses of `proxy` are recorded. Without `fixturesFolder`, requests to the API are forwarded too, and their
   * responses are recorded as fixtures.
   */
  readonly record?: string | undefined;
  /**
   * Serves the console for exploring the emulator and composing Orders: at `/` or, with a `proxy` or recordings in `fixturesFolder`, only at
   * `/__drydock/console/`. It needs the control routes. Default false.
   */
  readonly console?: boolean | undefined;
  /** Called with every response: a line for people, without secrets. */
  readonly onAnswer?: ((line: string) => void) | undefined;
  /** Called with notices for people, such as an invalid file in a watched folder. Default: prints them to standard error. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** A step that closes what was opened. */
export type Closer = () => void | Promise<void>;

const pem = membersOf<{ readonly key: string; readonly cert: string }>({ key: text, cert: text }, ['key', 'cert']);
const isText = (value: unknown): boolean => typeof value === 'string';
const serverOptions = optionsOf<ServerOptions>({
  port: wholeNumber(0, 65535),
  host: text,
  allowedHosts: listOf(text),
  tls: either(isText, text, pem),
  fixturesFolder: text,
  watch: flag,
  chartFolders: listOf(text),
  persist: text,
  proxy: text,
  record: text,
  console: flag,
  onAnswer: callback,
  onNotice: callback,
});

/** Validates server options. Throws an `EmulatorError` (SETTING_INVALID) with all issues. */
export function checkServerOptions(options: ServerOptions, isOpen: boolean): void {
  const { watch, fixturesFolder, chartFolders, record, proxy } = options;
  const issues = serverOptions(options, '').map(
    ({ path, message, hint }): Issue => ({ path, message, ...(hint !== undefined && { hint }) }),
  );
  if (watch && fixturesFolder === undefined) issues.push({ path: 'watch', message: 'needs fixturesFolder' });
  if (record !== undefined && proxy === undefined) issues.push({ path: 'record', message: 'needs proxy' });
  for (const [path, value] of isOpen ? Object.entries({ fixturesFolder, chartFolders, proxy }) : []) {
    const hint = 'pass options instead of an emulator';
    if (value !== undefined) issues.push({ path, message: 'applies to a new emulator', hint });
  }
  if (issues.length > 0) throw new EmulatorError('SETTING_INVALID', issues);
}

/** Opens an emulator, or creates it from options. `closers` receives the steps that close it, in the order of opening. */
export async function openEmulator(
  given: Emulator | EmulatorOptions,
  server: ServerOptions,
  closers: Closer[],
): Promise<Emulator> {
  const { fixturesFolder, persist: file } = server;
  const onNotice = noticesOf(server);
  const isOpen = isEmulator(given);
  const content =
    isOpen || fixturesFolder === undefined ? undefined : await readFolder(fixturesFolder, given.routes ?? []);
  const { settings, ...data } = content ?? {};
  const emulator = isOpen ? given : await create({ ...settings, ...data, ...definedIn(given) }, server, closers);
  if (file !== undefined) {
    const { persist } = await import('../persistence/persist.node.ts');
    const { notes, close } = await persist(emulator, file);
    closers.push(close);
    for (const note of notes) onNotice(note);
  }
  if (server.watch && fixturesFolder !== undefined && content !== undefined) {
    const { watchFixtures } = await import('./watch.node.ts');
    const watched = { folder: fixturesFolder, content, settings: settingsIn(given), onNotice };
    closers.push(await watchFixtures(emulator, watched));
  }
  return emulator;
}

/** Reports whether an argument is an emulator rather than its options. */
export function isEmulator(given: Emulator | EmulatorOptions): given is Emulator {
  return typeof given === 'object' && given !== null && 'fetch' in given;
}

async function create(options: EmulatorOptions, server: ServerOptions, closers: Closer[]): Promise<Emulator> {
  const { renderer, registry, limits } = options;
  const threads = renderer ? undefined : renderInThreads({ folders: server.chartFolders, registry, limits });
  if (threads) closers.push(threads.stop);
  return createEmulator({
    ...options,
    ...(await forwarding(server, closers)),
    ...(threads && { renderer: threads.render }),
  });
}

async function forwarding(server: ServerOptions, closers: Closer[]): Promise<EmulatorOptions> {
  const { proxy, record, fixturesFolder } = server;
  if (proxy === undefined) return {};
  if (record === undefined) return { elsewhere: proxyTo(proxy) };
  const { recordingProxy } = await import('./record.node.ts');
  const recording = await recordingProxy(proxy, { folder: record, includeApi: fixturesFolder === undefined });
  closers.push(recording.flush);
  return recording.options;
}

function noticesOf({ onNotice }: ServerOptions): (message: string) => void {
  return onNotice ?? ((message) => console.error(`drydock: ${message}`));
}

function definedIn(options: EmulatorOptions): EmulatorOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function settingsIn(options: EmulatorOptions): Partial<Settings> {
  return Object.fromEntries(Object.entries(definedIn(options)).filter(([name]) => Object.hasOwn(settingRules, name)));
}

/** Returns the path of the console; undefined if it is not served. */
export function consolePath(server: ServerOptions, emulator: Emulator): string | undefined {
  if (!server.console || !emulator.settings.control) return undefined;
  const hasOtherPages =
    server.proxy !== undefined ||
    (server.fixturesFolder !== undefined && internalsOf(emulator).current.recordings.length > 0);
  return hasOtherPages ? '/__drydock/console/' : '/';
}

/** Returns the key and certificate of the server; undefined for plain HTTP. */
export async function certificateOf(
  server: ServerOptions,
): Promise<{ readonly key: string; readonly cert: string } | undefined> {
  const { tls, host = '127.0.0.1', allowedHosts = [] } = server;
  if (typeof tls !== 'string') return tls;
  const names = [host, ...allowedHosts].filter((name) => !isEverywhere(name));
  const { key, cert, caFile } = await certificateIn(tls, names);
  if (caFile !== undefined) noticesOf(server)(`clients are to trust ${caFile}, such as by NODE_EXTRA_CA_CERTS`);
  return { key, cert };
}
