// Reads the body of a request as an Order: parsed, validated, and serialized for the store.

import { RenderError, validateOrder } from '../../render/index.ts';
import { ORDER_API_VERSION } from '../../render/order/order.ts';
import { isObject, type Json, JsonError, type JsonObject, orderLevels, readJsonValue } from '../store/json.ts';
import type { OrderFindings, RefusedBody } from './renderer.ts';

// Maximum number of reported issues of an Order: a body of megabytes may have one on each line.
const mostIssues = 500;
const mostWarnings = 20;

/** Returns the Order in the bytes of a body, or why it is not an Order. Throws ORDER_INVALID, LIMIT_REACHED. */
export function parseOrderText(bytes: Uint8Array): OrderFindings | RefusedBody {
  let body: Json;
  try {
    body = readJsonValue(bytes, orderLevels);
  } catch (failure) {
    if (!(failure instanceof JsonError)) throw failure;
    const { code, message } = failure;
    if (code !== undefined) throw new RenderError(code, `body: ${message}`);
    return { refused: 'body', message };
  }
  if (!isObject(body)) return { refused: 'body', message: 'must be an object' };
  const { spec = {} } = body;
  const list = isObject(spec) ? (spec.packages ?? spec.items ?? []) : undefined;
  if (Array.isArray(list) && list.length === 0) return { refused: 'packages', message: 'must not be empty' };
  const { order, warnings } = checked(body);
  return { parts: writeOrder(body, spec, order.metadata.name), warnings: warnings.slice(0, mostWarnings) };
}

function checked(body: JsonObject): ReturnType<typeof validateOrder> {
  try {
    return validateOrder(body);
  } catch (failure) {
    if (!(failure instanceof RenderError) || failure.issues.length <= mostIssues) throw failure;
    const { code, message, issues, hint } = failure;
    throw new RenderError(code, message, { issues: issues.slice(0, mostIssues), hint });
  }
}

// The store appends to the metadata, and so replaces members with the same names.
function writeOrder(body: JsonObject, spec: Json, name: string): OrderFindings['parts'] {
  const { uid: _, creationTimestamp: __, ...sent } = isObject(body.metadata) ? body.metadata : {};
  const members = Object.entries({ ...body, apiVersion: ORDER_API_VERSION, kind: 'Order', metadata: {}, spec });
  const at = members.findIndex(([key]) => key === 'metadata');
  const write = ([key, value]: readonly [string, Json]): string => `${JSON.stringify(key)}:${JSON.stringify(value)}`;
  const metadata = JSON.stringify({ ...sent, name }).slice(0, -1);
  const before = [...members.slice(0, at).map(write), `"metadata":${metadata},`];
  const after = ['}', ...members.slice(at + 1).map(write)];
  return [`{${before.join(',')}`, `${after.join(',')}}`];
}
