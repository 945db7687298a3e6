// What a fixture is: one list per file, written for people (logins and slugs instead of ids), and the schema of each.

import { askMeant } from '../../render/core/ask-meant.ts';
import { markFailures } from '../../render/core/errors.ts';
import { checkJson, formatFaults } from './check.ts';
import type { Schema } from './compile.ts';
import type { Fields, FixtureOf } from './fields.ts';
import { written as ofOrganizations } from './kinds/organization.ts';
import { written as ofPeople } from './kinds/person.ts';
import { definitions } from './rows.ts';

const { user, email, token, organization, team, cluster, credential, bucket, subscription, order, history } =
  definitions;

// What a fixture writes beside the fields of its kind, or otherwise than they do.
const users = { id: ofPeople.userId, ...user.fields, email: ofPeople.email };
const organizations = { ...ofOrganizations, ...organization.fields };
const follows = { user: ofPeople.follower, follows: ofPeople.follows };
const { subscriber, organization: org, cluster: place } = ofPeople;
const subscriptions = { ...subscription.fields, user: subscriber, organization: org, cluster: place };

/** A person; everything but the login has a default. `email` is the primary address, `<login>@example.com` without one. */
export type UserFixture = FixtureOf<typeof users>;

/** A further address of a person. */
export type EmailFixture = FixtureOf<typeof email.fields>;

/** An access token of a person. */
export type TokenFixture = FixtureOf<typeof token.fields>;

/** An organization with its members and, perhaps, its way to sign in. */
export type OrganizationFixture = FixtureOf<typeof organizations>;

/** A team of an organization. */
export type TeamFixture = FixtureOf<typeof team.fields>;

/** Says whom a person follows. */
export type FollowFixture = FixtureOf<typeof follows>;

/** A cluster of a person or an organization. */
export type ClusterFixture = FixtureOf<typeof cluster.fields>;

/** A cloud credential: `spec` as a caller would send it. */
export type CredentialFixture = FixtureOf<typeof credential.fields>;

/** Lists the buckets of a provider; `credential` and `cloud_project` narrow it to one. */
export type BucketFixture = FixtureOf<typeof bucket.fields>;

/** An inbox subscription; `cluster` is written `owner/name`. */
export type SubscriptionFixture = FixtureOf<typeof subscriptions>;

/** A stored order of a person; `order.metadata.uid` is its id. */
export type OrderFixture = FixtureOf<typeof order.fields>;

/** One entry of the history of a cluster, written `owner/name`. */
export type HistoryFixture = FixtureOf<typeof history.fields>;

/** All that a fresh emulator holds: one list per kind. A kind that is left out is empty. */
export interface Fixtures {
  readonly users?: readonly UserFixture[];
  readonly emails?: readonly EmailFixture[];
  readonly tokens?: readonly TokenFixture[];
  readonly organizations?: readonly OrganizationFixture[];
  readonly teams?: readonly TeamFixture[];
  readonly follows?: readonly FollowFixture[];
  readonly clusters?: readonly ClusterFixture[];
  readonly credentials?: readonly CredentialFixture[];
  readonly buckets?: readonly BucketFixture[];
  readonly subscriptions?: readonly SubscriptionFixture[];
  readonly orders?: readonly OrderFixture[];
  readonly history?: readonly HistoryFixture[];
}

function listOf(description: string, fields: Fields): Schema {
  const said = Object.entries(fields).flatMap(([name, { written }]) => (written ? [[name, written] as const] : []));
  const required = said.flatMap(([name]) => (fields[name]?.needed ? [name] : []));
  const properties = Object.fromEntries(said);
  return { type: 'array', items: { description, type: 'object', required, properties, additionalProperties: false } };
}

/** The schema of each fixture file. Unknown fields are refused, so that a misspelt one is seen. */
export const fixtureSchemas: { readonly [K in keyof Required<Fixtures>]: Schema } = {
  users: listOf(user.description, users),
  emails: listOf(email.description, email.fields),
  tokens: listOf(token.description, token.fields),
  organizations: listOf(organization.description, organizations),
  teams: listOf(team.description, team.fields),
  follows: listOf('Says whom a person follows', follows),
  clusters: listOf(cluster.description, cluster.fields),
  credentials: listOf(credential.description, credential.fields),
  buckets: listOf(bucket.description, bucket.fields),
  subscriptions: listOf(subscription.description, subscriptions),
  orders: listOf(order.description, order.fields),
  history: listOf(history.description, history.fields),
};

// Names the fixture files, without `.json`.
const fixtureKinds = Object.keys(fixtureSchemas) as readonly (keyof Fixtures)[];

/** What is thrown when a fixture is wrong: the message names the file and the path in it. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
}

markFailures(FixtureError, 'mendable');

/** Returns what is thrown of a file whose name is no kind of fixture; `beside` are files that may stand beside fixtures. */
export function noSuchKind(kind: string, beside: readonly string[] = []): FixtureError {
  const known = [...fixtureKinds, ...beside];
  const meant = askMeant(
    `${kind}.json`,
    known.map((one) => `${one}.json`),
  );
  return new FixtureError(`${kind}.json: no such kind of fixture${meant}; there are ${known.join(', ')}`);
}

// Those that were checked and that nobody else has, who could change them since.
const sound = new WeakSet<object>();

/** Returns checked fixtures as `validateFixtures` does, of which the caller keeps nothing: they are not checked again. */
export function readSoundFixtures(input: Readonly<Record<string, unknown>>): Fixtures {
  const fixtures = { ...validateFixtures(input) };
  sound.add(fixtures);
  return fixtures;
}

/** Returns checked fixtures from unknown JSON. Throws a `FixtureError` with every fault of the first file that has one. */
export function validateFixtures(input: Readonly<Record<string, unknown>> | Fixtures): Fixtures {
  if (sound.has(input)) return input;
  for (const [kind, value] of Object.entries(input)) {
    if (!Object.hasOwn(fixtureSchemas, kind)) {
      throw noSuchKind(kind);
    }
    const faults = checkJson(fixtureSchemas[kind as keyof Fixtures], value);
    if (faults.length > 0) throw new FixtureError(`${kind}.json: ${formatFaults('', faults)}`);
  }
  return input as Fixtures;
}
