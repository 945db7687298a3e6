// Literal types for the names of routes and scenarios, so that editors complete them and a typo is a compile error.

import type { operations } from './api-types.generated.ts';

/** Name of an API route. */
export type RouteName = keyof operations;

/** A route by name, also one of `Own`, or by method and path: `GET /user/emails`. */
export type RouteReference<Own extends string = string> =
  | RouteName
  | Own
  | `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${string}`;

/** Names of custom routes and scenarios. */
export interface CustomNames {
  readonly routes: string;
  readonly scenarios: string;
}

/** Names of the custom routes and scenarios in some options. */
export interface NamesIn<Options> extends CustomNames {
  readonly routes: Options extends { readonly routes: readonly (infer One)[] }
    ? One extends { readonly name: infer Name extends string }
      ? Name
      : never
    : never;
  readonly scenarios: Options extends { readonly scenarios: infer Scenarios } ? keyof Scenarios & string : never;
}
