// Generates the parts of the pages about the emulator from its routes, settings, scenarios and seeds.

import { answersOf } from '../../emulator/app/answers.ts';
import { addressOf, type Route } from '../../emulator/app/route.ts';
import { settingRules } from '../../emulator/app/settings.ts';
import { controlRoutes, serviceRoutes } from '../../emulator/routes/index.ts';
import { defaultFixtures } from '../../emulator/store/default-fixtures.ts';
import { builtInScenarios } from '../../emulator/world/faults.ts';
import exampleCoverage from './example-coverage.json' with { type: 'json' };
import { code, table } from './table.ts';

/** Returns the routes of the service, a table for each section. */
export function formatRoutes(): string {
  const sections = new Map<string, Route[]>();
  for (const route of serviceRoutes) sections.set(route.section, [...(sections.get(route.section) ?? []), route]);
  const tables = [...sections].map(([section, routes]) => {
    const rows = routes.map((route) => [
      code(`${route.method} ${addressOf(route).replace(/^\/api\/v1/, '') || '/'}`),
      route.access,
      Object.keys(answersOf(route)).join(' '),
      `${route.summary}${(route.space ?? 'api') === 'api' ? '' : ' (at the root)'}`,
      route.emulation,
    ]);
    return `## ${section}\n\n${table(['route', 'access', 'status', 'summary', 'notes'], rows)}`;
  });
  return tables.join('\n\n');
}

/** Returns the control routes as a table. */
export function formatControlRoutes(): string {
  const rows = controlRoutes.map((route) => [
    code(`${route.method} ${addressOf(route)}`),
    Object.keys(answersOf(route)).join(' '),
    route.summary,
  ]);
  return table(['route', 'status', 'summary'], rows);
}

/** Returns the settings as a table: name, flag, default, meaning. */
export function formatSettings(): string {
  const rows = Object.entries(settingRules).map(([name, rule]) => [
    code(name),
    rule.flag === undefined
      ? `\`--set ${name}=…\``
      : code(`--${[rule.flag.name, rule.flag.value].filter(Boolean).join(' ')}`),
    shortened(JSON.stringify(rule.default)),
    rule.description,
  ]);
  return table(['setting', 'flag of `serve`', 'default', 'description'], rows);
}

const shortened = (text: string): string => (text.length > 60 ? `${code(`${text.slice(0, 40)}…`)}` : code(text));

/** Returns the built-in scenarios as a table. */
export function formatScenarios(): string {
  const rows = Object.entries(builtInScenarios).map(([name, { description }]) => [code(name), description]);
  return table(['scenario', 'effect'], rows);
}

// The use of each seeded person in tests and demos.
const uses: Readonly<Record<string, string>> = {
  ada: 'Site administrator with data in every list; the main user of demos',
  bob: 'Administrator of the organizations Harbor and Northwind; has three pages of followers and every type of credential',
  cleo: 'Member without administrative rights; has every scope of subscription',
  dan: 'Member of a client organization',
  eve: 'Signs in through the organization only: no password',
  finn: 'Never activated the account: refused with 403',
  gus: 'May no longer sign in: refused with 403',
  hana: 'Signed up yesterday and has no data yet: empty lists',
  ivan: 'Hides the address and blocks dan; has an expired and a revoked token',
};

/** Returns how much of the API is exercised by the tests of the example projects. */
export function formatExampleCoverage(): string {
  const rows = Object.entries(exampleCoverage).map(([name, totals]) => [
    name === 'all of them' ? name : code(name),
    ...[totals.operations, totals.statuses, totals.filters].map(({ covered, total }) => `${covered} of ${total}`),
  ]);
  return table(['example', 'operations', 'status codes', 'query parameters'], rows);
}

/** Returns the seeded people with a token: how to sign in as each, and their use. */
export function formatPeople(): string {
  const { users = [], tokens = [] } = defaultFixtures;
  const rows = users.flatMap((user) => {
    const token = tokens.find((held) => held.user === user.login);
    if (token === undefined) return [];
    return [
      [
        code(user.login),
        user.password === undefined ? 'none' : code(user.password),
        code(token.token ?? ''),
        uses[user.login] ?? '',
      ],
    ];
  });
  return table(['login', 'password', 'token', 'use as'], rows);
}
