// The cookies of a session: names, scope, parsing and formatting.

import type { Call } from './route.ts';
import { sharedSite } from './route.ts';
import type { Settings } from './settings.ts';

/** Returns the names of the cookies for a session's key and CSRF token, and all that a sign-out clears. */
export function cookieNames({ cookies }: Pick<Settings, 'cookies'>) {
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

/** Returns a `Set-Cookie` header for the scope of the call. A cookie lasts until the browser is closed, unless `maxAgeSeconds` is given. */
export function writeCookie(
  { prefix, siteUrl }: Call,
  [name, value]: readonly [string, string],
  { maxAgeSeconds, readable = false }: { readonly maxAgeSeconds?: number; readonly readable?: boolean } = {},
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
