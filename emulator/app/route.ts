// The type of a route: its address, rules and responses as data, and its handler. The router, the OpenAPI document, the README's table and
// the completeness tests are derived from it.

import { didYouMean } from '../../render/core/suggest.ts';
import { EmulatorError } from '../core/errors.ts';
import type { Renderer } from '../rendering/renderer.ts';
import type { UploadedCharts } from '../rendering/uploaded-charts.ts';
import type { Schema, ValueOf } from '../store/compile.ts';
import type { Validators } from '../store/custom-schemas.ts';
import type { Json } from '../store/json.ts';
import type { Models } from '../store/models/types.ts';
import type { UserRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from '../world/clock.ts';
import type { Fault, Scenario } from '../world/faults.ts';
import { canMatchRoute } from '../world/faults.ts';
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';
import type { Incoming, Reply } from './message.ts';
import type { Settings } from './settings.ts';

/**
 * Who can call: `token` anyone signed in, `admin` a site admin, `basic` a login with its password, `public` everyone (tokens are ignored),
 * `optional` everyone (a token must be valid).
 */
export type Access = 'token' | 'admin' | 'basic' | 'public' | 'optional';

/** The parts of the address space: the API under `/api/v1`, the control routes under `/__drydock`, and the rest. */
export type Space = 'api' | 'control' | 'root';

export const spacePaths: { readonly [S in Space]: string } = { api: '/api/v1', control: '/__drydock', root: '' };

/** The prefix of root routes in a page whose application has its own paths. */
export const sharedSite = `${spacePaths.control}/web`;

/** A query parameter. Its text is validated by `check`, or by `schema` if that is for texts. */
export interface Parameter {
  readonly description: string;
  readonly schema: Schema;
  readonly check?: Schema;
}

/** The body of a route. It is validated by `check`, if a handler has better messages than `schema`, or else by `schema`. */
export interface BodyRule {
  readonly description: string;
  readonly schema: Schema;
  readonly check?: Schema;
  /** An example body for the OpenAPI document and the console. */
  readonly example?: Json;
  /** Also accepts form fields, as texts. */
  readonly form?: boolean;
  /** An optional body is `undefined` if absent. */
  readonly optional?: boolean;
  /** Preserves numbers that JavaScript would round. */
  readonly exact?: boolean;
  /** Leaves parsing to the handler, which gets the bytes: parsing megabytes of JSON would block all other calls. */
  readonly unread?: boolean;
}

/**
 * A response of a route: `schema` for JSON (in strict mode validated by `check`, if any), `type` for other content, both if the caller
 * selects.
 */
export interface AnswerRule {
  readonly description: string;
  /** Name of the component that the OpenAPI document describes it in, for responses of many routes. */
  readonly component?: string;
  readonly schema?: Schema;
  readonly check?: Schema;
  readonly type?: string;
  readonly headers?: readonly string[];
}

/** One route. */
export interface Route {
  /** The operation name, such as `listEmails`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the space, with parameters in braces. */
  readonly path: string;
  readonly space?: Space;
  /** The section of the API document. */
  readonly section: string;
  readonly summary: string;
  /** How it is emulated, and differences from the real service. */
  readonly emulation: string;
  readonly access: Access;
  /** Whether only hosted deployments have the route. */
  readonly hosted?: boolean;
  /** Whether all texts in nested objects of its bodies are secrets. */
  readonly secret?: boolean;
  /** Reports whether a call changes rows. Default: unless it is a GET. */
  readonly writes?: boolean;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly body?: BodyRule;
  readonly answers: Readonly<Record<number, AnswerRule>>;
  /** For a custom route: the validators of its schemas. */
  readonly validators?: Validators;
  readonly run: (call: Call) => Reply | Promise<Reply>;
}

/** An authorized and validated call of a route. */
export interface Call {
  readonly world: World;
  readonly worlds: Worlds;
  readonly store: Store;
  /** The rows of the world as validating models. */
  readonly db: Models;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly services: Services;
  /** Returns all routes. */
  readonly routes: readonly Route[];
  /** The caller. Throws a plain error on public routes. */
  readonly caller: UserRow;
  /** The caller, if any. */
  readonly viewer: UserRow | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** The validated body, frozen; undefined if there is none, or the route does not parse it. */
  readonly body: Json | undefined;
  /** The body as sent; undefined on routes without a body. */
  readonly bytes: Uint8Array | undefined;
  /** The URL of the emulator, or of the world in it, for links: without a trailing slash. */
  readonly apiUrl: string;
  /** The same for links outside the API: pictures and scripts. */
  readonly siteUrl: string;
  /** The prefix of the path as the caller sent it: base path and world; for links and cookies. */
  readonly prefix: string;
  /** The path of the request without its query, for links. */
  readonly path: string;
  /** Returns the first value of a query parameter. */
  query(name: string): string | undefined;
  /** Returns all values of a query parameter. */
  queryAll(name: string): readonly string[];
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Aborted when the caller has disconnected. */
  readonly signal: AbortSignal | undefined;
}

/** What routes can use of the emulator. */
export interface Services {
  /** Validates and renders orders. Rejects with render errors. */
  readonly render: Renderer;
  /** The charts that every rendering can use, before all others. */
  readonly uploads: UploadedCharts;
  /** The available scenarios. */
  readonly scenarios: ReadonlyMap<string, Scenario>;
  /** Answers addresses without a route, if possible; `target` is path and query without base path and world. */
  readonly elsewhere?: ((incoming: Incoming, target: string) => Promise<Reply | undefined>) | undefined;
  /** Whether `elsewhere` is called instead of routes. */
  readonly passThrough: boolean;
}

export type BodyOf<B> = B extends { readonly check: infer S }
  ? ValueOf<S>
  : B extends { readonly schema: infer S }
    ? ValueOf<S>
    : Json;

/** The names of the parameters of a path: `id` and `name` of `/a/{id}/b/{name}`. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

export type Queries = Readonly<Record<string, Parameter>>;

type QueryValue<P> = P extends { readonly check: infer S }
  ? TextOf<S>
  : P extends { readonly schema: infer S }
    ? TextOf<S>
    : string;
// A query value is a text; an enumeration has a narrower type.
type TextOf<S> = S extends { readonly enum: readonly (infer Word extends string)[] } ? Word : string;

export type CallWith<Names extends string> = Call & { readonly params: Readonly<Record<Names, string>> };

type CallOf<Path extends string, Q extends Queries> = Omit<CallWith<ParamNames<Path>>, 'query' | 'queryAll'> & {
  query<Name extends keyof Q & string>(name: Name): QueryValue<Q[Name]> | '' | undefined;
  queryAll<Name extends keyof Q & string>(name: Name): readonly (QueryValue<Q[Name]> | '')[];
};

/** The definition of a route: the handler's argument is typed by path, query and body. */
export type RouteDefinition<Path extends string, Q extends Queries, B extends BodyRule> = Omit<
  Route,
  'path' | 'query' | 'body' | 'run'
> & {
  readonly path: Path;
  readonly query?: Q;
  readonly body?: B;
  readonly run: (
    call: CallOf<Path, Q>,
    body: BodyOf<B> | (B extends { readonly optional: true } ? undefined : never),
  ) => Reply | Promise<Reply>;
};

/** Returns a route whose handler has parameters and body typed by the path and the schemas. */
export function buildRoute<const Path extends string, const Q extends Queries, const B extends BodyRule>(
  definition: RouteDefinition<Path, Q, B>,
): Route {
  const { run, ...route } = definition;
  // The router has extracted the parameters, and the dispatcher has validated query and body.
  return { ...route, run: (call) => run(call as CallOf<Path, Q>, call.body as BodyOf<B>) };
}

type Method = Route['method'];
type OwnMembers = 'name' | 'method' | 'path' | 'query' | 'body' | 'run';

/** Returns a function that builds routes of a section from name, address such as `GET /user/emails`, and what differs. */
export function routeBuilder<const Common extends Partial<Omit<Route, OwnMembers>>>(common: Common) {
  return <const Path extends `/${string}`, const Q extends Queries, const B extends BodyRule>(
    name: string,
    address: `${Method} ${Path}`,
    rest: Pick<RouteDefinition<Path, Q, B>, 'query' | 'body' | 'run'> &
      Partial<Omit<Route, OwnMembers>> &
      Omit<Route, OwnMembers | keyof Common>,
  ): Route => {
    const [method, path] = address.split(' ') as [Method, Path];
    return buildRoute<Path, Q, B>({ ...common, name, method, path, ...rest } as RouteDefinition<Path, Q, B>);
  };
}

/** Reports whether faults, scenarios and preferences apply to a route: those of the API and custom ones. */
export function isService({ space = 'api', validators }: Route): boolean {
  return space === 'api' || validators !== undefined;
}

/** Returns a route's address from the root: `/api/v1/user`. */
export function addressOf(route: Route): string {
  return spacePaths[route.space ?? 'api'] + route.path;
}

/** Returns the issue of a fault's `route` that matches no route, or undefined. */
export function faultyRoute({ route }: Fault, routes: readonly Route[]): string | undefined {
  if (route === undefined || routes.some((one) => canMatchRoute(route, one))) return undefined;
  const meant = didYouMean(
    route,
    routes.flatMap(({ name, method, path }) => [name, `${method} ${path}`]),
  );
  return `there is no route ${JSON.stringify(route)}${meant || '; /swagger.v1.json lists paths, and names as operationId'}`;
}

/** Returns the name of a filter's route. Throws an `EmulatorError` (FILTER_INVALID) for an unknown one. */
export function checkedRoute(route: string, routes: readonly Route[]): string {
  const found = route.includes('?') ? undefined : routes.find((one) => canMatchRoute(route, one));
  if (found) return found.name;
  const message = faultyRoute({ route }, routes) ?? 'a filter has no query: use method and path only';
  throw new EmulatorError('FILTER_INVALID', [{ path: 'route', message }]);
}
