// Changes of all worlds as events: replaying them restores the worlds, in logs and other tabs.

import { applyRow, dumpStore, loadStore } from '../store/dump.ts';
import { kinds } from '../store/rows.ts';
import type { Mutation } from './mutations.ts';
import type { World } from './world.ts';
import type { WorldEvent, Worlds } from './worlds.ts';

/** Replays an event. Throws a `StateError`, or a plain error for too many worlds. */
export function applyEvent(worlds: Worlds, event: WorldEvent): void {
  if (event.do === 'origin') worlds.reseed(dumpStore(loadStore(event.rows)), () => event.fixtures);
  else if (event.do === 'remove') worlds.remove(event.world);
  else {
    const world = worlds.open(event.world);
    if (!world) throw new Error('there are more worlds than may be: raise maxWorlds');
    applyMutation(world, event);
  }
}

/** Returns events that create the current worlds from nothing: the seed, then each world's differences. */
export function* replayEvents(worlds: Worlds): Generator<WorldEvent> {
  yield { do: 'origin', rows: worlds.origin, fixtures: worlds.fixturesId };
  for (const world of worlds.list()) {
    for (const mutation of world.replay()) yield { ...mutation, world: world.name };
  }
}

function applyMutation(world: World, mutation: Mutation): void {
  const { store } = world;
  const { do: kind } = mutation;
  if (mutation.do === 'write') {
    store.raiseSerial(mutation.serial);
    applyRow(store, mutation.kind, mutation.id, mutation.row);
  } else if (mutation.do === 'count') {
    store.raiseSerial(mutation.serial);
    for (const kind of kinds) store.table(kind).raiseLast(mutation.last[kind] ?? 0);
  } else if (mutation.do === 'clock') world.clock.restore(mutation.clock);
  else if (mutation.do === 'reset') world.reset();
  else if (mutation.do === 'import') world.importSnapshot(mutation.document, mutation.name);
  else if (mutation.do === 'save') world.saveSnapshot(mutation.name);
  else if (mutation.do === 'restore') world.restoreSnapshot(mutation.name);
  else if (mutation.do === 'forget') world.deleteSnapshot(mutation.name);
  else throw new Error(`unknown change ${JSON.stringify(kind)}`);
}
