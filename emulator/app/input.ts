// Validates query parameters and bodies by the rules of the route.

import { didYouMean } from '../../render/core/suggest.ts';
import { checkJson, formatSchemaViolations } from '../store/check.ts';
import { countValues, decodeText, deepFreeze, type Json, JsonError, parseJsonText } from '../store/json.ts';
import { keepDigits } from './exact.ts';
import { CallerGone, type Incoming } from './message.ts';
import { Problem, violation } from './problem.ts';
import type { BodyRule, Parameter, Route } from './route.ts';

// Maximum number of values in a body: all other calls wait while it is parsed.
const mostValues = 10_000;

/** Returns the bytes of a body. Throws a 413 `Problem`, or `CallerGone` if the caller disconnects. */
export async function readBytes(incoming: Incoming, limit: number): Promise<Uint8Array> {
  try {
    return await incoming.body(limit);
  } catch (failure) {
    if (failure instanceof Problem) throw failure;
    throw new CallerGone('the body was not sent to its end', { cause: failure });
  }
}

/**
 * Returns the JSON of a body, frozen; undefined if none is required or the handler reads it. Throws a 422 `Problem` with path and reason.
 */
export function readBody(rule: BodyRule, incoming: Incoming, bytes: Uint8Array): Json | undefined {
  if (bytes.length === 0 && rule.optional) return undefined;
  const type = incoming.header('content-type') ?? '';
  const isForm = rule.form === true && formType.test(type);
  if (bytes.length > 0 && !isForm && !jsonTypes.test(type)) {
    const sent = type === '' ? 'is missing' : `${JSON.stringify(type)} is not known`;
    throw violation(
      `body: the content type ${sent}: send application/json${rule.form ? ' or application/x-www-form-urlencoded' : ''}`,
    );
  }
  if (rule.unread) return undefined;
  if (bytes.length > mostValues && countValues(bytes) > mostValues)
    throw violation(`body: holds more than ${mostValues} values`);
  const text = wordFault(() => decodeText(bytes));
  const value = isForm ? readForm(text) : wordFault(() => parseJsonText(text));
  const faults = checkJson(rule.check ?? rule.schema, value);
  if (faults.length > 0) throw violation(formatSchemaViolations('body', faults));
  return deepFreeze(rule.exact ? keepDigits(text, value) : value);
}

const jsonTypes = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;

function readForm(text: string): Json {
  const fields = new URLSearchParams(text);
  for (const name of fields.keys()) {
    if (fields.getAll(name).length > 1) throw violation(`body: the field ${JSON.stringify(name)} is there twice`);
  }
  return Object.fromEntries(fields);
}

/** Returns the JSON document in the bytes of a body without a limit of values. Throws a 422 `Problem`. */
export function readDocument(bytes: Uint8Array): Json {
  const text = wordFault(() => decodeText(bytes));
  return keepDigits(
    text,
    wordFault(() => parseJsonText(text)),
  );
}

/** Creates the 422 of a body that is invalid JSON or nested too deeply. */
function bodyFault({ message, code }: JsonError): Problem {
  return violation(`body: ${message}`, code === undefined ? {} : { code });
}

function wordFault<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (failure) {
    throw failure instanceof JsonError ? bodyFault(failure) : failure;
  }
}

// Parameters of every route.
const commonParameters = ['token', 'access_token', 'sudo'];

/**
 * Validates the declared query parameters; an empty value counts as absent. Returns warnings about undeclared ones. Throws a 422 `Problem`
 * that names the parameter, with `strict` also for an undeclared one.
 */
export function checkQuery(route: Route, query: URLSearchParams, strict: boolean): readonly string[] {
  if (query.size === 0) return [];
  for (const [name, parameter] of Object.entries(route.query ?? {})) {
    const schema = querySchema(parameter);
    if (!schema) continue;
    for (const value of query.getAll(name)) {
      const faults = value === '' ? [] : checkJson(schema, value);
      if (faults.length > 0) throw violation(formatSchemaViolations(`query.${name}`, faults));
    }
  }
  const declared = [...Object.keys(route.query ?? {}), ...commonParameters];
  const unknown = [...new Set(query.keys())]
    .filter((name) => !declared.includes(name))
    .map(
      (name) => `query: the route has no parameter ${JSON.stringify(name)}${didYouMean(name.slice(0, 100), declared)}`,
    );
  if (strict && unknown.length > 0) throw violation(unknown.join('; '));
  return unknown;
}

/** Returns the schema for the text of a parameter; undefined for plain texts, which need no validation. */
export function querySchema({ schema, check }: Parameter): Parameter['schema'] | undefined {
  if (check) return check;
  return schema.type === 'string' && (schema.enum || schema.pattern) ? schema : undefined;
}

/** Maximum size of a body read from another server, in bytes. */
export const elsewhereLimit = 64 * 1024 * 1024;

/** Returns the bytes of a stream. Throws a 413 `Problem` if there are more than `limit`. */
export async function readStream(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  if (chunks.length === 1) return chunks[0]!;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Creates the 413 of a body that is too large. */
export function tooLarge(limit: number): Problem {
  return new Problem(413, `The body is larger than ${limit} bytes.`, {
    headers: { Connection: 'close' },
    violation: true,
  });
}
