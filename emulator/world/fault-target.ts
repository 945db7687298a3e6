// The view of a call for faults, and route matching: by name, or by method, path and a part of the query.

/** A call for matching faults: `paths` are the route's own path, with parameters in braces, and the called one. */
export interface FaultTarget {
  readonly name: string;
  readonly method: string;
  readonly paths: readonly string[];
  readonly search: URLSearchParams;
  readonly login: string | undefined;
}

/** Reports whether a fault's `route` can match a route with this name, method and path. */
export function canMatchRoute(
  route: string,
  { name, method, path }: Readonly<Record<'name' | 'method' | 'path', string>>,
): boolean {
  const address = parseAddress(route);
  if (!address) return route === name;
  const [wanted, own] = [segmentsOf(address.path), segmentsOf(path)];
  return (
    address.method === method &&
    wanted.length === own.length &&
    own.every((segment, at) => segment === wanted[at] || segment.startsWith('{'))
  );
}

/** Reports whether a fault's `route` matches the route of a call. */
export function matchesRoute(route: string, { name, method, paths, search }: FaultTarget): boolean {
  const address = parseAddress(route);
  if (!address) return route === name;
  const wanted = segmentsOf(address.path).join('/');
  return (
    address.method === method &&
    paths.some((path) => segmentsOf(path).join('/') === wanted) &&
    [...address.search].every(([key, value]) => search.getAll(key).includes(value))
  );
}

// Parses `GET /user/clusters?all=true`; undefined for a name.
function parseAddress(route: string): { method: string; path: string; search: URLSearchParams } | undefined {
  const [, method = '', path = '', query] = /^(\w+) +([^?]*)(?:\?(.*))?$/s.exec(route) ?? [];
  return method === '' ? undefined : { method: method.toUpperCase(), path, search: new URLSearchParams(query) };
}

function segmentsOf(path: string): readonly string[] {
  return path.split('/').filter((segment) => segment !== '');
}
