// The page that replaces an organization's own sign-in: all known people, each selectable with one click.

import { escapeMarkup } from '../../../render/core/page/escape.ts';
import type { Call } from '../../app/route.ts';
import { isMember, tokenHolders, whyRefused } from '../../store/people.ts';
import type { OrganizationRow, UserRow } from '../../store/rows.ts';
import { avatarUrl } from '../shapes.ts';
import type { Provider } from './providers.ts';

const mostShown = 50;

/** The parameters of the page. */
export interface Consent {
  readonly provider: Provider;
  readonly state: string;
  readonly redirectUri: string;
  /** Only people whose login or name contains this text; empty for all. */
  readonly search: string;
}

/** Returns why a person cannot sign in through an organization, or undefined. */
export function whyNotThrough(
  { store }: Pick<Call, 'store'>,
  organization: OrganizationRow,
  user: UserRow,
): string | undefined {
  if (isMember(store, organization.id, user.id)) return whyRefused(user);
  const stranger = `Is no member of ${organization.full_name}.`;
  const refusal = whyRefused(user);
  return refusal === undefined ? stranger : `${refusal} ${stranger}`;
}

/** Returns the page below its title. */
export function consentBody(call: Call, { provider, state, redirectUri, search }: Consent): string {
  const { organization, source } = provider;
  const people = peopleOf(call, organization, search);
  const shown = people.slice(0, mostShown);
  const rest = people.length - shown.length;
  const hidden = `<input type="hidden" name="state" value="${escapeMarkup(state)}"><input type="hidden" name="redirect_uri" value="${escapeMarkup(redirectUri)}">`;
  const question = `${escapeMarkup(organization.full_name)} signs its members in through ${escapeMarkup(source.displayName)}.`;
  return [
    `<p>${question} This page stands in for it: choose who you are.</p>`,
    `<form>${hidden}<label>Search<input name="q" type="search" value="${escapeMarkup(search)}"></label></form>`,
    `<form method="post">${hidden}`,
    `<ul>${shown.map((user) => personRow(call, organization, user)).join('\n')}</ul>`,
    shown.length === 0 ? '<p>Nobody has a login or a name like that.</p>' : '',
    rest > 0 ? `<p class="soft">And ${rest} more: search for them.</p>` : '',
    '<button name="cancel" value="true">Cancel</button>',
    '</form>',
  ].join('\n');
}

// Members first, then others with a role; a search includes everyone.
function peopleOf({ store }: Call, organization: OrganizationRow, search: string): readonly UserRow[] {
  const words = search.toLowerCase();
  const holders = new Set(tokenHolders(store).map(({ login }) => login));
  const everyone = store.user.all();
  const [members, others]: [UserRow[], UserRow[]] = [[], []];
  for (const user of everyone) {
    const { login, full_name, password } = user;
    if (!login.toLowerCase().includes(words) && !full_name.toLowerCase().includes(words)) continue;
    if (isMember(store, organization.id, user.id)) members.push(user);
    else if (words !== '' || password !== '' || holders.has(login)) others.push(user);
  }
  return [...members, ...others];
}

function personRow(call: Call, organization: OrganizationRow, user: UserRow): string {
  const { login, full_name } = user;
  const refusal = whyNotThrough(call, organization, user);
  const about = [mayDo(user), user.description, refusal].filter((text) => text !== undefined && text !== '').join('. ');
  const picture = `<img src="${escapeMarkup(avatarUrl(call, login))}" alt="">`;
  const name = `<span>${escapeMarkup(full_name)} <code>${escapeMarkup(login)}</code><br><small>${escapeMarkup(about.replaceAll('..', '.'))}</small></span>`;
  const off = refusal === undefined ? '' : ' disabled';
  const label = `aria-label="Sign in as ${escapeMarkup(login)}"`;
  return `<li>${picture}${name}<button name="user" value="${escapeMarkup(login)}" ${label}${off}>Sign in</button></li>`;
}

function mayDo({ is_admin, orgAdmin, clientOrgUser }: UserRow): string {
  if (is_admin) return 'Administers the site';
  if (orgAdmin) return 'Administers an organization';
  return clientOrgUser ? 'Works for a client organization' : 'Has no rights but their own';
}
