// The entry point `drydock/emulator/testing`: a world for each test, which closes by itself. No test runner is imported here.

import { callback, having, isMembers, kind, optional, text } from '../render/core/arguments.ts';
import { lazy } from '../render/core/lazy.ts';
import { escapeMarkup } from '../render/core/page/escape.ts';
import { didYouMean } from '../render/core/suggest.ts';
import { belowPattern, sharedPatterns, worldPattern } from './app/address-patterns.ts';
import { sharedSite } from './app/route.ts';
import { checkArguments } from './core/arguments.ts';
import { EmulatorError } from './core/errors.ts';
import type { CustomNames, NamesIn } from './core/names.ts';
import { createEmulator, type Emulator, type EmulatorOptions, internalsOf } from './emulator.ts';
import { type EmulatorServer, startServer } from './server.node.ts';
import { fold } from './store/fields.ts';
import type { Fixtures } from './store/fixtures.ts';
import type { Models } from './store/models/types.ts';
import { addFixtures } from './store/models/write.ts';
import { findUser, tokenHolders } from './store/people.ts';
import { answerFetch, isRequest, type LinkPrefixes } from './web.ts';
import type { Fault, ScenarioReference } from './world/faults.ts';
import type { LogEntry, LogFilter, NearMiss } from './world/log.ts';
import type { World } from './world/world.ts';

export type { Fixtures } from './store/fixtures.ts';
export type { Models } from './store/models/types.ts';
export type { LogEntry, LogFilter, NearMiss } from './world/log.ts';

/** Options of a test's request in addition to those of `fetch`. */
export interface TestRequest extends RequestInit {
  /** The login of the caller, whose token is sent. Default: none. */
  readonly as?: string;
}

/** An isolated world for one test: rows, faults, clock and log. `await using` closes it. */
export interface TestWorld<Names extends CustomNames = CustomNames> {
  readonly name: string;
  /** The URL of the world, such as `http://127.0.0.1:41234/@test-1`: the platform's address for the code under test. */
  readonly url: string;
  /** The emulator of the world, shared by worlds opened with the same options. */
  readonly emulator: Emulator<Names>;
  /** Rows and snapshots of the world. */
  readonly world: World;
  /** The rows as models: `db.cluster.create({ owner: 'ada' })`, `db.person.update({ where, data })`. */
  readonly db: Models;
  /** The clock of the world: `freeze`, `set`, `advance`, `resume`, `now`, `iso`. */
  readonly clock: World['clock'];
  /** The people who have a token. */
  readonly users: ReturnType<Emulator['users']>;
  /** Returns a token of a login, created if necessary. Throws an `EmulatorError` (ARGUMENT_INVALID) for an unknown login. */
  token(login: string): string;
  /** Calls the world without the network, with a path such as `/api/v1/user`. Throws as `token` and `fetch` do. */
  fetch(input: Request | URL | string, init?: TestRequest): Promise<Response>;
  /** Adds a fault and returns a function that removes it. Throws as `emulator.fault` does. */
  fault(fault: Fault<Names['routes']>): () => void;
  /** Activates a scenario and returns a function that deactivates it. Throws as `emulator.scenario` does. */
  scenario(name: ScenarioReference<Names['scenarios']>): () => void;
  /** Lists the stored orders of a person, or of everyone, oldest first. */
  orders(login?: string): ReturnType<Emulator['orders']>;
  /** Lists the matching requests of the log, oldest first. Throws as `emulator.requests` does, like the next three. */
  requests(filter?: LogFilter<Names['routes']>): readonly LogEntry[];
  /** Counts the matching requests of the log. */
  countRequests(filter?: LogFilter<Names['routes']>): number;
  /** Lists up to three requests that almost match. */
  nearMisses(filter: LogFilter<Names['routes']>): readonly NearMiss[];
  /** Returns the first matching request, now or within `timeoutMs` (5000). */
  waitForRequest(filter: LogFilter<Names['routes']>, timeoutMs?: number): Promise<LogEntry>;
  /**
   * Answers the API requests of a Playwright context (or page) at any origin, and its sign-in, also through an organization; other requests
   * are passed through.
   */
  route(pages: RoutedPages): Promise<void>;
  /** Deletes the world; the last one closes the port. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The required members of a Playwright `BrowserContext` or `Page`. */
export interface RoutedPages {
  route(url: RegExp, handler: (route: PageRoute) => Promise<void>): Promise<unknown>;
}

/** The required members of a Playwright `Route`. */
export interface PageRoute {
  request(): {
    url(): string;
    method(): string;
    allHeaders(): Promise<Record<string, string>>;
    postDataBuffer(): Uint8Array | null;
    isNavigationRequest(): boolean;
  };
  /** Passes the request to other handlers and to the network. */
  fallback(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: `body` is a Buffer; its name would ask every project for Node's types
  fulfill(answer: { status: number; headers: Record<string, string>; body: any }): Promise<void>;
  abort(reason: string): Promise<void>;
}

/**
 * Opens a world. Worlds with the same options object, or with none, share one emulator, so each takes milliseconds. Rejects with an
 * `EmulatorError` or a `FixtureError` as `createEmulator` throws them.
 */
export async function openWorld<const Options extends TestOptions = TestOptions>(
  options?: Options,
): Promise<TestWorld<NamesIn<Options>>> {
  const given: TestOptions = options === undefined ? noOptions : options;
  checkArguments('openWorld', ['options', given, testOptions]);
  return (await sharedEmulator(given).open()) as TestWorld<NamesIn<Options>>;
}

/** The required members of a node:test context: `after` is called at its end. */
export interface TestContextOfNode {
  after(end: () => Promise<void>): void;
}

/** Opens a world for a test of node:test, which closes with it. Rejects as `openWorld` does. */
export async function testWorld<const Options extends TestOptions = TestOptions>(
  test: TestContextOfNode,
  options?: Options,
): Promise<TestWorld<NamesIn<Options>>> {
  checkArguments('testWorld', ['test', test, having('the context of a test', { after: callback })]);
  const world = await openWorld(options);
  test.after(world.close);
  return world;
}

/** The argument of vitest and Playwright tests: `test('…', async ({ drydock }) => …)`. */
export interface WorldFixtures {
  drydock: TestWorld;
}

type Use<Value> = (value: Value) => Promise<void>;

/** The fixture of a world for vitest and Playwright. */
export type WorldFixture = (others: object, use: Use<TestWorld>) => Promise<void>;

/** Returns the fixtures for vitest: `test.extend<WorldFixtures>(vitestFixtures())`. */
export function vitestFixtures(options: TestOptions = noOptions): { drydock: WorldFixture } {
  const shared = sharedEmulator(options);
  return {
    // Both runners read from the parameters which other fixtures are needed: none.
    // biome-ignore lint/correctness/noEmptyPattern: they require a pattern.
    drydock: async ({}, use) => {
      const world = await shared.open();
      try {
        await use(world);
      } finally {
        await world.close();
      }
    },
  };
}

/**
 * Returns the fixtures for Playwright: `test.extend<WorldFixtures>(playwrightFixtures())`. API requests of a test's pages are answered by
 * its world; if no `baseURL` is configured it is the world's, for `request.get('api/v1/user')` (without a leading slash).
 */
export function playwrightFixtures(options: TestOptions = noOptions): {
  drydock: WorldFixture;
  baseURL: (others: { baseURL: string | undefined; drydock: TestWorld }, use: Use<string | undefined>) => Promise<void>;
  context: <Context extends RoutedPages>(
    others: { context: Context; drydock: TestWorld },
    use: Use<Context>,
  ) => Promise<void>;
} {
  return {
    ...vitestFixtures(options),
    baseURL: async ({ baseURL, drydock }, use) => use(baseURL ?? `${drydock.url}/`),
    context: async ({ context, drydock }, use) => {
      await drydock.route(context);
      await use(context);
    },
  };
}

/** The options of an emulator, and the initial content of each world. */
export interface TestOptions extends EmulatorOptions {
  /** Rows in addition to those of the fixtures, for this test. */
  readonly add?: Fixtures;
}

const testOptions = having<TestOptions>('the options of a world', { add: optional(kind('an object', isMembers)) });
const noOptions: TestOptions = {};
const sharedEmulators = new WeakMap<TestOptions, OpenWorld>();

type OpenWorld = (add?: Fixtures) => Promise<TestWorld>;

// Additional rows of a world do not create another emulator.
function sharedEmulator(options: TestOptions): { readonly open: () => Promise<TestWorld> } {
  const { add, ...rest } = options;
  const key = Object.keys(rest).length === 0 ? noOptions : options;
  const open = sharedEmulators.get(key) ?? openInShared(createEmulator(rest));
  sharedEmulators.set(key, open);
  return { open: () => open(add) };
}

// The emulator listens while any test has a world of it.
function openInShared(emulator: Emulator): OpenWorld {
  let server: Promise<EmulatorServer> | undefined;
  let open = 0;
  let last = 0;
  const leave = async (world: World | undefined): Promise<void> => {
    if (world) internalsOf(emulator).worlds.remove(world.name);
    if (--open > 0) return;
    const listening = server;
    server = undefined;
    await (await listening?.catch(() => undefined))?.close();
  };
  return async (add) => {
    open++;
    let world: World | undefined;
    try {
      server ??= startServer(emulator);
      const { url } = await server;
      world = emulator.world(`test-${++last}`);
      if (add !== undefined) addFixtures(world, add, 'add');
      const close = lazy(() => leave(world));
      return worldOf(emulator, world, { url: `${url}/@${world.name}`, close });
    } catch (failure) {
      await leave(world);
      throw failure;
    }
  };
}

function worldOf(
  emulator: Emulator,
  world: World,
  { url, close }: { readonly url: string; readonly close: () => Promise<void> },
): TestWorld {
  const { name } = world;
  const call = (
    input: Request | URL | string,
    { as, ...init }: TestRequest = {},
    links: LinkPrefixes = {},
  ): Promise<Response> => {
    const headers = new Headers(init.headers ?? (isRequest(input) ? input.headers : undefined));
    headers.set('X-Drydock-World', name);
    if (as !== undefined) headers.set('Authorization', `token ${tokenOf(world, as)}`);
    return answerFetch(emulator.answer, input, { ...init, headers }, links);
  };
  return {
    name,
    url,
    emulator,
    world,
    db: world.db,
    clock: world.clock,
    get users() {
      return tokenHolders(world.store);
    },
    token: (login) => tokenOf(world, login),
    fetch: async (input, init) => call(input, init),
    fault: (fault) => emulator.fault(fault, name),
    scenario: (scenario) => emulator.scenario(scenario, name),
    orders: (login) => emulator.orders(login, name),
    requests: (filter) => emulator.requests(filter, name),
    countRequests: (filter) => emulator.countRequests(filter, name),
    nearMisses: (filter) => emulator.nearMisses(filter, name),
    waitForRequest: (filter, timeoutMs) => emulator.waitForRequest(filter, timeoutMs, name),
    route: async (pages) => void (await pages.route(pageAddresses(emulator), (route) => answerPage(call, route))),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function tokenOf({ store, db }: World, login: string): string {
  checkArguments('token', ['login', login, text]);
  const good = tokenHolders(store).find((one) => fold(one.login) === fold(login));
  if (good) return good.token;
  const person = findUser(store, login);
  // A person created by the test has no token yet.
  if (person) return db.token.create({ user: person.login }).token;
  const known = store.user.all().map((one) => one.login);
  const message = `there is no person ${JSON.stringify(login)}${didYouMean(login, known)}`;
  throw new EmulatorError('ARGUMENT_INVALID', [{ path: 'login', message }]);
}

// Addresses of the emulator at any origin.
function pageAddresses({ routes }: Emulator): RegExp {
  const { service, signIn, site } = sharedPatterns(routes);
  const provider = worldPattern + belowPattern('/user/oauth2');
  return new RegExp(`^https?://[^/]+(?:${service}|${signIn}|${provider}|${site})(?:[?#]|$)`);
}

// An application may have its own page there.
const ownPage = /^\/+user\/+login\/*$/;
const inSite = new RegExp(`^${belowPattern(sharedSite)}$`);

async function answerPage(
  call: (url: URL, init: TestRequest, links: LinkPrefixes) => Promise<Response>,
  route: PageRoute,
): Promise<void> {
  const request = route.request();
  const url = new URL(request.url());
  if (request.method() === 'GET' && ownPage.test(url.pathname)) return route.fallback();
  const sent = request.postDataBuffer();
  const init = {
    method: request.method(),
    headers: await request.allHeaders(),
    ...(sent && { body: sent as BodyInit }),
  };
  try {
    const answer = await call(
      url,
      init,
      inSite.test(url.pathname) ? { prefix: sharedSite } : { sitePrefix: sharedSite },
    );
    const headers = Object.fromEntries(answer.headers);
    // Playwright expects several cookies as lines of one header.
    const cookies = answer.headers.getSetCookie();
    if (cookies.length > 0) headers['set-cookie'] = cookies.join('\n');
    const { location } = headers;
    if (location !== undefined && request.isNavigationRequest()) {
      // Playwright does not pass redirects to a route: the page follows them itself.
      const body = Buffer.from(`<!doctype html><meta http-equiv="refresh" content="0; url=${escapeMarkup(location)}">`);
      return await route.fulfill({ status: 200, headers: { ...headers, 'content-type': 'text/html' }, body });
    }
    await route.fulfill({ status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) });
  } catch {
    // A fault dropped the connection, or the page was closed.
    await route.abort('connectionfailed').catch(() => {});
  }
}
