// Maps a path to its routes: literal segments win over parameters, trailing and doubled slashes are ignored.

import { groupBy } from '../../render/core/group-by.ts';
import { Problem } from './problem.ts';
import { addressOf, type Route } from './route.ts';

/** The routes of a path by method, with the parameters of the path. */
export interface RouteMatch {
  readonly routes: ReadonlyMap<string, Route>;
  readonly params: Readonly<Record<string, string>>;
}

/** The routes of one pattern by method; `{}` is a segment with a parameter, which each route can name differently. */
interface Pattern {
  readonly segments: readonly string[];
  readonly routes: Map<string, Route>;
}

/** Finds the routes of a path, with escapes decoded; undefined if there are none. Throws a 400 `Problem` for an invalid escape. */
export type Router = (path: string) => RouteMatch | undefined;

/** Creates a router. Throws an error if two routes have the same method and pattern. */
export function createRouter(routes: readonly Route[]): Router {
  const known = new Map<string, Pattern>();
  for (const route of routes) {
    const segments = segmentsOf(addressOf(route)).map((segment) => (segment.startsWith('{') ? '{}' : decode(segment)));
    const pattern = known.get(segments.join('/')) ?? { segments, routes: new Map() };
    known.set(segments.join('/'), pattern);
    if (pattern.routes.has(route.method)) throw new Error(`${route.method} ${route.path} is there twice`);
    pattern.routes.set(route.method, route);
  }
  // Literal segments come before parameters.
  const byLength = groupBy(known.values(), ({ segments }) => segments.length);
  for (const patterns of byLength.values()) patterns.sort(byPrecedence);
  const literal = new Map<string, RouteMatch>();
  return (path) => {
    const cached = literal.get(path);
    if (cached) return cached;
    const segments = segmentsOf(path).map(decode);
    const found = byLength
      .get(segments.length)
      ?.find((pattern) => pattern.segments.every((wanted, at) => wanted === '{}' || wanted === segments[at]));
    if (!found) return undefined;
    const params: Record<string, string> = {};
    for (const route of found.routes.values()) {
      for (const [at, segment] of segmentsOf(addressOf(route)).entries()) {
        if (segment.startsWith('{')) params[segment.slice(1, -1)] = segments[at]!;
      }
    }
    const match = { routes: found.routes, params };
    // There are few paths without parameters, so they are cached.
    if (!found.segments.includes('{}') && literal.size < 1000) literal.set(path, match);
    return match;
  };
}

function byPrecedence({ segments: one }: Pattern, { segments: other }: Pattern): number {
  const at = one.findIndex((segment, index) => (segment === '{}') !== (other[index] === '{}'));
  return at < 0 ? 0 : one[at] === '{}' ? 1 : -1;
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Problem(400, `The path has a broken escape in ${JSON.stringify(segment)}.`);
  }
}
