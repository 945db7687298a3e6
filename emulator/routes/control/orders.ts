// The orders in a world by owner, for the control routes and the library. The API itself does not list any.

import { textRules } from '../../../render/order/names.ts';
import { empty, ok } from '../../app/message.ts';
import { missing, violation } from '../../app/problem.ts';
import { type Route, routeBuilder } from '../../app/route.ts';
import { isObject, type Json, type JsonObject } from '../../store/json.ts';
import { findUser } from '../../store/people.ts';
import type { OrderRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { anyObject, exactSchema, listSchema, objectSchema, problemAnswer, textSchema } from '../shapes.ts';

/** A stored order with the login of its owner. */
export interface StoredOrder {
  readonly uid: string;
  readonly owner: string;
  readonly order: JsonObject;
}

/** Lists the orders of a person, or of everyone, in storage order. */
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

const route = routeBuilder({ space: 'control', section: 'Control: orders', access: 'public' });
const params = { id: 'UID of the order' };
const absent = problemAnswer('There is no such order');
const renameBody = {
  description: 'The new name',
  schema: exactSchema('RenameOrder', { name: { type: 'string', minLength: 1, maxLength: 253 } }),
};

const restoreBody = {
  description: 'The order, in the format of the list of orders',
  schema: exactSchema('RestoreOrder', { owner: { type: 'string' }, order: { type: 'object' } }),
};

export const controlOrderRoutes: readonly Route[] = [
  route('listOrders', 'GET /orders', {
    summary: "List the stored orders: those of the token's owner, of `owner`, or all",
    emulation: 'Only in the emulator: the API does not list orders',
    access: 'optional',
    query: { owner: { description: 'Login of the owner', schema: textSchema } },
    answers: {
      200: {
        description: 'The orders, oldest first',
        schema: listSchema(objectSchema('StoredOrder', { uid: textSchema, owner: textSchema, order: anyObject })),
      },
    },
    run: ({ store, viewer, query }) => ok(storedOrders(store, query('owner') || viewer?.login) as unknown as Json),
  }),
  route('renameOrder', 'PATCH /orders/{id}', {
    summary: 'Rename a stored order',
    emulation: 'Only in the emulator: the API does not change orders',
    params,
    body: renameBody,
    answers: { 200: { description: 'The order with its new name', schema: anyObject }, 404: absent },
    run: ({ store, params: { id } }, { name }) => {
      const { what, pattern, hint } = textRules.objectName;
      if (!pattern.test(name)) throw violation(`name: ${JSON.stringify(name)} is not ${what}`, { hint });
      const order = JSON.parse(rowOf(store, id).order) as JsonObject;
      const renamed = { ...order, metadata: { ...(order.metadata as JsonObject), name } };
      store.order.change(id, { order: JSON.stringify(renamed) });
      return ok(renamed);
    },
  }),
  route('restoreOrder', 'PUT /orders/{id}', {
    summary: 'Store an order with its UID, for example one that was deleted',
    emulation: 'Only in the emulator: the API sets the UID of an order',
    params,
    body: restoreBody,
    answers: {
      204: { description: 'Stored; an order with this UID is replaced' },
      422: problemAnswer('The order has another UID, or nobody has this login'),
    },
    run: ({ store, params: { id } }, { owner: login, order }) => {
      const owner = findUser(store, login);
      if (owner === undefined) throw violation(`body/owner: there is no user ${JSON.stringify(login)}`);
      const metadata = isObject(order) && order.metadata;
      if (!isObject(metadata) || metadata.uid !== id)
        throw violation(`body/order/metadata/uid: must be ${JSON.stringify(id)}, as in the path`);
      const row = { owner: owner.id, order: JSON.stringify(order) };
      if (store.order.has(id)) store.order.change(id, row);
      else store.order.add({ id, ...row });
      return empty(204);
    },
  }),
  route('deleteOrder', 'DELETE /orders/{id}', {
    summary: 'Delete a stored order',
    emulation: 'Only in the emulator: the API does not delete orders',
    params,
    answers: { 204: { description: 'Deleted' }, 404: absent },
    run: ({ store, params: { id } }) => {
      store.order.remove(rowOf(store, id).id);
      return empty(204);
    },
  }),
];

function rowOf(store: Store, id: string): OrderRow {
  const row = store.order.get(id);
  if (row === undefined) throw missing(`There is no order ${JSON.stringify(id)}.`);
  return row;
}
