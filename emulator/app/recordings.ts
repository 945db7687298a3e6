// Recorded responses of other addresses: recorded.json of a fixtures folder.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeBase64 } from '../keys/base64.ts';
import type { Schema } from '../store/compile.ts';
import type { Json } from '../store/json.ts';
import { type HeaderTable, type Reply, spelled } from './message.ts';

/** A recorded response. The body is `json`, bytes as base64 in `base64`, or a text. */
export interface Recording {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** The SHA-256 of the request's body, in hex; undefined matches any body. */
  readonly bodyDigest?: string;
  readonly status: number;
  readonly headers?: HeaderTable;
  readonly json?: Json;
  readonly text?: string;
  readonly base64?: string;
}

const headerValue: Schema = { type: 'string', pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$' };

export const recordingsSchema: Schema = {
  title: 'Recordings',
  type: 'array',
  items: {
    type: 'object',
    required: ['method', 'path', 'status'],
    properties: {
      method: { type: 'string', pattern: '^[A-Z]+$' },
      path: { type: 'string', pattern: '^/' },
      bodyDigest: { type: 'string', pattern: '^[0-9a-f]{64}$', description: 'The SHA-256 of the body that was sent' },
      status: { type: 'integer', minimum: 200, maximum: 599 },
      headers: {
        type: 'object',
        additionalProperties: { anyOf: [headerValue, { type: 'array', items: headerValue }] },
      },
      json: { description: 'The body, as JSON' },
      text: { type: 'string', description: 'The body, as text' },
      base64: { type: 'string', format: 'byte', description: 'The body, as bytes' },
    },
    additionalProperties: false,
  },
};

/** Returns the digest of a request's body; undefined for none. */
export function bodyDigest(body: Uint8Array): string | undefined {
  return body.length === 0 ? undefined : bytesToHex(sha256(body));
}

/** Returns the last matching recording of a call, or undefined. `body` reads the request's body if it matters. */
export async function replay(
  recordings: readonly Recording[],
  { method, target }: { readonly method: string; readonly target: string },
  body: () => Promise<Uint8Array>,
): Promise<Reply | undefined> {
  const recordedMethod = method === 'HEAD' ? 'GET' : method;
  const known = recordings.filter((one) => one.method === recordedMethod && one.path === target);
  const isOfBody = known.some(({ bodyDigest }) => bodyDigest !== undefined);
  const digest = isOfBody ? bodyDigest(await body()) : undefined;
  const found =
    known.findLast(({ bodyDigest }) => bodyDigest !== undefined && bodyDigest === digest) ??
    known.findLast(({ bodyDigest }) => bodyDigest === undefined);
  return found && replyOf(found);
}

function replyOf(found: Recording): Reply {
  const { status, json, text, base64 } = found;
  const headers = spelled(found.headers ?? {});
  if (json !== undefined) return { status, headers, json };
  if (text === undefined && base64 === undefined) return { status, headers };
  const { 'Content-Type': type, ...rest } = headers;
  const content = text ?? decodeBase64(base64 ?? '');
  return { status, headers: rest, text: { type: String(type ?? 'application/octet-stream'), content } };
}
