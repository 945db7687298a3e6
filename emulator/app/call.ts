// A call for its handler. A class, because an object with accessors takes ten times as long to create.

import type { Json } from '../store/json.ts';
import type { UserRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';
import type { Incoming } from './message.ts';
import type { RequestContext } from './request-context.ts';
import type { Call, Route, Services } from './route.ts';
import type { Settings } from './settings.ts';

/** Shared by the calls of an emulator. */
interface Surroundings {
  readonly worlds: Worlds;
  readonly settings: Settings;
  readonly services: Services;
  readonly routes: readonly Route[];
}

/** What is known of a call before its handler. */
interface Known {
  readonly world: World;
  readonly params: Call['params'];
  readonly body: Json | undefined;
}

/** An authorized and validated call in a world. */
export class CallInWorld implements Call {
  readonly world: World;
  readonly worlds: Worlds;
  readonly store: Store;
  readonly settings: Settings;
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly viewer: UserRow | undefined;
  readonly params: Call['params'];
  readonly body: Json | undefined;
  readonly bytes: Uint8Array | undefined;
  readonly apiUrl: string;
  readonly siteUrl: string;
  readonly prefix: string;
  readonly path: string;
  // Bound functions, because handlers destructure them.
  readonly query: Call['query'];
  readonly queryAll: Call['queryAll'];
  readonly header: Call['header'];
  readonly #incoming: Incoming;

  constructor(
    { worlds, settings, services, routes }: Surroundings,
    context: RequestContext,
    { world, params, body }: Known,
  ) {
    this.world = world;
    this.worlds = worlds;
    this.store = world.store;
    this.settings = settings;
    this.services = services;
    this.routes = routes;
    this.viewer = context.user;
    this.params = params;
    this.body = body;
    this.bytes = context.body;
    this.apiUrl = context.apiUrl;
    this.siteUrl = context.siteUrl;
    this.prefix = context.prefix;
    this.path = context.path ?? '';
    const { search, incoming } = context;
    this.query = (name) => search.get(name) ?? undefined;
    this.queryAll = (name) => search.getAll(name);
    this.header = (name) => incoming.header(name);
    this.#incoming = incoming;
  }

  get db(): Call['db'] {
    return this.world.db;
  }

  get clock(): Call['clock'] {
    return this.world.clock;
  }

  get caller(): UserRow {
    if (!this.viewer) throw new Error('this route has no caller');
    return this.viewer;
  }

  get signal(): AbortSignal | undefined {
    return this.#incoming.signal;
  }
}
