// Validation of faults and scenarios: one schema for the control routes, the library and scenarios.json, and additional rules.

import { messageOf } from '../../render/core/errors.ts';
import { EmulatorError, type Issue } from '../core/errors.ts';
import { checkJson } from '../store/check.ts';
import type { Schema } from '../store/compile.ts';
import type { Fault, Scenario } from '../world/faults.ts';
import { forbidsBody, isDoorHeader, isSendable } from './message.ts';
import { faultyRoute, type Route } from './route.ts';

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const count: Schema = { type: 'integer', minimum: 0 };
const milliseconds: Schema = { type: 'number', minimum: 0, maximum: 600000 };

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
    status: { type: 'integer', minimum: 200, maximum: 599 },
    message: text,
    location: { type: 'string', pattern: '^[\\x21-\\x7e]+$', description: 'Where a 3xx goes; other characters as %XX' },
    body: { description: 'The body of the answer, as JSON' },
    headers: {
      type: 'object',
      additionalProperties: { type: 'string', pattern: '^[\\t\\x20-\\x7e]*$' },
      description: 'Headers of the answer, such as `Retry-After`',
    },
    drop: flag,
    malformed: flag,
    expiredToken: flag,
  },
  additionalProperties: false,
};

export const scenarioSchema: Schema = {
  title: 'Scenario',
  type: 'object',
  required: ['description', 'faults'],
  properties: {
    description: { type: 'string', description: 'A description for people' },
    faults: { type: 'array', items: faultSchema, description: 'The faults that it sets' },
  },
  additionalProperties: false,
};

/** The schema of scenarios.json: scenarios by name. */
export const scenariosSchema: Schema = {
  title: 'Scenarios',
  description: 'Scenarios by their names: sets of faults that are turned on together',
  type: 'object',
  additionalProperties: scenarioSchema,
};

function faultIssues(fault: unknown, routes: readonly Route[]): readonly Issue[] {
  const issues = checkJson(faultSchema, fault);
  if (issues.length === 0) return [...oddities(fault as Fault, routes)];
  return issues.map((issue) => (/^(?:location|headers)\b/.test(issue.path) ? { ...issue, hint: sentAsHeader } : issue));
}

const sentAsHeader = 'it is sent as a header: write other characters as %XX';

function* oddities(fault: Fault, routes: readonly Route[]): Generator<Issue> {
  const { status, latencyMs, message, location, body, headers = {} } = fault;
  const wrong = faultyRoute(fault, routes);
  if (wrong !== undefined) yield { path: 'route', message: wrong };
  if (typeof latencyMs === 'object' && latencyMs.min > latencyMs.max) {
    yield { path: 'latencyMs', message: `min is ${latencyMs.min}, more than max, which is ${latencyMs.max}` };
  }
  const isRedirect = status !== undefined && status >= 300 && status < 400;
  if (location !== undefined && !isRedirect) yield { path: 'location', message: 'needs a status from 300 to 399' };
  if (message !== undefined && (status === undefined || status < 400)) {
    yield { path: 'message', message: 'needs a status from 400 to 599' };
  }
  if (message !== undefined && body !== undefined)
    yield { path: 'message', message: 'goes into the error body: leave it or `body` out' };
  if (body !== undefined && status !== undefined && forbidsBody(status)) {
    yield { path: 'body', message: `cannot be sent with ${status}` };
  }
  for (const name of Object.keys(headers)) {
    const path = `headers[${JSON.stringify(name)}]`;
    if (!isSendable(name, '')) yield { path, message: 'is not a valid header name' };
    else if (isDoorHeader(name)) yield { path, message: 'is written by the server itself' };
  }
}

export function scenarioIssues(scenarios: unknown, routes: readonly Route[]): readonly Issue[] {
  const issues = checkJson(scenariosSchema, scenarios);
  if (issues.length > 0) return issues;
  return Object.entries(scenarios as Readonly<Record<string, Scenario>>).flatMap(([name, scenario]) =>
    issuesOfFaults(scenario, routes).map((issue) => ({ ...issue, path: `${name}.${issue.path}` })),
  );
}

function issuesOfFaults({ faults }: Scenario, routes: readonly Route[]): readonly Issue[] {
  return faults.flatMap((fault, at) =>
    faultIssues(fault, routes).map((issue) => ({ ...issue, path: `faults[${at}].${issue.path}` })),
  );
}

/** Returns a copy of a valid fault. Throws an `EmulatorError` (FAULT_INVALID) with all issues. */
export function readFault(fault: unknown, routes: readonly Route[]): Fault {
  const issues = faultIssues(fault, routes);
  if (issues.length > 0) throw new EmulatorError('FAULT_INVALID', issues);
  return copyOf<Fault>(fault);
}

/** Returns a copy of a valid scenario. Throws an `EmulatorError` (FAULT_INVALID) with all issues. */
export function readScenario(scenario: unknown, routes: readonly Route[]): Scenario {
  // Bundles have a validator for all scenarios, and none for a single one.
  const issues = scenarioIssues({ scenario }, routes).map((issue) => ({
    ...issue,
    path: issue.path.replace(/^scenario\.?/, ''),
  }));
  if (issues.length > 0) throw new EmulatorError('FAULT_INVALID', issues);
  const copy = copyOf<Scenario>(scenario);
  if (copy.faults.length > 0) return copy;
  throw new EmulatorError('FAULT_INVALID', [{ path: 'faults', message: 'must have at least one fault' }]);
}

function copyOf<Checked>(value: unknown): Checked {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch (failure) {
    throw new EmulatorError('FAULT_INVALID', [{ path: 'body', message: `is not valid JSON: ${messageOf(failure)}` }]);
  }
}
