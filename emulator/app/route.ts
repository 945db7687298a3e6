// The shape of a route: its address, its rules and its answers as data, and the function that answers.
// The router, the OpenAPI document, the README's table and the tests of completeness are all made from this data.

import { didYouMean } from '../../render/core/did-you-mean.ts';
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
import { canMatchRoute } from '../world/fault-target.ts';
import type { Fault, Scenario } from '../world/faults.ts';
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';
import type { Incoming, Reply } from './message.ts';
import type { Settings } from './settings.ts';

/**
 * Says who may call: `token` any signed-in person, `admin` a site admin, `basic` a login with its password, `public` everyone
 * (a token is not looked at), `optional` everyone (a token that is sent must be good).
 */
export type Access = 'token' | 'admin' | 'basic' | 'public' | 'optional';

/** The parts of the address space: the API under `/api/v1`, the emulator's own control under `/__drydock`, the rest. */
export type Space = 'api' | 'control' | 'root';

/** The address of each space. */
export const spacePaths: { readonly [S in Space]: string } = { api: '/api/v1', control: '/__drydock', root: '' };

/** Where the root's routes are in a page whose application has paths of its own beside the emulator's. */
export const sharedSite = `${spacePaths.control}/web`;

/** A query parameter. Its text is checked against `check`, or against `schema` if that is about texts. */
export interface Parameter {
  readonly description: string;
  readonly schema: Schema;
  readonly check?: Schema;
}

/** The body a route reads. It is checked against `check`, where a handler words the faults of `schema` better, or else against `schema`. */
export interface BodyRule {
  readonly description: string;
  readonly schema: Schema;
  readonly check?: Schema;
  /** A body that the route accepts, for the OpenAPI document and the console. */
  readonly example?: Json;
  /** Takes the fields of a form too, as texts. */
  readonly form?: boolean;
  /** A body that may be left out is `undefined` then. */
  readonly optional?: boolean;
  /** Keeps numbers as they were written, where JavaScript would round them. */
  readonly exact?: boolean;
  /** Leaves the reading to the handler, which has the bytes: JSON of many megabytes would keep all other calls waiting. */
  readonly unread?: boolean;
}

/** One answer of a route: `schema` for JSON (in strict mode checked against `check`, if there is one), `type` for any other content, both where the caller chooses. */
export interface AnswerRule {
  readonly description: string;
  readonly schema?: Schema;
  readonly check?: Schema;
  readonly type?: string;
  readonly headers?: readonly string[];
}

/** One route. */
export interface Route {
  /** The name for programs, such as `listEmails`. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the space, with parameters in braces. */
  readonly path: string;
  readonly space?: Space;
  /** The section of the API document. */
  readonly section: string;
  readonly summary: string;
  /** How it is emulated, and where that differs from the real service. */
  readonly emulation: string;
  readonly access: Access;
  /** Whether only a hosted deployment has the route. */
  readonly hosted?: boolean;
  /** Whether all texts in inner objects of its bodies are secrets. */
  readonly secret?: boolean;
  /** Reports whether the route changes rows. Default: unless it is a GET. */
  readonly writes?: boolean;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, Parameter>>;
  readonly body?: BodyRule;
  readonly answers: Readonly<Record<number, AnswerRule>>;
  /** Of a route that an application defines: the functions that check by its schemas. */
  readonly validators?: Validators;
  readonly run: (call: Call) => Reply | Promise<Reply>;
}

/** One call of a route, let in and checked. */
export interface Call {
  readonly world: World;
  readonly worlds: Worlds;
  readonly store: Store;
  /** The rows of the world as models, which check what they are given. */
  readonly db: Models;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly services: Services;
  /** Returns every route, for those that speak about routes. */
  readonly routes: readonly Route[];
  /** The person who calls. A plain error on routes that need nobody. */
  readonly caller: UserRow;
  /** The person who calls, if there is one. */
  readonly viewer: UserRow | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** The checked body, frozen; undefined without one, and where the route leaves it unread. */
  readonly body: Json | undefined;
  /** The body as it was sent; undefined on routes that take none. */
  readonly bytes: Uint8Array | undefined;
  /** The address of the emulator, or of the world in it, for links: without a slash at the end. */
  readonly apiUrl: string;
  /** The same for links outside the API: pictures and scripts. */
  readonly siteUrl: string;
  /** What stood before the path as the caller sent it: base path and the world that the path names; for links and cookies. */
  readonly prefix: string;
  /** The path of the request without its query, for links. */
  readonly path: string;
  /** Returns the first value of a query parameter. */
  query(name: string): string | undefined;
  /** Returns all values of a query parameter. */
  queryAll(name: string): readonly string[];
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal | undefined;
}

/** What routes may ask of the emulator around them. */
export interface Services {
  /** Checks and renders orders. Rejects with render failures. */
  readonly render: Renderer;
  /** Takes charts that are handed over; undefined where somebody else renders. */
  readonly uploads: UploadedCharts | undefined;
  /** The scenarios that can be turned on. */
  readonly scenarios: ReadonlyMap<string, Scenario>;
  /** Answers what no route does, if anybody can; `target` is path and query without base path and world. */
  readonly elsewhere?: ((incoming: Incoming, target: string) => Promise<Reply | undefined>) | undefined;
  /** Whether `elsewhere` is asked in the place of routes. */
  readonly passThrough: boolean;
}

/** The type of the bodies that a rule lets through. */
export type BodyOf<B> = B extends { readonly check: infer S }
  ? ValueOf<S>
  : B extends { readonly schema: infer S }
    ? ValueOf<S>
    : Json;

/** Names the parameters of a path: `id` and `name` of `/a/{id}/b/{name}`. */
export type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

export type Queries = Readonly<Record<string, Parameter>>;

type QueryValue<P> = P extends { readonly check: infer S }
  ? TextOf<S>
  : P extends { readonly schema: infer S }
    ? TextOf<S>
    : string;
// A query is text: only a list of words says more.
type TextOf<S> = S extends { readonly enum: readonly (infer Word extends string)[] } ? Word : string;

/** A call whose path has these parameters. */
export type CallWith<Names extends string> = Call & { readonly params: Readonly<Record<Names, string>> };

/** A call of a route: with the parameters of its path, and those of its query, typed by their schemas. */
type CallOf<Path extends string, Q extends Queries> = Omit<CallWith<ParamNames<Path>>, 'query' | 'queryAll'> & {
  query<Name extends keyof Q & string>(name: Name): QueryValue<Q[Name]> | '' | undefined;
  queryAll<Name extends keyof Q & string>(name: Name): readonly (QueryValue<Q[Name]> | '')[];
};

/** A route as it is written: what its handler gets follows from path, query and body. */
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

/** Returns a route whose handler takes parameters and body typed by the path and the schemas. */
export function defineRoute<const Path extends string, const Q extends Queries, const B extends BodyRule>(
  definition: RouteDefinition<Path, Q, B>,
): Route {
  const { run, ...route } = definition;
  // The router has found the parameters, and the dispatcher has checked query and body by these rules.
  return { ...route, run: (call) => run(call as CallOf<Path, Q>, call.body as BodyOf<B>) };
}

/** Reports whether faults, scenarios and preferences are for a route: those of the API and those of an application. */
export function isService({ space = 'api', validators }: Route): boolean {
  return space === 'api' || validators !== undefined;
}

/** Returns a route's address from the root: `/api/v1/user`. */
export function addressOf(route: Route): string {
  return spacePaths[route.space ?? 'api'] + route.path;
}

/** Returns what is wrong with the `route` of a fault: that no route is meant. Undefined when one is, or when it means all. */
export function faultyRoute({ route }: Fault, routes: readonly Route[]): string | undefined {
  if (route === undefined || routes.some((one) => canMatchRoute(route, one))) return undefined;
  const meant = didYouMean(
    route,
    routes.flatMap(({ name, method, path }) => [name, `${method} ${path}`]),
  );
  return `there is no route ${JSON.stringify(route)}${meant || '; /swagger.v1.json lists paths, and names as operationId'}`;
}

/**
 * Returns the name of the route that a filter of the log asks for, by name or by method and path. Throws an `EmulatorError`
 * (FILTER_INVALID) where there is none: nothing would ever fit.
 */
export function checkedRoute(route: string, routes: readonly Route[]): string {
  const found = route.includes('?') ? undefined : routes.find((one) => canMatchRoute(route, one));
  if (found) return found.name;
  const message = faultyRoute({ route }, routes) ?? 'a filter takes no query: give method and path alone';
  throw new EmulatorError('FILTER_INVALID', [{ path: 'route', message }]);
}
