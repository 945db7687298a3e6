// The orders that a world holds, by their owners: for the control routes and the library. The API itself lists none.

import { ok } from '../../app/message.ts';
import { defineRoute, type Route } from '../../app/route.ts';
import type { Json, JsonObject } from '../../store/json.ts';
import { findUser } from '../../store/people.ts';
import type { Store } from '../../store/store.ts';
import { anyObject, listSchema, objectSchema, text } from '../shapes.ts';

/** A stored order with the login of its owner. */
export interface StoredOrder {
  readonly uid: string;
  readonly owner: string;
  readonly order: JsonObject;
}

/** Lists the orders of a person, or of everybody, in the order in which they were stored. */
export function storedOrders(store: Store, login?: string): readonly StoredOrder[] {
  const owner = login === undefined ? undefined : findUser(store, login);
  if (login !== undefined && !owner) return [];
  return store.order
    .all()
    .filter((row) => !owner || row.owner === owner.id)
    .map((row) => ({
      uid: row.id,
      owner: store.user.get(row.owner)?.login ?? '',
      order: JSON.parse(row.order) as JsonObject,
    }));
}

/** The control routes about orders. */
export const controlOrderRoutes: readonly Route[] = [
  defineRoute({
    name: 'listOrders',
    method: 'GET',
    path: '/orders',
    space: 'control',
    section: 'Control: orders',
    summary: "List the stored orders: those of the token's owner, of `owner`, or all",
    emulation: 'Only in the emulator: the API does not list orders',
    access: 'optional',
    query: { owner: { description: 'Login of the owner', schema: text } },
    answers: {
      200: {
        description: 'The orders, oldest first',
        schema: listSchema(objectSchema('StoredOrder', { uid: text, owner: text, order: anyObject })),
      },
    },
    run: ({ store, viewer, query }) => ok(storedOrders(store, query('owner') || viewer?.login) as unknown as Json),
  }),
];
