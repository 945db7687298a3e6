// An API call for display: request, response, and the same call for a shell or a program.

import { isInPage, root, send } from './api.ts';

// In a page without a server, the default address of `drydock serve` is used in copied calls.
const shownRoot = isInPage ? 'http://127.0.0.1:4010/' : root;

/** A call of the API. */
export interface ApiCall {
  readonly method: string;
  /** Relative to the root of the server, such as `api/v1/user`. */
  readonly path: string;
  readonly token?: string | undefined;
  /** Instead of a token. */
  readonly password?: { readonly login: string; readonly word: string } | undefined;
  /** JSON text; empty for none. */
  readonly body?: string | undefined;
}

/** A response. */
export interface ApiAnswer {
  /** 0 if there was none. */
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** Duration in milliseconds. */
  readonly took: number;
}

/** A call, and its response once there is one. */
export interface LoadCall {
  readonly call: ApiCall;
  readonly answer: ApiAnswer | undefined;
}

/** A call that was made. */
export interface MadeCall {
  readonly call: ApiCall;
  readonly answer: ApiAnswer;
}

/** Sends a call. Rejects only if it is aborted. */
export async function callApi(call: ApiCall, signal?: AbortSignal): Promise<ApiAnswer> {
  const started = performance.now();
  const body = call.body ? { body: call.body } : {};
  const took = (): number => performance.now() - started;
  try {
    const init: RequestInit = { method: call.method, headers: headersOf(call), redirect: 'manual', cache: 'no-store' };
    const response = await send(root + call.path, { ...init, ...body, ...(signal && { signal }) });
    const text = await response.text();
    return { status: response.status, headers: [...response.headers], text, took: took() };
  } catch (failure) {
    if (signal?.aborted) throw failure;
    return { status: 0, headers: [], text: '', took: took() };
  }
}

/** Returns the password of the seeded users; those of other fixtures may have others. */
export function seededPassword(login: string): string {
  return `${login}-password`;
}

function headersOf({ token, password, body }: ApiCall): Record<string, string> {
  return {
    ...(password && { Authorization: `Basic ${btoa(`${password.login}:${password.word}`)}` }),
    ...(token !== undefined && !password && { Authorization: `token ${token}` }),
    ...(body && { 'Content-Type': 'application/json' }),
  };
}

/** Formats the call as a shell command. */
export function curlOf(call: ApiCall): string {
  const words = ['curl', '-s'];
  if (call.method !== 'GET') words.push('-X', call.method);
  for (const [name, value] of Object.entries(headersOf(call))) words.push('-H', quoted(`${name}: ${value}`));
  if (call.body) words.push('-d', quoted(call.body));
  return [...words, quoted(shownRoot + call.path)].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Formats the call as JavaScript. */
export function fetchOf(call: ApiCall): string {
  const options = {
    ...(call.method !== 'GET' && { method: call.method }),
    ...(Object.keys(headersOf(call)).length > 0 && { headers: headersOf(call) }),
    ...(call.body && { body: call.body }),
  };
  const init = Object.keys(options).length === 0 ? '' : `, ${JSON.stringify(options, null, 2)}`;
  return `const response = await fetch(${JSON.stringify(shownRoot + call.path)}${init});\n`;
}

/** Returns the JSON of a response; undefined if it is not JSON. */
export function parseAnswer({ text }: ApiAnswer): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Reports whether a response is successful. */
export function isGood({ status }: ApiAnswer): boolean {
  return status >= 200 && status < 300;
}

/** Returns why a call failed. */
export function refusalWords(answer: ApiAnswer): string {
  if (answer.status === 0) return 'Nobody answered.';
  const { message } = (parseAnswer(answer) ?? {}) as { readonly message?: string };
  return message ?? `The answer is ${answer.status}.`;
}

/** Returns the hint of an error response, or one for its status; undefined if there is none. */
export function hintOf(answer: ApiAnswer): string | undefined {
  const { hint } = (parseAnswer(answer) ?? {}) as { readonly hint?: string };
  return hint ?? hints[answer.status];
}

const ourselves = isInPage ? 'Load the page again' : 'Start it again: `drydock serve`';
const hints: Readonly<Record<number, string>> = {
  0: `${ourselves}. If a fault was set, lift it under Control, Faults.`,
  401: 'Use a valid token, or the right password.',
  403: 'Choose a user who may: the list of users says what each is.',
  429: 'A fault does that: lift it under Control, Faults or Scenarios.',
  503: 'A fault does that, or too much is asked at once: look under Control, Requests.',
};

const secret = /secret|password|token|privatekey|apikey|serviceaccount|accesskey|sha1/i;

/** Formats a JSON value for people, with secrets masked. */
export function maskedText(value: unknown): string {
  const mask = (key: string, member: unknown): unknown =>
    typeof member === 'string' && member !== '' && secret.test(key) ? '••••••' : member;
  return JSON.stringify(value, mask, 2) ?? '';
}
