// The context of a request, filled by the dispatcher step by step and read by the log, and the call that a handler gets of it.

import type { Json } from '../store/json.ts';
import type { UserRow } from '../store/rows.ts';
import type { Fault } from '../world/faults.ts';
import type { World } from '../world/world.ts';
import { type Credentials, readCredentials } from './auth.ts';
import { cookieNames, readSessionKey } from './cookies.ts';
import type { Incoming } from './message.ts';
import type { Call, Route } from './route.ts';
import type { Settings } from './settings.ts';

/** The context of a request. */
export interface RequestContext {
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
  apiUrl: string;
  siteUrl: string;
  /** The parameters of the route's path. */
  params: Readonly<Record<string, string>>;
  world: World | undefined;
  route: Route | undefined;
  user: UserRow | undefined;
  body: Uint8Array | undefined;
  aborted: boolean;
  /** For an unknown address: a similar one. */
  meant: string | undefined;
  faults: readonly Fault[];
  readonly violations: string[];
}

// A path can start with a world: /@name/api/v1/user.
const worldPrefix = /^\/+@([^/?]+)(?=[/?]|$)/;

const noSearch = new URLSearchParams();
const noFaults: readonly Fault[] = [];

/** Starts the context of a call to an emulator. */
export function createRequestContext(incoming: Incoming, settings: Settings): RequestContext {
  const { basePath, publicUrl } = settings;
  const inside = basePath === '' ? incoming.target : insideOf(basePath, incoming.target);
  const target = inside ?? incoming.target;
  const world = inside === undefined ? null : worldPrefix.exec(target);
  const prefix = world?.[0] ?? '';
  const rest = target.slice(prefix.length);
  const query = rest.indexOf('?');
  const search = query < 0 ? noSearch : new URLSearchParams(rest.slice(query + 1));
  const worldPath = prefix.replace(/^\/+/, '/');
  const outside = incoming.prefix ?? '';
  const cookie = incoming.header('cookie');
  const addresses = publicUrl
    ? {
        prefix: new URL(publicUrl).pathname.replace(/\/$/, '') + worldPath,
        apiUrl: publicUrl + worldPath,
        siteUrl: publicUrl + worldPath,
      }
    : {
        prefix: outside + basePath + worldPath,
        apiUrl: incoming.origin + outside + basePath + worldPath,
        siteUrl: incoming.origin + (incoming.sitePrefix ?? outside) + basePath + worldPath,
      };
  return {
    incoming,
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
    ...addresses,
    params: {},
    world: undefined,
    route: undefined,
    user: undefined,
    body: undefined,
    aborted: false,
    meant: undefined,
    faults: noFaults,
    violations: [],
  };
}

function insideOf(basePath: string, target: string): string | undefined {
  if (!target.startsWith(basePath)) return undefined;
  const rest = target.slice(basePath.length);
  return rest === '' || rest.startsWith('/') || rest.startsWith('?') ? rest : undefined;
}

/** Shared by the calls of an emulator. */
type Surroundings = Pick<Call, 'worlds' | 'settings' | 'services' | 'routes'>;

/** Returns an authorized and validated call for its handler. */
export function createCall(
  { worlds, settings, services, routes }: Surroundings,
  context: RequestContext,
  { world, body }: { readonly world: World; readonly body: Json | undefined },
): Call {
  const { search, incoming, user, params, apiUrl, siteUrl, prefix, path = '' } = context;
  return {
    world,
    worlds,
    settings,
    services,
    routes,
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
    bytes: context.body,
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
