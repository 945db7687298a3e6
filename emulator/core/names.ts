// The names of routes and scenarios, as types: an editor completes them, and a misspelt one does not compile.

import type { operations } from './api-types.generated.ts';

/** The name of a route of the API. */
export type RouteName = keyof operations;

/**
 * A route, as its name or as method and path (`GET /user/emails`). `Own` are the names of an application's routes; `string` where nobody
 * knows which there are.
 */
export type RouteReference<Own extends string = string> =
  | RouteName
  | Own
  | `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`;

/** What an application adds to the names of an emulator: those of its routes and of its scenarios. */
export interface OwnNames {
  readonly routes: string;
  readonly scenarios: string;
}

/** The names that options add. */
export interface NamesIn<Options> extends OwnNames {
  readonly routes: Options extends { readonly routes: readonly (infer One)[] }
    ? One extends { readonly name: infer Name extends string }
      ? Name
      : never
    : never;
  readonly scenarios: Options extends { readonly scenarios: infer Scenarios } ? keyof Scenarios & string : never;
}
