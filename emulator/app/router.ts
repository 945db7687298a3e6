// Maps method and path to a route: literal segments win over parameters, trailing and doubled slashes are ignored.

import { Problem } from './problem.ts';
import { addressOf, type Route } from './route.ts';

/** The routes of a path by method, with the parameters of the path. */
export interface RouteMatch {
  readonly routes: ReadonlyMap<string, Route>;
  readonly params: Readonly<Record<string, string>>;
}

interface Node {
  readonly literal: Map<string, Node>;
  parameter: Node | undefined;
  readonly routes: Map<string, { readonly route: Route; readonly names: readonly string[] }>;
}

function createNode(): Node {
  return { literal: new Map(), parameter: undefined, routes: new Map() };
}

/** Finds routes by path. */
export class Router {
  readonly #root = createNode();
  readonly #literal = new Map<string, RouteMatch>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  /** Returns the routes of a path, with escapes decoded; undefined if there are none. Throws a 400 `Problem` for an invalid escape. */
  match(path: string): RouteMatch | undefined {
    const known = this.#literal.get(path);
    if (known) return known;
    const segments = path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decode);
    const found = find(this.#root, segments, 0, []);
    if (!found) return undefined;
    const routes = new Map<string, Route>();
    const params: Record<string, string> = {};
    for (const [method, { route, names }] of found.node.routes) {
      routes.set(method, route);
      for (const [at, name] of names.entries()) params[name] = found.values[at] ?? '';
    }
    const match = { routes, params };
    // There are few paths without parameters, so they are cached.
    if (found.values.length === 0 && this.#literal.size < 1000) this.#literal.set(path, match);
    return match;
  }

  #add(route: Route): void {
    const names: string[] = [];
    let node = this.#root;
    for (const segment of addressOf(route)
      .split('/')
      .filter((part) => part !== '')) {
      if (segment.startsWith('{')) {
        names.push(segment.slice(1, -1));
        node.parameter ??= createNode();
        node = node.parameter;
      } else {
        const next = node.literal.get(segment) ?? createNode();
        node.literal.set(segment, next);
        node = next;
      }
    }
    if (node.routes.has(route.method)) throw new Error(`${route.method} ${route.path} is there twice`);
    node.routes.set(route.method, { route, names });
  }
}

function find(
  node: Node,
  segments: readonly string[],
  at: number,
  values: readonly string[],
): { readonly node: Node; readonly values: readonly string[] } | undefined {
  const segment = segments[at];
  if (segment === undefined) return node.routes.size > 0 ? { node, values } : undefined;
  const literal = node.literal.get(segment);
  const found = literal && find(literal, segments, at + 1, values);
  if (found || !node.parameter) return found;
  return find(node.parameter, segments, at + 1, [...values, segment]);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Problem(400, `The path has a broken escape in ${JSON.stringify(segment)}.`);
  }
}
