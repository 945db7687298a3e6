// What a caller gets from a fault: an answer in place of the right one, headers on it, or half of it.

import type { Json } from '../store/json.ts';
import type { Fault } from '../world/faults.ts';
import type { Outgoing, Reply } from './message.ts';
import { jsonType } from './message.ts';
import { Problem } from './problem.ts';

/** Gives the answer that a fault puts in place of the right one; undefined when it puts none. Throws a `Problem` for an error. */
export function faultReply(fault: Fault, redirect: string): Reply | undefined {
  const { body, headers = {} } = fault;
  const status = fault.status ?? (body === undefined ? undefined : 200);
  if (status === undefined) return undefined;
  const location = status >= 300 && status < 400 ? { Location: fault.location ?? redirect } : {};
  if (body !== undefined) return bodyReply(status, body, { ...location, ...headers });
  if (status < 400) return { status, headers: { ...location, ...headers } };
  throw new Problem(status, fault.message ?? `A fault was set that answers ${status}.`, { headers });
}

function bodyReply(status: number, body: Json, headers: Readonly<Record<string, string>>): Reply {
  const sent = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type');
  const type = sent?.[1] ?? jsonType;
  const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== sent?.[0]));
  const isText = typeof body === 'string' && !/[/+]json\b/i.test(type);
  const content = isText ? body : `${JSON.stringify(body)}\n`;
  return { status, headers: rest, text: { type, content } };
}

/** Gives an answer as faults leave it: with their headers, cut in the middle, or not sent at all. */
export function spoil(outgoing: Outgoing, faults: readonly Fault[]): Outgoing {
  let { headers, body, drop } = outgoing;
  for (const fault of faults) {
    const joins = fault.headers && fault.status === undefined && fault.body === undefined;
    if (joins) headers = { ...headers, ...fault.headers };
    if (fault.drop) drop = true;
  }
  if (faults.some((fault) => fault.malformed)) body = body.slice(0, Math.ceil(body.length / 2));
  return { ...outgoing, headers, body, ...(drop && { drop }) };
}
