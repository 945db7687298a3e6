// The middleware of a request, in the order of `dispatcher.ts`.

import { suggest } from '../../render/core/suggest.ts';
import type { UserRow } from '../store/rows.ts';
import { stopwatch } from '../world/clock.ts';
import { keptMessage } from '../world/log.ts';
import { maskSecrets } from '../world/secrets.ts';
import type { World } from '../world/world.ts';
import { defaultWorld, isWorldName } from '../world/worlds.ts';
import { answerFault } from './answers.ts';
import { authenticate } from './auth.ts';
import { writeExact } from './exact.ts';
import { checkQuery, readBody, readBytes } from './input.ts';
import {
  CallerGone,
  commonHeaders,
  type Incoming,
  isStatus,
  jsonType,
  type Outgoing,
  type Reply,
  spelled,
  unsendable,
} from './message.ts';
import { preferredReply } from './prefer.ts';
import { Problem, problemOf, problemReply, unknownRoute } from './problem.ts';
import {
  createCall,
  type InputContext,
  type RequestContext,
  type RouteContext,
  type UserContext,
  type WorldContext,
} from './request-context.ts';
import { addressOf, isService, type Route, spacePaths } from './route.ts';
import { corsHeaders, isAllowedOrigin, isForeignPage, preflightHeaders } from './security.ts';

/** The next middleware, or the handler at the end. */
export type Handler<Context, Result> = (context: Context) => Promise<Result>;

/** Logs the request and its response, and counts it for the coverage. */
export async function logRequest(context: RequestContext, next: Handler<RequestContext, Outgoing>): Promise<Outgoing> {
  const started = stopwatch();
  const outgoing = await next(context);
  const durationMs = Math.round((stopwatch() - started) * 1000) / 1000;
  const { app, settings, incoming, record } = context;
  const { route, user, body, meant, faults, violations, world = app.worlds.default } = record;
  if (route?.space === 'control' || incoming.method === 'OPTIONS') return outgoing;
  if (route && isService(route)) app.coverage.add(route, outgoing.status, context.search);
  const aborted = outgoing.aborted ?? false;
  world.log.add({
    time: world.clock.now(),
    method: incoming.method,
    path: incoming.target,
    route: route?.name,
    user: user?.login,
    status: outgoing.drop || aborted ? 0 : outgoing.status,
    durationMs,
    aborted,
    violations,
    faults,
    meant,
    nested: route?.secret ?? false,
    request: keptMessage(incoming.headers(), body, settings.logBodyLimit),
    response: keptMessage(outgoing.headers, outgoing.body, settings.logBodyLimit),
  });
  return outgoing;
}

/** Adds the headers of every response, and replaces a response that cannot be sent. */
export async function setHeaders(context: RequestContext, next: Handler<RequestContext, Outgoing>): Promise<Outgoing> {
  const outgoing = await next(context);
  const { incoming, app, settings } = context;
  const sentId = incoming.header('x-request-id');
  // Not spread, because each copy would have its own hidden class, which outlives it.
  const headers: Record<string, string | readonly string[]> = {
    'Cache-Control': commonHeaders['Cache-Control'],
    'X-Content-Type-Options': commonHeaders['X-Content-Type-Options'],
    'X-Request-Id': sentId !== undefined && /^[\w.-]{1,64}$/.test(sentId) ? sentId : app.nextRequestId(),
  };
  const origin = incoming.header('origin');
  const cors = origin === undefined ? [] : [corsHeaders(origin, settings.origins, incoming.origin)];
  let wrong = isStatus(outgoing.status) ? undefined : `the status ${outgoing.status}`;
  for (const table of [...cors, outgoing.headers]) {
    for (const name in table) {
      const value = table[name]!;
      wrong ??= unsendable(name, value);
      headers[name] = value;
    }
  }
  const { status, body } = outgoing;
  const aborted = outgoing.aborted === true || incoming.gone?.() === true;
  if (wrong === undefined) return { status, headers, body, drop: aborted || outgoing.drop === true, aborted };
  reportBug(new Error(`the answer cannot be sent: ${wrong}`), context);
  const refusal = write(problemReply(new Problem(500, `The answer cannot be sent: ${wrong}.`), siteUrlOf(context)));
  const own = { ...commonHeaders, 'X-Request-Id': headers['X-Request-Id']!, 'Content-Type': jsonType };
  return { ...refusal, headers: own };
}

/** Writes the reply, and turns any failure into a response. */
export async function convertFailures(
  context: RequestContext,
  next: Handler<RequestContext, Reply>,
): Promise<Outgoing> {
  try {
    const reply = await next(context);
    return write(reply.headers ? { ...reply, headers: spelled(reply.headers) } : reply);
  } catch (failure) {
    // Nobody reads it; 499 is what proxies log for this.
    if (failure instanceof CallerGone) return { status: 499, headers: {}, body: '', aborted: true };
    const known = problemOf(failure);
    if (known === undefined) reportBug(failure, context);
    const problem = known ?? new Problem(500, 'The emulator itself failed; its log says how.');
    if (problem.details.violation) context.record.violations.push(problem.message);
    return write(problemReply(problem, siteUrlOf(context)));
  }
}

function siteUrlOf(context: RequestContext): string {
  const { world } = context.record;
  return world === undefined ? context.siteUrl : context.siteUrl + worldPathOf(context, world);
}

function reportBug(failure: unknown, { app, incoming }: RequestContext): void {
  try {
    app.onBug(failure, `${incoming.method} ${maskSecrets(incoming.target)}`);
  } catch {
    // The response must not depend on listeners.
  }
}

function write({ status, headers = {}, json, text }: Reply): Outgoing {
  if (text) return { status, headers: { 'Content-Type': text.type, ...headers }, body: text.content };
  if (json === undefined) return { status, headers, body: '' };
  return { status, headers: { 'Content-Type': jsonType, ...headers }, body: `${writeExact(json)}\n` };
}

/** Finds the route. Addresses without one may be answered elsewhere, except the emulator's own. */
export async function resolveRoute(context: RequestContext, next: Handler<RouteContext, Reply>): Promise<Reply> {
  const { app, incoming, path, record } = context;
  const match = path === undefined ? undefined : app.findRoutes(path);
  // A path outside the base path is not looked up on another server either.
  const isOwn = path === undefined || path.startsWith(spacePaths.control);
  const isElsewhere = !match || (app.services.passThrough && !isOwn);
  if (incoming.method === 'OPTIONS') {
    const methods = isElsewhere && !isOwn ? everyMethod : allowedMethods(match?.routes);
    return { status: 204, headers: { Allow: methods.join(', '), ...preflightHeaders(incoming, methods) } };
  }
  if (isElsewhere) {
    const reply = isOwn ? undefined : await app.services.elsewhere?.(incoming, context.target);
    if (reply) return reply;
    if (path !== undefined) record.meant = suggest(path.slice(0, 200), app.routes.map(addressOf));
    throw unknownRoute();
  }
  const { routes, params } = match;
  const route = routes.get(methodOf(incoming));
  if (!route) {
    const allow = allowedMethods(routes).join(', ');
    throw new Problem(405, `${incoming.method} is not allowed here, only ${allow}.`, { headers: { Allow: allow } });
  }
  record.route = route;
  return next({ request: context, route, params });
}

// What another server, or a recording, may be asked.
const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

// Pages cannot send a body with GET, so a POST can declare itself one.
function methodOf(incoming: Incoming): string {
  if (incoming.method === 'HEAD') return 'GET';
  if (incoming.method === 'POST' && incoming.header('x-http-method-override')?.toUpperCase() === 'GET') return 'GET';
  return incoming.method;
}

function allowedMethods(routes: ReadonlyMap<string, Route> | undefined): readonly string[] {
  const methods = [...(routes?.keys() ?? [])];
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
}

/** Refuses pages of other origins: they cannot read the control routes or the sign-in, and must not call them blindly either. */
export function checkOrigin(context: RouteContext, next: Handler<RouteContext, Reply>): Promise<Reply> {
  const { route, request } = context;
  const { incoming, settings } = request;
  const origin = incoming.header('origin');
  const isGuarded = route.space === 'control' || (route.space === 'root' && route.method !== 'GET');
  if (isGuarded && origin !== undefined && !isAllowedOrigin(origin, settings.origins, incoming.origin)) {
    throw new Problem(403, `The origin ${origin} may not use this address.`);
  }
  return next(context);
}

// The header that names a world.
const worldHeader = 'x-drydock-world';

/** Opens the world that the path, a header or the token names. Links lead to the same world, however it was selected. */
export async function enterWorld(context: RouteContext, next: Handler<WorldContext, Reply>): Promise<Reply> {
  const { request, route, params } = context;
  const { keeper } = request.app.worlds;
  if (keeper?.refresh) await keeper.refresh();
  const world = findWorld(request);
  request.record.world = world;
  const worldPath = worldPathOf(request, world);
  return next({
    request,
    route,
    params,
    world,
    apiUrl: request.apiUrl + worldPath,
    siteUrl: request.siteUrl + worldPath,
  });
}

// Empty if the URLs name the world already.
function worldPathOf({ worldName }: RequestContext, { name }: World): string {
  return name !== defaultWorld && worldName === undefined ? `/@${name}` : '';
}

function findWorld({ app, settings, incoming, worldName, credentials }: RequestContext): World {
  const { worlds } = app;
  const name = worldName ?? incoming.header(worldHeader) ?? credentials.token?.world;
  if (name !== undefined && !isWorldName(name)) {
    const hint = 'use up to 64 of letters, digits, "-", "_" and "."';
    throw new Problem(400, `${JSON.stringify(name)} cannot name a world: ${hint}`);
  }
  if (name !== undefined && !worlds.has(name) && isForeignPage(incoming, settings.origins)) {
    throw new Problem(403, 'A page of another site cannot make a world.');
  }
  const world = worlds.open(name);
  if (world) return world;
  throw new Problem(503, `There are ${settings.maxWorlds} worlds already: delete some, or let old ones be evicted.`);
}

/** Sends the response that the `Prefer` header selects, without calling the handler. A successful one needs the route's access. */
export function honorPreference(context: WorldContext, next: Handler<WorldContext, Reply>): Promise<Reply> {
  const { route, request } = context;
  const { incoming } = request;
  if (!isService(route) || incoming.header('prefer') === undefined) return next(context);
  identifyCaller(context);
  const preferred = preferredReply(route, incoming);
  if (preferred === undefined) return next(context);
  authenticateCaller(context);
  return Promise.resolve(preferred);
}

/** Refuses callers without the route's access. */
export function authorize(context: WorldContext, next: Handler<UserContext, Reply>): Promise<Reply> {
  const { request, route, params, world, apiUrl, siteUrl } = context;
  return next({ request, route, params, world, apiUrl, siteUrl, user: authenticateCaller(context) });
}

/** Returns the caller, who is logged; undefined for nobody, and for a caller without the route's access. */
export function identifyCaller(context: WorldContext): UserRow | undefined {
  try {
    return authenticateCaller(context);
  } catch (failure) {
    if (failure instanceof Problem) return undefined;
    throw failure;
  }
}

// Throws a `Problem` for a caller without the route's access.
function authenticateCaller({ route, request, world }: WorldContext): UserRow | undefined {
  const user = authenticate(route, request.credentials, world);
  request.record.user = user;
  return user;
}

/** Waits until the changes of the call are stored, if the worlds are persisted; also those of a call that fails after them. */
export async function persistChanges(context: UserContext, next: Handler<UserContext, Reply>): Promise<Reply> {
  const { request, route } = context;
  const { keeper } = request.app.worlds;
  if (keeper === undefined) return next(context);
  const writes = route.writes ?? route.method !== 'GET';
  const [outcome] = await keeper.turn(writes, () => Promise.allSettled([next(context)]));
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** Refuses, in strict mode, a response that the route does not declare, be it an error. */
export async function checkResponse(context: UserContext, next: Handler<UserContext, Reply>): Promise<Reply> {
  const { request, route } = context;
  if (!request.settings.strict) return next(context);
  const check = (reply: Reply): void => {
    const fault = answerFault(route, reply);
    if (fault !== undefined) throw new Problem(500, fault, { violation: true });
  };
  let reply: Reply;
  try {
    reply = await next(context);
  } catch (failure) {
    const problem = problemOf(failure);
    if (problem !== undefined && problem.status !== 500) check(problemReply(problem, context.siteUrl));
    throw failure;
  }
  check(reply);
  return reply;
}

/** Checks the query and reads the body. */
export async function checkInput(context: UserContext, next: Handler<InputContext, Reply>): Promise<Reply> {
  const { request, route, params, world, apiUrl, siteUrl, user } = context;
  const { settings, search, incoming, record } = request;
  record.violations.push(...checkQuery(route, search, settings.strict || route.space === 'control'));
  const bytes = route.body && (await readBytes(incoming, settings.bodyLimit));
  record.body = bytes;
  const body = route.body && bytes && readBody(route.body, incoming, bytes);
  return next({ request, route, params, world, apiUrl, siteUrl, user, bytes, body });
}

/** Calls the handler of the route. */
export async function handle(context: InputContext): Promise<Reply> {
  return context.route.run(createCall(context));
}
