// Fixtures: one list per file, with logins and slugs instead of ids, and their schemas.

import { markFailures } from '../../render/core/errors.ts';
import { didYouMean } from '../../render/core/suggest.ts';
import { formatIssues, type Issue } from '../core/errors.ts';
import { checkJson } from './check.ts';
import type { Schema } from './compile.ts';
import type { Fields, FixtureOf } from './fields.ts';
import { isObject, type Json } from './json.ts';
import { writtenOrganization as ofOrganizations, writtenPerson as ofPeople } from './kinds.ts';
import { definitions } from './rows.ts';

const { user, email, token, organization, team, cluster, credential, bucket, subscription, order, history, record } =
  definitions;

// Fields of fixtures in addition to, or instead of, those of their kind.
const users = { id: ofPeople.userId, ...user.fields, email: ofPeople.email };
const organizations = { ...ofOrganizations, ...organization.fields };
const follows = { user: ofPeople.follower, follows: ofPeople.follows };
const { subscriber, organization: org, cluster: place } = ofPeople;
const subscriptions = { ...subscription.fields, user: subscriber, organization: org, cluster: place };

/** A person; everything except the login has a default. `email` is the primary address, by default `<login>@example.com`. */
export type UserFixture = FixtureOf<typeof users>;

/** An additional email address of a person. */
export type EmailFixture = FixtureOf<typeof email.fields>;

/** An access token of a person. */
export type TokenFixture = FixtureOf<typeof token.fields>;

/** An organization with its members and, optionally, its sign-in provider. */
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

/** A row of a custom model. */
export type RecordFixture = FixtureOf<typeof record.fields>;

/** The initial content of an emulator: one list per kind. A missing kind is empty. */
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

/** The schema of each fixture file. Unknown fields are refused, so that misspelled ones are noticed. */
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

// The fixture files, without `.json`.
const fixtureKinds = Object.keys(fixtureSchemas) as readonly (keyof Fixtures)[];

/** Thrown for invalid fixtures: all issues of the first list with any, with paths in the caller's data. */
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

/** Returns the error for a list or a file of an unknown kind at a path; `beside` are other files allowed beside fixtures. */
export function noSuchKind(path: string, name: string, beside: readonly string[] = []): FixtureError {
  const known = [...fixtureKinds, ...beside];
  const suffix = /\.json$/.exec(name)?.[0] ?? '';
  const meant = didYouMean(
    name,
    known.map((kind) => kind + suffix),
  );
  return new FixtureError([{ path, message: `no such kind of fixture${meant}; there are ${known.join(', ')}` }]);
}

/** Converts a path that begins with a list, such as `users[0].login`, to a path in the caller's data. */
export type PathFormat = (path: string) => string;

/** Returns the format of paths in the argument `name`: `fixtures.users[0].login`. */
export function pathInArgument(name: string): PathFormat {
  return (path) => `${name}.${path.replace(/\.$/, '')}`;
}

/** Returns a path in the files of a folder: `users.json: [0].login`. */
export function pathInFile(path: string): string {
  return path.replace(/^(\w+)\.?/, '$1.json: ').replace(/: $/, '');
}

/** Validates unknown JSON as fixtures. Throws a `FixtureError` with all issues of the first list with any. */
export function validateFixtures(
  input: Readonly<Record<string, unknown>> | Fixtures,
  pathOf: PathFormat = pathInArgument('fixtures'),
): Fixtures {
  const fixtures = listsOf(input, pathOf);
  for (const [kind, value] of Object.entries(fixtures)) {
    if (!Object.hasOwn(fixtureSchemas, kind)) throw noSuchKind(pathOf(kind), kind);
    const faults = checkJson(fixtureSchemas[kind as keyof Fixtures], value);
    if (faults.length > 0) {
      const issues = faults.map(({ path, message }) => ({
        path: pathOf(`${kind}${path.startsWith('[') ? '' : '.'}${path}`),
        message,
      }));
      throw new FixtureError(issues);
    }
  }
  return fixtures;
}

// If a file names its schema, for editors, its list is under the name of the kind: `{ $schema, users: [] }`.
function listsOf(input: Readonly<Record<string, unknown>> | Fixtures, pathOf: PathFormat): Fixtures {
  const { $schema: _, ...rest } = input as Readonly<Record<string, unknown>>;
  const lists = Object.entries(rest).map(([kind, value]) => {
    const { $schema, [kind]: list, ...others } = isObject(value as Json) ? (value as Record<string, unknown>) : {};
    if (!Array.isArray(list)) return [kind, value];
    const [stranger] = Object.keys(others);
    if (stranger === undefined) return [kind, list];
    const message = `has an unknown field ${JSON.stringify(stranger)} beside ${JSON.stringify(kind)}`;
    throw new FixtureError([{ path: pathOf(kind), message }]);
  });
  return Object.fromEntries(lists) as Fixtures;
}
