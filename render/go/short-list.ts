// Lists that were made by adding to them.

// V8 gives a list that grows room for seventeen.
const mostShort = 8;

/** Gives a short list without the room that it got as it grew: there may be very many of them. A long one is given as it is. */
export function withoutRoom<Item>(list: Item[]): Item[] {
  return list.length > mostShort ? list : list.slice();
}
