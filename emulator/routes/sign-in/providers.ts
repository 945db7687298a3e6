// The sign-in providers of organizations, by their names in URLs.

import { missing } from '../../app/problem.ts';
import type { Call } from '../../app/route.ts';
import type { AuthSource } from '../../store/kinds/organization.ts';
import { activeAuthSource } from '../../store/people.ts';
import type { OrganizationRow } from '../../store/rows.ts';

/** Returns the URL at which signing in through an organization starts, as in `login-method`. */
export function providerPath({ id }: Pick<OrganizationRow, 'id'>): string {
  return `/user/oauth2/org-${id}`;
}

/** An organization with its sign-in provider. */
export interface Provider {
  readonly organization: OrganizationRow;
  readonly source: AuthSource;
}

/** Returns the provider with a name such as `org-1001`. Throws a 404 `Problem` if there is none, or it is inactive. */
export function findProvider({ store }: Pick<Call, 'store'>, name: string): Provider {
  const id = Number(/^org-([1-9]\d{0,14})$/.exec(name)?.[1] ?? 0);
  const organization = store.organization.get(id);
  const source = organization && activeAuthSource(organization);
  if (organization && source) return { organization, source };
  const why = organization ? `${organization.full_name} has no active way to sign in` : 'there is none of that name';
  throw missing(`Nobody signs in through ${JSON.stringify(name)}: ${why}.`);
}
