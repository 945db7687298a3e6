// Control routes for the request log: counts, near misses, and waiting for a request.

import { faultSchema } from '../../app/fault-rules.ts';
import { CallerGone, empty, ok } from '../../app/message.ts';
import { missing, violation } from '../../app/problem.ts';
import { type Call, checkedRoute, type Parameter, type Route, routeBuilder } from '../../app/route.ts';
import { EmulatorError } from '../../core/errors.ts';
import type { Json } from '../../store/json.ts';
import type { LogFilter } from '../../world/log.ts';
import {
  anyObject,
  booleanSchema,
  integerSchema,
  listSchema,
  objectSchema,
  problemAnswer,
  textSchema,
  timeSchema,
} from '../shapes.ts';

const route = routeBuilder({
  space: 'control',
  section: 'Control: requests',
  access: 'public',
  emulation: "The emulator's own; acts on the world that the request names; secrets are masked",
});

const messageSchema = objectSchema(
  'LoggedMessage',
  { headers: anyObject, body: { type: 'string', description: 'Missing if none was sent or read' }, cut: booleanSchema },
  ['body'],
);
const entrySchema = objectSchema(
  'LoggedRequest',
  {
    id: integerSchema,
    time: timeSchema,
    method: textSchema,
    path: textSchema,
    route: textSchema,
    user: textSchema,
    status: { type: 'integer', description: '0 if the connection was dropped' },
    durationMs: { type: 'number' },
    aborted: { type: 'boolean', description: 'The client disconnected before the response' },
    violations: listSchema(textSchema),
    faults: { ...listSchema(faultSchema), description: 'The faults that affected it, as they were set' },
    meant: { type: 'string', description: 'For an unknown path, a similar known one' },
    request: messageSchema,
    response: messageSchema,
  },
  ['route', 'user', 'meant'],
);
const missSchema = objectSchema('NearMiss', {
  request: entrySchema,
  misses: listSchema(objectSchema('Miss', { field: textSchema, wanted: textSchema, was: textSchema })),
});

const filters: Readonly<Record<string, Parameter>> = {
  method: { description: 'Method', schema: textSchema },
  path: { description: 'Path without query; `*` matches any text', schema: textSchema },
  route: { description: 'The route, by name or by method and path', schema: textSchema },
  user: { description: 'Login of the caller', schema: textSchema },
  status: { description: 'Status', schema: integerSchema, check: { type: 'string', pattern: '^\\d{1,3}$' } },
  after: {
    description: 'Only requests after this number',
    schema: integerSchema,
    check: { type: 'string', pattern: '^\\d{1,15}$' },
  },
};
const timeout: Parameter = {
  description: 'How long to wait, at most a minute (default 5000)',
  schema: integerSchema,
  check: { type: 'string', pattern: '^\\d{1,6}$' },
};
const logged = listSchema(entrySchema);

export const logRoutes: readonly Route[] = [
  route('listRequests', 'GET /requests', {
    summary: 'List the last requests with headers and bodies, oldest first',
    query: filters,
    answers: { 200: { description: 'The requests', schema: logged } },
    run: (call) => ok(call.world.log.list(filterOf(call)) as unknown as Json),
  }),
  route('countRequests', 'GET /requests/count', {
    summary: 'Count requests',
    query: filters,
    answers: { 200: { description: 'The number', schema: objectSchema('RequestCount', { count: integerSchema }) } },
    run: (call) => ok({ count: call.world.log.count(filterOf(call)) }),
  }),
  route('listNearMisses', 'GET /requests/near-misses', {
    summary: 'List the requests that almost match, nearest first, with the differences',
    query: filters,
    answers: { 200: { description: 'At most three', schema: listSchema(missSchema) } },
    run: (call) => ok(call.world.log.nearMisses(filterOf(call)) as unknown as Json),
  }),
  route('waitForRequest', 'GET /requests/wait', {
    summary: 'Wait for a request',
    query: { ...filters, timeoutMs: timeout },
    answers: {
      200: { description: 'The request', schema: entrySchema },
      404: problemAnswer('No request arrived in time'),
    },
    run: async (call) => {
      const timeoutMs = Math.min(Number(call.query('timeoutMs') || 5000), 60000);
      const entry = await call.world.log.wait(filterOf(call), timeoutMs, call.signal);
      if (call.signal?.aborted) throw new CallerGone('while waiting for a request');
      if (!entry)
        throw missing(`No such request was made within ${timeoutMs} ms; /requests/near-misses lists similar ones.`);
      return ok(entry as unknown as Json);
    },
  }),
  route('clearRequests', 'DELETE /requests', {
    summary: 'Clear the request log',
    answers: { 204: { description: 'Done' } },
    run: ({ world }) => {
      world.log.clear();
      return empty(204);
    },
  }),
];

// An empty value counts as absent.
function filterOf({ query, routes }: Call): LogFilter {
  const [method, path, route, user] = ['method', 'path', 'route', 'user'].map((name) => query(name) || undefined);
  const [status, after] = [query('status') || undefined, query('after') || undefined];
  return {
    ...(method !== undefined && { method: method.toUpperCase() }),
    ...(path !== undefined && { path }),
    ...(route !== undefined && { route: routeFilter(route, routes) }),
    ...(user !== undefined && { user }),
    ...(status !== undefined && { status: Number(status) }),
    ...(after !== undefined && { after: Number(after) }),
  };
}

function routeFilter(route: string, routes: readonly Route[]): string {
  try {
    return checkedRoute(route, routes);
  } catch (failure) {
    throw failure instanceof EmulatorError ? violation(`query.${failure.message}`) : failure;
  }
}
