// What happens to a world, as data: whoever hears every deed can make the world again by taking them in order.

import type { JsonObject } from '../store/json.ts';
import type { Id, Kind } from '../store/rows.ts';
import { kinds } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import type { ClockState } from './clock.ts';

/** One thing that happened to a world. */
export type Deed =
  /** A row was added or changed; without `row` it was removed. */
  | { readonly do: 'write'; readonly kind: Kind; readonly id: Id; readonly row?: JsonObject; readonly serial: number }
  /** These numbers were given out. */
  | { readonly do: 'count'; readonly serial: number; readonly last: Readonly<Record<string, number>> }
  | { readonly do: 'clock'; readonly clock: ClockState }
  | { readonly do: 'reset' }
  /** A snapshot document became the present state, or the snapshot of a name. */
  | { readonly do: 'import'; readonly document: object; readonly name?: string }
  | { readonly do: 'save' | 'restore' | 'forget'; readonly name: string }
  /** The present state became what a reset goes back to. */
  | { readonly do: 'root' };

/** Gives the deeds that turn one store into another. */
export function* difference(from: Store, to: Store): Generator<Deed> {
  const { serial } = to;
  const last: Record<string, number> = {};
  let counted = serial !== from.serial;
  for (const kind of kinds) {
    const [before, after] = [from.table(kind), to.table(kind)];
    last[kind] = after.last;
    counted ||= after.last !== before.last;
    for (const { id } of before.all()) if (!after.get(id)) yield { do: 'write', kind, id, serial };
    // Rows are frozen: the same object is the same row.
    for (const row of after.all()) {
      if (before.get(row.id) !== row)
        yield { do: 'write', kind, id: row.id, row: row as unknown as JsonObject, serial };
    }
  }
  if (counted) yield { do: 'count', serial, last };
}
