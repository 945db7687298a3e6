// The contexts of a request: immutable. Each middleware passes on what it has found out; what the log needs is in the record. They are
// written out instead of spread, because each spread copy has its own hidden class, and a request would take twice as long.

import type { Json } from '../store/json.ts';
import type { UserRow } from '../store/rows.ts';
import type { Fault } from '../world/faults.ts';
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';
import { type Credentials, readCredentials } from './auth.ts';
import { cookieNames, readSessionKey } from './cookies.ts';
import type { CoverageCounter } from './coverage.ts';
import type { Incoming } from './message.ts';
import type { Call, Route, Services } from './route.ts';
import type { Router } from './router.ts';
import type { Settings } from './settings.ts';

/** Shared by the requests of an emulator. */
export interface AppContext {
  readonly routes: readonly Route[];
  readonly findRoutes: Router;
  readonly worlds: Worlds;
  /** The current settings. */
  readonly settings: () => Settings;
  readonly services: Services;
  readonly coverage: CoverageCounter;
  /** Called with errors of the emulator itself, not with those of callers. */
  readonly onBug: (failure: unknown, call: string) => void;
  readonly nextRequestId: () => string;
}

/** The base URLs of links. */
interface Addresses {
  /** The prefix of the path: base path and world, as the caller wrote them. */
  readonly prefix: string;
  readonly apiUrl: string;
  readonly siteUrl: string;
}

/** What is known of a request for its log entry, as far as it came. */
export interface RequestRecord {
  route: Route | undefined;
  world: World | undefined;
  user: UserRow | undefined;
  body: Uint8Array | undefined;
  /** For an unknown address: a similar one. */
  meant: string | undefined;
  faults: readonly Fault[];
  readonly violations: string[];
}

/** The context of a request as it arrives. */
export interface RequestContext extends Addresses {
  readonly app: AppContext;
  readonly settings: Settings;
  readonly incoming: Incoming;
  readonly record: RequestRecord;
  /** The path without base path and world; undefined outside the base path. */
  readonly path: string | undefined;
  /** The world at the start of the path. */
  readonly worldName: string | undefined;
  /** Path and query without base path and world. */
  readonly target: string;
  readonly search: URLSearchParams;
  readonly credentials: Credentials;
}

/** The context of a request for a route. */
export interface RouteContext {
  readonly request: RequestContext;
  readonly route: Route;
  /** The parameters of the route's path. */
  readonly params: Readonly<Record<string, string>>;
}

/** The context of a request in a world, to which its links lead. */
export interface WorldContext extends RouteContext {
  readonly world: World;
  readonly apiUrl: string;
  readonly siteUrl: string;
}

/** The context of an authorized request; public routes have no user. */
export interface UserContext extends WorldContext {
  readonly user: UserRow | undefined;
}

/** The context of a valid request. */
export interface InputContext extends UserContext {
  readonly bytes: Uint8Array | undefined;
  readonly body: Json | undefined;
}

// A path can start with a world: /@name/api/v1/user.
const worldPrefix = /^\/+@([^/?]+)(?=[/?]|$)/;

const noSearch = new URLSearchParams();

/** Returns the context of a request. */
export function createRequestContext(app: AppContext, incoming: Incoming): RequestContext {
  const settings = app.settings();
  const { basePath } = settings;
  const inside = basePath === '' ? incoming.target : insideOf(basePath, incoming.target);
  const target = inside ?? incoming.target;
  const world = inside === undefined ? null : worldPrefix.exec(target);
  const prefix = world?.[0] ?? '';
  const rest = target.slice(prefix.length);
  const query = rest.indexOf('?');
  const search = query < 0 ? noSearch : new URLSearchParams(rest.slice(query + 1));
  const cookie = incoming.header('cookie');
  const addresses = addressesOf(incoming, settings, prefix.replace(/^\/+/, '/'));
  return {
    app,
    settings,
    incoming,
    record: {
      route: undefined,
      world: undefined,
      user: undefined,
      body: undefined,
      meant: undefined,
      faults: [],
      violations: [],
    },
    path: inside === undefined ? undefined : (query < 0 ? rest : rest.slice(0, query)) || '/',
    worldName: world?.[1],
    target: rest,
    search,
    // An empty header counts as absent.
    credentials: readCredentials({
      authorization: incoming.header('authorization') || undefined,
      queryToken: search.get('token') || search.get('access_token') || undefined,
      sudo: incoming.header('sudo') || search.get('sudo') || undefined,
      session: cookie === undefined ? undefined : readSessionKey(cookie, cookieNames(settings).session),
      csrf: cookie === undefined ? undefined : incoming.header('x-csrf-token'),
    }),
    prefix: addresses.prefix,
    apiUrl: addresses.apiUrl,
    siteUrl: addresses.siteUrl,
  };
}

function addressesOf(incoming: Incoming, { basePath, publicUrl }: Settings, worldPath: string): Addresses {
  if (publicUrl) {
    const url = publicUrl + worldPath;
    return { prefix: new URL(publicUrl).pathname.replace(/\/$/, '') + worldPath, apiUrl: url, siteUrl: url };
  }
  const { origin, prefix = '', sitePrefix = prefix } = incoming;
  const inside = basePath + worldPath;
  return { prefix: prefix + inside, apiUrl: origin + prefix + inside, siteUrl: origin + sitePrefix + inside };
}

function insideOf(basePath: string, target: string): string | undefined {
  if (!target.startsWith(basePath)) return undefined;
  const rest = target.slice(basePath.length);
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? rest : undefined;
}

/** Returns an authorized and validated call for its handler. */
export function createCall(context: InputContext): Call {
  const { request, world, params, apiUrl, siteUrl, user, body, bytes } = context;
  const { app, settings, search, incoming, prefix, path = '' } = request;
  return {
    world,
    worlds: app.worlds,
    settings,
    services: app.services,
    routes: app.routes,
    params,
    body,
    apiUrl,
    siteUrl,
    prefix,
    path,
    store: world.store,
    db: world.db,
    clock: world.clock,
    viewer: user,
    bytes,
    query: (name) => search.get(name) ?? undefined,
    queryAll: (name) => search.getAll(name),
    header: (name) => incoming.header(name),
    get caller() {
      if (!user) throw new Error('this route has no caller');
      return user;
    },
    get signal() {
      return incoming.signal;
    },
  };
}
