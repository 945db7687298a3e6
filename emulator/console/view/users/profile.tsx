// The profile of a user: who they are, and the beginning of each of their lists.

import { bodyOf, callApi, isGood } from '../../api.ts';
import { hrefOf } from '../../place.ts';
import type { SeededUser } from '../../session.ts';
import { useLoad } from '../load.ts';
import { Avatar, RelativeTime } from '../parts.tsx';
import { type ResponseRow, userPages } from './pages.ts';

/** The members of `GET /user` that the profile shows. */
export interface Profile {
  readonly login: string;
  readonly full_name?: string;
  readonly email?: string;
  readonly location?: string;
  readonly website?: string;
  readonly description?: string;
  readonly created?: string;
  readonly last_login?: string;
  readonly is_admin?: boolean;
}

interface Entry {
  readonly name: string;
  readonly note?: string | undefined;
  /** A state other than the usual one. */
  readonly state?: string | undefined;
}

interface Section {
  /** The page with the whole list. */
  readonly page: string;
  readonly entry: (row: ResponseRow) => Entry;
  readonly hasAvatars?: true;
}

const shownEntries = 4;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const account = (row: ResponseRow, name: string): Entry => ({ name: textOf(row[name]), note: textOf(row.full_name) });

const sections: readonly Section[] = [
  {
    page: 'clusters',
    entry: ({ displayName, orchestratorVersion, status }) => {
      const phase = textOf((status as ResponseRow | undefined)?.phase);
      return {
        name: textOf(displayName),
        note: textOf(orchestratorVersion),
        state: phase === 'Active' ? undefined : phase,
      };
    },
  },
  { page: 'orgs', entry: (row) => account(row, 'username'), hasAvatars: true },
  {
    page: 'teams',
    entry: ({ name, organization }) => ({
      name: textOf(name),
      note: textOf((organization as ResponseRow | undefined)?.username),
    }),
  },
  { page: 'credentials', entry: ({ name, type }) => ({ name: textOf(name), note: textOf(type) }) },
  { page: 'followers', entry: (row) => account(row, 'login'), hasAvatars: true },
  { page: 'following', entry: (row) => account(row, 'login'), hasAvatars: true },
  {
    page: 'inbox',
    entry: ({ scope, orgName, clusterName }) => ({
      name: textOf(clusterName) || textOf(orgName) || textOf(scope),
      note: textOf(scope),
    }),
  },
];

/** The profile. */
export function ProfileCard({ one, profile }: { readonly one: SeededUser; readonly profile: Profile }) {
  const { login, full_name, email, location, website, description, created, last_login, is_admin } = profile;
  return (
    <>
      <div class="profile">
        <Avatar name={login} size={88} />
        <div class="profile-words">
          <h3>{full_name || login}</h3>
          <p class="soft">
            {login} {is_admin ? <span class="tag">site admin</span> : undefined}
          </p>
          {description ? <p>{description}</p> : undefined}
          <p class="profile-facts">
            {email ? <span>{email}</span> : undefined}
            {location ? <span>{location}</span> : undefined}
            {website && /^https?:/.test(website) ? (
              <a href={website} target="_blank" rel="noopener noreferrer">
                {website}
              </a>
            ) : undefined}
            {created ? (
              <span>
                Joined <RelativeTime iso={created} />
              </span>
            ) : undefined}
            {last_login ? (
              <span>
                Last sign-in <RelativeTime iso={last_login} />
              </span>
            ) : undefined}
          </p>
        </div>
      </div>
      <div class="profile-sections">
        {sections.map((section) => (
          <ProfileSection key={section.page} one={one} section={section} />
        ))}
      </div>
    </>
  );
}

function ProfileSection({ one, section }: { readonly one: SeededUser; readonly section: Section }) {
  const { entry, hasAvatars } = section;
  const { name: page, label, path } = userPages.find(({ name }) => name === section.page)!;
  const call = { method: 'GET', path: `api/v1/${path(one.login, 1)}`, token: one.token };
  // Undefined until it is loaded, or if the API refuses it.
  const { value: list } = useLoad(call.path, async (signal) => {
    const answer = await callApi(call, signal);
    const rows = isGood(answer) ? bodyOf<readonly ResponseRow[]>(answer) : undefined;
    if (!Array.isArray(rows)) return undefined;
    const [, total = rows.length] = answer.headers.find(([name]) => name.toLowerCase() === 'x-total-count') ?? [];
    return { total: Number(total), rows };
  });
  const href = hrefOf('users', [one.login, page]);
  const shown = list?.rows.slice(0, shownEntries).map(entry) ?? [];
  const rest = (list?.total ?? 0) - shown.length;
  return (
    <section class="profile-section">
      <h4>
        <a href={href}>{label}</a> <span class="count">{list?.total ?? '–'}</span>
      </h4>
      <ul>
        {shown.map(({ name, note, state }) => (
          <li key={name}>
            {hasAvatars ? <Avatar name={name} size={20} /> : undefined}
            <b>{name}</b> {note && note !== name ? <span class="soft">{note}</span> : undefined}{' '}
            {state ? <span class="tag risk">{state}</span> : undefined}
          </li>
        ))}
      </ul>
      {rest > 0 ? <a href={href}>{rest} more</a> : undefined}
      {list?.total === 0 ? <p class="soft">None</p> : undefined}
    </section>
  );
}
