// Custom routes and models, defined with the same API as the built-in ones.

import { callback, filled, flag, isMembers, kind, listOf, membersOf, oneOf, text } from '../render/core/arguments.ts';
import { messageOf } from '../render/core/errors.ts';
import { answersOf } from './app/answers.ts';
import { querySchema } from './app/input.ts';
import { type BodyRule, buildRoute as define, type Queries, type Route, type RouteDefinition } from './app/route.ts';
import { checkArguments } from './core/arguments.ts';
import { EmulatorError } from './core/errors.ts';
import type { Schema } from './store/compile.ts';
import { compileCustomSchemas, type Validators } from './store/custom-schemas.ts';
import type { JsonObject } from './store/json.ts';
import type { CustomModel } from './store/models/types.ts';

/** Definition of a custom route: address, rules and responses as data, and the handler. */
export type CustomRouteDefinition<
  Name extends string,
  Path extends string,
  Q extends Queries,
  B extends BodyRule,
> = Pick<RouteDefinition<Path, Q, B>, 'method' | 'params' | 'writes'> &
  // Descriptions for the documents, access (default: callers with a token), and responses.
  Partial<Pick<Route, 'section' | 'summary' | 'emulation' | 'access' | 'answers'>> & {
    readonly name: Name;
    readonly path: Path;
    /** The base of the path: below `/api/v1` (`api`, the default), or at the root of the site (`root`). */
    readonly space?: 'api' | 'root';
    readonly query?: Q;
    readonly body?: B;
    readonly run: RouteDefinition<Path, Q, B>['run'];
  };

/**
 * Returns a route for `createEmulator({ routes })` and `drydock serve --routes`. The types of parameters, query and body follow from the
 * path and the schemas. The route appears in the OpenAPI document and the request log, and works with faults and scenarios.
 * Throws an `EmulatorError` (ROUTE_INVALID) if the definition is invalid.
 *
 * @example
 * defineRoute({
 *   name: 'getWeather',
 *   method: 'GET',
 *   path: '/weather/{city}',
 *   run: ({ params, clock }) => ({ status: 200, json: { city: params.city, at: clock.iso() } }),
 * });
 */
export function defineRoute<
  const Name extends string,
  const Path extends string,
  const Q extends Queries,
  const B extends BodyRule,
>(definition: CustomRouteDefinition<Name, Path, Q, B>): Route & { readonly name: Name } {
  checkArguments('defineRoute', ['route', definition, routeArgument]);
  const { name } = definition;
  const route = define<Path, Q, B>({
    ...{ section: 'Application', summary: name, emulation: 'A route of the application', access: 'token' },
    answers: { 200: { description: 'The response of the route', schema: {} } },
    ...definition,
  } as RouteDefinition<Path, Q, B>);
  return { ...paramsOf(route), name, validators: compiled(`defineRoute: ${name}`, schemasOf(route)) };
}

/**
 * Returns a model for `db.model(…)`, whose rows are validated by a schema. They are part of the state like all other rows.
 * Throws an `EmulatorError` (ROUTE_INVALID) if the schema is invalid.
 *
 * @example
 * const project = defineModel({ name: 'project', schema: { type: 'object', properties: { title: { type: 'string' } } } });
 * emulator.world().db.model(project).create({ title: 'Harbour' });
 */
export function defineModel<const S extends Schema>(definition: Omit<CustomModel<S>, 'validators'>): CustomModel<S> {
  checkArguments('defineModel', ['model', definition, modelArgument]);
  return { ...definition, validators: compiled(`defineModel: ${definition.name}`, [definition.schema]) };
}

const members = kind('an object', isMembers);
const identifier = kind(
  'a name of letters and digits, such as listProjects',
  (value) => typeof value === 'string' && /^[A-Za-z][A-Za-z0-9]*$/.test(value),
);
const path = kind(
  'a path such as /projects/{id}',
  (value) => typeof value === 'string' && /^(?:\/(?:[\w.~%-]+|\{\w+\}))+$/.test(value),
  'Begin it with a slash, and put parameters in braces: /projects/{id}.',
);

const routeArgument = membersOf<Omit<Route, 'hosted' | 'secret' | 'validators'>>(
  {
    name: identifier,
    method: oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path,
    space: oneOf(['api', 'root']),
    section: filled,
    summary: text,
    emulation: text,
    access: oneOf(['token', 'admin', 'basic', 'public', 'optional']),
    writes: flag,
    params: members,
    query: members,
    body: members,
    answers: members,
    run: callback,
  },
  ['name', 'method', 'path', 'run'],
);

const modelArgument = membersOf<Omit<CustomModel, 'validators'>>(
  { name: identifier, schema: members, unique: listOf(text), defaults: members },
  ['name', 'schema'],
);

// The document of a route lists every parameter of its path.
function paramsOf(route: Route): Route {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return route;
  const params = names.map((name) => [name, route.params?.[name] ?? `The ${name}`]);
  return { ...route, params: Object.fromEntries(params) as Readonly<Record<string, string>> };
}

function schemasOf(route: Route): readonly Schema[] {
  const rules = [...(route.body ? [route.body] : []), ...Object.values(answersOf(route))];
  const schemas = [
    ...Object.values(route.query ?? {}).map(querySchema),
    ...rules.map(({ check, schema }) => check ?? schema),
  ];
  return schemas.filter((schema) => schema !== undefined);
}

function compiled(call: string, schemas: readonly (Schema | JsonObject)[]): Validators {
  try {
    return compileCustomSchemas(schemas);
  } catch (failure) {
    throw new EmulatorError('ROUTE_INVALID', [{ path: call, message: messageOf(failure) }]);
  }
}
