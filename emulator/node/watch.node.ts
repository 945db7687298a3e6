// Watches a folder of fixtures: changes are applied and reported, and edited data is never lost.

import { basename, dirname, resolve, sep } from 'node:path';
import { watch } from 'chokidar';
import { messageOf } from '../../render/core/errors.ts';
import { readSettings, type Settings, settingNames } from '../app/settings.ts';
import { type Emulator, internalsOf, readScenarios } from '../emulator.ts';
import { type FixtureFolder, readFolder } from '../fixture-folder.node.ts';
import { fixtureSchemas } from '../store/fixtures.ts';
import { later } from '../world/clock.ts';

export interface Watched {
  readonly folder: string;
  /** Its content when the emulator was created. */
  readonly content: FixtureFolder;
  /** Settings that override those of the folder. */
  readonly settings: Partial<Settings>;
  readonly onNotice: (message: string) => void;
}

const fileNames = new Set(
  [...Object.keys(fixtureSchemas), 'settings', 'scenarios', 'recorded'].map((name) => `${name}.json`),
);

// Editors save several files at once, some in two steps.
const settleMs = 100;

// Settings that are fixed when an emulator is created.
const fixedSettings: readonly string[] = [
  ...['seed', 'hosted', 'control', 'basePath', 'limits'],
  ...['maxWorlds', 'evictWorlds', 'maxSnapshots', 'logLimit', 'logBodyLimit'],
];

/** Applies every change in a folder of fixtures to an emulator and returns a function that stops it. Resolves when watching has started. */
export async function watchFixtures(emulator: Emulator, watched: Watched): Promise<() => Promise<void>> {
  const folder = resolve(watched.folder);
  const parent = dirname(folder);
  const { onNotice } = watched;
  let { content } = watched;
  let isRefused = false;
  let callOff: (() => void) | undefined;
  let reading = Promise.resolve();
  const read = async (): Promise<void> => {
    try {
      const fresh = await readFolder(folder, emulator.routes);
      if (isRefused) onNotice('the fixtures can be read again');
      isRefused = false;
      apply(emulator, content, fresh, watched);
      content = fresh;
    } catch (failure) {
      isRefused = true;
      onNotice(`fixtures not taken: ${messageOf(failure)}`);
    }
  };
  // Watched through its parent, so that a folder that is deleted and created again is still watched.
  const watcher = watch(parent, {
    depth: 1,
    ignoreInitial: true,
    ignored: (path, stats) => {
      const full = resolve(path);
      if (full === parent || full === folder) return false;
      return !full.startsWith(folder + sep) || (stats?.isFile() === true && !fileNames.has(basename(full)));
    },
  });
  watcher.on('all', () => {
    callOff?.();
    callOff = later(settleMs, () => {
      reading = reading.then(read);
    });
  });
  watcher.on('error', (failure) => onNotice(`the folder is no longer watched: ${messageOf(failure)}`));
  await new Promise<void>((ready) => void watcher.once('ready', ready));
  return async () => {
    callOff?.();
    await watcher.close();
    await reading;
  };
}

function apply(emulator: Emulator, before: FixtureFolder, after: FixtureFolder, { settings, onNotice }: Watched): void {
  const { change } = internalsOf(emulator);
  applySettings(emulator, { ...after.settings, ...settings }, onNotice);
  if (isOther(before.scenarios, after.scenarios)) {
    change({ scenarios: readScenarios(after.scenarios, emulator.routes) });
    onNotice('scenarios.json applied; scenarios that are on stay as they were started');
  }
  if (isOther(before.recordings, after.recordings)) {
    change({ recordings: after.recordings });
    onNotice('recorded.json applied');
  }
  const kinds = Object.keys(fixtureSchemas) as (keyof FixtureFolder['fixtures'])[];
  const changed = kinds.filter((kind) => isOther(before.fixtures[kind], after.fixtures[kind]));
  if (changed.length === 0) return;
  const kept = keepEdited(emulator);
  emulator.reseed(after.fixtures);
  const files = changed.map((kind) => `${kind}.json`).join(', ');
  onNotice(`fixtures read again (${files}): every world was reset to them${kept}`);
}

function applySettings(emulator: Emulator, given: Partial<Settings>, onNotice: Watched['onNotice']): void {
  const fresh = readSettings(given);
  const changed = settingNames.filter((name) => isOther(emulator.settings[name], fresh[name]));
  const [late, now] = [changed.filter(isFixed), changed.filter((name) => !isFixed(name))];
  const { change } = internalsOf(emulator);
  change({ settings: { ...emulator.settings, ...Object.fromEntries(now.map((name) => [name, fresh[name]])) } });
  if (now.length > 0) onNotice(`settings.json applied: ${now.join(', ')}`);
  if (late.length > 0) onNotice(`settings.json, from the next start on: ${late.join(', ')}`);
}

function isFixed(name: string): boolean {
  return fixedSettings.includes(name);
}

const editsPrefix = 'before-change-';
const maxEdits = 10;

// The reset would discard edits, so a snapshot in the same world keeps them. Only the newest are kept.
function keepEdited(emulator: Emulator): string {
  const { worlds } = internalsOf(emulator);
  const edited = worlds.list().filter((world) => world.isEdited);
  if (edited.length === 0) return '';
  const taken = new Set(edited.flatMap((world) => world.snapshotNames()));
  let count = 1;
  while (taken.has(`${editsPrefix}${count}`)) count++;
  const name = `${editsPrefix}${count}`;
  for (const world of edited) {
    world.saveSnapshot(name);
    const saved = world.snapshotNames().filter((other) => other.startsWith(editsPrefix));
    for (const old of saved.slice(0, -maxEdits)) world.deleteSnapshot(old);
  }
  const names = edited.map((world) => world.name).join(', ');
  return `; what was edited before (${names}) is in the snapshot ${name}: POST /__drydock/snapshots/${name}/restore`;
}

function isOther(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
