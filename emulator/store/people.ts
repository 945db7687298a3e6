// Lookups of people and names for several routes.

import { fold } from './fields.ts';
import type { AuthSource } from './kinds.ts';
import type { OrganizationRow, SessionRow, TokenRow, UserRow } from './rows.ts';
import type { Store } from './store.ts';

/** Returns the person with a login, ignoring case. */
export function findUser(store: Store, login: string): UserRow | undefined {
  return store.user.first('login', fold(login));
}

/** Returns the person with a login or an email address. */
export function findUserByLoginOrEmail(store: Store, text: string): UserRow | undefined {
  const byLogin = findUser(store, text);
  if (byLogin) return byLogin;
  const email = store.email.first('address', fold(text));
  return email && store.user.get(email.user);
}

/** Returns the organization with a slug, ignoring case. */
export function findOrganization(store: Store, slug: string): OrganizationRow | undefined {
  return store.organization.first('name', fold(slug));
}

/** Reports whether a person or an organization has the name: they share one namespace. */
export function isNameTaken(store: Store, name: string): boolean {
  return findUser(store, name) !== undefined || findOrganization(store, name) !== undefined;
}

/** Returns the row of a token in any state, in constant time for tokens of the same length. */
export function findToken(store: Store, token: string): TokenRow | undefined {
  let found: TokenRow | undefined;
  for (const row of store.token.all()) if (isSame(row.token, token)) found = row;
  return found;
}

/** Returns the session with this key in any state, in the same way. */
export function findSession(store: Store, key: string): SessionRow | undefined {
  let found: SessionRow | undefined;
  for (const row of store.session.all()) if (isSame(row.key, key)) found = row;
  return found;
}

/** Reports whether a person has this password, in constant time even for an unknown person. */
export function hasPassword(user: UserRow | undefined, password: string): user is UserRow {
  const matches = isSame(user?.password ?? '', password);
  // An empty password never matches: it marks people who sign in through their organization only.
  return user !== undefined && user.password !== '' && matches;
}

/** Returns why an account may not be used, or undefined. */
export function whyRefused({ active, prohibit_login }: UserRow): string | undefined {
  if (!active) return 'This account is not activated.';
  return prohibit_login ? 'This account is prohibited from signing in.' : undefined;
}

/** Lists the people with a token that never expires, each with the first such token. */
export function tokenHolders(
  store: Store,
): readonly { readonly login: string; readonly token: string; readonly is_admin: boolean }[] {
  const tokens = new Map<number, string>();
  for (const { user, token, revoked, expires } of store.token.all()) {
    if (!revoked && expires === '' && !tokens.has(user)) tokens.set(user, token);
  }
  return store.user.all().flatMap(({ id, login, is_admin }) => {
    const token = tokens.get(id);
    return token === undefined ? [] : [{ login, token, is_admin }];
  });
}

/** Compares two secrets in a time that depends only on the second one's length. */
export function isSame(secret: string, given: string): boolean {
  let difference = secret.length ^ given.length;
  for (let i = 0; i < given.length; i++) difference |= (secret.charCodeAt(i) || 0) ^ given.charCodeAt(i);
  return difference === 0;
}

export function primaryEmail(store: Store, user: number): string {
  const emails = store.email.many('user', user);
  return (emails.find((email) => email.primary) ?? emails[0])?.email ?? '';
}

/** Returns a person's organizations in the order of joining. */
export function organizationsOf(store: Store, user: number): readonly OrganizationRow[] {
  const memberships = store.membership.many('user', user);
  return memberships.map((row) => store.organization.get(row.organization)!);
}

export function isMember(store: Store, organization: number, user: number): boolean {
  return store.membership.first('pair', `${organization}/${user}`) !== undefined;
}

export function activeAuthSource(organization: OrganizationRow): AuthSource | undefined {
  return organization.authSource.find((source) => source.active);
}

/** Returns the organization whose sign-in a person must use, if any. */
export function enforcingOrganization(store: Store, user: number): OrganizationRow | undefined {
  return organizationsOf(store, user).find((organization) => activeAuthSource(organization)?.enforceForMembers);
}

/** Returns a person as a user of the messaging system. */
export function natsPerson(
  store: Store,
  { id, login }: UserRow,
): { readonly id: number; readonly login: string; readonly organizations: readonly number[] } {
  return { id, login, organizations: organizationsOf(store, id).map((organization) => organization.id) };
}
