// The default content of a new emulator: the files in fixtures/seed.

import buckets from '../../fixtures/seed/buckets.json' with { type: 'json' };
import clusters from '../../fixtures/seed/clusters.json' with { type: 'json' };
import credentials from '../../fixtures/seed/credentials.json' with { type: 'json' };
import emails from '../../fixtures/seed/emails.json' with { type: 'json' };
import follows from '../../fixtures/seed/follows.json' with { type: 'json' };
import history from '../../fixtures/seed/history.json' with { type: 'json' };
import orders from '../../fixtures/seed/orders.json' with { type: 'json' };
import organizations from '../../fixtures/seed/organizations.json' with { type: 'json' };
import subscriptions from '../../fixtures/seed/subscriptions.json' with { type: 'json' };
import teams from '../../fixtures/seed/teams.json' with { type: 'json' };
import tokens from '../../fixtures/seed/tokens.json' with { type: 'json' };
import users from '../../fixtures/seed/users.json' with { type: 'json' };
import type { Fixtures } from './fixtures.ts';

/** The bundled fixtures. A test validates them. */
export const defaultFixtures: Fixtures = {
  users,
  emails,
  tokens,
  organizations: organizations as NonNullable<Fixtures['organizations']>,
  teams: teams as NonNullable<Fixtures['teams']>,
  follows,
  clusters: clusters as NonNullable<Fixtures['clusters']>,
  credentials: credentials as unknown as NonNullable<Fixtures['credentials']>,
  buckets,
  subscriptions: subscriptions as NonNullable<Fixtures['subscriptions']>,
  orders: orders as unknown as NonNullable<Fixtures['orders']>,
  history,
};
