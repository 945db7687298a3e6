// The public functions of the emulator, called from plain JavaScript with any arguments: a result or a typed error, never an internal
// failure.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulatorCodes } from '../../../emulator/core/errors.ts';
import { createEmulator } from '../../../emulator/emulator.ts';
import { natsConfig, natsCredentials, openApiDocument, settingIssues } from '../../../emulator/index.ts';
import { mswHandlers, mswRouteHandlers } from '../../../emulator/msw.ts';
import { type EmulatorServer, startServer, writeDemo } from '../../../emulator/server.node.ts';
import {
  openWorld,
  playwrightFixtures,
  type TestWorld,
  testWorld,
  vitestFixtures,
} from '../../../emulator/testing.node.ts';
import { startWorker } from '../../../emulator/worker.elsewhere.ts';
import { fc } from '../../support/fast-check.ts';

const emulator = createEmulator({ maxWorlds: 5000 });
const server = { port: 0, host: '127.0.0.1', allowedHosts: ['a'], onAnswer: () => {} };
const start = async (...args: unknown[]): Promise<unknown> => {
  const { close } = (await (startServer as AnyFunction)(...args)) as EmulatorServer;
  return close();
};
const options = {
  fixtures: { users: [{ login: 'ada' }] },
  now: 0,
  scenarios: { bad: { description: 'x', faults: [{ status: 500 }] } },
  recordings: [],
  elsewhere: async () => undefined,
  renderer: undefined,
  registry: undefined,
  onBug: () => {},
  seed: 'a',
  origins: ['*'],
};

// Valid options only fail because this is not a page.
const startPage = (...args: unknown[]): Promise<unknown> =>
  ((startWorker as AnyFunction)(...args) as Promise<unknown>).catch((error: Error) => {
    if (!error.message.includes('outside a page')) throw error;
  });

const closing =
  (open: unknown) =>
  async (...args: unknown[]): Promise<unknown> =>
    ((await (open as AnyFunction)(...args)) as TestWorld).close();

type AnyFunction = (...args: unknown[]) => unknown;

// Every function with valid arguments: each argument, and each of its options, is replaced by other values.
const entries: Readonly<Record<string, readonly [door: unknown, ...right: unknown[]]>> = {
  createEmulator: [createEmulator, options],
  world: [emulator.world, 'a'],
  reset: [emulator.reset, 'all'],
  reseed: [emulator.reseed, { users: [{ login: 'ada' }] }],
  orders: [emulator.orders, 'ada', 'a'],
  fault: [emulator.fault, { route: 'listEmails', status: 500 }, 'a'],
  scenario: [emulator.scenario, 'slow', 'a'],
  requests: [emulator.requests, { method: 'GET', status: 200 }, 'a'],
  countRequests: [emulator.countRequests, { route: 'listEmails' }, 'a'],
  nearMisses: [emulator.nearMisses, { user: 'ada' }, 'a'],
  waitForRequest: [emulator.waitForRequest, { user: 'ada' }, 0, 'a'],
  mswHandlers: [mswHandlers, emulator, { baseUrl: 'https://a.example' }],
  mswRouteHandlers: [mswRouteHandlers, emulator, { baseUrl: '*' }],
  startServer: [start, emulator, server],
  // The folder holds something else, so that nothing is written.
  writeDemo: [writeDemo, 'test', { orders: [], charts: [], chartFolders: [], emulator: { seed: 'a' } }],
  natsConfig: [natsConfig, emulator, { listen: 'a', store: 'b' }],
  natsCredentials: [natsCredentials, emulator, 'ada'],
  openApiDocument: [openApiDocument, { url: 'https://a.example', hosted: true, routes: [] }],
  settingIssues: [settingIssues, { pageSize: 5 }],
  openWorld: [closing(openWorld), options],
  testWorld: [closing(testWorld), { after: () => {} }, options],
  vitestFixtures: [vitestFixtures, options],
  playwrightFixtures: [playwrightFixtures, options],
  startWorker: [startPage, { workerUrl: '/a.js', baseUrl: 'https://a.example', keep: true, quiet: false }],
};

async function callFunction(entry: unknown, args: readonly unknown[]): Promise<void> {
  try {
    await (entry as AnyFunction)(...args);
  } catch (error) {
    const { name, code, message, stack } = error as Error & { readonly code?: never };
    const isKnown = name === 'FixtureError' || (name === 'EmulatorError' && emulatorCodes.includes(code as never));
    assert.ok(isKnown && message.length > 0, stack ?? String(error));
  }
}

const anything = fc.oneof(
  fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true, maxDepth: 2 }),
  fc.constantFrom<unknown>(
    () => {},
    Symbol('s'),
    Promise.resolve(1),
    null,
    undefined,
    {},
    [],
    [null],
    Number.NaN,
    -1,
    1e9,
  ),
  fc.constantFrom<unknown>({ users: 1 }, { users: [null] }, { faults: null }, { x: null }, { x: { faults: 1 } }),
);

// Each run creates an emulator, and perhaps a server.
const isHeavy = /^(?:createEmulator|startServer|openWorld|testWorld|vitestFixtures|playwrightFixtures)$/;

for (const [name, [entry, ...right]] of Object.entries(entries)) {
  test(`${name} accepts any argument without a crash`, async () => {
    await callFunction(entry, right);
    const change = fc.nat({ max: right.length - 1 }).chain((at) => {
      const given = right[at];
      const isOptions = typeof given === 'object' && given !== null;
      const member = isOptions ? fc.constantFrom(...Object.keys(given)) : fc.constant('x');
      // Avoids waiting, host name lookups and ports.
      const isSlow = /^(?:waitForRequest|startServer|openWorld|testWorld)$/.test(name);
      const odd = isSlow ? anything.filter((value) => !/^(?:string|number|undefined)$/.test(typeof value)) : anything;
      const inner = fc.tuple(member, odd).map(([key, value]) => ({ ...(given as object), [key]: value }));
      return fc.tuple(fc.constant(at), isOptions && given !== emulator ? fc.oneof(odd, inner) : odd);
    });
    await fc.assert(
      fc.asyncProperty(change, ([at, value]) => callFunction(entry, right.with(at, value))),
      { numRuns: isHeavy.test(name) ? 40 : 80 },
    );
    emulator.reset('all');
  });
}
