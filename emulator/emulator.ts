// The emulator: combines store, dispatcher and worlds, with the in-process entry point `fetch`. Runs in Node and in browsers.

import { anything, callback, flag, having, isMembers, kind, listOf, optional, text } from '../render/core/arguments.ts';
import { didYouMean } from '../render/core/suggest.ts';
import type { Registry } from '../render/index.ts';
import { type ApiCoverage, createCoverage } from './app/coverage.ts';
import { createDispatcher } from './app/dispatcher.ts';
import { readFault, scenarioIssues } from './app/fault-rules.ts';
import { elsewhereLimit, readBytes } from './app/input.ts';
import type { Incoming, Outgoing } from './app/message.ts';
import { type Recording, replay } from './app/recordings.ts';
import { addressOf, checkedRoute, type Route, type Services } from './app/route.ts';
import { readSettings, type Settings, settingNames } from './app/settings.ts';
import { checkArguments } from './core/arguments.ts';
import { EmulatorError, type Issue } from './core/errors.ts';
import type { CustomNames, NamesIn } from './core/names.ts';
import { deriveUuid } from './keys/derive.ts';
import { createLazyEngine } from './rendering/lazy-engine.ts';
import { readLimits } from './rendering/limits.ts';
import type { Renderer } from './rendering/renderer.ts';
import { createUploadedCharts, type UploadedCharts } from './rendering/uploaded-charts.ts';
import { type StoredOrder, storedOrders } from './routes/control/orders.ts';
import { controlRoutes, serviceRoutes } from './routes/index.ts';
import { addValidators } from './store/check.ts';
import { defaultFixtures } from './store/default-fixtures.ts';
import { dumpStore } from './store/dump.ts';
import { type Fixtures, validateFixtures } from './store/fixtures.ts';
import { tokenHolders } from './store/people.ts';
import { seedStore } from './store/seed.ts';
import { answerFetch } from './web.ts';
import { Clock, readTime } from './world/clock.ts';
import { builtInScenarios, type Fault, type Scenario, type ScenarioReference } from './world/faults.ts';
import { type LogEntry, type LogFilter, type NearMiss, readFilter } from './world/log.ts';
import type { World } from './world/world.ts';
import { isWorldName, Worlds } from './world/worlds.ts';

/** Options of an emulator. All are optional; see `Settings` for the rest. */
export interface EmulatorOptions extends Partial<Settings> {
  /** Finds charts, before those bundled with drydock. */
  readonly registry?: Registry;
  /** The content of a new world instead of the bundled fixtures. */
  readonly fixtures?: Fixtures | undefined;
  /** Freezes the clock of every world at this time: ISO 8601 or milliseconds since 1970. */
  readonly now?: string | number | undefined;
  /** Custom routes, in addition to the built-in ones: `defineRoute({ … })`. */
  readonly routes?: readonly Route[];
  /** Scenarios in addition to the built-in ones. */
  readonly scenarios?: Readonly<Record<string, Scenario>>;
  /** Validates and renders orders instead of drydock's engine in this thread. */
  readonly renderer?: Renderer;
  /** Recorded responses for addresses that do not belong to the emulator. */
  readonly recordings?: readonly Recording[];
  /** Answers addresses that do not belong to the emulator, before the recordings; undefined passes on to them. */
  readonly elsewhere?: Services['elsewhere'];
  /** Passes all requests except control routes to `elsewhere`, including those of the API. Default false. */
  readonly passThrough?: boolean;
  /** Called with errors of the emulator itself. Default: the console. */
  readonly onBug?: (failure: unknown, call: string) => void;
}

/** An emulator: call it with `fetch`, or pass it to a server, to msw or to a service worker. */
export interface Emulator<Names extends CustomNames = CustomNames> {
  readonly settings: Settings;
  readonly routes: readonly Route[];
  /** Answers a request like the service. A string can be a path; `init.body` is allowed with GET. Redirects are not followed. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Answers a request of an adapter; rejects only for an invalid argument (ARGUMENT_INVALID). */
  answer(incoming: Incoming): Promise<Outgoing>;
  /** Returns a world, created if necessary. Throws an `EmulatorError` (WORLD_INVALID, WORLDS_FULL). */
  world(name?: string): World;
  /** Lists the existing worlds. */
  worlds(): readonly World[];
  /** Resets the default world, and with `all` every world, to the seed. */
  reset(all?: 'all'): void;
  /** Replaces the seed of all worlds. Throws a `FixtureError` for invalid fixtures and then changes nothing. */
  reseed(fixtures: Fixtures): void;
  /** Lists the users of the default world that have a token. */
  users(): ReturnType<typeof tokenHolders>;
  /** Lists the stored orders of a person, or of everyone, oldest first, as in the API's responses. */
  orders(login?: string, world?: string): readonly StoredOrder[];
  /** Adds a fault and returns a function that removes it. Throws an `EmulatorError` (FAULT_INVALID) with all issues. */
  fault(fault: Fault<Names['routes']>, world?: string): () => void;
  /** Activates a scenario and returns a function that deactivates it. Throws an `EmulatorError` (SCENARIO_UNKNOWN). */
  scenario(name: ScenarioReference<Names['scenarios']>, world?: string): () => void;
  /** Lists the matching requests of the log, oldest first. Throws an `EmulatorError` (FILTER_INVALID), like the next three. */
  requests(filter?: LogFilter<Names['routes']>, world?: string): readonly LogEntry[];
  /** Counts the matching requests of the log. */
  countRequests(filter?: LogFilter<Names['routes']>, world?: string): number;
  /** Lists up to three requests that almost match, the nearest first, each with the differences. */
  nearMisses(filter: LogFilter<Names['routes']>, world?: string): readonly NearMiss[];
  /** Returns the operations, status codes and query parameters that requests exercised so far, in all worlds. */
  coverage(): ApiCoverage;
  /** Returns the first matching request. Rejects with an `EmulatorError` (REQUEST_TIMEOUT) after `timeoutMs` (5000). */
  waitForRequest(filter: LogFilter<Names['routes']>, timeoutMs?: number, world?: string): Promise<LogEntry>;
}

/**
 * Creates an emulator. Throws an `EmulatorError` (SETTING_INVALID, TIME_INVALID, FAULT_INVALID, ROUTE_INVALID) for options and a
 * `FixtureError` for fixtures, with all issues and their paths.
 */
export function createEmulator<const Options extends EmulatorOptions = EmulatorOptions>(
  given?: Options,
): Emulator<NamesIn<Options>> {
  const options: EmulatorOptions = given === undefined ? {} : given;
  checkArguments('createEmulator', ['options', options, emulatorOptions]);
  const settings = settingsOf({ ...options });
  const routes = routesOf(settings, options.routes ?? []);
  let current: Changeable = {
    settings,
    scenarios: readScenarios(options.scenarios, routes),
    recordings: options.recordings ?? [],
  };
  const renderer = rendererOf(options);
  const uploads = createUploadedCharts();
  const services: Services = {
    get scenarios() {
      return current.scenarios;
    },
    render: (job) => renderer({ ...job, uploads: uploads.list() }),
    uploads,
    elsewhere: elsewhereOf(options, () => current.recordings),
    passThrough: options.passThrough ?? false,
  };
  const worlds = makeWorlds(options, settings);
  const onBug = options.onBug ?? ((failure, call) => console.error(`drydock: ${call}:`, failure));
  const coverage = createCoverage(routes);
  const respond = createDispatcher({ routes, worlds, settings: () => current.settings, services, coverage, onBug });

  const answer = async (incoming: Incoming): Promise<Outgoing> => {
    // Examined only if it is not a number, because this is checked for every call.
    if (typeof incoming?.header !== 'function') checkArguments('answer', ['incoming', incoming, incomingArgument]);
    return respond(incoming);
  };
  const world = (name?: string): World => {
    checkArguments('world', ['name', name, optional(text)]);
    return openWorld(worlds, name);
  };
  const emulator: Emulator & WithInternals = {
    [internals]: {
      worlds,
      uploads,
      get current() {
        return current;
      },
      change: (changes) => {
        current = { ...current, ...changes };
      },
    },
    get settings() {
      return current.settings;
    },
    routes,
    answer,
    fetch: (input, init) => answerFetch(answer, input, init),
    world,
    worlds: () => worlds.list(),
    reset: (all) => {
      for (const one of all ? worlds.list() : [worlds.default]) one.reset();
    },
    reseed: (fixtures) => {
      checkArguments('reseed', ['fixtures', fixtures, members]);
      const checked = validateFixtures(fixtures);
      const origin = dumpStore(seedStore(checked, seedClock(options).now()));
      worlds.reseed(origin, () => fixturesIdOf(checked, settings.seed));
    },
    users: () => tokenHolders(worlds.default.store),
    orders: (login, name) => {
      checkArguments('orders', ['login', login, optional(text)]);
      return storedOrders(world(name).store, login);
    },
    fault: (fault, name) => {
      checkArguments('fault', ['fault', fault, members]);
      const { faults } = world(name);
      const { id } = faults.add(readFault(fault, routes));
      return () => void faults.remove(id);
    },
    scenario: (name, inWorld) => {
      checkArguments('scenario', ['name', name, text]);
      return startScenario(world(inWorld), services.scenarios, name);
    },
    requests: (filter = {}, name) => world(name).log.list(filterOf('requests', filter, routes)),
    countRequests: (filter = {}, name) => world(name).log.count(filterOf('countRequests', filter, routes)),
    nearMisses: (filter, name) => world(name).log.nearMisses(filterOf('nearMisses', filter, routes)),
    coverage: () => coverage.report(),
    waitForRequest: async (filter, timeoutMs = 5000, name) => {
      checkArguments('waitForRequest', ['timeoutMs', timeoutMs, milliseconds]);
      return waitFor(world(name), filterOf('waitForRequest', filter, routes), timeoutMs);
    },
  };
  return emulator as Emulator<NamesIn<Options>>;
}

const members = kind('an object', isMembers);
const incomingArgument = having<Incoming>('a request', {
  method: text,
  origin: text,
  target: text,
  header: callback,
  headers: callback,
  body: callback,
});
const milliseconds = kind(
  'a number of milliseconds',
  (value) => typeof value === 'number' && value >= 0 && value < 2 ** 31,
);

// Options without a table of settings.
const ownOptions = {
  fixtures: optional(members),
  now: anything,
  routes: optional(listOf(members)),
  scenarios: optional(members),
  recordings: optional(listOf(members)),
  elsewhere: optional(callback),
  passThrough: optional(flag),
  renderer: optional(callback),
  registry: optional(having('a registry, as returned by directoryRegistry or memoryRegistry', { resolve: callback })),
  onBug: optional(callback),
};
const emulatorOptions = having<EmulatorOptions>('the options of an emulator', ownOptions);

function filterOf(call: string, filter: LogFilter, routes: readonly Route[]): LogFilter {
  checkArguments(call, ['filter', filter, members]);
  const { route, ...rest } = readFilter(filter);
  return route === undefined ? rest : { ...rest, route: checkedRoute(route, routes) };
}

/** The internals of an emulator, for modules that persist or change it. */
interface Internals {
  readonly worlds: Worlds;
  readonly uploads: UploadedCharts;
  readonly current: Changeable;
  /** Replaces options; requests that have arrived keep the settings before. */
  change(changes: Partial<Changeable>): void;
}

/** Options that can change while the emulator runs. */
interface Changeable {
  readonly settings: Settings;
  readonly scenarios: ReadonlyMap<string, Scenario>;
  readonly recordings: readonly Recording[];
}

const internals = Symbol('internals');

interface WithInternals {
  readonly [internals]: Internals;
}

/** Returns the internals of an emulator. Throws a plain error for another object. */
export function internalsOf(emulator: Emulator): Internals {
  const found = (emulator as Partial<WithInternals>)[internals];
  if (!found) throw new Error('this emulator was not created by createEmulator');
  return found;
}

function makeWorlds(options: EmulatorOptions, settings: Settings): Worlds {
  const { fixtures } = options;
  const clock = seedClock(options);
  const checked = fixtures ? validateFixtures(fixtures) : defaultFixtures;
  const origin = dumpStore(seedStore(checked, clock.now()));
  const { seed, logLimit, maxWorlds, evictWorlds } = settings;
  const fixturesId = (): string => fixturesIdOf(checked, seed);
  return new Worlds({
    seed,
    origin,
    clock: clock.state,
    logLimit,
    limit: maxWorlds,
    evict: evictWorlds,
    fixturesId,
  });
}

// The clock of a world after a reset.
function seedClock({ now }: EmulatorOptions): Clock {
  const clock = new Clock();
  if (now !== undefined) clock.freeze(readTime(now, 'now'));
  return clock;
}

function fixturesIdOf(fixtures: Fixtures, seed: string): string {
  return deriveUuid(seed, JSON.stringify(fixtures));
}

function rendererOf({ renderer, registry, limits }: EmulatorOptions): Renderer {
  const { outputBytes, milliseconds } = readLimits(limits);
  return renderer ?? createLazyEngine({ registry, outputBytes, milliseconds });
}

function elsewhereOf({ elsewhere }: EmulatorOptions, recordings: () => readonly Recording[]): Services['elsewhere'] {
  return async (incoming, target) => {
    const { method } = incoming;
    const recorded = await replay(recordings(), { method, target }, () => readBytes(incoming, elsewhereLimit));
    // A recording replaces a server that does not respond.
    const answer = elsewhere?.(incoming, target);
    return (await (recorded ? answer?.catch(() => undefined) : answer)) ?? recorded;
  };
}

async function waitFor({ log }: World, filter: LogFilter, timeoutMs: number): Promise<LogEntry> {
  const entry = await log.wait(filter, timeoutMs);
  if (entry) return entry;
  const [near] = log.nearMisses(filter);
  const misses = near?.misses.map(({ field, wanted, was }) => `${field} ${was}, not ${wanted}`).join(', ');
  const hint = near ? `; the nearest was ${near.request.method} ${near.request.path}: ${misses}` : '';
  const message = `no request like ${JSON.stringify(filter)} was made within ${timeoutMs} ms${hint}`;
  throw new EmulatorError('REQUEST_TIMEOUT', [{ path: '', message }]);
}

function settingsOf(options: Readonly<Record<string, unknown>>): Settings {
  const known: readonly string[] = [...settingNames, ...Object.keys(ownOptions)];
  const issues = Object.keys(options)
    .filter((name) => !known.includes(name))
    .map(
      (name): Issue => ({ path: '', message: `there is no option ${JSON.stringify(name)}${didYouMean(name, known)}` }),
    );
  if (issues.length > 0) throw new EmulatorError('SETTING_INVALID', issues);
  return readSettings(Object.fromEntries(settingNames.map((name) => [name, options[name]])));
}

function openWorld(worlds: Worlds, name: string | undefined): World {
  if (name !== undefined && !isWorldName(name)) {
    const hint = 'use up to 64 of letters, digits, "-", "_" and "."';
    throw new EmulatorError('WORLD_INVALID', [
      { path: '', message: `${JSON.stringify(name)} cannot name a world`, hint },
    ]);
  }
  const world = worlds.open(name);
  if (world) return world;
  const hint = 'delete some, raise maxWorlds or set evictWorlds';
  throw new EmulatorError('WORLDS_FULL', [{ path: '', message: 'there are too many worlds', hint }]);
}

function startScenario({ faults }: World, scenarios: ReadonlyMap<string, Scenario>, name: string): () => void {
  const scenario = scenarios.get(name) ?? faults.written.get(name);
  if (!scenario) {
    const known = [...scenarios.keys(), ...faults.written.keys()];
    const message = `there is no scenario ${name}${didYouMean(name, known)}; there are ${known.join(', ')}`;
    throw new EmulatorError('SCENARIO_UNKNOWN', [{ path: '', message }]);
  }
  faults.start(name, scenario);
  return () => void faults.removeScenario(name);
}

function routesOf({ control, hosted }: Settings, own: readonly Route[]): readonly Route[] {
  const all = control ? [...serviceRoutes, ...controlRoutes] : serviceRoutes;
  const routes = hosted ? all : all.filter((route) => !route.hosted);
  const issues = own.flatMap((route, at) => customRouteIssue(route, `routes[${at}]`, [...routes, ...own.slice(0, at)]));
  if (issues.length > 0) throw new EmulatorError('ROUTE_INVALID', issues);
  for (const { validators } of own) if (validators) addValidators(validators);
  return [...routes, ...own];
}

function customRouteIssue(route: Route, path: string, before: readonly Route[]): readonly Issue[] {
  const { name, method, validators } = route;
  if (validators === undefined) {
    return [{ path, message: 'must be a route created by defineRoute', hint: 'pass it to defineRoute first' }];
  }
  const addressOfRoute = routePattern(route);
  const other = before.find(
    (one) => one.name === name || (one.method === method && routePattern(one) === addressOfRoute),
  );
  if (!other) return [];
  const message =
    other.name === name
      ? `the name ${name} is already in use`
      : `${method} ${addressOf(route)} is already in use by ${other.name}`;
  return [{ path, message, hint: 'choose another; to override a built-in route, use a fault or an msw handler' }];
}

// Two paths that differ only in parameter names are the same.
function routePattern(route: Route): string {
  return addressOf(route).replace(/\{\w+\}/g, '{}');
}

/** Returns the built-in scenarios and others. Throws an `EmulatorError` (FAULT_INVALID) for an invalid one. */
export function readScenarios(
  scenarios: EmulatorOptions['scenarios'] = {},
  routes: readonly Route[],
): ReadonlyMap<string, Scenario> {
  const issues = scenarioIssues(scenarios, routes);
  if (issues.length > 0) {
    throw new EmulatorError(
      'FAULT_INVALID',
      issues.map((issue) => ({ ...issue, path: `scenarios.${issue.path}` })),
    );
  }
  return new Map(Object.entries({ ...builtInScenarios, ...scenarios }));
}
