// Writes of models. A write goes to a copy of the store, which validates it, and is then applied to the store row by row.

import { checkJson } from '../check.ts';
import { buildStore, dumpStore } from '../dump.ts';
import { fold, type Target } from '../fields.ts';
import { FixtureError, type Fixtures, fixtureSchemas, pathInArgument, validateFixtures } from '../fixtures.ts';
import { writtenOrganization as organizationFields } from '../kinds.ts';
import { findOrganization } from '../people.ts';
import { type Id, type Kind, kindFields, kinds, type Rows } from '../rows.ts';
import { insertFixtures, insertMembers, seedInto } from '../seed.ts';
import type { Store } from '../store.ts';
import { nameOf, readEntity, rules, withNames } from './rules.ts';
import type { Membership, ModelName, ModelSource, Row, Values } from './types.ts';

/** Adds fixtures to the store of a world; `name` is the argument in error paths. Throws a `FixtureError` and adds nothing if one is invalid. */
export function addFixtures({ store, clock }: ModelSource, fixtures: Fixtures, name: string): void {
  const draft = copyOf(store);
  const pathOf = pathInArgument(name);
  seedInto(draft, validateFixtures(fixtures, pathOf), clock.now(), pathOf);
  takeOver(store, draft);
}

/** Removes a row and everything that belongs to it. */
export function removeEntity({ store }: ModelSource, kind: Kind, id: Id): void {
  const draft = copyOf(store);
  removeWithAll(draft, kind, id);
  takeOver(store, draft);
}

/** Creates a row, or replaces the one with the given id, and returns it. Throws a `FixtureError` and changes nothing if it is invalid. */
export function saveEntity(source: ModelSource, name: ModelName, values: Values, id?: Id): Row {
  const { store } = source;
  const rule = rules[name];
  const { kind, defaults, parts } = rule;
  const isNew = id === undefined;
  const plain = withNames(rule, values);
  const { size, last } = store.table(kind);
  const full = isNew ? { ...defaults?.(plain, Math.max(size, last) + 1, source), ...plain } : plain;
  const draft = copyOf(store);
  const before = store.table(kind).get(id ?? 0);
  if (!isNew)
    for (const [part, partId] of [[kind, id] as const, ...(parts?.(store, id) ?? [])])
      draft.table(part).discard(partId);
  const known = new Set<Id>(
    draft
      .table(kind)
      .all()
      .map((row) => row.id),
  );
  try {
    insertValues(draft, name, full, source.clock.now(), id);
  } catch (failure) {
    throw failure instanceof FixtureError ? inCall(`db.${name}.${isNew ? 'create' : 'update'}`, failure) : failure;
  }
  let made: Rows[Kind] = draft
    .table(kind)
    .all()
    .find((row) => !known.has(row.id))!;
  if (before && typeof id === 'number') {
    // An update keeps the id.
    draft.table(kind).discard(made.id);
    made = { ...made, id, ...('primary' in before && { primary: before.primary }) } as Rows[Kind];
    draft.table(kind).insert(made as never);
    if (kind === 'organization') renameContext(draft, before as Rows['organization'], made as Rows['organization']);
  }
  refreshNames(draft);
  takeOver(store, draft);
  return readEntity(store, rule, store.table(kind).get(made.id)!);
}

function insertValues(draft: Store, name: ModelName, values: Values, now: number, id?: Id): void {
  if (name === 'membership') {
    insertMembership(draft, values);
    return;
  }
  const { list, write } = rules[name];
  // Fixtures of people and organizations may set ids.
  const own = list === 'users' || list === 'organizations' ? { id } : {};
  const fixtures: Fixtures = { [list]: [{ ...(write ? write(values) : values), ...(id !== undefined && own) }] };
  const faults = checkJson(fixtureSchemas[list], fixtures[list]);
  if (faults.length > 0) throw new FixtureError(faults);
  insertFixtures(draft, fixtures, now);
}

function insertMembership(draft: Store, values: Values): void {
  const { organization, user, public: isPublic, ...others } = values as Partial<Membership> & Values;
  const faults = checkJson(membersSchema, [{ user, ...(isPublic !== undefined && { public: isPublic }), ...others }]);
  if (faults.length > 0) throw new FixtureError(faults);
  const { id } = findOrganization(draft, String(organization)) ?? {};
  if (id === undefined)
    throw new FixtureError([
      { path: 'organization', message: `there is no organization ${JSON.stringify(organization)}` },
    ]);
  insertMembers(draft, id, [{ user: String(user), ...(isPublic !== undefined && { public: isPublic }) }], '');
}

const membersSchema = organizationFields.members.written ?? {};

// Converts paths in fixture lists to paths in the arguments of a call.
function inCall(call: string, { issues }: FixtureError): FixtureError {
  const pathOf = (path: string): string => path.replace(/^\w*\[0\]\.?/, '').replace('follows[0]', 'followee');
  return new FixtureError(
    issues.map((issue) => ({ ...issue, path: pathOf(issue.path) === '' ? call : `${call}: ${pathOf(issue.path)}` })),
  );
}

function copyOf(store: Store): Store {
  return buildStore(dumpStore(store));
}

// Updates names that rows store in addition to ids.
function refreshNames(draft: Store): void {
  for (const row of draft.cluster.all()) {
    const ownerName = nameOf(draft, ['user', 'organization'], row.owner);
    if (ownerName !== row.ownerName) draft.cluster.put({ ...row, ownerName });
  }
  for (const row of draft.subscription.all()) {
    const orgName = draft.organization.get(Number(row.orgID))?.username ?? '';
    const clusterName = draft.cluster.first('uid', row.clusterUID)?.name ?? '';
    if (orgName !== row.orgName || clusterName !== row.clusterName) {
      draft.subscription.put({ ...row, orgName, clusterName });
    }
  }
}

function renameContext(draft: Store, before: Rows['organization'], { username }: Rows['organization']): void {
  for (const row of draft.user.all()) {
    if (row.orgContext !== '' && fold(row.orgContext) === fold(before.username))
      draft.user.put({ ...row, orgContext: username });
  }
}

// Removes a row, the rows that refer to it, and its id from lists of people.
function removeWithAll(draft: Store, kind: Kind, id: Id): void {
  const row = draft.table(kind).get(id);
  if (!row || !draft.table(kind).discard(id)) return;
  for (const other of kinds) {
    const references = Object.entries(kindFields(other)).filter(([, { refers }]) => refers?.includes(kind as Target));
    for (const [field] of references) {
      for (const one of draft.table(other).all()) {
        const value: unknown = one[field as keyof typeof one];
        if (value === id) removeWithAll(draft, other, one.id);
        else if (Array.isArray(value) && value.includes(id)) {
          draft.table(other).put({ ...one, [field]: value.filter((item) => item !== id) } as never);
        }
      }
    }
  }
  for (const { id: subscription, orgID, clusterUID, scope } of draft.subscription.all()) {
    const isAbout =
      (kind === 'organization' && scope === 'org' && orgID === String(id)) ||
      (kind === 'cluster' && clusterUID === (row as Rows['cluster']).uid);
    if (isAbout) draft.subscription.discard(subscription);
  }
  if (kind === 'organization')
    renameContext(draft, row as Rows['organization'], { ...(row as Rows['organization']), username: '' });
}

// Applies the changes of a draft to a store, so that listeners are called for each row.
function takeOver(store: Store, draft: Store): void {
  // Rows are removed first: a log that replays the changes never has two rows with the same unique value.
  for (const kind of [...kinds].reverse()) {
    for (const { id } of store.table(kind).all()) if (!draft.table(kind).has(id)) store.table(kind).remove(id);
  }
  for (const kind of kinds) {
    for (const row of draft.table(kind).all()) {
      // People can block others that come later.
      const added = kind === 'user' ? { ...row, blocks: [] } : row;
      if (!store.table(kind).has(row.id)) store.table(kind).add(added as never);
    }
    for (const row of draft.table(kind).all()) {
      const before = store.table(kind).get(row.id);
      if (JSON.stringify(before) !== JSON.stringify(row)) store.table(kind).change(row.id, row as never);
    }
  }
}
