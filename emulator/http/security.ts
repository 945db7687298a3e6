// Who may knock: pages of which origins (CORS), and under which host names (against DNS rebinding).

import type { HeaderTable, Incoming } from './message.ts';

const exposed = 'X-Total-Count, Link, Warning, X-Request-Id';

/** Tells whether a page of this origin may read answers. `self` is the emulator's own origin. */
export function isAllowedOrigin(origin: string, allowed: readonly string[], self: string): boolean {
  if (origin === self || allowed.includes('*') || allowed.includes(origin)) return true;
  return allowed.includes('loopback') && isLoopbackOrigin(origin);
}

function isLoopbackOrigin(origin: string): boolean {
  const host = /^https?:\/\/(\[[^\]]*\]|[^:/]+)(?::\d+)?$/.exec(origin)?.[1];
  return host !== undefined && isLoopbackHost(host);
}

// Tells whether a host name, without port, can only mean this machine.
function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host);
}

/** Gives the headers that let a page of an allowed origin read the answer. */
export function corsHeaders(origin: string, allowed: readonly string[], self: string): HeaderTable {
  if (!isAllowedOrigin(origin, allowed, self)) return { Vary: 'Origin' };
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': exposed,
    Vary: 'Origin',
  };
}

/** Gives the further headers of the answer to a browser that asks before it calls. */
export function preflightHeaders(incoming: Incoming, methods: readonly string[]): HeaderTable {
  const headers: Record<string, string> = { 'Access-Control-Allow-Methods': methods.join(', ') };
  headers['Access-Control-Max-Age'] = '600';
  const asked = incoming.header('access-control-request-headers');
  if (asked !== undefined) headers['Access-Control-Allow-Headers'] = asked;
  if (incoming.header('access-control-request-private-network') === 'true') {
    headers['Access-Control-Allow-Private-Network'] = 'true';
  }
  return headers;
}

/** Tells whether a request may come under this Host header: this machine's names, or one of the allowed ones (`*` is all). */
export function isAllowedHost(host: string | undefined, allowed: readonly string[]): boolean {
  if (allowed.includes('*')) return true;
  const name = host?.replace(/:\d+$/, '').toLowerCase();
  if (name === undefined || name === '') return false;
  return isLoopbackHost(name) || allowed.some((other) => other.toLowerCase() === name);
}
