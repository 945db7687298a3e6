// Control of how a world behaves: faults, scenarios, the clock.

import { EmulatorError, formatIssues } from '../../errors.ts';
import { faultSchema, readFault } from '../../http/fault-rules.ts';
import { empty, ok, type Reply } from '../../http/message.ts';
import { invalid, missing, violation } from '../../http/problem.ts';
import { type Call, defineRoute, type Route } from '../../http/route.ts';
import type { Schema } from '../../store/compile.ts';
import type { Json, JsonObject } from '../../store/json.ts';
import { parseTime } from '../../world/clock.ts';
import type { ActiveFault, Fault } from '../../world/faults.ts';
import { anyObject, flag, listSchema, objectSchema, problemAnswer, text, time } from '../shapes.ts';

const section = 'Control: behaviour';
const common = { space: 'control', section, access: 'public' } as const;
const emulation = "The emulator's own; acts on the world that the request names";
const done = { 204: { description: 'Done' } };

const count: Schema = { type: 'integer', minimum: 0 };

const activeFaultSchema = objectSchema(
  'ActiveFault',
  { id: { type: 'integer' }, fault: faultSchema, scenario: text, seen: count, struck: count },
  ['scenario'],
);
const clockSchema = objectSchema('Clock', { now: time, frozen: flag });
const clock = { 200: { description: 'The clock', schema: clockSchema } };
const setClockBody = {
  description: 'The new time (ISO 8601 or milliseconds since 1970) and whether the clock stands',
  schema: {
    title: 'SetClock',
    type: 'object',
    properties: { now: { anyOf: [text, { type: 'number' }] }, frozen: { type: 'boolean' } },
    additionalProperties: false,
  },
} as const;
const advanceClockBody = {
  description: 'How far',
  schema: {
    title: 'AdvanceClock',
    type: 'object',
    required: ['seconds'],
    properties: { seconds: { type: 'number', minimum: -1e9, maximum: 1e9 } },
    additionalProperties: false,
  },
} as const;
const scenarioParams = { name: 'Name of the scenario' };
const noScenario = problemAnswer('There is no such scenario, or it is not on');

/** The routes that control how a world behaves. */
export const behaviourRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    name: 'listFaults',
    method: 'GET',
    path: '/faults',
    summary: 'List the faults at work',
    emulation,
    answers: { 200: { description: 'The faults', schema: listSchema(activeFaultSchema) } },
    run: ({ world }) => ok(world.faults.list().map(formatFault)),
  }),
  defineRoute({
    ...common,
    name: 'addFault',
    method: 'POST',
    path: '/faults',
    summary: 'Set a fault',
    emulation,
    // The library's own check says how to mend.
    body: { description: 'The fault', schema: faultSchema, check: {} },
    answers: {
      201: { description: 'The fault with its number', schema: activeFaultSchema },
      422: problemAnswer('The fault cannot be set; says why'),
    },
    run: ({ world, body, routes }) => ({ status: 201, json: formatFault(world.faults.add(faultOf(body, routes))) }),
  }),
  defineRoute({
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
  }),
  defineRoute({
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
  }),
  defineRoute({
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
  }),
  defineRoute({
    ...common,
    name: 'startScenario',
    method: 'PUT',
    path: '/scenarios/{name}',
    summary: 'Turn a scenario on',
    emulation,
    params: scenarioParams,
    answers: { ...done, 404: noScenario },
    run: ({ services, world, params }) => {
      const { name } = params;
      const scenario = services.scenarios.get(name);
      if (!scenario) throw missing(`There is no scenario ${JSON.stringify(name)}.`);
      world.faults.start(name, scenario);
      return empty(204);
    },
  }),
  defineRoute({
    ...common,
    name: 'stopScenario',
    method: 'DELETE',
    path: '/scenarios/{name}',
    summary: 'Turn a scenario off',
    emulation,
    params: scenarioParams,
    answers: { ...done, 404: noScenario },
    run: ({ world, params }) => {
      if (!world.faults.removeScenario(params.name)) throw missing(`The scenario ${params.name} is not on.`);
      return empty(204);
    },
  }),
  defineRoute({
    ...common,
    name: 'getClock',
    method: 'GET',
    path: '/clock',
    summary: 'Tell the time of the world',
    emulation,
    answers: clock,
    run: clockReply,
  }),
  defineRoute({
    ...common,
    name: 'setClock',
    method: 'PUT',
    path: '/clock',
    summary: 'Set the time, freeze the clock or let it run',
    emulation,
    body: setClockBody,
    run: (call, { now, frozen }) => {
      const moment = now === undefined ? undefined : parseTime(now);
      if (now !== undefined && moment === undefined) throw invalid(`now: ${JSON.stringify(now)} is no time`);
      const { clock: time } = call.world;
      if (moment !== undefined) time.set(moment);
      if (frozen === true) time.freeze(moment);
      if (frozen === false) time.resume();
      return clockReply(call);
    },
    answers: { ...clock, 422: problemAnswer('The time is none') },
  }),
  defineRoute({
    ...common,
    name: 'advanceClock',
    method: 'POST',
    path: '/clock/advance',
    summary: 'Move the time forward',
    emulation,
    body: advanceClockBody,
    run: (call, { seconds }) => {
      const { clock: time } = call.world;
      if (parseTime(time.now() + seconds * 1000) === undefined) {
        throw invalid(`seconds: ${seconds} would lead out of the years 1 to 9999`);
      }
      time.advance(seconds * 1000);
      return clockReply(call);
    },
    answers: { ...clock, 422: problemAnswer('The clock would leave the years 1 to 9999') },
  }),
];

// The library's failure as the API tells one.
function faultOf(body: Json | undefined, routes: Call['routes']): Fault {
  try {
    return readFault(body, routes);
  } catch (failure) {
    if (!(failure instanceof EmulatorError)) throw failure;
    throw violation(formatIssues(failure.issues.map((issue) => ({ ...issue, path: issue.path || 'body' }))));
  }
}

function formatFault({ id, fault, scenario, seen, struck }: ActiveFault): JsonObject {
  return { id, fault: fault as unknown as JsonObject, ...(scenario !== undefined && { scenario }), seen, struck };
}

function clockReply({ world }: Call): Reply {
  return ok({ now: world.clock.iso(), frozen: world.clock.frozen });
}
