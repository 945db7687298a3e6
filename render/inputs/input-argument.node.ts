// The check of an input: a path, or an Order that was read from a file.

import { type Check, callback, either, having, listOf, membersOf, text } from '../core/arguments.ts';
import { type OrderOptions, orderChecks } from '../engine/packages.ts';
import type { OrderText } from '../order/read.ts';
import type { OrderInput } from './orders.node.ts';

/** Checks an Order that was read from a file. */
export const orderInputArgument: Check = having<OrderInput>('an Order, as returned by readOrderFile', {
  text: having<OrderText>('the text of an Order', { placeOf: callback }),
  options: membersOf<OrderOptions>(orderChecks, ['registry']),
  source: text,
  folders: listOf(text),
  pathOf: callback,
});

/** Checks a path, or an Order that was read from a file. */
export const inputArgument: Check = either((value) => typeof value === 'string', text, orderInputArgument);
