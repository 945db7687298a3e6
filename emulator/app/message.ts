// Requests and answers as the dispatcher sees them: what HTTP, fetch and msw have in common. A GET may have a body here.

import type { Json } from '../store/json.ts';

/** A request, whichever door it came through. */
export interface Incoming {
  /** In upper case. */
  readonly method: string;
  /** Scheme, host and port by which the caller reached us, such as `http://127.0.0.1:4000`. */
  readonly origin: string;
  /** What stood before the path and is no part of it, such as `/platform`: links lead back through it. Default: nothing. */
  readonly prefix?: string;
  /** The same before what is not the API: pictures, scripts, the page about the API. Default: as `prefix`. */
  readonly sitePrefix?: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Returns names and values of all headers in turn. */
  headers(): readonly string[];
  /** Reads the whole body. Throws a 413 `Problem` when it is longer than `limit` bytes. */
  body(limit: number): Promise<Uint8Array>;
  /** Aborted when the caller has gone or nobody can be answered any more. */
  readonly signal?: AbortSignal | undefined;
  /** Reports whether the caller has gone. */
  gone?(): boolean;
}

/** What is thrown when the caller went before there was an answer: nobody is at fault. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/** Maps header names to values; a list is sent as several headers. */
export type HeaderTable = Readonly<Record<string, string | readonly string[]>>;

/** An answer on its way out. */
export interface Outgoing {
  readonly status: number;
  readonly headers: HeaderTable;
  /** Empty for an answer without a body. */
  readonly body: string | Uint8Array;
  /** Closes the connection instead of answering. */
  readonly drop?: boolean;
  /** Whether the caller went before the answer. */
  readonly aborted?: boolean;
}

/** What a route answers. */
export interface Reply {
  readonly status: number;
  readonly headers?: HeaderTable;
  /** Sent as JSON with a newline at the end. */
  readonly json?: Json;
  /** Sent as it is, with its content type; JSON too, where it is written already. */
  readonly text?: { readonly type: string; readonly content: string | Uint8Array };
}

/** The headers of every answer. */
export const commonHeaders = {
  'Cache-Control': 'max-age=0, private, must-revalidate',
  'X-Content-Type-Options': 'nosniff',
} as const satisfies HeaderTable;

// Headers that the emulator writes, as it writes them; two names of one message may differ in case alone, although HTTP ignores case.
const ourSpelling = new Map(
  [
    ...['Cache-Control', 'X-Content-Type-Options', 'X-Request-Id', 'Content-Type', 'Location', 'Vary'],
    ...['Origin', 'Credentials'].map((name) => `Access-Control-Allow-${name}`),
    'Access-Control-Expose-Headers',
  ].map((name) => [name.toLowerCase(), name]),
);

// They speak of one connection or one body, and are written anew.
const doorHeaders = /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade|trailer|date)$/i;

/** Reports whether the adapter writes a header by itself, and ignores other values. */
export function isDoorHeader(name: string): boolean {
  return doorHeaders.test(name);
}

/** Returns headers of somebody else's with the spelling of the emulator's own, which they replace then, and without those of the door. */
export function spelled(headers: HeaderTable): HeaderTable {
  const entries = Object.entries(headers).filter(([name]) => !isDoorHeader(name));
  return Object.fromEntries(entries.map(([name, value]) => [ourSpelling.get(name.toLowerCase()) ?? name, value]));
}

/** The content type of every JSON answer. */
export const jsonType = 'application/json;charset=utf-8';

/** Answers 200 with JSON. */
export function ok(json: Json, headers: HeaderTable = {}): Reply {
  return { status: 200, json, headers };
}

/** Answers with a status and no body. */
export function empty(status: number, headers: HeaderTable = {}): Reply {
  return { status, headers };
}

/** Answers 200 with a text of some content type. */
export function plain(type: string, content: string | Uint8Array, headers: HeaderTable = {}): Reply {
  return { status: 200, text: { type, content }, headers };
}
