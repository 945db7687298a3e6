// Faults: intentional failures by route, caller and frequency; and scenarios, which are named sets of faults.

import type { RouteReference } from '../core/names.ts';
import type { Json } from '../store/json.ts';

/** A delay in real milliseconds: fixed, or random within a range. */
export type Latency = number | { readonly min: number; readonly max: number };

/** A fault. All given conditions must match; a fault without any matches every call of the API. */
export interface Fault<Own extends string = string> {
  /** The route, by name (`listEmails`) or by method and path (`GET /user/emails`); a query must be part of the call's. */
  readonly route?: RouteReference<Own>;
  /** The login of the caller; calls without one do not match. */
  readonly user?: string;
  /** Number of calls that it affects; by default all. */
  readonly times?: number;
  /** Number of matching calls that pass first. */
  readonly skip?: number;
  /** The probability of affecting a matching call, from 0 to 1, from the world's seed. Default 1. */
  readonly probability?: number;
  /** Delay before the response. */
  readonly latencyMs?: Latency;
  /** Responds with this status instead, from 200 to 599; a 3xx redirects to `location` (default: the service's target). */
  readonly status?: number;
  /** The message of an error body. */
  readonly message?: string;
  readonly location?: string;
  /**
   * Responds with this body instead, as JSON; with status 200 if `status` is not set. A text is sent unchanged if `headers` has a content
   * type other than JSON.
   */
  readonly body?: Json;
  /** Headers of the response, such as `Retry-After`; without `status` and `body` they are added to the regular response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Closes the connection without a response. */
  readonly drop?: boolean;
  /** Truncates the regular response, so that it is invalid JSON. */
  readonly malformed?: boolean;
  /** Treats the caller's token as expired: 401. */
  readonly expiredToken?: boolean;
}

/** An active fault: its number, its definition, its counts of matching and affected calls, and its scenario. */
export interface ActiveFault {
  readonly id: number;
  readonly fault: Fault;
  readonly scenario: string | undefined;
  seen: number;
  struck: number;
}

/** A named set of faults. */
export interface Scenario {
  readonly description: string;
  readonly faults: readonly Fault[];
}

/** The scenarios that every world knows. */
export const builtInScenarios = {
  'expired-token': { description: 'Every token has expired: 401', faults: [{ expiredToken: true }] },
  'no-organization-context': {
    description: 'GET /user/clusters?all=true redirects: 302',
    faults: [{ route: 'GET /user/clusters?all=true', status: 302 }],
  },
  'no-messaging-user': {
    description: 'GET /user/msgbus/user_credentials redirects: 302',
    faults: [{ route: 'GET /user/msgbus/user_credentials', status: 302 }],
  },
  slow: { description: 'Every response takes 0.5 to 2 seconds', faults: [{ latencyMs: { min: 500, max: 2000 } }] },
  flaky: {
    description: 'One request in ten fails: 503',
    faults: [{ probability: 0.1, status: 503, message: 'Service Unavailable' }],
  },
  'rate-limited': {
    description: 'Every request is over the rate limit: 429, Retry-After 1 second',
    faults: [{ status: 429, message: 'Too Many Requests', headers: { 'Retry-After': '1' } }],
  },
  offline: { description: 'Every connection is dropped', faults: [{ drop: true }] },
  garbled: { description: 'Every JSON response is truncated', faults: [{ malformed: true }] },
} as const satisfies Readonly<Record<string, Scenario>>;

/** A scenario known to every world, or one defined by the application. */
export type ScenarioReference<Own extends string = string> = keyof typeof builtInScenarios | Own;

/** The active faults and scenarios of a world. */
export class Faults {
  readonly #active: ActiveFault[] = [];
  readonly #written = new Map<string, Scenario>();
  readonly #draw: () => number;
  #last = 0;

  /** `draw` gives numbers from 0 up to 1. */
  constructor(draw: () => number) {
    this.#draw = draw;
  }

  /** Reports whether any fault is active, so that most calls skip the rest. */
  get any(): boolean {
    return this.#active.length > 0;
  }

  /** Lists the faults in the order they were set. */
  list(): readonly ActiveFault[] {
    return this.#active;
  }

  /** Lists the names of the scenarios that are on. */
  activeScenarios(): readonly string[] {
    return [...new Set(this.#active.flatMap(({ scenario }) => scenario ?? []))];
  }

  /** Adds a fault and returns it with its number. */
  add(fault: Fault, scenario?: string): ActiveFault {
    const active: ActiveFault = { id: ++this.#last, fault, scenario, seen: 0, struck: 0 };
    this.#active.push(active);
    return active;
  }

  /** Turns a scenario on: adds its faults, and removes those that it added before. */
  start(name: string, { faults }: Scenario): void {
    this.removeScenario(name);
    for (const fault of faults) this.add(fault, name);
  }

  /** Returns the scenarios saved in this world, by name. */
  get written(): ReadonlyMap<string, Scenario> {
    return this.#written;
  }

  /** Saves a scenario under a name, replacing a saved one, and turns it on. */
  write(name: string, scenario: Scenario): void {
    this.#written.set(name, scenario);
    this.start(name, scenario);
  }

  /** Deletes a saved scenario with its faults and reports whether it existed. */
  forget(name: string): boolean {
    if (!this.#written.delete(name)) return false;
    this.removeScenario(name);
    return true;
  }

  /** Removes one fault and reports whether it existed. */
  remove(id: number): boolean {
    return this.#drop((active) => active.id === id);
  }

  /** Removes all faults of a scenario and reports whether there were any. */
  removeScenario(name: string): boolean {
    return this.#drop((active) => active.scenario === name);
  }

  /** Removes all faults. */
  clear(): void {
    this.#active.length = 0;
  }

  /** Removes all faults and all saved scenarios. */
  reset(): void {
    this.clear();
    this.#written.clear();
  }

  /** Returns the faults that affect a call, and counts the call. */
  match(target: FaultTarget): readonly Fault[] {
    return this.#active.filter((active) => this.#matches(active, target)).map((active) => active.fault);
  }

  /** Returns a latency in milliseconds. */
  drawLatency(latency: Latency): number {
    return typeof latency === 'number' ? latency : latency.min + this.#draw() * (latency.max - latency.min);
  }

  #matches(active: ActiveFault, target: FaultTarget): boolean {
    const { fault } = active;
    if (fault.route !== undefined && !matchesRoute(fault.route, target)) return false;
    if (fault.user !== undefined && fault.user.toLowerCase() !== target.login?.toLowerCase()) return false;
    active.seen++;
    if (active.seen <= (fault.skip ?? 0) || active.struck >= (fault.times ?? Number.POSITIVE_INFINITY)) return false;
    if (fault.probability !== undefined && this.#draw() >= fault.probability) return false;
    active.struck++;
    return true;
  }

  #drop(isGone: (active: ActiveFault) => boolean): boolean {
    const kept = this.#active.filter((active) => !isGone(active));
    const dropped = kept.length < this.#active.length;
    this.#active.splice(0, this.#active.length, ...kept);
    return dropped;
  }
}

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
