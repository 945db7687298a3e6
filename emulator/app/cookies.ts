// The cookies of a session: names, scope, parsing and formatting.

import type { Call } from './route.ts';
import { sharedSite } from './route.ts';
import type { Settings } from './settings.ts';

/** The names of the cookies for a session's key and CSRF token, and all that a sign-out clears. */
export interface CookieNames {
  readonly session: string;
  readonly csrf: string;
  readonly all: readonly string[];
}

/** Returns the names of the cookies as they are set. */
export function cookieNames({ cookies }: Pick<Settings, 'cookies'>): CookieNames {
  const [session = 'session', csrf = '_csrf', ...others] = cookies;
  return { session, csrf, all: [session, csrf, ...others] };
}

/** Returns the value of a cookie in a `Cookie` header; the first of several. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

/** Returns the key of a session in a `Cookie` header; undefined if the cookie has another format. */
export function readSessionKey(header: string | undefined, name: string): string | undefined {
  const value = readCookie(header, name);
  return value !== undefined && /^[0-9a-f]{40}$/.test(value) ? value : undefined;
}

/** The attributes of a cookie. */
export interface CookieOptions {
  /** How long it lasts; by default until the browser is closed. */
  readonly maxAgeSeconds?: number;
  /** Whether scripts can read it. */
  readonly readable?: boolean;
}

/** Returns the value of a `Set-Cookie` header for the scope of the call. */
export function writeCookie(
  { prefix, siteUrl }: Call,
  [name, value]: readonly [string, string],
  { maxAgeSeconds, readable = false }: CookieOptions = {},
): string {
  const parts = [
    `${name}=${value}`,
    `Path=${cookiePath(prefix)}`,
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
    ...(readable ? [] : ['HttpOnly']),
    'SameSite=Lax',
    ...(siteUrl.startsWith('https:') ? ['Secure'] : []),
  ];
  return parts.join('; ');
}

// A world in the path has its own sessions; one in a header is sent again with every call.
function cookiePath(prefix: string): string {
  return /\/@[^/]+$/.test(prefix) ? prefix.replace(sharedSite, '') : '/';
}
