// The emulator: store, desk and worlds put together, and the in-process door `fetch`. Runs in Node and in browsers.

import { EmulatorError, type Issue } from './errors.ts';
import { Desk } from './http/desk.ts';
import type { Incoming, Outgoing } from './http/message.ts';
import { faultyRoute, type Renderer, type Route } from './http/route.ts';
import { readSettings, type Settings, settingNames } from './http/settings.ts';
import { loadRenderer, type RendererOptions } from './renderer.ts';
import { controlRoutes, serviceRoutes } from './routes/index.ts';
import { defaultFixtures } from './store/default-fixtures.ts';
import { FixtureError, type Fixtures, validateFixtures } from './store/fixtures.ts';
import { tokenHolders } from './store/people.ts';
import { seedStore } from './store/seed.ts';
import { askMeant } from './suggest.ts';
import { answerFetch } from './web.ts';
import { parseTime } from './world/clock.ts';
import { builtInScenarios, type Fault, type Scenario } from './world/faults.ts';
import type { LogEntry, LogFilter } from './world/log.ts';
import type { World } from './world/world.ts';
import { Worlds } from './world/worlds.ts';

/** Says what an emulator holds and how it behaves. Everything has a default; see `Settings` for the rest. */
export interface EmulatorOptions extends Partial<Settings>, RendererOptions {
  /** What a fresh world holds, in place of the fixtures that ship with drydock. */
  readonly fixtures?: Fixtures;
  /** Freezes the clock of every world at this time: ISO 8601 or milliseconds since 1970. */
  readonly now?: string | number;
  /** Scenarios beside the built-in ones. */
  readonly scenarios?: Readonly<Record<string, Scenario>>;
  /** Checks and renders orders in place of the engine of drydock. */
  readonly renderer?: Renderer;
  /** Hears of failures of the emulator itself. Default: the console. */
  readonly onBug?: (failure: unknown, call: string) => void;
}

/** Is one emulator: call it through `fetch`, or hand it to a server, to msw or to a service worker. */
export interface Emulator {
  readonly settings: Settings;
  readonly routes: readonly Route[];
  /** Answers a request as the service would. A string may be a path; `init.body` may go with a GET. Redirects are not followed. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Answers a request of a door. Never fails. */
  answer(incoming: Incoming): Promise<Outgoing>;
  /** Gives a world, made if need be: rows, clock, faults, log and snapshots. Throws a plain error when there are too many. */
  world(name?: string): World;
  /** Lists the worlds that were made. */
  worlds(): readonly World[];
  /** Brings the default world, and with `all` every world, back to the seed. */
  reset(all?: 'all'): void;
  /** Puts other fixtures in the place of the seed, in every world. Throws a `FixtureError` and changes nothing when they are wrong. */
  reseed(fixtures: Fixtures): void;
  /** Lists the users of the default world that have a token. */
  users(): ReturnType<typeof tokenHolders>;
  /** Sets a fault in the default world and gives the way to lift it. Throws a plain error when its route is none. */
  fault(fault: Fault): () => void;
  /** Turns a scenario on in the default world and gives the way to turn it off. Throws a plain error for an unknown one. */
  scenario(name: string): () => void;
  /** Gives the first logged request of the default world that fits, now or within `timeoutMs` (5000). Rejects when none comes. */
  waitForRequest(filter: LogFilter, timeoutMs?: number): Promise<LogEntry>;
}

/** Makes an emulator. Throws a `FixtureError` that names file and path when fixtures or scenarios are wrong. */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  const settings = settingsOf({ ...options });
  const origin = options.fixtures ? seedStore(validateFixtures({ ...options.fixtures })) : seedStore(defaultFixtures);
  const now = options.now === undefined ? undefined : parseTime(options.now);
  if (options.now !== undefined && now === undefined) throw new Error(`now: ${JSON.stringify(options.now)} is no time`);
  const clock = now === undefined ? { offsetMs: 0 } : { frozenAt: now };
  const { seed, logLimit, maxWorlds } = settings;
  const worlds = new Worlds({ seed, origin, clock, logLimit }, maxWorlds);
  const routes = routesOf(settings);
  const scenarios = scenariosOf(options, routes);
  const { renderer = loadRenderer(options) } = options;
  const services = { scenarios, renderer: typeof renderer === 'function' ? renderer : async () => renderer };
  const onBug = options.onBug ?? ((failure, call) => console.error(`drydock: ${call}:`, failure));
  const desk = new Desk({ routes, worlds, settings, services, onBug });

  const answer = (incoming: Incoming): Promise<Outgoing> => desk.answer(incoming);
  return {
    settings,
    routes,
    answer,
    fetch: (input, init) => answerFetch(answer, input, init),
    world: (name) => openWorld(worlds, name),
    worlds: () => worlds.list(),
    reset: (all) => {
      for (const world of all ? worlds.list() : [worlds.default]) world.reset();
    },
    reseed: (fixtures) => worlds.reseed(seedStore(validateFixtures({ ...fixtures }))),
    users: () => tokenHolders(worlds.default.store),
    fault: (fault) => {
      const wrong = faultyRoute(fault, routes);
      if (wrong !== undefined) throw new Error(wrong);
      const { faults } = worlds.default;
      const { id } = faults.add(fault);
      return () => void faults.remove(id);
    },
    scenario: (name) => startScenario(worlds.default, scenarios, name),
    waitForRequest: async (filter, timeoutMs = 5000) => {
      const entry = await worlds.default.log.wait(filter, timeoutMs);
      if (!entry) throw new Error(`no request like ${JSON.stringify(filter)} came within ${timeoutMs} ms`);
      return entry;
    },
  };
}

const otherOptions = ['fixtures', 'now', 'scenarios', 'renderer', 'registry', 'onBug'] as const;

function settingsOf(options: Readonly<Record<string, unknown>>): Settings {
  const known: readonly string[] = [...settingNames, ...otherOptions];
  const issues = Object.keys(options)
    .filter((name) => !known.includes(name))
    .map(
      (name): Issue => ({ path: '', message: `there is no option ${JSON.stringify(name)}${askMeant(name, known)}` }),
    );
  if (issues.length > 0) throw new EmulatorError('SETTING_INVALID', issues);
  return readSettings(Object.fromEntries(settingNames.map((name) => [name, options[name]])));
}

function openWorld(worlds: Worlds, name: string | undefined): World {
  const world = worlds.open(name);
  if (!world) throw new Error('there are too many worlds: delete some');
  return world;
}

function startScenario({ faults }: World, scenarios: ReadonlyMap<string, Scenario>, name: string): () => void {
  const scenario = scenarios.get(name);
  if (!scenario) throw new Error(`there is no scenario ${name}; there are ${[...scenarios.keys()].join(', ')}`);
  faults.start(name, scenario);
  return () => void faults.removeScenario(name);
}

function routesOf({ control, hosted }: Settings): readonly Route[] {
  const routes = control ? [...serviceRoutes, ...controlRoutes] : serviceRoutes;
  return hosted ? routes : routes.filter((route) => !route.hosted);
}

function scenariosOf({ scenarios = {} }: EmulatorOptions, routes: readonly Route[]): ReadonlyMap<string, Scenario> {
  for (const [name, { faults }] of Object.entries(scenarios)) {
    for (const [at, fault] of faults.entries()) {
      const wrong = faultyRoute(fault, routes);
      if (wrong !== undefined) throw new FixtureError(`scenarios.json: ${name}.faults[${at}].${wrong}`);
    }
  }
  return new Map(Object.entries({ ...builtInScenarios, ...scenarios }));
}
