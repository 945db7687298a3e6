// What happens to all worlds, as data: taken in order, the events make the worlds again. Logs and other tabs live on them.

import { applyRow, dumpStore, loadStore } from '../store/dump.ts';
import { kinds } from '../store/rows.ts';
import type { Deed } from './deeds.ts';
import type { World } from './world.ts';
import type { WorldEvent, Worlds } from './worlds.ts';

/** Lets one event happen again. Throws a `StateError`, or a plain error for too many worlds, that says what does not fit. */
export function applyEvent(worlds: Worlds, event: WorldEvent): void {
  if (event.do === 'origin') worlds.reseed(dumpStore(loadStore(event.rows)));
  else if (event.do === 'remove') worlds.remove(event.world);
  else if (event.do === 'fork') {
    if (!worlds.fork(open(worlds, event.from), event.world)) throw tooMany();
  } else applyDeed(open(worlds, event.world), event);
}

/** Returns events that make the present worlds out of none: the seed, then what each world has beside it. */
export function* retell(worlds: Worlds): Generator<WorldEvent> {
  yield { do: 'origin', rows: worlds.origin };
  for (const world of worlds.list()) {
    for (const deed of world.retell(worlds.origin)) yield { ...deed, world: world.name };
  }
}

function applyDeed(world: World, deed: Deed): void {
  if (deed.do === 'write') writeRow(world, deed);
  else if (deed.do === 'count') {
    world.store.raiseSerial(deed.serial);
    for (const kind of kinds) world.store.table(kind).raiseLast(deed.last[kind] ?? 0);
  } else if (deed.do === 'clock') world.clock.restore(deed.clock);
  else if (deed.do === 'reset') world.reset();
  else if (deed.do === 'import') world.importSnapshot(deed.document, deed.name);
  else if (deed.do === 'save') world.saveSnapshot(deed.name);
  else if (deed.do === 'restore') world.restoreSnapshot(deed.name);
  else if (deed.do === 'forget') world.deleteSnapshot(deed.name);
  else world.root();
}

function writeRow({ store }: World, { kind, id, row, serial }: Extract<Deed, { readonly do: 'write' }>): void {
  store.raiseSerial(serial);
  applyRow(store, kind, id, row);
}

function open(worlds: Worlds, name: string): World {
  const world = worlds.open(name);
  if (!world) throw tooMany();
  return world;
}

function tooMany(): Error {
  return new Error('there are more worlds than may be: raise maxWorlds');
}
