// Middleware of faults: a call is delayed, gets another response, or its response is changed.

import type { Json } from '../store/json.ts';
import { wait } from '../world/clock.ts';
import type { Fault } from '../world/faults.ts';
import { expiredToken } from './auth.ts';
import { CallerGone, type HeaderTable, jsonType, type Outgoing, type Reply, spelled } from './message.ts';
import { type Handler, identifyCaller } from './middleware.ts';
import { Problem } from './problem.ts';
import type { RequestContext, WorldContext } from './request-context.ts';
import { isService } from './route.ts';

/** Applies the faults that match a call. They affect calls that would be refused, too. */
export function injectFaults(context: WorldContext, next: Handler<WorldContext, Reply>): Promise<Reply> {
  const { route, world } = context;
  return world.faults.any && isService(route) ? applyMatches(context, next) : next(context);
}

async function applyMatches(context: WorldContext, next: Handler<WorldContext, Reply>): Promise<Reply> {
  const { route, params, world, request } = context;
  const { search, incoming, record, settings, path = '' } = request;
  const { name, method } = route;
  // As called, and without the escapes of the URL.
  const called = route.path.replace(/\{(\w+)\}/g, (_, parameter: string) => params[parameter] ?? '');
  const paths = [route.path, path.replace(/^\/+api\/+v1/, ''), called];
  record.faults = world.faults.match({ name, method, paths, search, login: identifyCaller(context)?.login });
  for (const fault of record.faults) {
    if (fault.latencyMs !== undefined) await wait(world.faults.drawLatency(fault.latencyMs), incoming.signal);
    if (incoming.signal?.aborted) throw new CallerGone('during a latency');
    if (fault.expiredToken && route.access !== 'public') throw expiredToken();
    const reply = faultReply(fault, settings.redirect);
    if (reply) return reply;
  }
  return next(context);
}

/** Returns the response that a fault substitutes, or undefined. Throws a `Problem` for an error. */
function faultReply(fault: Fault, redirect: string): Reply | undefined {
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

/** Applies the effects of faults to a response: headers, truncation, or a dropped connection. */
export async function affectResponse(
  context: RequestContext,
  next: Handler<RequestContext, Outgoing>,
): Promise<Outgoing> {
  const outgoing = await next(context);
  const { faults } = context.record;
  if (faults.length === 0) return outgoing;
  const added = faults.filter(({ status, body }) => status === undefined && body === undefined);
  const headers = added.reduce((sent, fault) => replaceHeaders(sent, spelled(fault.headers ?? {})), outgoing.headers);
  const isCut = faults.some(({ malformed }) => malformed);
  const body = isCut ? outgoing.body.slice(0, Math.ceil(outgoing.body.length / 2)) : outgoing.body;
  return { ...outgoing, headers, body, drop: outgoing.drop === true || faults.some(({ drop }) => drop) };
}

function replaceHeaders(sent: HeaderTable, added: HeaderTable): HeaderTable {
  const names = new Set(Object.keys(added).map((name) => name.toLowerCase()));
  const kept = Object.entries(sent).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...added };
}
