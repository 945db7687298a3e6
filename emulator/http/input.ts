// What a caller sends, checked by the rules of the route: query parameters and bodies.

import { checkJson, formatFaults } from '../store/check.ts';
import { deepFreeze, type Json } from '../store/rows.ts';
import type { Incoming } from './message.ts';
import { Problem, violation } from './problem.ts';
import type { BodyRule, Parameter, Route } from './route.ts';

const maxDepth = 200;

/** Gives the JSON body of a request, frozen, or undefined where none is needed. Throws a 422 `Problem` with path and reason. */
export async function readBody(rule: BodyRule, incoming: Incoming, limit: number): Promise<Json | undefined> {
  const bytes = await incoming.body(limit);
  if (bytes.length === 0 && rule.optional) return undefined;
  const type = incoming.header('content-type') ?? '';
  if (bytes.length > 0 && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    const sent = type === '' ? 'is missing' : `${JSON.stringify(type)} is not known`;
    throw violation(`body: the content type ${sent}: send application/json`);
  }
  const value = parseJson(bytes);
  const faults = checkJson(rule.schema, value);
  if (faults.length > 0) throw violation(formatFaults('body', faults));
  return deepFreeze(value);
}

function parseJson(bytes: Uint8Array): Json {
  if (bytes.length === 0) throw violation('body: is empty, expected JSON');
  let value: Json;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json;
  } catch (failure) {
    throw violation(`body: is no JSON: ${(failure as Error).message}`);
  }
  if (isDeeper(value, maxDepth)) throw violation(`body: is nested more than ${maxDepth} levels deep`);
  return value;
}

function isDeeper(value: Json, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  for (const child of Object.values(value)) if (isDeeper(child, depth - 1)) return true;
  return false;
}

/** Checks the query parameters that a route declares. Throws a 422 `Problem` that names the parameter. */
export function checkQuery(route: Route, query: URLSearchParams): void {
  for (const [name, parameter] of Object.entries(route.query ?? {})) {
    const schema = querySchema(parameter);
    if (!schema) continue;
    for (const value of query.getAll(name)) {
      const faults = checkJson(schema, value);
      if (faults.length > 0) throw violation(formatFaults(`query.${name}`, faults));
    }
  }
}

/** Gives the schema by which the text of a parameter is checked; undefined for plain texts, which need no check. */
export function querySchema({ schema, check }: Parameter): Parameter['schema'] | undefined {
  if (check) return check;
  return schema.type === 'string' && (schema.enum || schema.pattern) ? schema : undefined;
}

/** Gives the bytes of a stream. Throws a 413 `Problem` as soon as there are more than `limit`. */
export async function readStream(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Makes the 413 of a body that is too long. */
export function tooLarge(limit: number): Problem {
  return new Problem(413, `The body is larger than ${limit} bytes.`, {
    headers: { Connection: 'close' },
    violation: true,
  });
}
