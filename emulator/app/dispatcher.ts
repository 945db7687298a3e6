// From a request to its response, one step after the other. A refusal is an exception; every request gets a response.

import { suggest } from '../../render/core/suggest.ts';
import type { Json } from '../store/json.ts';
import type { UserRow } from '../store/rows.ts';
import { stopwatch } from '../world/clock.ts';
import { keptMessage } from '../world/log.ts';
import { maskSecrets } from '../world/secrets.ts';
import type { World } from '../world/world.ts';
import { defaultWorld, isWorldName } from '../world/worlds.ts';
import { answerFault } from './answers.ts';
import { authenticate } from './auth.ts';
import { writeExact } from './exact.ts';
import { applyFaults, injectFaults } from './faults.ts';
import { checkQuery, readBody, readBytes } from './input.ts';
import {
  CallerGone,
  commonHeaders,
  type Incoming,
  isStatus,
  jsonType,
  type Outgoing,
  type Reply,
  unsendable,
} from './message.ts';
import { preferredReply } from './prefer.ts';
import { Problem, problemOf, problemReply, unknownRoute } from './problem.ts';
import { type App, type AppRequest, readRequest } from './request.ts';
import { addressOf, type Call, isService, type Route, spacePaths } from './route.ts';
import { Router } from './router.ts';
import { corsHeaders, isAllowedOrigin, isForeignPage, preflightHeaders } from './security.ts';

/** Returns the function that answers requests; it never fails. */
export function createDispatcher(
  options: Omit<App, 'router' | 'nextRequestId'>,
): (incoming: Incoming) => Promise<Outgoing> {
  let count = 0;
  const app: App = { ...options, router: new Router(options.routes), nextRequestId: () => `drydock-${++count}` };
  return async (incoming) => {
    const started = stopwatch();
    const request = readRequest(app, incoming);
    const answered = await answer(request);
    const outgoing = completed(request, applyFaults(request.faults, answered));
    log(request, outgoing, stopwatch() - started);
    return outgoing;
  };
}

function log(request: AppRequest, outgoing: Outgoing, duration: number): void {
  const { app, settings, incoming, route, user, bytes, meant, faults, violations } = request;
  if (route?.space === 'control' || incoming.method === 'OPTIONS') return;
  if (route && isService(route)) app.coverage.add(route, outgoing.status, request.search);
  const { world = app.worlds.default } = request;
  const aborted = outgoing.aborted ?? false;
  world.log.add({
    time: world.clock.now(),
    method: incoming.method,
    path: incoming.target,
    route: route?.name,
    user: user?.login,
    status: outgoing.drop || aborted ? 0 : outgoing.status,
    durationMs: Math.round(duration * 1000) / 1000,
    aborted,
    violations,
    faults,
    meant,
    nested: route?.secret ?? false,
    request: keptMessage(incoming.headers(), bytes, settings.logBodyLimit),
    response: keptMessage(outgoing.headers, outgoing.body, settings.logBodyLimit),
  });
}

// Adds the headers of every response, and replaces a response that cannot be sent.
function completed(request: AppRequest, outgoing: Outgoing): Outgoing {
  const { incoming, app, settings } = request;
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
  reportBug(new Error(`the answer cannot be sent: ${wrong}`), request);
  const refusal = write(problemReply(new Problem(500, `The answer cannot be sent: ${wrong}.`), request.siteUrl));
  const own = { ...commonHeaders, 'X-Request-Id': headers['X-Request-Id']!, 'Content-Type': jsonType };
  return { ...refusal, headers: own };
}

async function answer(request: AppRequest): Promise<Outgoing> {
  try {
    return write(await reply(request));
  } catch (failure) {
    // Nobody reads it; 499 is what proxies log for this.
    if (failure instanceof CallerGone) return { status: 499, headers: {}, body: '', aborted: true };
    const known = problemOf(failure);
    if (known === undefined) reportBug(failure, request);
    const problem = known ?? new Problem(500, 'The emulator itself failed; its log says how.');
    if (problem.details.violation) request.violations.push(problem.message);
    return write(problemReply(problem, request.siteUrl));
  }
}

function reportBug(failure: unknown, { app, incoming }: AppRequest): void {
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

async function reply(request: AppRequest): Promise<Reply> {
  const { app, incoming, path } = request;
  const match = path === undefined ? undefined : app.router.match(path);
  if (incoming.method === 'OPTIONS') {
    const methods = allowedMethods(match?.routes);
    return { status: 204, headers: { Allow: methods.join(', '), ...preflightHeaders(incoming, methods) } };
  }
  // The emulator's own addresses, and paths outside the base path, are not looked up on another server.
  const isOwn = path === undefined || path.startsWith(spacePaths.control);
  if (!match || (app.services.passThrough && !isOwn)) {
    const found = isOwn ? undefined : await app.services.elsewhere?.(incoming, request.target);
    if (found) return found;
    if (path !== undefined) request.meant = suggest(path.slice(0, 200), app.routes.map(addressOf));
    throw unknownRoute();
  }
  const route = match.routes.get(methodOf(incoming));
  if (!route) {
    const allow = allowedMethods(match.routes).join(', ');
    throw new Problem(405, `${incoming.method} is not allowed here, only ${allow}.`, { headers: { Allow: allow } });
  }
  request.route = route;
  request.params = match.params;
  checkOrigin(request, route);
  const { keeper } = app.worlds;
  if (keeper?.refresh) await keeper.refresh();
  const world = enterWorld(request);
  const replaced = isService(route) ? await substitute(request, route, world) : undefined;
  if (replaced) return replaced;
  authenticateCaller(request, route, world);
  if (keeper === undefined) return checkedReply(request, route, world);
  // Changes are stored before the response, also those of a call that fails after them.
  const run = () => Promise.allSettled([checkedReply(request, route, world)]);
  const [outcome] = await keeper.turn(route.writes ?? route.method !== 'GET', run);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

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

// Pages of other origins cannot read the control routes or the sign-in, and must not call them blindly either.
function checkOrigin({ incoming, settings }: AppRequest, route: Route): void {
  const origin = incoming.header('origin');
  const isGuarded = route.space === 'control' || (route.space === 'root' && route.method !== 'GET');
  if (isGuarded && origin !== undefined && !isAllowedOrigin(origin, settings.origins, incoming.origin)) {
    throw new Problem(403, `The origin ${origin} may not use this address.`);
  }
}

// Opens the world that the path, a header or the token names.
function enterWorld(request: AppRequest): World {
  const { app, settings, incoming, worldName, credentials } = request;
  const { worlds } = app;
  const name = worldName ?? incoming.header('x-drydock-world') ?? credentials.token?.world;
  if (name !== undefined && !isWorldName(name)) {
    const hint = 'use up to 64 of letters, digits, "-", "_" and "."';
    throw new Problem(400, `${JSON.stringify(name)} cannot name a world: ${hint}`);
  }
  if (name !== undefined && !worlds.has(name) && isForeignPage(incoming, settings.origins)) {
    throw new Problem(403, 'A page of another site cannot make a world.');
  }
  const world = worlds.open(name);
  if (!world)
    throw new Problem(503, `There are ${settings.maxWorlds} worlds already: delete some, or let old ones be evicted.`);
  request.world = world;
  const worldPath = world.name !== defaultWorld && worldName === undefined ? `/@${world.name}` : '';
  request.apiUrl += worldPath;
  request.siteUrl += worldPath;
  return world;
}

// The response of a fault, or the one that the `Prefer` header selects; a successful one needs the route's access.
async function substitute(request: AppRequest, route: Route, world: World): Promise<Reply | undefined> {
  const { incoming } = request;
  const prefers = incoming.header('prefer') !== undefined;
  if (!world.faults.any && !prefers) return undefined;
  const caller = identifyCaller(request, route, world);
  const faulty = world.faults.any ? await injectFaults(request, route, { world, login: caller?.login }) : undefined;
  const preferred = faulty || !prefers ? undefined : preferredReply(route, incoming);
  if (preferred) authenticateCaller(request, route, world);
  return faulty ?? preferred;
}

// Undefined for nobody, and for a caller without the route's access.
function identifyCaller(request: AppRequest, route: Route, world: World): UserRow | undefined {
  try {
    authenticateCaller(request, route, world);
  } catch (failure) {
    if (!(failure instanceof Problem)) throw failure;
  }
  return request.user;
}

// Throws a `Problem` for a caller without the route's access.
function authenticateCaller(request: AppRequest, route: Route, world: World): void {
  request.user = authenticate(route, request.credentials, world);
}

// In strict mode, a response that the route does not declare is refused, be it an error.
async function checkedReply(request: AppRequest, route: Route, world: World): Promise<Reply> {
  if (!request.settings.strict) return callRoute(request, route, world);
  const check = (one: Reply): Reply => {
    const fault = answerFault(route, one);
    if (fault !== undefined) throw new Problem(500, fault, { violation: true });
    return one;
  };
  let result: Reply;
  try {
    result = await callRoute(request, route, world);
  } catch (failure) {
    const problem = problemOf(failure);
    if (problem !== undefined && problem.status !== 500) check(problemReply(problem, request.siteUrl));
    throw failure;
  }
  return check(result);
}

async function callRoute(request: AppRequest, route: Route, world: World): Promise<Reply> {
  const { settings, search, incoming } = request;
  request.violations.push(...checkQuery(route, search, settings.strict || route.space === 'control'));
  request.bytes = route.body && (await readBytes(incoming, settings.bodyLimit));
  const body = route.body && request.bytes && readBody(route.body, incoming, request.bytes);
  return route.run(createCall(request, world, body));
}

function createCall(request: AppRequest, world: World, body: Json | undefined): Call {
  const { app, settings, search, incoming, prefix, path = '', params, apiUrl, siteUrl, user, bytes } = request;
  return {
    world,
    worlds: app.worlds,
    settings,
    services: app.services,
    routes: app.routes,
    params,
    body,
    apiUrl,
    siteUrl,
    prefix,
    path,
    store: world.store,
    db: world.db,
    clock: world.clock,
    viewer: user,
    bytes,
    query: (name) => search.get(name) ?? undefined,
    queryAll: (name) => search.getAll(name),
    header: (name) => incoming.header(name),
    get caller() {
      if (!user) throw new Error('this route has no caller');
      return user;
    },
    get signal() {
      return incoming.signal;
    },
  };
}
