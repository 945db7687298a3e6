// Talks to the server that the page came from, as any client does: HTTP alone.

// A page that brings the emulator along puts its `fetch` there, before this program starts.
const answerKey: unique symbol = Symbol.for('drydock.console.fetch') as never;

/** A user of the emulator, as the control API lists them. */
export interface SeededUser {
  readonly login: string;
  readonly token: string;
  readonly is_admin: boolean;
}

/** An Order that the emulator holds, as the control API lists it. */
export interface SavedOrder {
  readonly uid: string;
  readonly owner: string;
  readonly order: {
    readonly metadata: { readonly name: string; readonly creationTimestamp: string };
    readonly spec: Readonly<Record<string, unknown>>;
  };
}

/** One fault of a draft, with its place in the text where it has one. */
export interface DraftIssue {
  readonly path: string;
  readonly message: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly hint?: string;
  readonly line?: number;
  readonly column?: number;
  readonly place?: { readonly file: string; readonly line?: number; readonly column?: number };
}

/** What the server says where it refuses. */
export interface Refusal {
  readonly message: string;
  readonly code?: string;
  readonly package?: string;
  readonly chart?: string;
  readonly template?: string;
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string;
  readonly issues?: readonly DraftIssue[];
}

/** What is thrown for every answer that is no success; status 0 where there was none. */
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

/** What goes with a call. */
export interface RequestOptions {
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** The address of the server, base path and world included, with a slash at its end. */
export const root: string = new URL(document.documentElement.dataset.root ?? './', location.href).href.replace(
  /[?#].*$/s,
  '',
);

/** The world that the page works in; empty for the default one. */
export const world: string = decodeURIComponent(/\/@([^/]+)\/$/.exec(root)?.[1] ?? '');

const inPage = (globalThis as { readonly [answerKey]?: typeof fetch })[answerKey];

/** Whether the emulator is in the page itself, and no server answers. */
export const isInPage: boolean = inPage !== undefined;

/** Asks the server, or the emulator in the page where there is one. */
export const send: typeof fetch = inPage ?? ((input, init) => fetch(input, init));

/** Returns the answer to a call as a text. Rejects with an `ApiFailure`. */
export async function requestText(method: string, path: string, options: RequestOptions = {}): Promise<string> {
  const { token, body, signal } = options;
  const headers: Record<string, string> = {};
  if (token !== undefined) headers.Authorization = `token ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const init: RequestInit = { method, headers, ...(signal && { signal }) };
  if (body !== undefined) init.body = JSON.stringify(body);
  let response: Response;
  try {
    response = await send(root + path, init);
  } catch (failure) {
    if (signal?.aborted) throw failure;
    throw new ApiFailure(0, { message: 'The server does not answer.', hint: 'Start it again: `drydock serve`.' });
  }
  const text = await response.text();
  if (!response.ok) throw new ApiFailure(response.status, refusalOf(text, response.status));
  return text;
}

/** Returns the JSON of an answer; undefined for an empty one. Rejects with an `ApiFailure`. */
export async function request<Answer>(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const text = await requestText(method, path, options);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

function refusalOf(text: string, status: number): Refusal {
  try {
    return JSON.parse(text) as Refusal;
  } catch {
    return { message: `The server answered ${status}.` };
  }
}
