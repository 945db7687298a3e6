// Authentication: a token or a password to a person, or the problem.

import { decodeBase64Text } from '../keys/base64.ts';
import { findSession, findToken, findUser, hasPassword, isSame, whyRefused } from '../store/people.ts';
import type { UserRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import type { World } from '../world/world.ts';
import { isWorldName } from '../world/worlds.ts';
import { Problem } from './problem.ts';
import type { Route } from './route.ts';

/** The credentials of a request, as sent. */
interface Sent {
  readonly authorization: string | undefined;
  /** The `token` or `access_token` of the query. */
  readonly queryToken: string | undefined;
  /** The login that an admin impersonates. */
  readonly sudo: string | undefined;
  /** The key of a session, used if there is no token. */
  readonly session: string | undefined;
  /** The CSRF token: proves that the sending page can read the session's cookies. */
  readonly csrf: string | undefined;
}

/** The parsed credentials of a request. */
export interface Credentials extends Sent {
  /** The token and the world of its `@suffix`; the header has precedence over the query. Undefined if there is none. */
  readonly token: { readonly text: string; readonly world: string | undefined } | undefined;
}

/** Parses the token of a request. */
export function readCredentials(request: Sent): Credentials {
  const { authorization, queryToken, sudo, session, csrf } = request;
  const sent = authorization === undefined ? queryToken : /^(?:token|bearer) +(\S+) *$/i.exec(authorization)?.[1];
  // Written out, because a spread copy has its own hidden class, which outlives it.
  return { authorization, queryToken, sudo, session, csrf, token: sent ? readToken(sent) : undefined };
}

function readToken(sent: string): NonNullable<Credentials['token']> {
  const at = sent.lastIndexOf('@');
  const world = at > 0 && isWorldName(sent.slice(at + 1)) ? sent.slice(at + 1) : undefined;
  return { text: world === undefined ? sent : sent.slice(0, at), world };
}

/** Returns the caller according to a route's access rule: a person, nobody, or the problem. */
export function authenticate(
  { access, method }: Pick<Route, 'access' | 'method'>,
  credentials: Credentials,
  { store, clock }: Pick<World, 'store' | 'clock'>,
): UserRow | Problem | undefined {
  if (access === 'public') return undefined;
  if (access === 'basic') return byPassword(store, credentials.authorization);
  const user = byTokenOrSession(credentials, { store, now: clock.now(), writes: method !== 'GET' });
  if (user === undefined && access === 'optional') return undefined;
  if (user === undefined && credentials.session !== undefined)
    return unauthorized('The session has ended, or is not known here: sign in again.');
  if (user === undefined) return unauthorized('Token is required: send "Authorization: token <TOKEN>".');
  if (user instanceof Problem) return user;
  if (access === 'admin' && !user.is_admin) return new Problem(403, 'Only site administrators may do this.');
  return credentials.sudo === undefined ? user : actAs(store, user, credentials.sudo);
}

interface Circumstances {
  readonly store: Store;
  readonly now: number;
  readonly writes: boolean;
}

function byTokenOrSession(credentials: Credentials, around: Circumstances): UserRow | Problem | undefined {
  const { authorization, queryToken } = credentials;
  if (authorization !== undefined || queryToken !== undefined) return byToken(credentials, around);
  return credentials.session === undefined ? undefined : bySession(credentials.session, credentials.csrf, around);
}

// Browsers continue to send the cookie of an ended session: it counts as none.
function bySession(
  key: string,
  csrf: string | undefined,
  { store, now, writes }: Circumstances,
): UserRow | Problem | undefined {
  const session = findSession(store, key);
  if (!session || Date.parse(session.expires) <= now) return undefined;
  if (writes && !isSame(session.csrf, csrf ?? '')) {
    return new Problem(403, 'A session that changes something sends its CSRF token too, in the header X-Csrf-Token.');
  }
  return admitted(store.user.get(session.user));
}

function byToken({ token }: Credentials, { store, now }: Circumstances): UserRow | Problem {
  if (!token) return unauthorized('The Authorization header is malformed: expected "token <TOKEN>".');
  const row = findToken(store, token.text);
  if (!row) return unauthorized('The access token is not known.');
  if (row.revoked) return unauthorized('The access token was revoked.');
  if (row.expires !== '' && Date.parse(row.expires) <= now) return expiredToken();
  return admitted(store.user.get(row.user));
}

function byPassword(store: Store, authorization: string | undefined): UserRow | Problem {
  const text = decodeBase64Text(/^basic +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '') ?? '';
  const colon = text.indexOf(':');
  const user = findUser(store, text.slice(0, Math.max(colon, 0)));
  if (!hasPassword(user, text.slice(colon + 1))) {
    return unauthorized('Basic authentication with login and password is required.', 'Basic realm="drydock"');
  }
  return admitted(user);
}

function admitted(user: UserRow | undefined): UserRow | Problem {
  if (!user) return unauthorized('The access token is not known.');
  const refusal = whyRefused(user);
  return refusal === undefined ? user : new Problem(403, refusal, { bare: true });
}

function actAs(store: Store, user: UserRow, login: string): UserRow | Problem {
  if (!user.is_admin) return new Problem(403, 'Only administrators allowed to sudo.', { bare: true });
  return findUser(store, login) ?? new Problem(404, `There is no user ${JSON.stringify(login)}.`);
}

/** Creates the 401 of an expired token. */
export function expiredToken(): Problem {
  return unauthorized('The access token has expired.');
}

function unauthorized(message: string, challenge = 'token'): Problem {
  return new Problem(401, message, { headers: { 'WWW-Authenticate': challenge } });
}
