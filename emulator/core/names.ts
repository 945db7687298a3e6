// The names of the API's routes, as types: an editor completes them, and shows which there are.

import type { operations } from './api-types.generated.ts';

/** The name of a route of the API. */
export type RouteName = keyof operations;

/** A route, as its name or as method and path (`GET /user/emails`); routes of an application have names of their own. */
export type RouteReference = RouteName | `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}` | (string & {});
