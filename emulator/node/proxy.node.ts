// Forwards requests that are not the emulator's to another server, over node:http(s), which passes GET bodies and encodings unchanged.

import { request as plainRequest } from 'node:http';
import { codeOf } from '../../render/core/errors.ts';
import { keepDigits } from '../app/exact.ts';
import { elsewhereLimit, readBytes } from '../app/input.ts';
import { CallerGone, type Incoming, isSendable, type Reply, spelled } from '../app/message.ts';
import { Problem } from '../app/problem.ts';
import { bodyDigest, type Recording } from '../app/recordings.ts';
import { trimSlashes } from '../core/base-url.ts';
import { EmulatorError } from '../core/errors.ts';
import type { Json } from '../store/json.ts';

/** Options of the proxy. */
export interface ProxyOptions {
  /** Called with every response, as stored in `recorded.json` of a fixtures folder. */
  readonly onAnswer?: (recording: Recording) => void;
  /** Timeout of the other server, in milliseconds. Default 30000. */
  readonly timeoutMs?: number;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

// Headers that describe one connection or are set anew.
const hopHeaders =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|content-length|expect|date|access-control-.*)$/i;

/**
 * Returns the `elsewhere` option of `createEmulator` that forwards to another server. Failures become a 502. Throws an `EmulatorError`
 * (SETTING_INVALID) if the URL is not http or https.
 */
export function proxyTo(
  url: string,
  { onAnswer, timeoutMs = 30_000 }: ProxyOptions = {},
): (incoming: Incoming, target: string) => Promise<Reply> {
  const base = baseOf(url);
  return async (incoming, target) => {
    const body = await readBytes(incoming, elsewhereLimit);
    const isRecorded = onAnswer !== undefined;
    const request = { incoming, body, timeoutMs, isRecorded };
    const answer = await forward(new URL(base + target), request).catch((failure: Error) => {
      if (incoming.signal?.aborted) throw new CallerGone('while another server was asked');
      throw new Problem(502, `${base} did not answer: ${failure.message || codeOf(failure)}`);
    });
    // Failures, and responses to a condition or a range, are not recorded; they would replace a whole response.
    if (answer.status < 500 && answer.status !== 304 && answer.status !== 206)
      onAnswer?.(recordingOf({ method: incoming.method, path: target, body }, answer));
    const { 'Content-Type': type, ...headers } = spelled(answer.headers);
    if (type === undefined && answer.body.length === 0) return { status: answer.status, headers };
    const text = { type: String(type ?? 'application/octet-stream'), content: answer.body };
    return { status: answer.status, headers, text };
  };
}

function baseOf(url: string): string {
  const base = URL.canParse(url) ? new URL(url) : undefined;
  if (base && /^https?:$/.test(base.protocol)) return base.origin + trimSlashes(base.pathname);
  const hint = 'give an address such as https://platform.example.com';
  throw new EmulatorError('SETTING_INVALID', [{ path: 'proxy', message: `${JSON.stringify(url)} is not a URL`, hint }]);
}

interface ForwardedRequest {
  readonly incoming: Incoming;
  readonly body: Uint8Array;
  readonly timeoutMs: number;
  readonly isRecorded: boolean;
}

async function forward(url: URL, { incoming, body, timeoutMs, isRecorded }: ForwardedRequest): Promise<Answer> {
  const { method, signal } = incoming;
  const send = url.protocol === 'https:' ? (await import('node:https')).request : plainRequest;
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: sentHeaders(incoming, body, isRecorded),
      timeout: timeoutMs,
      ...(signal && { signal }),
    };
    const request = send(url, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 502, headers } = response;
        resolve({ status: statusCode, headers: keptHeaders(headers), body: Buffer.concat(chunks) });
      });
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    request.on('error', reject);
    request.end(body);
  });
}

function sentHeaders(incoming: Incoming, body: Uint8Array, isRecorded: boolean): Record<string, string | string[]> {
  const sent: Record<string, string | string[]> = {};
  const all = incoming.headers();
  for (let at = 0; at < all.length; at += 2) {
    const [name = '', value = ''] = [all[at], all[at + 1]];
    const known = sent[name];
    // A recording is also replayed to clients that read no compressed bodies, and fixtures are made from the text.
    if (isRecorded && /^accept-encoding$/i.test(name)) continue;
    if (!hopHeaders.test(name)) sent[name] = known === undefined ? value : [known, value].flat();
  }
  if (body.length > 0) sent['Content-Length'] = String(body.length);
  return sent;
}

function keptHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Answer['headers'] {
  const kept: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopHeaders.test(name)) continue;
    if ([value].flat().every((one) => isSendable(name, one))) kept[name] = value;
  }
  return kept;
}

function recordingOf(
  { method, path, body: sent }: Pick<Recording, 'method' | 'path'> & { readonly body: Uint8Array },
  { status, headers, body }: Answer,
): Recording {
  const digest = bodyDigest(sent);
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'set-cookie'));
  const plain = { method, path, ...(digest !== undefined && { bodyDigest: digest }), status, headers: kept };
  if (body.length === 0) return plain;
  const isPlain = headers['content-encoding'] === undefined || headers['content-encoding'] === 'identity';
  const type = String(headers['content-type'] ?? '');
  if (isPlain && /\bjson\b/i.test(type)) {
    try {
      const sent = body.toString();
      const json = JSON.parse(sent) as Json;
      // Numbers that JavaScript would round are recorded as text.
      if (keepDigits(sent, json) === json) return { ...plain, json };
    } catch {
      // Stored as text below.
    }
  }
  const text = body.toString();
  return isPlain && Buffer.from(text).equals(body) ? { ...plain, text } : { ...plain, base64: body.toString('base64') };
}
