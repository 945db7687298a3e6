// Generates people for demos, with distinct names and profiles that match their roles.

import type { UserFixture } from '../store/fixtures.ts';

const firstNames = [
  ...['Mina', 'Jonas', 'Priya', 'Tomas', 'Leila', 'Oskar', 'Yara', 'Diego', 'Hanna', 'Kenji', 'Amara'],
  ...['Felix', 'Nadia', 'Samuel', 'Ingrid', 'Rafael', 'Sofia', 'Malik', 'Clara', 'Viktor', 'Aisha', 'Bruno'],
  ...['Elena', 'Noah', 'Zuri', 'Matteo', 'Freya', 'Arjun', 'Lucia', 'Emil', 'Chiara', 'Theo', 'Salma'],
  ...['Anton', 'Marta', 'Idris', 'Nora'],
];

const lastNames = [
  ...['Lindqvist', 'Okafor', 'Sharma', 'Novak', 'Haddad', 'Berg', 'Costa', 'Fischer', 'Tanaka', 'Diallo', 'Moretti'],
  ...['Petrov', 'Jensen', 'Ramos', 'Weber', 'Ahmed', 'Larsen', 'Silva', 'Kowalski', 'Dubois', 'Nakamura', 'Adeyemi'],
  ...['Horvat', 'Svensson', 'Mendes', 'Bauer', 'Rossi', 'Chen', 'Vargas', 'Eriksen', 'Kaya', 'Laurent', 'Mbeki'],
];

const cities = ['Lisbon', 'Rotterdam', 'Kraków', 'Oslo', 'Valencia', 'Leipzig', 'Porto', 'Ghent', 'Tallinn', 'Bologna'];

/** Job of a person, used in the profile. */
export interface Role {
  readonly title: string;
  readonly team: string;
}

/** Returns a number of people. Roles are assigned in turn. */
export function makePeople(count: number, roles: readonly Role[]): readonly UserFixture[] {
  return Array.from({ length: count }, (_, index): UserFixture => {
    const first = firstNames[index % firstNames.length]!;
    // Combines a first name with another surname each time it is reused.
    const last = lastNames[(index * 7 + Math.floor(index / firstNames.length) * 3) % lastNames.length]!;
    const round = Math.floor(index / (firstNames.length * lastNames.length));
    const login = `${fold(first)}.${fold(last)}${round === 0 ? '' : round + 1}`;
    const { title, team } = roles[index % roles.length]!;
    return {
      login,
      full_name: `${first} ${last}`,
      email: `${login}@example.com`,
      description: `${title}, ${team}`,
      location: cities[(index * 3) % cities.length]!,
      created: `now-${40 + ((index * 53) % 900)}d-${index % 9}h`,
      last_login: `now-${(index * 5) % 12}d-${1 + ((index * 7) % 10)}h-${(index * 17) % 60}m`,
    };
  });
}

// ASCII lower case, as used in email addresses.
function fold(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z]/g, '');
}
