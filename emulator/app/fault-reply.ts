// The effects of faults on a response: another one, additional headers, truncation.

import type { Json } from '../store/json.ts';
import type { Fault } from '../world/faults.ts';
import { type HeaderTable, jsonType, type Outgoing, type Reply, spelled } from './message.ts';
import { Problem } from './problem.ts';

/** Returns the response that a fault substitutes, or undefined. Throws a `Problem` for an error. */
export function faultReply(fault: Fault, redirect: string): Reply | undefined {
  const { body } = fault;
  const headers = spelled(fault.headers ?? {});
  const status = fault.status ?? (body === undefined ? undefined : 200);
  if (status === undefined) return undefined;
  const location = status >= 300 && status < 400 ? { Location: fault.location ?? redirect } : {};
  if (body !== undefined) return bodyReply(status, body, { ...location, ...headers });
  if (status < 400) return { status, headers: { ...location, ...headers } };
  throw new Problem(status, fault.message ?? `A fault was set that answers ${status}.`, { headers });
}

function bodyReply(status: number, body: Json, { 'Content-Type': sent, ...rest }: HeaderTable): Reply {
  const type = String(sent ?? jsonType);
  const isText = typeof body === 'string' && !/[/+]json\b/i.test(type);
  const content = isText ? body : `${JSON.stringify(body)}\n`;
  return { status, headers: rest, text: { type, content } };
}

/** Returns a response with the effects of faults: headers, truncation, or a dropped connection. */
export function applyFaults(outgoing: Outgoing, faults: readonly Fault[]): Outgoing {
  let { headers, body, drop } = outgoing;
  for (const fault of faults) {
    const joins = fault.headers && fault.status === undefined && fault.body === undefined;
    if (joins) headers = { ...headers, ...spelled(fault.headers ?? {}) };
    if (fault.drop) drop = true;
  }
  if (faults.some((fault) => fault.malformed)) body = body.slice(0, Math.ceil(body.length / 2));
  return { ...outgoing, headers, body, ...(drop && { drop }) };
}
