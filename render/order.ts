// The entry point `drydock/order`: Orders as data. Reading, validation and errors, without the rendering engine.

export { type Issue, type Place, RenderError, type RenderErrorCode, type RenderErrorDetails } from './core/errors.ts';
/** The parts of an Order as users write it. */
export type * from './order/document.ts';
export {
  type ChartSelection,
  type JsonObject,
  type JsonValue,
  ORDER_API_VERSION,
  type PackageSelection,
  type ValidOrder,
} from './order/order.ts';
export { formatIssue, type OrderText, readOrder } from './order/read.ts';
export { type ValidatedOrder, validateOrder } from './order/validate.ts';
