// Access control: origins of pages (CORS), and host names (DNS rebinding).

import type { HeaderTable, Incoming } from './message.ts';

const exposed = 'X-Total-Count, Link, Warning, X-Request-Id';

/** Reports whether a page of this origin can read responses. `self` is the emulator's own origin. */
export function isAllowedOrigin(origin: string, allowed: readonly string[], self: string): boolean {
  if (origin === self || allowed.includes('*') || allowed.includes(origin)) return true;
  return allowed.includes('loopback') && isLoopbackOrigin(origin);
}

/** Reports whether a call is from a page that cannot read the response: of a forbidden origin, or of another site. */
export function isForeignPage(incoming: Incoming, allowed: readonly string[]): boolean {
  const origin = incoming.header('origin');
  if (origin !== undefined) return !isAllowedOrigin(origin, allowed, incoming.origin);
  // Images and links of a page send no origin, but browsers send their site (Sec-Fetch-Site).
  return incoming.header('sec-fetch-site') === 'cross-site' && !allowed.includes('*');
}

function isLoopbackOrigin(origin: string): boolean {
  const host = /^https?:\/\/(\[[^\]]*\]|[^:/]+)(?::\d+)?$/.exec(origin)?.[1];
  return host !== undefined && isLoopbackHost(host);
}

// Reports whether a host name, without port, is always this machine.
function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host);
}

/** Returns the headers that allow a page of an allowed origin to read the response. */
export function corsHeaders(origin: string, allowed: readonly string[], self: string): HeaderTable {
  if (!isAllowedOrigin(origin, allowed, self)) return { Vary: 'Origin' };
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': exposed,
    Vary: 'Origin',
  };
}

export function preflightHeaders(incoming: Incoming, methods: readonly string[]): HeaderTable {
  const headers: Record<string, string> = { 'Access-Control-Allow-Methods': methods.join(', ') };
  headers['Access-Control-Max-Age'] = '600';
  const requestHeaders = incoming.header('access-control-request-headers');
  if (requestHeaders !== undefined) headers['Access-Control-Allow-Headers'] = requestHeaders;
  if (incoming.header('access-control-request-private-network') === 'true') {
    headers['Access-Control-Allow-Private-Network'] = 'true';
  }
  return headers;
}

/** Host names of an emulator. */
export interface HostRules {
  /** Allowed names in addition to this machine's own; `*` allows all. */
  readonly names: readonly string[];
  /** Whether other machines can reach it, as in a container. */
  readonly everywhere: boolean;
}

/** Reports whether a Host header is allowed. A foreign page can only point a public name at this machine. */
export function isAllowedHost(host: string | undefined, { names, everywhere }: HostRules): boolean {
  const name = host?.replace(/:\d+$/, '').toLowerCase();
  if (name === undefined || name === '') return false;
  if (names.includes('*') || isLoopbackHost(name) || isAddress(name)) return true;
  if (everywhere && privateName.test(name)) return true;
  return names.some((other) => other.toLowerCase() === name);
}

function isAddress(host: string): boolean {
  return /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/.test(host);
}

// A single label, or below a top-level domain that public DNS does not have (RFC 6762, ICANN's `internal`).
const privateName = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:(?:\.[a-z0-9_-]+)*\.(?:internal|local))?$/;

/** Reports whether an address means all network interfaces. */
export function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '';
}

/** Reports whether an address is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:127\.|::1$|localhost$)/.test(host);
}
