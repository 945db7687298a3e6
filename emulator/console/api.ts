// The API client of the console, which uses HTTP only: calls, their responses, and the same calls for a shell or a program.

import type { Issue } from '../../render/index.ts';
import type { StoredOrder } from '../routes/control/orders.ts';

// A page that contains the emulator sets its `fetch` here before this program starts.
const answerKey: unique symbol = Symbol.for('drydock.console.fetch') as never;

/** A stored Order, as the control API lists it. */
export interface SavedOrder extends Omit<StoredOrder, 'order'> {
  readonly order: {
    readonly metadata: { readonly name: string; readonly creationTimestamp: string };
    readonly spec: Readonly<Record<string, unknown>>;
  };
}

export interface DraftIssue extends Issue {
  readonly line?: number;
  readonly column?: number;
}

export interface Refusal {
  readonly message: string;
  readonly chart?: string;
  readonly template?: string;
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string | undefined;
  readonly issues?: readonly DraftIssue[];
}

/** Thrown for every unsuccessful response; status 0 if there was none. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly refusal: Refusal;

  constructor(status: number, refusal: Refusal) {
    super(refusal.message);
    this.status = status;
    this.refusal = refusal;
  }
}

/** Returns the message of an error in one sentence. */
export function errorMessage(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** The base URL of the server and world, with a trailing slash. */
export const root: string = new URL(document.documentElement.dataset.root ?? './', location.href).href.replace(
  /[?#].*$/s,
  '',
);

/** The current world; empty for the default one. */
export const world: string = decodeURIComponent(/\/@([^/]+)\/$/.exec(root)?.[1] ?? '');

const inPage = (globalThis as { readonly [answerKey]?: typeof fetch })[answerKey];

/** Whether the emulator is in the page itself, without a server. */
export const isInPage: boolean = inPage !== undefined;

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

export interface ApiAnswer {
  /** 0 if there was none. */
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly took: number;
}

export interface MadeCall {
  readonly call: ApiCall;
  readonly answer: ApiAnswer;
}

/** Calls the server, or the emulator in the page. Rejects only if it is aborted. */
export async function callApi(call: ApiCall, signal?: AbortSignal): Promise<ApiAnswer> {
  const started = performance.now();
  const took = (): number => performance.now() - started;
  const { method, path, body } = call;
  try {
    const response = await (inPage ?? fetch)(root + path, {
      method,
      headers: headersOf(call),
      redirect: 'manual',
      cache: 'no-store',
      ...(body && { body }),
      ...(signal && { signal }),
    });
    const text = await response.text();
    return { status: response.status, headers: [...response.headers], text, took: took() };
  } catch (failure) {
    if (signal?.aborted) throw failure;
    return { status: 0, headers: [], text: '', took: took() };
  }
}

export interface ApiRequest {
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the response to a call as text. Rejects with an `ApiFailure`. */
export async function requestText(
  method: string,
  path: string,
  { token, body, signal }: ApiRequest = {},
): Promise<string> {
  const answer = await callApi({ method, path, token, body: JSON.stringify(body) }, signal);
  if (isGood(answer)) return answer.text;
  const refusal = bodyOf<Refusal>(answer) ?? { message: refusalWords(answer) };
  throw new ApiFailure(answer.status, { hint: hintOf(answer), ...refusal });
}

/** Returns the JSON of a response; undefined for an empty one. Rejects with an `ApiFailure`. */
export async function request<Answer>(method: string, path: string, options: ApiRequest = {}): Promise<Answer> {
  const text = await requestText(method, path, options);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** Returns the password of the seeded users; those of other fixtures may have others. */
export function seededPassword(login: string): string {
  return `${login}-password`;
}

function headersOf({ token, password, body }: ApiCall): Record<string, string> {
  return {
    ...(password && { Authorization: `Basic ${base64Of(`${password.login}:${password.word}`)}` }),
    ...(token !== undefined && !password && { Authorization: `token ${token}` }),
    ...(body && { 'Content-Type': 'application/json' }),
  };
}

// `btoa` takes bytes, and a password may have any letters.
function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

// In a page without a server, the default address of `drydock serve` is used in copied calls.
const shownRoot = isInPage ? 'http://127.0.0.1:4010/' : root;

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

export function fetchOf(call: ApiCall): string {
  const headers = headersOf(call);
  const options = {
    ...(call.method !== 'GET' && { method: call.method }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(call.body && { body: call.body }),
  };
  const init = Object.keys(options).length === 0 ? '' : `, ${JSON.stringify(options, null, 2)}`;
  return `const response = await fetch(${JSON.stringify(shownRoot + call.path)}${init});\n`;
}

/** Returns the JSON of a response; undefined if it is not JSON. */
export function bodyOf<Body>({ text }: Pick<ApiAnswer, 'text'>): Body | undefined {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return undefined;
  }
}

export function isGood({ status }: ApiAnswer): boolean {
  return status >= 200 && status < 300;
}

export function refusalWords(answer: ApiAnswer): string {
  if (answer.status === 0) return 'The server does not answer.';
  return bodyOf<Partial<Refusal>>(answer)?.message ?? `The server answered ${answer.status}.`;
}

/** Returns the hint of an error response, or one for its status; undefined if there is none. */
export function hintOf(answer: ApiAnswer): string | undefined {
  return bodyOf<Partial<Refusal>>(answer)?.hint ?? hints[answer.status];
}

const ourselves = isInPage ? 'Load the page again' : 'Start it again: `drydock serve`';
const hints: Readonly<Record<number, string>> = {
  0: `${ourselves}. If a fault was set, remove it under Emulator, Faults.`,
  401: 'Use a valid token, or the right password.',
  403: 'Choose a user who may: the list of users says what each is.',
  429: 'A fault does that: remove it under Emulator, Faults, or turn off its scenario.',
  503: 'A fault, or too many requests at once. See Emulator, Requests.',
};

const secret =
  /secret|passw(?:or)?d|passphrase|token|sha1|jwt|seed|credentials?$|private_?key|access_?key|account_?key|api_?key|service_?account/i;

/** Formats a JSON value for people, with secrets masked. */
export function maskedText(value: unknown): string {
  const mask = (key: string, member: unknown): unknown =>
    typeof member === 'string' && member !== '' && secret.test(key) ? '••••••' : member;
  return JSON.stringify(value, mask, 2) ?? '';
}
