// Changes of a world as data: applying all mutations in order reproduces the world.

import type { StoreDump } from '../store/dump.ts';
import type { JsonObject } from '../store/json.ts';
import type { Id, Kind } from '../store/rows.ts';
import { kinds } from '../store/rows.ts';
import type { ClockState } from './clock.ts';

/** One change of a world. */
export type Mutation =
  /** A row was added or changed, or removed if `row` is not set. */
  | { readonly do: 'write'; readonly kind: Kind; readonly id: Id; readonly row?: JsonObject; readonly serial: number }
  /** These sequence numbers were used. */
  | { readonly do: 'count'; readonly serial: number; readonly last: Readonly<Record<string, number>> }
  | { readonly do: 'clock'; readonly clock: ClockState }
  | { readonly do: 'reset' }
  /** A snapshot was restored, or saved under a name. */
  | { readonly do: 'import'; readonly document: object; readonly name?: string }
  | { readonly do: 'save' | 'restore' | 'forget'; readonly name: string };

/** Returns the mutations that turn one state into another. */
export function* difference(from: StoreDump, to: StoreDump): Generator<Mutation> {
  const { serial } = to;
  for (const kind of kinds) {
    const before = new Map(from.rows[kind]?.map((row) => [row.id as Id, row]));
    const after = new Map(to.rows[kind]?.map((row) => [row.id as Id, row]));
    for (const id of before.keys()) if (!after.has(id)) yield { do: 'write', kind, id, serial };
    // People can block others that come later.
    for (const [id, row] of kind === 'user' ? after : [])
      if (!before.has(id)) yield { do: 'write', kind, id, row: { ...row, blocks: [] }, serial };
    for (const [id, row] of after) if (isOther(before.get(id), row)) yield { do: 'write', kind, id, row, serial };
  }
  if (serial !== from.serial || isOther(from.last, to.last)) yield { do: 'count', serial, last: to.last };
}

function isOther(one: unknown, other: unknown): boolean {
  return one !== other && JSON.stringify(one) !== JSON.stringify(other);
}
