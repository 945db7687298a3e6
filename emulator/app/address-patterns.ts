// Addresses of the emulator as regular expressions, for doors that stand in front of somebody else's site.

import { addressOf, isService, type Route, sharedSite, spacePaths } from './route.ts';

/** The start of a path that names a world. */
export const worldPattern = '(?:/+@[A-Za-z0-9][A-Za-z0-9._-]*)?';

/** Returns a path as an expression: parameters, and doubled slashes, which the service collapses. */
export function pathPattern(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '[^/?#]+' : escapePattern(segment)))
    .join('/+');
}

/** Returns a text as an expression for itself. */
export function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Returns an expression for the paths of some routes. */
export function routesPattern(routes: readonly Route[], isMeant: (route: Route) => boolean): string {
  const paths = routes.filter(isMeant).map((route) => pathPattern(addressOf(route)));
  return `(?:${paths.join('|')})/*`;
}

/** Returns an expression for a folder of addresses and all below it. */
export function belowPattern(path: string): string {
  return `${pathPattern(path)}(?:/[^?#]*)?`;
}

/** What is the emulator's at the origin of an application that has paths of its own. */
export interface SharedPatterns {
  /** The routes of the API and of the application, and the control routes. */
  readonly service: string;
  /** What the forms to sign in are sent to, by POST: an application may have a page of its own at `GET /user/login`. */
  readonly signIn: string;
  /** What stands in for the root of its site. */
  readonly site: string;
}

/** Returns expressions for the paths that are the emulator's at the origin of an application. */
export function sharedPatterns(routes: readonly Route[]): SharedPatterns {
  const api = routesPattern(routes, isService);
  return {
    service: `${worldPattern}(?:${api}|${belowPattern(spacePaths.control)})`,
    signIn:
      worldPattern +
      routesPattern(routes, (route) => !isService(route) && route.space === 'root' && route.method === 'POST'),
    site: belowPattern(sharedSite),
  };
}
