// Requests and replies of the dispatcher: the common part of HTTP, fetch and msw. A GET can have a body.

import type { Json } from '../store/json.ts';

/** A request from any adapter. */
export interface Incoming {
  /** In upper case. */
  readonly method: string;
  /** Scheme, host and port in the caller's URL, such as `http://127.0.0.1:4000`. */
  readonly origin: string;
  /** The prefix before the path, such as `/platform`, for links. Default: empty. */
  readonly prefix?: string;
  /** The prefix for links outside the API: pictures, scripts, the documentation page. Default: `prefix`. */
  readonly sitePrefix?: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Returns names and values of all headers in turn. */
  headers(): readonly string[];
  /** Reads the whole body. Throws a 413 `Problem` if it exceeds `limit` bytes. */
  body(limit: number): Promise<Uint8Array>;
  /** Aborted when the caller has disconnected or the server stops. */
  readonly signal?: AbortSignal | undefined;
  /** Reports whether the caller has disconnected. */
  gone?(): boolean;
}

/** Thrown if the caller disconnected before there was a response; not an error. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/** Maps header names to values; a list is sent as several headers. */
export type HeaderTable = Readonly<Record<string, string | readonly string[]>>;

/** A reply to send. */
export interface Outgoing {
  readonly status: number;
  readonly headers: HeaderTable;
  /** Empty for a reply without a body. */
  readonly body: string | Uint8Array;
  /** Closes the connection instead of replying. */
  readonly drop?: boolean;
  /** Whether the caller disconnected before the reply. */
  readonly aborted?: boolean;
}

/** The result of a handler. */
export interface Reply {
  readonly status: number;
  readonly headers?: HeaderTable;
  /** Sent as JSON with a final newline. */
  readonly json?: Json;
  /** Sent unchanged with its content type; also for serialized JSON. */
  readonly text?: { readonly type: string; readonly content: string | Uint8Array };
}

export const commonHeaders = {
  'Cache-Control': 'max-age=0, private, must-revalidate',
  'X-Content-Type-Options': 'nosniff',
} as const satisfies HeaderTable;

// Headers with the emulator's spelling; names that differ only in case are one header in HTTP.
const ourSpelling = new Map(
  [
    ...['Cache-Control', 'X-Content-Type-Options', 'X-Request-Id', 'Content-Type', 'Location', 'Vary'],
    ...['Origin', 'Credentials'].map((name) => `Access-Control-Allow-${name}`),
    'Access-Control-Expose-Headers',
  ].map((name) => [name.toLowerCase(), name]),
);

// Headers of a single connection or body, which are set again.
const doorHeaders = /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade|trailer|date)$/i;

/** Reports whether the adapter sets a header itself and ignores other values. */
export function isDoorHeader(name: string): boolean {
  return doorHeaders.test(name);
}

/** Returns foreign headers with the emulator's own spelling, which they replace, and without those of the adapter. */
export function spelled(headers: HeaderTable): HeaderTable {
  const entries = Object.entries(headers).filter(([name]) => !isDoorHeader(name));
  return Object.fromEntries(entries.map(([name, value]) => [ourSpelling.get(name.toLowerCase()) ?? name, value]));
}

/** Reports whether a response with a status cannot have a body: `new Response` throws if it has one. */
export function forbidsBody(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

export const jsonType = 'application/json;charset=utf-8';

/** Replies 200 with JSON. */
export function ok(json: Json, headers: HeaderTable = {}): Reply {
  return { status: 200, json, headers };
}

export function empty(status: number, headers: HeaderTable = {}): Reply {
  return { status, headers };
}

/** Replies 200 with a text of a content type. */
export function plain(type: string, content: string | Uint8Array, headers: HeaderTable = {}): Reply {
  return { status: 200, text: { type, content }, headers };
}

const nameRule = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const valueRule = /^[\t\x20-\x7e\x80-\xff]*$/;

export function isSendable(name: string, value: string): boolean {
  return nameRule.test(name) && valueRule.test(value);
}

export function isStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 599;
}

/** The first invalid header of a response, or undefined. */
export function unsendable(name: string, value: string | readonly string[]): string | undefined {
  // Every response has it.
  if (name === 'Content-Type' && value === jsonType) return undefined;
  // A handler in JavaScript may return anything.
  const fits =
    typeof value === 'string'
      ? isSendable(name, value)
      : Array.isArray(value) && value.every((one) => isSendable(name, one));
  return fits ? undefined : `the header ${JSON.stringify(name)} with ${JSON.stringify(value)}`;
}
