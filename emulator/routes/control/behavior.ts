// Control routes for the behavior of a world: faults, scenarios, the clock.

import { faultSchema, readFault, readScenario, scenarioSchema } from '../../app/fault-rules.ts';
import { empty, ok, type Reply } from '../../app/message.ts';
import { invalid, missing, type Problem, violation } from '../../app/problem.ts';
import { type Call, type Route, routeBuilder } from '../../app/route.ts';
import { EmulatorError, formatIssues, type Issue } from '../../core/errors.ts';
import type { Schema } from '../../store/compile.ts';
import type { Json, JsonObject } from '../../store/json.ts';
import { formatTime, parseTime } from '../../world/clock.ts';
import type { ActiveFault, Fault, Faults, Scenario } from '../../world/faults.ts';
import { isWorldName } from '../../world/worlds.ts';
import {
  booleanSchema,
  exactSchema,
  listSchema,
  objectSchema,
  problemAnswer,
  textSchema,
  timeSchema,
} from '../shapes.ts';

const route = routeBuilder({
  space: 'control',
  section: 'Control: behavior',
  access: 'public',
  emulation: "The emulator's own; acts on the world that the request names",
});
const done = { 204: { description: 'Done' } };

const count: Schema = { type: 'integer', minimum: 0 };

const activeFaultSchema = objectSchema(
  'ActiveFault',
  { id: { type: 'integer' }, fault: faultSchema, scenario: textSchema, seen: count, struck: count },
  ['scenario'],
);
const clockSchema = objectSchema('Clock', { now: timeSchema, frozen: booleanSchema });
const clock = { 200: { description: 'The clock', schema: clockSchema } };
const setClockBody = {
  description: 'The new time (ISO 8601 or milliseconds since 1970) and whether the clock is frozen',
  schema: {
    title: 'SetClock',
    type: 'object',
    properties: { now: { anyOf: [textSchema, { type: 'number' }] }, frozen: { type: 'boolean' } },
    additionalProperties: false,
  },
} as const;
const advanceClockBody = {
  description: 'How far to advance',
  schema: exactSchema('AdvanceClock', { seconds: { type: 'number', minimum: -1e9, maximum: 1e9 } }),
};
const scenarioParams = { name: 'Name of the scenario' };
const listedScenarioSchema = objectSchema('ListedScenario', {
  name: textSchema,
  description: textSchema,
  on: booleanSchema,
  written: { ...booleanSchema, description: 'Whether it was created at run time' },
  faults: listSchema(faultSchema),
});
const noScenario = problemAnswer('There is no such scenario, or it is not on');

export const behaviorRoutes: readonly Route[] = [
  route('listFaults', 'GET /faults', {
    summary: 'List the active faults',
    answers: { 200: { description: 'The faults', schema: listSchema(activeFaultSchema) } },
    run: ({ world }) => ok(world.faults.list().map(formatFault)),
  }),
  route('addFault', 'POST /faults', {
    summary: 'Set a fault',
    // The library's own validation has hints.
    body: { description: 'The fault', schema: faultSchema, check: {} },
    answers: {
      201: { description: 'The fault with its number', schema: activeFaultSchema },
      422: problemAnswer('The fault cannot be set; says why'),
    },
    run: ({ world, body, routes }) => ({
      status: 201,
      json: formatFault(world.faults.add(withViolations(() => readFault(body, routes)))),
    }),
  }),
  route('clearFaults', 'DELETE /faults', {
    summary: 'Remove all faults, including those of scenarios',
    answers: done,
    run: ({ world }) => {
      world.faults.clear();
      return empty(204);
    },
  }),
  route('removeFault', 'DELETE /faults/{id}', {
    summary: 'Remove one fault',
    params: { id: 'Number of the fault' },
    answers: { ...done, 404: problemAnswer('There is no such fault') },
    run: ({ world, params }) => {
      if (!world.faults.remove(Number(params.id))) throw missing(`There is no fault ${params.id}.`);
      return empty(204);
    },
  }),
  route('listScenarios', 'GET /scenarios', {
    summary: 'List the scenarios with their faults, and which are active',
    answers: { 200: { description: 'The scenarios', schema: listSchema(listedScenarioSchema) } },
    run: ({ services, world }) => ok(formatScenarios(services.scenarios, world.faults)),
  }),
  route('startScenario', 'PUT /scenarios/{name}', {
    summary: 'Turn a scenario on; with a body, create it first',
    params: scenarioParams,
    // The library's own validation has hints.
    body: {
      description: 'The scenario, to create it',
      schema: scenarioSchema,
      check: {},
      optional: true,
    },
    answers: { ...done, 404: noScenario, 422: problemAnswer('The scenario is invalid; the message says why') },
    run: (call) => {
      const { services, world, params, body } = call;
      const { name } = params;
      if (body !== undefined) return writeScenario(call, name);
      const scenario = services.scenarios.get(name) ?? world.faults.written.get(name);
      if (!scenario) throw missing(`There is no scenario ${JSON.stringify(name)}.`);
      world.faults.start(name, scenario);
      return empty(204);
    },
  }),
  route('stopScenario', 'DELETE /scenarios/{name}', {
    summary: 'Turn a scenario off',
    params: scenarioParams,
    query: {
      forget: {
        description: 'Whether a scenario created at run time is also deleted',
        schema: { type: 'string', enum: ['true', 'false'] },
      },
    },
    answers: { ...done, 404: noScenario },
    run: ({ world, params, query }) => {
      if (query('forget') === 'true') {
        if (world.faults.forget(params.name)) return empty(204);
        throw missing(`No scenario ${JSON.stringify(params.name)} was written here.`);
      }
      if (!world.faults.removeScenario(params.name)) throw missing(`The scenario ${params.name} is not on.`);
      return empty(204);
    },
  }),
  route('getClock', 'GET /clock', {
    summary: 'Get the time of the world',
    answers: clock,
    run: (call) => clockReply(call),
  }),
  route('setClock', 'PUT /clock', {
    summary: 'Set the time, or freeze or release the clock',
    body: setClockBody,
    run: (call, { now, frozen }) => {
      const moment = now === undefined ? undefined : parseTime(now);
      if (now !== undefined && moment === undefined) throw invalid(`now: ${JSON.stringify(now)} is not a valid time`);
      const { clock: time } = call.world;
      if (moment !== undefined) time.set(moment);
      const stopped = frozen === true ? time.freeze(moment) : undefined;
      const resumed = frozen === false ? time.resume() : undefined;
      return clockReply(call, moment ?? stopped ?? resumed);
    },
    answers: { ...clock, 422: problemAnswer('The time is invalid') },
  }),
  route('advanceClock', 'POST /clock/advance', {
    summary: 'Advance the clock',
    body: advanceClockBody,
    run: (call, { seconds }) => {
      const { clock: time } = call.world;
      const moment = parseTime(time.now() + seconds * 1000);
      if (moment === undefined) throw invalid(`seconds: ${seconds} would lead out of the years 1 to 9999`);
      return clockReply(call, time.set(moment));
    },
    answers: { ...clock, 422: problemAnswer('The clock would leave the years 1 to 9999') },
  }),
];

// An existing one is not replaced, because others rely on it.
function writeScenario({ services, world, body, routes }: Call, name: string): Reply {
  if (services.scenarios.has(name))
    throw refused([{ path: 'name', message: `${name} is there already`, hint: 'choose another name' }]);
  if (!isWorldName(name)) {
    throw refused([
      { path: 'name', message: 'must be up to 64 letters, digits, ".", "_" and "-", the first a letter or digit' },
    ]);
  }
  world.faults.write(
    name,
    withViolations(() => readScenario(body, routes)),
  );
  return empty(204);
}

function formatScenarios(given: ReadonlyMap<string, Scenario>, faults: Faults): Json {
  const on = new Set(faults.activeScenarios());
  const format =
    (written: boolean) =>
    ([name, scenario]: readonly [string, Scenario]): JsonObject => ({
      name,
      description: scenario.description,
      on: on.has(name),
      written,
      faults: scenario.faults.map(faultJson),
    });
  return [...[...given].map(format(false)), ...[...faults.written].map(format(true))];
}

// Converts the library's error to the API's: one sentence, and each issue with its path.
function withViolations<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (failure) {
    if (!(failure instanceof EmulatorError)) throw failure;
    throw refused(failure.issues);
  }
}

function refused(issues: readonly Issue[]): Problem {
  const placed = issues.map((issue) => ({ ...issue, path: issue.path || 'body' }));
  return violation(formatIssues(placed), { issues: placed });
}

function faultJson(fault: Fault): JsonObject {
  return fault as unknown as JsonObject;
}

function formatFault({ id, fault, scenario, seen, struck }: ActiveFault): JsonObject {
  return { id, fault: faultJson(fault), ...(scenario !== undefined && { scenario }), seen, struck };
}

// The time is reported as it was set: a running clock has advanced when it is read again.
function clockReply({ world: { clock: time } }: Call, moment = time.now()): Reply {
  return ok({ now: formatTime(moment), frozen: time.frozen });
}
