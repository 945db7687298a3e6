// What a fixture is: one list per file, written for people (logins and slugs instead of ids), and the schema of each.

import { didYouMean } from '../../render/core/did-you-mean.ts';
import { markFailures } from '../../render/core/errors.ts';
import { formatIssues, type Issue } from '../core/errors.ts';
import { checkJson, type Violation } from './check.ts';
import type { Schema } from './compile.ts';
import type { Fields, FixtureOf } from './fields.ts';
import { isObject, type Json } from './json.ts';
import { written as ofOrganizations } from './kinds/organization.ts';
import { written as ofPeople } from './kinds/person.ts';
import { definitions } from './rows.ts';

const { user, email, token, organization, team, cluster, credential, bucket, subscription, order, history, record } =
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

/** The people that a person follows. */
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

/** A row of a model that the application defines. */
export type RecordFixture = FixtureOf<typeof record.fields>;

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
  readonly records?: readonly RecordFixture[];
}

function listOf(description: string, fields: Fields): Schema {
  const writable = Object.entries(fields).flatMap(([name, { written }]) => (written ? [[name, written] as const] : []));
  const required = writable.flatMap(([name]) => (fields[name]?.needed ? [name] : []));
  const properties = Object.fromEntries(writable);
  return { type: 'array', items: { description, type: 'object', required, properties, additionalProperties: false } };
}

/** The schema of each fixture file. Unknown fields are refused, so that a misspelt one is seen. */
export const fixtureSchemas: { readonly [K in keyof Required<Fixtures>]: Schema } = {
  users: listOf(user.description, users),
  emails: listOf(email.description, email.fields),
  tokens: listOf(token.description, token.fields),
  organizations: listOf(organization.description, organizations),
  teams: listOf(team.description, team.fields),
  follows: listOf('The people that a person follows', follows),
  clusters: listOf(cluster.description, cluster.fields),
  credentials: listOf(credential.description, credential.fields),
  buckets: listOf(bucket.description, bucket.fields),
  subscriptions: listOf(subscription.description, subscriptions),
  orders: listOf(order.description, order.fields),
  history: listOf(history.description, history.fields),
  records: listOf(record.description, record.fields),
};

// Names the fixture files, without `.json`.
const fixtureKinds = Object.keys(fixtureSchemas) as readonly (keyof Fixtures)[];

/** What is thrown when fixtures are wrong: every issue of the first list that has one, its path as in what the caller wrote. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
  readonly code = 'FIXTURE_INVALID';
  readonly issues: readonly Issue[];

  constructor(issues: readonly Issue[] | string) {
    super(typeof issues === 'string' ? issues : formatIssues(issues));
    this.issues = typeof issues === 'string' ? [{ path: '', message: issues }] : issues;
  }
}

markFailures(FixtureError, 'user');

/**
 * Returns what is thrown of a list whose name is no kind of fixture, in the argument `source`, or of such a file without one;
 * `beside` are files that may stand beside fixtures.
 */
export function noSuchKind(kind: string, source: string | undefined, beside: readonly string[] = []): FixtureError {
  const known = [...fixtureKinds, ...beside];
  const written = (name: string): string => (source === undefined ? `${name}.json` : name);
  const meant = didYouMean(written(kind), known.map(written));
  const path = source === undefined ? written(kind) : `${source}.${kind}`;
  return new FixtureError([{ path, message: `no such kind of fixture${meant}; there are ${known.join(', ')}` }]);
}

// Those of files, which were checked and which nobody else has who could change them since.
const ofFiles = new WeakSet<object>();

/** Returns checked fixtures of a folder's files, of which the caller keeps nothing: they are not checked again. */
export function readFileFixtures(input: Readonly<Record<string, unknown>>): Fixtures {
  const fixtures = listsOf(input);
  ofFiles.add(fixtures);
  checkFixtures(fixtures, '');
  return fixtures;
}

/**
 * Returns checked fixtures from unknown JSON. Throws a `FixtureError` with every fault of the first list that has one, such as
 * `fixtures.users[0].login: must be a string`, or `users.json: [0].login: must be a string` for those of a folder.
 */
export function validateFixtures(input: Readonly<Record<string, unknown>> | Fixtures, name = 'fixtures'): Fixtures {
  if (ofFiles.has(input)) return input;
  const fixtures = listsOf(input);
  checkFixtures(fixtures, name);
  return fixtures;
}

// Where a file names its schema, for editors, its list is beside under the name of the kind: `{ $schema, users: [] }`.
function listsOf(input: Readonly<Record<string, unknown>> | Fixtures): Fixtures {
  const { $schema: _, ...rest } = input as Readonly<Record<string, unknown>>;
  const lists = Object.entries(rest).map(([kind, value]) => {
    const { $schema, [kind]: list, ...others } = isObject(value as Json) ? (value as Record<string, unknown>) : {};
    const isFile = Array.isArray(list) && Object.keys(others).length === 0;
    return [kind, isFile ? list : value];
  });
  return Object.fromEntries(lists) as Fixtures;
}

function checkFixtures(input: Readonly<Record<string, unknown>> | Fixtures, name: string): void {
  for (const [kind, value] of Object.entries(input)) {
    if (!Object.hasOwn(fixtureSchemas, kind)) throw noSuchKind(kind, ofFiles.has(input) ? undefined : name);
    const faults = strangerBeside(kind, value) ?? checkJson(fixtureSchemas[kind as keyof Fixtures], value);
    if (faults.length > 0) {
      const issues = faults.map(({ path, message }) => ({
        path: `${kind}${path.startsWith('[') ? '' : '.'}${path}`,
        message,
      }));
      throw atSource(new FixtureError(issues), input, name);
    }
  }
}

function strangerBeside(kind: string, value: unknown): readonly Violation[] | undefined {
  if (!isObject(value as Json) || !Object.hasOwn(value as object, kind)) return undefined;
  const stranger = Object.keys(value as object).find((name) => name !== kind && name !== '$schema');
  const message = `has an unknown field ${JSON.stringify(stranger)} beside ${JSON.stringify(kind)}`;
  return stranger === undefined ? undefined : [{ path: '', message }];
}

/** Returns an error whose paths begin with a list, such as `users[0].login`, with the paths as they are in what the caller wrote. */
export function atSource({ issues }: FixtureError, fixtures: object, name = 'fixtures'): FixtureError {
  const pathOf = ofFiles.has(fixtures)
    ? (path: string): string => path.replace(/^(\w+)\.?/, '$1.json: ').replace(/: $/, '')
    : (path: string): string => `${name}.${path.replace(/\.$/, '')}`;
  return new FixtureError(issues.map((issue) => ({ ...issue, path: pathOf(issue.path) })));
}
