// Requests and answers as the desk sees them: what HTTP, fetch and msw have in common. A GET may have a body here.

import type { Json } from '../store/rows.ts';

/** Is a request, whichever door it came through. */
export interface Incoming {
  /** In upper case. */
  readonly method: string;
  /** Scheme, host and port by which the caller reached us, such as `http://127.0.0.1:4000`. */
  readonly origin: string;
  /** Path and query as sent. */
  readonly target: string;
  /** Gives a header by its lower-case name. */
  header(name: string): string | undefined;
  /** Reads the whole body. Throws a 413 `Problem` when it is longer than `limit` bytes. */
  body(limit: number): Promise<Uint8Array>;
}

/** Maps header names to values; a list is sent as several headers. */
export type HeaderTable = Readonly<Record<string, string | readonly string[]>>;

/** Is an answer on its way out. */
export interface Outgoing {
  readonly status: number;
  readonly headers: HeaderTable;
  /** Empty for an answer without a body. */
  readonly body: string;
  /** Closes the connection instead of answering. */
  readonly drop?: boolean;
}

/** Is what a route answers. */
export interface Reply {
  readonly status: number;
  readonly headers?: HeaderTable;
  /** Is sent as JSON with a newline at the end. */
  readonly json?: Json;
  /** Is sent as it is, with its content type. */
  readonly text?: { readonly type: string; readonly content: string };
}

/** The headers of every answer. */
export const commonHeaders: HeaderTable = {
  'Cache-Control': 'max-age=0, private, must-revalidate',
  'X-Content-Type-Options': 'nosniff',
};

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
export function plain(type: string, content: string, headers: HeaderTable = {}): Reply {
  return { status: 200, text: { type, content }, headers };
}
