// Control of how a world behaves: faults, scenarios, the clock; and what it was asked: the request log.

import { empty, ok, type Reply } from '../http/message.ts';
import { invalid, missing } from '../http/problem.ts';
import { type Call, faultyRoute, type Parameter, type Route } from '../http/route.ts';
import type { Schema } from '../store/compile.ts';
import type { Json, JsonObject } from '../store/rows.ts';
import { parseTime } from '../world/clock.ts';
import type { ActiveFault, Fault } from '../world/faults.ts';
import type { LogFilter } from '../world/log.ts';
import { anyObject, flag, listSchema, objectSchema, problemAnswer, text, time } from './shapes.ts';

const section = 'Control: behaviour';
const common = { space: 'control', section, access: 'public' } as const;
const emulation = "The emulator's own; acts on the world that the request names";
const done = { 204: { description: 'Done' } };

const count: Schema = { type: 'integer', minimum: 0 };
const milliseconds: Schema = { type: 'number', minimum: 0, maximum: 600000 };

/** The schema of a fault. */
export const faultSchema: Schema = {
  title: 'Fault',
  type: 'object',
  properties: {
    route: { type: 'string', description: 'Name of a route, or method and path such as `GET /user/emails`' },
    user: { type: 'string', description: 'Login of the caller' },
    times: { ...count, description: 'How many calls it strikes' },
    skip: { ...count, description: 'How many calls it lets pass first' },
    probability: { type: 'number', minimum: 0, maximum: 1 },
    latencyMs: {
      anyOf: [
        milliseconds,
        {
          type: 'object',
          required: ['min', 'max'],
          properties: { min: milliseconds, max: milliseconds },
          additionalProperties: false,
        },
      ],
    },
    status: { type: 'integer', minimum: 300, maximum: 599 },
    message: text,
    location: text,
    drop: flag,
    malformed: flag,
    expiredToken: flag,
  },
  additionalProperties: false,
};

const activeFaultSchema = objectSchema(
  'ActiveFault',
  { id: { type: 'integer' }, fault: faultSchema, scenario: text, seen: count, struck: count },
  ['scenario'],
);
const clockSchema = objectSchema('Clock', { now: time, frozen: flag });
const clock = { 200: { description: 'The clock', schema: clockSchema } };
const scenarioParams = { name: 'Name of the scenario' };
const noScenario = problemAnswer('There is no such scenario, or it is not on');
const logEntrySchema = objectSchema(
  'LoggedRequest',
  {
    id: { type: 'integer' },
    time,
    method: text,
    path: text,
    route: text,
    user: text,
    status: { type: 'integer', description: '0 when the connection was dropped' },
    durationMs: { type: 'number' },
    violations: listSchema(text),
  },
  ['route', 'user'],
);
const filters: Readonly<Record<string, Parameter>> = {
  method: { description: 'Method', schema: text },
  route: { description: 'Name of the route', schema: text },
  user: { description: 'Login of the caller', schema: text },
  status: { description: 'Status', schema: { type: 'integer' }, check: { type: 'string', pattern: '^\\d{1,3}$' } },
  after: {
    description: 'Only later than this number',
    schema: { type: 'integer' },
    check: { type: 'string', pattern: '^\\d{1,15}$' },
  },
};

/** The routes that control how a world behaves. */
export const behaviourRoutes: readonly Route[] = [
  {
    ...common,
    name: 'listFaults',
    method: 'GET',
    path: '/faults',
    summary: 'List the faults at work',
    emulation,
    answers: { 200: { description: 'The faults', schema: listSchema(activeFaultSchema) } },
    run: ({ world }) => ok(world.faults.list().map(formatFault)),
  },
  {
    ...common,
    name: 'addFault',
    method: 'POST',
    path: '/faults',
    summary: 'Set a fault',
    emulation,
    body: { description: 'The fault', schema: faultSchema },
    answers: {
      201: { description: 'The fault with its number', schema: activeFaultSchema },
      422: problemAnswer('No such route'),
    },
    run: (call) => {
      const fault = call.body as Fault;
      const wrong = faultyRoute(fault, call.routes);
      if (wrong !== undefined) throw invalid(wrong);
      return { status: 201, json: formatFault(call.world.faults.add(fault)) };
    },
  },
  {
    ...common,
    name: 'clearFaults',
    method: 'DELETE',
    path: '/faults',
    summary: 'Lift all faults, scenarios too',
    emulation,
    answers: done,
    run: ({ world }) => {
      world.faults.clear();
      return empty(204);
    },
  },
  {
    ...common,
    name: 'removeFault',
    method: 'DELETE',
    path: '/faults/{id}',
    summary: 'Lift one fault',
    emulation,
    params: { id: 'Number of the fault' },
    answers: { ...done, 404: problemAnswer('There is no such fault') },
    run: ({ world, params }) => {
      if (!world.faults.remove(Number(params.id))) throw missing(`There is no fault ${params.id}.`);
      return empty(204);
    },
  },
  {
    ...common,
    name: 'listScenarios',
    method: 'GET',
    path: '/scenarios',
    summary: 'List the scenarios and which are on',
    emulation,
    answers: { 200: { description: 'The scenarios', schema: listSchema(anyObject) } },
    run: ({ services, world }) => {
      const on = new Set(world.faults.list().map((fault) => fault.scenario));
      const scenarios = [...services.scenarios];
      return ok(scenarios.map(([name, { description }]) => ({ name, description, on: on.has(name) })));
    },
  },
  {
    ...common,
    name: 'startScenario',
    method: 'PUT',
    path: '/scenarios/{name}',
    summary: 'Turn a scenario on',
    emulation,
    params: scenarioParams,
    answers: { ...done, 404: noScenario },
    run: ({ services, world, params }) => {
      const { name = '' } = params;
      const scenario = services.scenarios.get(name);
      if (!scenario) throw missing(`There is no scenario ${JSON.stringify(name)}.`);
      world.faults.start(name, scenario);
      return empty(204);
    },
  },
  {
    ...common,
    name: 'stopScenario',
    method: 'DELETE',
    path: '/scenarios/{name}',
    summary: 'Turn a scenario off',
    emulation,
    params: scenarioParams,
    answers: { ...done, 404: noScenario },
    run: ({ world, params }) => {
      if (!world.faults.removeScenario(params.name ?? '')) throw missing(`The scenario ${params.name} is not on.`);
      return empty(204);
    },
  },
  {
    ...common,
    name: 'getClock',
    method: 'GET',
    path: '/clock',
    summary: 'Tell the time of the world',
    emulation,
    answers: clock,
    run: clockReply,
  },
  {
    ...common,
    name: 'setClock',
    method: 'PUT',
    path: '/clock',
    summary: 'Set the time, freeze the clock or let it run',
    emulation,
    body: {
      description: 'The new time (ISO 8601 or milliseconds since 1970) and whether the clock stands',
      schema: {
        title: 'SetClock',
        type: 'object',
        properties: { now: { anyOf: [text, { type: 'number' }] }, frozen: flag },
        additionalProperties: false,
      },
    },
    answers: { ...clock, 422: problemAnswer('The time is none') },
    run: (call) => {
      const { now, frozen } = call.body as { readonly now?: Json; readonly frozen?: boolean };
      const moment = now === undefined ? undefined : parseTime(now);
      if (now !== undefined && moment === undefined) throw invalid(`now: ${JSON.stringify(now)} is no time`);
      if (moment !== undefined) call.world.clock.set(moment);
      if (frozen === true) call.world.clock.freeze();
      if (frozen === false) call.world.clock.resume();
      return clockReply(call);
    },
  },
  {
    ...common,
    name: 'advanceClock',
    method: 'POST',
    path: '/clock/advance',
    summary: 'Move the time forward',
    emulation,
    body: {
      description: 'How far',
      schema: {
        title: 'AdvanceClock',
        type: 'object',
        required: ['seconds'],
        properties: { seconds: { type: 'number', minimum: -1e9, maximum: 1e9 } },
        additionalProperties: false,
      },
    },
    answers: { ...clock, 422: problemAnswer('The clock would leave the years 1 to 9999') },
    run: (call) => {
      const { clock: time } = call.world;
      const { seconds } = call.body as { readonly seconds: number };
      if (parseTime(time.now() + seconds * 1000) === undefined) {
        throw invalid(`seconds: ${seconds} would lead out of the years 1 to 9999`);
      }
      time.advance(seconds * 1000);
      return clockReply(call);
    },
  },
  {
    ...common,
    name: 'listRequests',
    method: 'GET',
    path: '/requests',
    summary: 'List the last requests, oldest first',
    emulation,
    query: filters,
    answers: { 200: { description: 'The requests', schema: listSchema(logEntrySchema) } },
    run: (call) => ok(call.world.log.list(readFilter(call)) as unknown as Json),
  },
  {
    ...common,
    name: 'waitForRequest',
    method: 'GET',
    path: '/requests/wait',
    summary: 'Wait for a request and get it',
    emulation,
    query: {
      ...filters,
      timeoutMs: {
        description: 'How long to wait, at most a minute; 5000 without it',
        schema: { type: 'integer' },
        check: { type: 'string', pattern: '^\\d{1,6}$' },
      },
    },
    answers: { 200: { description: 'The request', schema: logEntrySchema }, 404: problemAnswer('None came in time') },
    run: async (call) => {
      const timeoutMs = Math.min(Number(call.query('timeoutMs') ?? 5000), 60000);
      const entry = await call.world.log.wait(readFilter(call), timeoutMs);
      if (!entry) throw missing(`No such request came within ${timeoutMs} ms.`);
      return ok(entry as unknown as Json);
    },
  },
  {
    ...common,
    name: 'clearRequests',
    method: 'DELETE',
    path: '/requests',
    summary: 'Forget the requests',
    emulation,
    answers: done,
    run: ({ world }) => {
      world.log.clear();
      return empty(204);
    },
  },
];

function formatFault({ id, fault, scenario, seen, struck }: ActiveFault): JsonObject {
  return { id, fault: fault as unknown as JsonObject, ...(scenario !== undefined && { scenario }), seen, struck };
}

function clockReply({ world }: Call): Reply {
  return ok({ now: world.clock.iso(), frozen: world.clock.frozen });
}

function readFilter(call: Call): LogFilter {
  const [method, route, user] = [call.query('method'), call.query('route'), call.query('user')];
  const [status, after] = [call.query('status'), call.query('after')];
  return {
    ...(method !== undefined && { method: method.toUpperCase() }),
    ...(route !== undefined && { route }),
    ...(user !== undefined && { user }),
    ...(status !== undefined && { status: Number(status) }),
    ...(after !== undefined && { after: Number(after) }),
  };
}
