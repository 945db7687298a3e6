// A folder of fixtures: one JSON file per kind, optionally with settings.json, scenarios.json and recorded.json.

import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readJson } from '../render/codec/json-file.ts';
import { isMembers } from '../render/core/arguments.ts';
import { scenarioIssues, scenariosSchema } from './app/fault-rules.ts';
import { type Recording, recordingsSchema } from './app/recordings.ts';
import type { Route } from './app/route.ts';
import { type Settings, settingIssues, settingsSchema } from './app/settings.ts';
import { formatIssues } from './core/errors.ts';
import { reasonOf } from './core/reasons.ts';
import type { EmulatorOptions } from './emulator.ts';
import { controlRoutes, serviceRoutes } from './routes/index.ts';
import { checkJson, formatSchemaViolations } from './store/check.ts';
import type { Schema } from './store/compile.ts';
import { defaultFixtures } from './store/default-fixtures.ts';
import {
  FixtureError,
  type Fixtures,
  fixtureSchemas,
  noSuchKind,
  pathInFile,
  validateFixtures,
} from './store/fixtures.ts';
import { seedStore } from './store/seed.ts';
import type { Scenario } from './world/faults.ts';

/** The content of a fixtures folder. */
export interface FixtureFolder {
  readonly fixtures: Fixtures;
  readonly settings: Partial<Settings>;
  readonly scenarios: Readonly<Record<string, Scenario>>;
  readonly recordings: readonly Recording[];
}

/** Returns the fixtures of a folder. Rejects with a `FixtureError` that names the file and path of what is wrong. */
export async function readFixtures(folder: string): Promise<Fixtures> {
  return (await readFolder(folder)).fixtures;
}

/** Returns the emulator options in a folder: fixtures, `settings.json`, `scenarios.json` and recordings. Rejects as `readFixtures` does. */
export async function readEmulatorOptions(folder: string): Promise<EmulatorOptions> {
  const { settings, ...others } = await readFolder(folder);
  return { ...settings, ...others };
}

/** Reads a fixtures folder, whose scenarios can refer to custom routes. Throws a `FixtureError` with file and path. */
export async function readFolder(folder: string, custom: readonly Route[] = []): Promise<FixtureFolder> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new FixtureError(`${folder}: ${reasonOf(error)}`);
  });
  const kinds: Record<string, unknown> = {};
  for (const name of names.filter(isFixtureFile).sort()) {
    const kind = basename(name, '.json');
    kinds[kind] = parse(name, await readText(folder, name));
  }
  const { settings: ownSettings = {}, scenarios: ownScenarios = {}, recorded = [], ...fixtures } = kinds;
  const stranger = Object.keys(fixtures).find((kind) => !Object.hasOwn(fixtureSchemas, kind));
  if (stranger !== undefined)
    throw noSuchKind(`${stranger}.json`, `${stranger}.json`, ['settings', 'scenarios', 'recorded']);
  const settings = withoutSchema(ownSettings);
  const scenarios = withoutSchema(ownScenarios);
  const issues = settingIssues(settings);
  if (issues.length > 0) throw new FixtureError(`settings.json: ${formatIssues(issues)}`);
  const oddities = scenarioIssues(scenarios, [...serviceRoutes, ...controlRoutes, ...custom]);
  if (oddities.length > 0) throw new FixtureError(`scenarios.json: ${formatIssues(oddities)}`);
  check('recorded.json', recordingsSchema, recorded);
  return {
    fixtures: Object.keys(fixtures).length === 0 ? defaultFixtures : readLists(fixtures),
    settings: settings as Partial<Settings>,
    scenarios: scenarios as Readonly<Record<string, Scenario>>,
    recordings: recorded as readonly Recording[],
  };
}

// Errors such as unknown names are found by seeding a store.
function readLists(lists: Readonly<Record<string, unknown>>): Fixtures {
  const fixtures = validateFixtures(lists, pathInFile);
  seedStore(fixtures, 0, pathInFile);
  return fixtures;
}

/** Returns the content of a folder's recorded.json; empty if there is none. Rejects with a `FixtureError` for an invalid one. */
export async function readRecordings(folder: string): Promise<readonly Recording[]> {
  if (!(await readdir(folder)).includes('recorded.json')) return [];
  const recorded = parse('recorded.json', await readText(folder, 'recorded.json'));
  check('recorded.json', recordingsSchema, recorded);
  return recorded as readonly Recording[];
}

// Editors and systems create hidden files beside an open one: `.#users.json`, `._users.json`.
function isFixtureFile(name: string): boolean {
  return name.endsWith('.json') && !name.startsWith('.');
}

async function readText(folder: string, name: string): Promise<string> {
  try {
    return await readFile(join(folder, name), 'utf8');
  } catch (failure) {
    throw new FixtureError(`${name}: ${reasonOf(failure)}`);
  }
}

// Editors look for the schema of a file under this key.
function withoutSchema(document: unknown): unknown {
  if (!isMembers(document)) return document;
  const { $schema: _, ...members } = document;
  return members;
}

/** The schemas of files in a folder that are not fixtures. */
export const folderSchemas: readonly Schema[] = [settingsSchema, scenariosSchema, recordingsSchema];

/**
 * Returns the JSON Schemas of the files in a fixtures folder, for editors, by file name without `.json`: `settings`, `scenarios`, `recorded`
 * and `fixtures/KIND`. Each also accepts the `$schema` member that names it.
 *
 * @example
 * const users = fixtureFileSchemas().get('fixtures/users');
 */
export function fixtureFileSchemas(): ReadonlyMap<string, Schema> {
  const kinds = Object.entries(fixtureSchemas).map(
    ([kind, list]) => [`fixtures/${kind}`, listOrMember(kind, list)] as const,
  );
  return new Map<string, Schema>([
    ['settings', withSchemaMember(settingsSchema)],
    ['scenarios', withSchemaMember(scenariosSchema)],
    ['recorded', recordingsSchema],
    ...kinds,
  ]);
}

const schemaMember = { $schema: { type: 'string', description: 'The schema of this file, for editors' } };

function withSchemaMember(schema: Schema): Schema {
  return { ...schema, properties: { ...schemaMember, ...(schema.properties as Schema | undefined) } };
}

// A list has no place for that member, so the list can also be a member itself.
function listOrMember(kind: string, list: Schema): Schema {
  const properties = { ...schemaMember, [kind]: list };
  const member = { type: 'object', required: [kind], properties, additionalProperties: false };
  return { title: `Fixtures: ${kind}`, anyOf: [member, list] };
}

function check(file: string, schema: Schema, value: unknown): void {
  const faults = checkJson(schema, value);
  if (faults.length > 0) throw new FixtureError(`${file}: ${formatSchemaViolations('', faults)}`);
}

function parse(file: string, text: string): unknown {
  const { value, fault } = readJson(file, text);
  if (fault !== undefined) throw new FixtureError(fault);
  return value;
}
