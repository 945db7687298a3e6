// The API client of the console, which uses HTTP only.

// A page that contains the emulator sets its `fetch` here before this program starts.
const answerKey: unique symbol = Symbol.for('drydock.console.fetch') as never;

/** A user of the emulator, as the control API lists them. */
export interface SeededUser {
  readonly login: string;
  readonly token: string;
  readonly is_admin: boolean;
}

/** A stored Order, as the control API lists it. */
export interface SavedOrder {
  readonly uid: string;
  readonly owner: string;
  readonly order: {
    readonly metadata: { readonly name: string; readonly creationTimestamp: string };
    readonly spec: Readonly<Record<string, unknown>>;
  };
}

/** A problem of a draft, with its place in the text if it has one. */
export interface DraftIssue {
  readonly path: string;
  readonly message: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly hint?: string;
  readonly line?: number;
  readonly column?: number;
  readonly place?: { readonly file: string; readonly line?: number; readonly column?: number };
}

/** The body of an error response. */
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

/** Options of a call. */
export interface ApiRequest {
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
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

/** Calls the server, or the emulator in the page. */
export const send: typeof fetch = inPage ?? ((input, init) => fetch(input, init));

/** Returns the response to a call as text. Rejects with an `ApiFailure`. */
export async function requestText(method: string, path: string, options: ApiRequest = {}): Promise<string> {
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

/** Returns the JSON of a response; undefined for an empty one. Rejects with an `ApiFailure`. */
export async function request<Answer>(method: string, path: string, options: ApiRequest = {}): Promise<Answer> {
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
