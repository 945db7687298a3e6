// Regular expressions for the addresses of the emulator, used by the adapters for msw and Playwright.

import { addressOf, isService, type Route, sharedSite, spacePaths } from './route.ts';

/** Matches the prefix of a path that names a world. */
export const worldPattern = '(?:/+@[A-Za-z0-9][A-Za-z0-9._-]*)?';

/** Returns an expression for a path with parameters. Doubled slashes match, as in the service. */
function pathPattern(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '[^/?#]+' : escapeSegment(segment)))
    .join('/+');
}

export function escapeSegment(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Returns an expression for the paths of the routes that pass a test. */
export function routesPattern(routes: readonly Route[], isMeant: (route: Route) => boolean): string {
  const paths = routes.filter(isMeant).map((route) => pathPattern(addressOf(route)));
  return `(?:${paths.join('|')})/*`;
}

/** Returns an expression for a path and everything below it. */
export function belowPattern(path: string): string {
  return `${pathPattern(path)}(?:/[^?#]*)?`;
}

/** Expressions for the emulator's paths at an origin that it shares with an application. */
export interface SharedPatterns {
  /** API routes, custom routes and control routes. */
  readonly service: string;
  /** Targets of sign-in forms, for POST only: the application may have its own page at `GET /user/login`. */
  readonly signIn: string;
  /** Replacement for the root of the site, which belongs to the application. */
  readonly site: string;
}

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
