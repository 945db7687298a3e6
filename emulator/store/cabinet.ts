// The drawers of a store. Copies of a store share them; who writes to a shared one takes a copy of that drawer first.

import { type AnyRow, Drawer, rootsInDrawer } from './drawer.ts';
import { Layered } from './layered.ts';
import { belongingOf, type Kind, rootOf } from './rows.ts';

/** Finds the drawer of a row and sees to it that nobody writes to another's. */
export class Cabinet {
  readonly #drawers: Map<Kind, Layered<number, Drawer>>;
  readonly #mine = new Set<Drawer>();

  constructor(drawers = new Map<Kind, Layered<number, Drawer>>()) {
    this.#drawers = drawers;
  }

  /** Gives a drawer to read in. */
  drawer(kind: Kind, number: number): Drawer {
    return this.#drawers.get(rootOf(kind))?.get(number) ?? this.drawerToWrite(kind, number);
  }

  /** Gives a drawer to write to. */
  drawerToWrite(kind: Kind, number: number): Drawer {
    const root = rootOf(kind);
    let drawers = this.#drawers.get(root);
    if (!drawers) {
      drawers = new Layered();
      this.#drawers.set(root, drawers);
    }
    const known = drawers.get(number);
    if (known && this.#mine.has(known)) return known;
    const mine = known?.copy() ?? new Drawer(root);
    this.#mine.add(mine);
    drawers.set(number, mine);
    return mine;
  }

  /** Gives a second cabinet with the same drawers; from now on neither sees the other's writes. */
  share(): Cabinet {
    this.#mine.clear();
    return new Cabinet(new Map(Array.from(this.#drawers, ([root, drawers]) => [root, drawers.share()])));
  }
}

/** Gives the number of the drawer in which a row is. */
export function drawerNumber(kind: Kind, row: AnyRow): number {
  const belonging = belongingOf(kind);
  return Math.floor(((belonging ? row[belonging.name] : row.id) as number) / rootsInDrawer);
}
