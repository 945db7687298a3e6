// The dispatcher of all calls: world, route, caller, faults, input, handler, response. Errors of a handler become responses here.

import { isRenderError } from '../../render/core/errors.ts';
import { asLimit } from '../../render/core/limits.ts';
import { suggest } from '../../render/core/suggest.ts';
import { RenderersBusy } from '../rendering/renderer.ts';
import type { Json } from '../store/json.ts';
import { stopwatch, wait } from '../world/clock.ts';
import type { Fault } from '../world/faults.ts';
import { keptMessage } from '../world/log.ts';
import { maskSecrets } from '../world/secrets.ts';
import type { World } from '../world/world.ts';
import { defaultWorld, isWorldName, type Worlds } from '../world/worlds.ts';
import { answerFault } from './answers.ts';
import { authenticate, expiredToken } from './auth.ts';
import type { RouteCoverageCounter } from './coverage.ts';
import { writeExact } from './exact.ts';
import { checkQuery, readBody, readBytes } from './input.ts';
import {
  CallerGone,
  commonHeaders,
  type HeaderTable,
  type Incoming,
  isStatus,
  jsonType,
  type Outgoing,
  type Reply,
  spelled,
  unsendable,
} from './message.ts';
import { preferredReply } from './prefer.ts';
import { busyProblem, Problem, renderProblem, unknownRoute } from './problem.ts';
import { createCall, createRequestContext, type RequestContext } from './request-context.ts';
import { addressOf, isService, type Route, type Services, spacePaths } from './route.ts';
import { Router } from './router.ts';
import { corsHeaders, isAllowedOrigin, isForeignPage, preflightHeaders } from './security.ts';
import type { Settings } from './settings.ts';

// The header that names a world.
const worldHeader = 'x-drydock-world';

/** Inputs of a dispatcher. */
export interface DispatcherOptions {
  readonly routes: readonly Route[];
  readonly worlds: Worlds;
  readonly settings: Settings;
  readonly services: Services;
  readonly coverage: RouteCoverageCounter;
  /** Called with errors of the emulator itself, not with those of callers. */
  readonly onBug: (failure: unknown, call: string) => void;
}

/** Answers calls. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #router: Router;
  #count = 0;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#router = new Router(options.routes);
  }

  /** Answers a request; never fails. */
  async answer(incoming: Incoming): Promise<Outgoing> {
    const started = stopwatch();
    const context = createRequestContext(incoming, this.#options.settings);
    let outgoing: Outgoing;
    try {
      outgoing = write(await this.#reply(context));
    } catch (failure) {
      outgoing = write(this.#failureReply(failure, context));
    }
    if (context.faults.length > 0) outgoing = applyFaults(outgoing, context.faults);
    outgoing = this.#finish(outgoing, context);
    const durationMs = Math.round((stopwatch() - started) * 1000) / 1000;
    this.#note(context, outgoing, durationMs);
    return outgoing;
  }

  async #reply(context: RequestContext): Promise<Reply> {
    const { incoming, path } = context;
    const match = path === undefined ? undefined : this.#router.match(path);
    if (incoming.method === 'OPTIONS') return optionsReply(incoming, match?.routes);
    if (!match || (this.#options.services.passThrough && !isControlPath(path))) return this.#elsewhere(context);
    const route = match.routes.get(methodOf(incoming));
    if (!route) throw wrongMethod(incoming.method, match.routes);
    context.route = route;
    if (route.space === 'control' || (route.space === 'root' && route.method !== 'GET')) this.#guard(incoming);
    const { keeper } = this.#options.worlds;
    if (keeper?.refresh) await keeper.refresh();
    const world = this.#worldOf(context);
    context.world = world;
    // Links must lead to the same world, however it was selected.
    if (world.name !== defaultWorld && context.worldName === undefined) {
      context.apiUrl += `/@${world.name}`;
      context.siteUrl += `/@${world.name}`;
    }
    context.params = match.params;
    const who = authenticate(route, context.credentials, world);
    const refusal = who instanceof Problem ? who : undefined;
    if (!(who instanceof Problem)) context.user = who;
    if (isService(route)) {
      const struck = world.faults.any ? await this.#matchFault(context, route, world) : undefined;
      if (struck) return struck;
      const preferred = preferredReply(route, incoming);
      if (preferred && !refusal) return preferred;
    }
    if (refusal) throw refusal;
    const run = (): Promise<Reply> => this.#run(context, route, world);
    return keeper ? keeper.turn(route.writes ?? route.method !== 'GET', run) : run();
  }

  // Addresses without a route may be answered elsewhere, except the emulator's own.
  async #elsewhere(context: RequestContext): Promise<Reply> {
    const { path, target, incoming } = context;
    const { services, routes } = this.#options;
    const reply = isControlPath(path) ? undefined : await services.elsewhere?.(incoming, target);
    if (reply) return reply;
    if (path !== undefined) context.meant = suggest(path.slice(0, 200), routes.map(addressOf));
    throw unknownRoute();
  }

  // In strict mode errors are validated as well as successful responses.
  async #run(context: RequestContext, route: Route, world: World): Promise<Reply> {
    const { settings } = this.#options;
    let reply: Reply;
    try {
      context.violations.push(...checkQuery(route, context.search, settings.strict || route.space === 'control'));
      if (route.body) context.body = await readBytes(context.incoming, settings.bodyLimit);
      const body = route.body && context.body && readBody(route.body, context.incoming, context.body);
      reply = await route.run(createCall(this.#options, context, { world, body }));
    } catch (failure) {
      if (failure instanceof CallerGone) throw failure;
      reply = this.#failureReply(failure, context);
      if (reply.status === 500) return reply;
    }
    const fault = settings.strict ? answerFault(route, reply) : undefined;
    if (fault === undefined) return reply;
    context.violations.push(fault);
    throw new Problem(500, fault);
  }

  // A page of another origin cannot read the control routes or the sign-in, and must not be able to call them blindly either.
  #guard(incoming: Incoming): void {
    const origin = incoming.header('origin');
    if (origin !== undefined && !isAllowedOrigin(origin, this.#options.settings.origins, incoming.origin)) {
      throw new Problem(403, `The origin ${origin} may not use this address.`);
    }
  }

  #worldOf(context: RequestContext): World {
    const { worlds, settings } = this.#options;
    const name = context.worldName ?? context.incoming.header(worldHeader) ?? context.credentials.token?.world;
    if (name !== undefined && !isWorldName(name)) {
      throw new Problem(
        400,
        `${JSON.stringify(name)} cannot name a world: use up to 64 of letters, digits, "-", "_" and "."`,
      );
    }
    if (name !== undefined && !worlds.has(name) && isForeignPage(context.incoming, settings.origins)) {
      throw new Problem(403, 'A page of another site cannot make a world.');
    }
    const world = worlds.open(name);
    if (world) return world;
    throw new Problem(503, `There are ${settings.maxWorlds} worlds already: delete some, or let old ones be evicted.`);
  }

  async #matchFault(context: RequestContext, route: Route, world: World): Promise<Reply | undefined> {
    const { user, search, incoming } = context;
    const { name, method } = route;
    const paths = [route.path, (context.path ?? '').replace(/^\/+api\/+v1/, '')];
    context.faults = world.faults.match({ name, method, paths, search, login: user?.login });
    for (const fault of context.faults) {
      if (fault.latencyMs !== undefined) await wait(world.faults.drawLatency(fault.latencyMs), incoming.signal);
      if (incoming.signal?.aborted) throw new CallerGone('during a latency');
      if (fault.expiredToken && route.access !== 'public') throw expiredToken();
      const reply = faultReply(fault, this.#options.settings.redirect);
      if (reply) return reply;
    }
    return undefined;
  }

  #failureReply(failure: unknown, context: RequestContext): Reply {
    if (failure instanceof CallerGone) {
      context.aborted = true;
      // Nobody reads it; 499 is what proxies log for this.
      return { status: 499 };
    }
    const limit = asLimit(failure);
    let problem: Problem;
    if (failure instanceof Problem) problem = failure;
    else if (isRenderError(failure)) problem = renderProblem(failure);
    else if (limit !== undefined) problem = renderProblem(limit);
    else if (failure instanceof RenderersBusy) problem = busyProblem(failure);
    else {
      this.#tellBug(failure, context);
      problem = new Problem(500, 'The emulator itself failed; its log says how.');
    }
    const { status, message } = problem;
    const { headers = {}, bare, fields, violation } = problem.details;
    if (violation) context.violations.push(message);
    if (status >= 300 && status < 400) return { status, headers };
    return {
      status,
      headers,
      json: { message, ...(bare ? {} : { url: `${context.siteUrl}/api/swagger` }), ...fields },
    };
  }

  #tellBug(failure: unknown, { incoming }: RequestContext): void {
    try {
      this.#options.onBug(failure, `${incoming.method} ${maskSecrets(incoming.target)}`);
    } catch {
      // The response must not depend on listeners.
    }
  }

  #note(context: RequestContext, outgoing: Outgoing, durationMs: number): void {
    const { route, incoming, user, violations, faults } = context;
    const { worlds, settings } = this.#options;
    if (route?.space === 'control' || incoming.method === 'OPTIONS') return;
    if (route && isService(route)) this.#options.coverage.add(route, outgoing.status, context.search);
    const world = context.world ?? worlds.default;
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
      meant: context.meant,
      nested: route?.secret ?? false,
      request: keptMessage(incoming.headers(), context.body, settings.logBodyLimit),
      response: keptMessage(outgoing.headers, outgoing.body, settings.logBodyLimit),
    });
  }

  #finish(outgoing: Outgoing, context: RequestContext): Outgoing {
    const { incoming } = context;
    const { status, body } = outgoing;
    const sentId = incoming.header('x-request-id');
    const requestId = sentId !== undefined && isRequestId(sentId) ? sentId : `drydock-${++this.#count}`;
    // Not spread, because each copy would have its own hidden class, which outlives it.
    const headers: Record<string, string | readonly string[]> = {
      'Cache-Control': commonHeaders['Cache-Control'],
      'X-Content-Type-Options': commonHeaders['X-Content-Type-Options'],
      'X-Request-Id': requestId,
    };
    const origin = incoming.header('origin');
    const cors = origin === undefined ? [] : [corsHeaders(origin, this.#options.settings.origins, incoming.origin)];
    let wrong = isStatus(status) ? undefined : `the status ${status}`;
    for (const table of [...cors, outgoing.headers]) {
      for (const name in table) {
        const value = table[name]!;
        wrong ??= unsendable(name, value);
        headers[name] = value;
      }
    }
    const aborted = context.aborted || incoming.gone?.() === true;
    const drop = aborted || outgoing.drop === true;
    if (wrong === undefined) return { status, headers, body, drop, aborted };
    this.#tellBug(new Error(`the answer cannot be sent: ${wrong}`), context);
    const json = { message: `The answer cannot be sent: ${wrong}.`, url: `${context.siteUrl}/api/swagger` };
    return {
      ...write({ status: 500, json }),
      headers: { ...commonHeaders, 'X-Request-Id': requestId, 'Content-Type': jsonType },
    };
  }
}

function isRequestId(text: string): boolean {
  return /^[\w.-]{1,64}$/.test(text);
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

function wrongMethod(method: string, routes: ReadonlyMap<string, Route>): Problem {
  const allow = allowedMethods(routes).join(', ');
  return new Problem(405, `${method} is not allowed here, only ${allow}.`, { headers: { Allow: allow } });
}

function optionsReply(incoming: Incoming, routes: ReadonlyMap<string, Route> | undefined): Reply {
  const methods = allowedMethods(routes);
  return { status: 204, headers: { Allow: methods.join(', '), ...preflightHeaders(incoming, methods) } };
}

// A path outside the base path is undefined, and it is not looked up on another server either.
function isControlPath(path: string | undefined): boolean {
  return path?.startsWith(spacePaths.control) ?? true;
}

function write(reply: Reply): Outgoing {
  const headers = reply.headers ?? {};
  if (reply.text) {
    return { status: reply.status, headers: { 'Content-Type': reply.text.type, ...headers }, body: reply.text.content };
  }
  if (reply.json === undefined) return { status: reply.status, headers, body: '' };
  return {
    status: reply.status,
    headers: { 'Content-Type': jsonType, ...headers },
    body: `${writeExact(reply.json)}\n`,
  };
}

/** Returns the response that a fault substitutes, or undefined. Throws a `Problem` for an error. */
function faultReply(fault: Fault, redirect: string): Reply | undefined {
  const { body } = fault;
  const headers = spelled(fault.headers ?? {});
  const status = fault.status ?? (body === undefined ? undefined : 200);
  if (status === undefined) return undefined;
  const location = status >= 300 && status < 400 ? { Location: fault.location ?? redirect } : {};
  if (body !== undefined) return bodyReply(status, body, { ...location, ...headers });
  if (status < 400) return { status, headers: { ...location, ...headers } };
  throw new Problem(status, fault.message ?? `A fault was set that answers ${status}.`, { headers });
}

function bodyReply(status: number, body: Json, { 'Content-Type': sent, ...rest }: HeaderTable): Reply {
  const type = String(sent ?? jsonType);
  const isText = typeof body === 'string' && !/[/+]json\b/i.test(type);
  const content = isText ? body : `${JSON.stringify(body)}\n`;
  return { status, headers: rest, text: { type, content } };
}

/** Returns a response with the effects of faults: headers, truncation, or a dropped connection. */
function applyFaults(outgoing: Outgoing, faults: readonly Fault[]): Outgoing {
  let { headers, body, drop } = outgoing;
  for (const fault of faults) {
    const joins = fault.headers && fault.status === undefined && fault.body === undefined;
    if (joins) headers = { ...headers, ...spelled(fault.headers ?? {}) };
    if (fault.drop) drop = true;
  }
  if (faults.some((fault) => fault.malformed)) body = body.slice(0, Math.ceil(body.length / 2));
  return { ...outgoing, headers, body, ...(drop && { drop }) };
}
