// A request as it arrives, and what is found out about it on the way to its response.

import type { UserRow } from '../store/rows.ts';
import type { Fault } from '../world/faults.ts';
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';
import { type Credentials, readCredentials } from './auth.ts';
import type { RouteCoverageCounter } from './coverage.ts';
import type { Incoming } from './message.ts';
import type { Route, Services } from './route.ts';
import type { Router } from './router.ts';
import type { Settings } from './settings.ts';

/** Shared by the requests of an emulator. */
export interface App {
  readonly routes: readonly Route[];
  readonly router: Router;
  readonly worlds: Worlds;
  readonly settings: () => Settings;
  readonly services: Services;
  readonly coverage: RouteCoverageCounter;
  /** Called with errors of the emulator itself, not with those of callers. */
  readonly onBug: (failure: unknown, call: string) => void;
  readonly nextRequestId: () => string;
}

/** A request. What can be assigned is known only later, and undefined or empty until then. */
export interface AppRequest {
  readonly app: App;
  readonly settings: Settings;
  readonly incoming: Incoming;
  /** The path without base path and world; undefined outside the base path. */
  readonly path: string | undefined;
  /** The world at the start of the path. */
  readonly worldName: string | undefined;
  /** Path and query without base path and world. */
  readonly target: string;
  readonly search: URLSearchParams;
  readonly credentials: Credentials;
  /** The prefix of the path: base path and world, as the caller wrote them. */
  readonly prefix: string;
  /** The base URLs of links; in a world, however it was selected, they lead to it. */
  apiUrl: string;
  siteUrl: string;
  route: Route | undefined;
  params: Readonly<Record<string, string>>;
  world: World | undefined;
  user: UserRow | undefined;
  bytes: Uint8Array | undefined;
  /** For an unknown address: a similar one. */
  meant: string | undefined;
  faults: readonly Fault[];
  readonly violations: string[];
}

// A path can start with a world: /@name/api/v1/user.
const worldPrefix = /^\/+@([^/?]+)(?=[/?]|$)/;

const noSearch = new URLSearchParams();

/** Returns a request that has just arrived. */
export function readRequest(app: App, incoming: Incoming): AppRequest {
  const settings = app.settings();
  const { basePath, publicUrl } = settings;
  const inside = basePath === '' ? incoming.target : insideOf(basePath, incoming.target);
  const whole = inside ?? incoming.target;
  const world = inside === undefined ? null : worldPrefix.exec(whole);
  const worldPath = (world?.[0] ?? '').replace(/^\/+/, '/');
  const target = whole.slice(world?.[0].length ?? 0);
  const query = target.indexOf('?');
  const search = query < 0 ? noSearch : new URLSearchParams(target.slice(query + 1));
  const { origin, prefix = '', sitePrefix = prefix } = incoming;
  const own = basePath + worldPath;
  return {
    app,
    settings,
    incoming,
    path: inside === undefined ? undefined : (query < 0 ? target : target.slice(0, query)) || '/',
    worldName: world?.[1],
    target,
    search,
    credentials: readCredentials(incoming, search, settings),
    prefix: publicUrl ? new URL(publicUrl).pathname.replace(/\/$/, '') + worldPath : prefix + own,
    apiUrl: publicUrl ? publicUrl + worldPath : origin + prefix + own,
    siteUrl: publicUrl ? publicUrl + worldPath : origin + sitePrefix + own,
    route: undefined,
    params: {},
    world: undefined,
    user: undefined,
    bytes: undefined,
    meant: undefined,
    faults: [],
    violations: [],
  };
}

function insideOf(basePath: string, target: string): string | undefined {
  if (!target.startsWith(basePath)) return undefined;
  const rest = target.slice(basePath.length);
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? rest : undefined;
}
