// The table of users that `serve` prints first: tokens and passwords to sign in with, and who is refused and why.

import type { Style } from '../../render/core/style.ts';
import type { Emulator, UserFixture } from '../index.ts';

const shownPeople = 20;

/** Returns the table as lines; at most twenty users who can sign in, followed by the number of others. */
export function tableOfPeople(emulator: Emulator, { dim, yellow }: Style): readonly string[] {
  const tokens = new Map(emulator.users().map(({ login, token }) => [login, token]));
  const everyone = emulator.world().db.person.getAll();
  const people = everyone.filter(({ login, password }) => tokens.has(login) || password !== '');
  const shown = people.slice(0, shownPeople);
  const columns = shown.map((person) => {
    const token = tokens.get(person.login);
    return [person.login, token ?? '', noteOn(person, token !== undefined), person.password] as const;
  });
  const width = (at: 0 | 1 | 2): number => Math.max(...columns.map((column) => column[at].length), 0);
  const rows = columns.map(([login, token, note, password]) =>
    [login.padEnd(width(0)), dim(token.padEnd(width(1))), yellow(note.padEnd(width(2))), password].join('  ').trimEnd(),
  );
  const [rest, others] = [people.length - shown.length, everyone.length - people.length];
  return [
    'people, their tokens and, at the end, passwords:',
    ...rows.map((row) => `  ${row}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
    ...(others > 0 ? [`  and ${others} who cannot sign in: without token and password`] : []),
  ];
}

function noteOn({ is_admin, active, prohibit_login }: UserFixture, hasToken: boolean): string {
  if (!active) return 'refused (403): active is false';
  if (prohibit_login) return 'refused (403): prohibit_login is true';
  if (!hasToken)
    return is_admin ? 'site admin, has no token without an expiry date' : 'has no token without an expiry date';
  return is_admin ? 'site admin' : '';
}
