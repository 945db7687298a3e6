// The profile of a user, as a product would show it: who they are, and how much they have.

import { useEffect, useState } from 'preact/hooks';
import { hrefOf } from '../../address.ts';
import type { SeededUser } from '../../api.ts';
import { callApi, isGood, parseAnswer } from '../../call.ts';
import { emulatorNow } from '../../session.ts';
import { Avatar } from '../avatar.tsx';
import { RelativeTime } from '../time.tsx';

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

const counted = [
  { page: 'clusters', label: 'Clusters', path: 'user/clusters' },
  { page: 'orgs', label: 'Organizations', path: 'user/orgs' },
  { page: 'teams', label: 'Teams', path: 'user/teams' },
  { page: 'credentials', label: 'Credentials', path: 'user/credentials' },
  { page: 'followers', label: 'Followers', path: 'user/followers?limit=1' },
  { page: 'following', label: 'Following', path: 'user/following?limit=1' },
  { page: 'inbox', label: 'Subscriptions', path: 'user/inbox/subscriptions' },
] as const;

/** The profile. */
export function ProfileCard({ one, profile }: { readonly one: SeededUser; readonly profile: Profile }) {
  const { login, full_name, email, location, website, description, created, last_login, is_admin } = profile;
  const now = emulatorNow();
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
                Joined <RelativeTime iso={created} now={now} />
              </span>
            ) : undefined}
            {last_login ? (
              <span>
                Last sign-in <RelativeTime iso={last_login} now={now} />
              </span>
            ) : undefined}
          </p>
        </div>
      </div>
      <Counts one={one} />
    </>
  );
}

function Counts({ one }: { readonly one: SeededUser }) {
  const [counts, setCounts] = useState<readonly (number | undefined)[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    const count = async (path: string): Promise<number | undefined> => {
      const answer = await callApi({ method: 'GET', path: `api/v1/${path}`, token: one.token }, stop.signal);
      if (!isGood(answer)) return undefined;
      const [, total] = answer.headers.find(([name]) => name.toLowerCase() === 'x-total-count') ?? [];
      const body = parseAnswer(answer);
      return total === undefined ? (Array.isArray(body) ? body.length : undefined) : Number(total);
    };
    Promise.all(counted.map(({ path }) => count(path))).then(setCounts, () => undefined);
    return () => stop.abort();
  }, [one.login]);
  return (
    <nav class="profile-counts" aria-label={`Lists of ${one.login}`}>
      {counted.map(({ page, label }, index) => (
        <a key={page} href={hrefOf('users', [one.login, page])}>
          <b>{counts[index] ?? '–'}</b> {label}
        </a>
      ))}
    </nav>
  );
}
