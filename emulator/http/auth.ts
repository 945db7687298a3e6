// Who is calling: a token or a password to a person, or the problem that stands in the way.

import { decodeBase64Text } from '../keys/base64.ts';
import { findToken, findUser, isSame } from '../store/people.ts';
import type { UserRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { isWorldName } from '../world/worlds.ts';
import { Problem } from './problem.ts';
import type { Access } from './route.ts';

/** What a request says about its sender, as it was sent. */
interface Sent {
  readonly authorization: string | undefined;
  /** The token of the query, `token` or `access_token`. */
  readonly queryToken: string | undefined;
  /** The login an admin wants to act as. */
  readonly sudo: string | undefined;
}

/** What a request says about its sender, read. */
export interface Credentials extends Sent {
  /** The token and the world that its `@suffix` names; the header wins over the query. Undefined where none can be read. */
  readonly token: { readonly text: string; readonly world: string | undefined } | undefined;
}

/** Reads the token of what a request says about its sender. */
export function readCredentials({ authorization, queryToken, sudo }: Sent): Credentials {
  const sent = authorization === undefined ? queryToken : /^(?:token|bearer) +(\S+) *$/i.exec(authorization)?.[1];
  if (!sent) return { authorization, queryToken, sudo, token: undefined };
  const at = sent.lastIndexOf('@');
  const world = at > 0 && isWorldName(sent.slice(at + 1)) ? sent.slice(at + 1) : undefined;
  const text = world === undefined ? sent : sent.slice(0, at);
  return { authorization, queryToken, sudo, token: { text, world } };
}

/** Gives the caller as a route's access rule wants one: a person, nobody, or the problem. */
export function authenticate(
  access: Access,
  credentials: Credentials,
  store: Store,
  now: number,
): UserRow | Problem | undefined {
  if (access === 'public') return undefined;
  if (access === 'basic') return byPassword(store, credentials.authorization);
  const sent = credentials.authorization ?? credentials.queryToken;
  if (access === 'optional' && sent === undefined) return undefined;
  const user = byToken(store, credentials, now);
  if (user instanceof Problem) return user;
  if (access === 'admin' && !user.is_admin) return new Problem(403, 'Only site administrators may do this.');
  return credentials.sudo === undefined ? user : actAs(store, user, credentials.sudo);
}

function byToken(store: Store, credentials: Credentials, now: number): UserRow | Problem {
  const { authorization, queryToken, token } = credentials;
  if (!authorization && !queryToken) return unauthorized('Token is required: send "Authorization: token <TOKEN>".');
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
  // An empty password is nobody's: it marks people who sign in through their organization only.
  const matches = isSame(user?.password ?? '', text.slice(colon + 1));
  if (!user || user.password === '' || !matches) {
    return unauthorized('Basic authentication with login and password is required.', 'Basic realm="drydock"');
  }
  return admitted(user);
}

function admitted(user: UserRow | undefined): UserRow | Problem {
  if (!user) return unauthorized('The access token is not known.');
  if (!user.active) return new Problem(403, 'This account is not activated.', { bare: true });
  if (user.prohibit_login) return new Problem(403, 'This account is prohibited from signing in.', { bare: true });
  return user;
}

function actAs(store: Store, user: UserRow, login: string): UserRow | Problem {
  if (!user.is_admin) return new Problem(403, 'Only administrators allowed to sudo.', { bare: true });
  return findUser(store, login) ?? new Problem(404, `There is no user ${JSON.stringify(login)}.`);
}

/** Makes the 401 of a token that is out of date. */
export function expiredToken(): Problem {
  return unauthorized('The access token has expired.');
}

function unauthorized(message: string, challenge = 'token'): Problem {
  return new Problem(401, message, { headers: { 'WWW-Authenticate': challenge } });
}
