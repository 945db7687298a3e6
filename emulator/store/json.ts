// JSON values: types and helpers.

import { maxDepth as mostLevels } from '../../render/core/arguments.ts';
import { messageOf } from '../../render/core/errors.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Counts the values in the bytes of a JSON text without parsing it: each comes after a comma, or first after a bracket. */
export function countValues(bytes: Uint8Array): number {
  let count = 1;
  let isText = false;
  let isOpened = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (isText) {
      if (byte === backslash) at++;
      else isText = byte !== quote;
    } else if (byte > space) {
      isText = byte === quote;
      if (isOpened && byte !== closingBracket && byte !== closingBrace) count++;
      isOpened = byte === bracket || byte === brace;
      if (byte === comma) count++;
    }
  }
  return count;
}

const [space, quote, comma, backslash] = [0x20, 0x22, 0x2c, 0x5c];
const [bracket, closingBracket, brace, closingBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Maximum nesting depth of JSON. */
const maxDepth = 200;

/** Maximum nesting depth of an Order. */
export const orderLevels = mostLevels;

/** Thrown for invalid JSON; the message is the reason. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly code: 'LIMIT_REACHED' | undefined;

  constructor(message: string, code?: 'LIMIT_REACHED') {
    super(message);
    this.code = code;
  }
}

/** Parses the JSON in bytes. Throws a `JsonError` for invalid UTF-8, an empty or invalid text, or deeper nesting than `levels`. */
export function readJsonValue(bytes: Uint8Array, levels: number = maxDepth): Json {
  return parseJsonText(decodeText(bytes), levels);
}

export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (failure) {
    throw new JsonError(`is no UTF-8: ${messageOf(failure)}`);
  }
}

/** Parses JSON. Throws as `readJsonValue` does. */
export function parseJsonText(text: string, levels: number = maxDepth): Json {
  if (text === '') throw new JsonError('is empty, expected JSON');
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (failure) {
    throw new JsonError(`is not valid JSON: ${messageOf(failure)}`);
  }
  if (isDeeper(value, levels)) throw depthError(levels);
  return value;
}

function depthError(levels: number = maxDepth): JsonError {
  return new JsonError(`is nested more than ${levels} levels deep`, 'LIMIT_REACHED');
}

function isDeeper(value: Json, levels: number): boolean {
  const open: { readonly value: Json; readonly left: number }[] = [{ value, left: levels }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value: inner, left } = next;
    if (typeof inner !== 'object' || inner === null) continue;
    if (left === 0) return true;
    for (const child of Object.values(inner)) {
      if (typeof child === 'object' && child !== null) open.push({ value: child, left: left - 1 });
    }
  }
  return false;
}

export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object') return value;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const child of Object.values(next)) if (typeof child === 'object' && child !== null) open.push(child);
  }
  return value;
}
