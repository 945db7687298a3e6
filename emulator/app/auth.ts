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

/** Returns the caller according to a route's access rule; undefined for nobody. Throws a `Problem` for a caller without access. */
export function authenticate(
  { access, method }: Pick<Route, 'access' | 'method'>,
  credentials: Credentials,
  { store, clock }: Pick<World, 'store' | 'clock'>,
): UserRow | undefined {
  if (access === 'public') return undefined;
  if (access === 'basic') return byPassword(store, credentials.authorization);
  const { authorization, queryToken, session, sudo } = credentials;
  const hasToken = authorization !== undefined || queryToken !== undefined;
  const around = { store, now: clock.now(), writes: method !== 'GET' };
  const user = hasToken ? byToken(credentials, around) : bySession(credentials, around);
  if (user === undefined) {
    if (access === 'optional') return undefined;
    throw unauthorized(
      session === undefined
        ? 'Token is required: send "Authorization: token <TOKEN>".'
        : 'The session has ended, or is not known here: sign in again.',
    );
  }
  if (access === 'admin' && !user.is_admin) throw new Problem(403, 'Only site administrators may do this.');
  return sudo === undefined ? user : actAs(store, user, sudo);
}

interface Circumstances {
  readonly store: Store;
  readonly now: number;
  readonly writes: boolean;
}

// Browsers continue to send the cookie of an ended session: it counts as none.
function bySession(
  { session: key, csrf = '' }: Credentials,
  { store, now, writes }: Circumstances,
): UserRow | undefined {
  const session = key === undefined ? undefined : findSession(store, key);
  if (!session || Date.parse(session.expires) <= now) return undefined;
  if (writes && !isSame(session.csrf, csrf)) {
    throw new Problem(403, 'A session that changes something sends its CSRF token too, in the header X-Csrf-Token.');
  }
  return admit(store.user.get(session.user));
}

function byToken({ token }: Credentials, { store, now }: Circumstances): UserRow {
  if (!token) throw unauthorized('The Authorization header is malformed: expected "token <TOKEN>".');
  const row = findToken(store, token.text);
  if (!row) throw unauthorized('The access token is not known.');
  if (row.revoked) throw unauthorized('The access token was revoked.');
  if (row.expires !== '' && Date.parse(row.expires) <= now) throw expiredToken();
  return admit(store.user.get(row.user));
}

function byPassword(store: Store, authorization: string | undefined): UserRow {
  const text = decodeBase64Text(/^basic +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '') ?? '';
  const colon = text.indexOf(':');
  const user = findUser(store, text.slice(0, Math.max(colon, 0)));
  if (!hasPassword(user, text.slice(colon + 1))) {
    throw unauthorized('Basic authentication with login and password is required.', 'Basic realm="drydock"');
  }
  return admit(user);
}

function admit(user: UserRow | undefined): UserRow {
  if (!user) throw unauthorized('The access token is not known.');
  const refusal = whyRefused(user);
  if (refusal !== undefined) throw new Problem(403, refusal, { bare: true });
  return user;
}

function actAs(store: Store, user: UserRow, login: string): UserRow {
  if (!user.is_admin) throw new Problem(403, 'Only administrators allowed to sudo.', { bare: true });
  const other = findUser(store, login);
  if (other === undefined) throw new Problem(404, `There is no user ${JSON.stringify(login)}.`);
  return other;
}

/** Creates the 401 of an expired token. */
export function expiredToken(): Problem {
  return unauthorized('The access token has expired.');
}

function unauthorized(message: string, challenge = 'token'): Problem {
  return new Problem(401, message, { headers: { 'WWW-Authenticate': challenge } });
}
