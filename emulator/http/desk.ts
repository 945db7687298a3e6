// The desk: every call passes here once. World, route, caller, faults, input, handler, answer; the only `catch`.

import type { UserRow } from '../store/rows.ts';
import { stopwatch, wait } from '../world/clock.ts';
import type { Fault } from '../world/faults.ts';
import { maskSecrets } from '../world/log.ts';
import type { World } from '../world/world.ts';
import { defaultWorld, isWorldName, type Worlds } from '../world/worlds.ts';
import { answerFault } from './answers.ts';
import { authenticate, type Credentials, expiredToken, readToken } from './auth.ts';
import { checkQuery, readBody } from './input.ts';
import { commonHeaders, type Incoming, jsonType, type Outgoing, type Reply } from './message.ts';
import { isRenderError, Problem, renderProblem, unknownRoute } from './problem.ts';
import type { Call, Route, Services } from './route.ts';
import { Router } from './router.ts';
import { corsHeaders, isAllowedOrigin, preflightHeaders } from './security.ts';
import type { Settings } from './settings.ts';

// The header that names a world.
const worldHeader = 'x-drydock-world';

/** What a desk is made from. */
export interface DeskOptions {
  readonly routes: readonly Route[];
  readonly worlds: Worlds;
  readonly settings: Settings;
  readonly services: Services;
  /** Hears of faults in the emulator itself; what a caller did wrong is not told. */
  readonly onBug: (failure: unknown, call: string) => void;
}

/** Is what the desk learns of one call on its way: filled step by step, read by the log. */
interface Walk {
  readonly incoming: Incoming;
  readonly path: string;
  readonly search: URLSearchParams;
  readonly credentials: Credentials;
  base: string;
  world: World | undefined;
  route: Route | undefined;
  user: UserRow | undefined;
  faults: readonly Fault[];
  readonly violations: string[];
}

/** Answers calls. */
export class Desk {
  readonly #options: DeskOptions;
  readonly #router: Router;
  #count = 0;

  constructor(options: DeskOptions) {
    this.#options = options;
    this.#router = new Router(options.routes);
  }

  /** Gives the answer to a request; never fails. */
  async answer(incoming: Incoming): Promise<Outgoing> {
    const started = stopwatch();
    const walk = startWalk(incoming);
    let outgoing: Outgoing;
    try {
      outgoing = write(await this.#reply(walk));
    } catch (failure) {
      outgoing = write(this.#failureReply(failure, walk));
    }
    if (walk.faults.length > 0) outgoing = spoil(outgoing, walk.faults);
    const durationMs = Math.round((stopwatch() - started) * 1000) / 1000;
    this.#note(walk, outgoing, durationMs);
    return this.#finish(outgoing, walk);
  }

  async #reply(walk: Walk): Promise<Reply> {
    const { incoming } = walk;
    const match = this.#router.match(walk.path);
    if (incoming.method === 'OPTIONS') return optionsReply(incoming, match?.routes);
    if (!match) throw unknownRoute();
    const route = match.routes.get(methodOf(incoming));
    if (!route) throw wrongMethod(incoming.method, match.routes);
    walk.route = route;
    if (route.space === 'control') this.#guardControl(incoming);
    const world = this.#worldOf(walk);
    walk.world = world;
    // Links must lead back into the same world, whichever way it was named.
    if (world.name !== defaultWorld) walk.base = `${incoming.origin}/@${world.name}`;
    const who = authenticate(route.access, walk.credentials, world.store, world.clock.now());
    if (who && !(who instanceof Problem)) walk.user = who;
    await this.#strike(walk, world);
    if (who instanceof Problem) throw who;
    return this.#run(walk, route, world, match.params);
  }

  // In strict mode refusals are checked as well as good answers.
  async #run(walk: Walk, route: Route, world: World, params: Call['params']): Promise<Reply> {
    const { settings } = this.#options;
    let reply: Reply;
    try {
      checkQuery(route, walk.search);
      const body = route.body && (await readBody(route.body, walk.incoming, limitOf(route, settings)));
      reply = await route.run(this.#call(walk, world, params, body));
    } catch (failure) {
      reply = this.#failureReply(failure, walk);
      if (reply.status === 500) return reply;
    }
    const fault = settings.strict ? answerFault(route, reply) : undefined;
    if (fault === undefined) return reply;
    walk.violations.push(fault);
    throw new Problem(500, fault);
  }

  #call(walk: Walk, world: World, params: Call['params'], body: Call['body']): Call {
    const { worlds, settings, services, routes } = this.#options;
    const { incoming, search, base, path, user } = walk;
    return {
      world,
      worlds,
      store: world.store,
      settings,
      services,
      routes,
      viewer: user,
      get caller(): UserRow {
        if (!user) throw new Error('this route lets nobody in particular call');
        return user;
      },
      params,
      body,
      base,
      path,
      query: (name) => search.get(name) ?? undefined,
      queryAll: (name) => search.getAll(name),
      header: (name) => incoming.header(name),
    };
  }

  // A page of a foreign origin cannot read the control routes; it must not be able to work them blindly either.
  #guardControl(incoming: Incoming): void {
    const origin = incoming.header('origin');
    if (origin !== undefined && !isAllowedOrigin(origin, this.#options.settings.origins, incoming.origin)) {
      throw new Problem(403, `The origin ${origin} may not use the control routes.`);
    }
  }

  #worldOf(walk: Walk): World {
    const prefix = worldPrefix.exec(walk.incoming.target)?.[1];
    const header = walk.incoming.header(worldHeader);
    const name = prefix ?? header ?? readToken(walk.credentials)?.world;
    if (name !== undefined && !isWorldName(name)) {
      throw new Problem(
        400,
        `${JSON.stringify(name)} cannot name a world: use up to 64 of letters, digits, "-", "_" and "."`,
      );
    }
    const world = this.#options.worlds.open(name);
    if (world) return world;
    throw new Problem(503, `There are ${this.#options.settings.maxWorlds} worlds already: delete some.`);
  }

  async #strike(walk: Walk, world: World): Promise<void> {
    const { route, user, path, search } = walk;
    if (!world.faults.any || !route || (route.space ?? 'api') !== 'api') return;
    const { name, method } = route;
    const paths = [route.path, path.replace(/^\/+api\/+v1/, '')];
    walk.faults = world.faults.strike({ name, method, paths, search, login: user?.login });
    for (const fault of walk.faults) {
      if (fault.latencyMs !== undefined) await wait(world.faults.drawLatency(fault.latencyMs));
      if (fault.expiredToken && route.access !== 'public') throw expiredToken();
      if (fault.status !== undefined) throw faultProblem(fault, fault.status, this.#options.settings.redirect);
    }
  }

  #failureReply(failure: unknown, walk: Walk): Reply {
    let problem: Problem;
    if (failure instanceof Problem) problem = failure;
    else if (isRenderError(failure)) problem = renderProblem(failure);
    else {
      this.#options.onBug(failure, `${walk.incoming.method} ${maskSecrets(walk.incoming.target)}`);
      problem = new Problem(500, 'The emulator itself failed; its log says how.');
    }
    const { status, headers, message, bare, fields } = problem;
    if (problem.violation) walk.violations.push(message);
    if (status >= 300 && status < 400) return { status, headers };
    return { status, headers, json: { message, ...(bare ? {} : { url: `${walk.base}/api/swagger` }), ...fields } };
  }

  #note(walk: Walk, outgoing: Outgoing, durationMs: number): void {
    const { route, incoming, user, violations } = walk;
    if (route?.space === 'control' || incoming.method === 'OPTIONS') return;
    const world = walk.world ?? this.#options.worlds.default;
    world.log.add({
      time: world.clock.now(),
      method: incoming.method,
      path: incoming.target,
      route: route?.name,
      user: user?.login,
      status: outgoing.drop ? 0 : outgoing.status,
      durationMs,
      violations,
    });
  }

  #finish(outgoing: Outgoing, { incoming }: Walk): Outgoing {
    const sentId = incoming.header('x-request-id');
    const id = sentId !== undefined && /^[\w.-]{1,64}$/.test(sentId) ? sentId : `drydock-${++this.#count}`;
    const origin = incoming.header('origin');
    const cors =
      origin === undefined ? undefined : corsHeaders(origin, this.#options.settings.origins, incoming.origin);
    return { ...outgoing, headers: { ...commonHeaders, 'X-Request-Id': id, ...cors, ...outgoing.headers } };
  }
}

// A path may start with the name of a world: /@name/api/v1/user.
const worldPrefix = /^\/+@([^/?]+)(?=[/?]|$)/;

const noSearch = new URLSearchParams();

function startWalk(incoming: Incoming): Walk {
  const { target } = incoming;
  const query = target.indexOf('?');
  const whole = query < 0 ? target : target.slice(0, query);
  const prefix = worldPrefix.exec(whole)?.[0] ?? '';
  const search = query < 0 ? noSearch : new URLSearchParams(target.slice(query + 1));
  return {
    incoming,
    path: whole.slice(prefix.length) || '/',
    search,
    credentials: {
      // Empty is as good as not sent.
      authorization: incoming.header('authorization') || undefined,
      queryToken: search.get('token') || search.get('access_token') || undefined,
      sudo: incoming.header('sudo') || search.get('sudo') || undefined,
    },
    base: incoming.origin + prefix.replace(/^\/+/, '/'),
    world: undefined,
    route: undefined,
    user: undefined,
    faults: [],
    violations: [],
  };
}

// Pages cannot send a body with GET, so a POST may say that it means one.
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

// The state of a world, which control routes read, may be far longer than any body of the API.
function limitOf(route: Route, { bodyLimit }: Settings): number {
  return route.space === 'control' ? bodyLimit * 50 : bodyLimit;
}

function spoil(outgoing: Outgoing, faults: readonly Fault[]): Outgoing {
  const { body } = outgoing;
  const drop = faults.some((fault) => fault.drop);
  const malformed = faults.some((fault) => fault.malformed);
  return { ...outgoing, body: malformed ? body.slice(0, Math.ceil(body.length / 2)) : body, ...(drop && { drop }) };
}

function faultProblem(fault: Fault, status: number, redirect: string): Problem {
  const message = fault.message ?? `A fault was set that answers ${status}.`;
  if (status < 300 || status >= 400) return new Problem(status, message);
  return new Problem(status, message, { headers: { Location: fault.location ?? redirect } });
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
    body: `${JSON.stringify(reply.json)}\n`,
  };
}
