// The cookies of a session: their names, where they are sent, how they are read and written.

import type { Call } from './route.ts';
import { sharedSite } from './route.ts';
import type { Settings } from './settings.ts';

/** The names of the cookies: what holds the key of a session, what its CSRF token, and all that a sign-out clears. */
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

/** Returns the key of a session in a `Cookie` header; undefined where a cookie of the name is somebody else's. */
export function readSessionKey(header: string | undefined, name: string): string | undefined {
  const value = readCookie(header, name);
  return value !== undefined && /^[0-9a-f]{40}$/.test(value) ? value : undefined;
}

/** What a cookie is beside its name and value. */
export interface CookieOptions {
  /** How long it lasts; without it, as long as the browser runs. */
  readonly maxAgeSeconds?: number;
  /** Whether scripts of a page may read it. */
  readonly readable?: boolean;
}

/** Returns the value of a `Set-Cookie` header for the part of the site that the call came to. */
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

// A world that the path names has sessions of its own; one that a header names is named again by every call.
function cookiePath(way: string): string {
  return /\/@[^/]+$/.test(way) ? way.replace(sharedSite, '') : '/';
}
