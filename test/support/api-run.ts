// Runs a row of the API document. Does not need Node: pages run it, too.

/** One call and what must come back. */
export interface ApiRow {
  /** The row of the document: method and path as written there, and the status. */
  readonly row: string;
  readonly status: number;
  /** Login of the caller; nobody without it. */
  readonly as?: string;
  readonly method: string;
  /** Below `/api/v1`. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Calls that come first, in the same world. */
  readonly before?: readonly Pick<ApiRow, 'as' | 'method' | 'path' | 'body'>[];
  /** Sets up the world through a control route first: method, path, body. */
  readonly control?: readonly [string, string, unknown?];
  /** Runs on an emulator that is hosted, or is not; both without it. */
  readonly hosted?: boolean;
  /** What a page can send or see instead: it has no body for GET and cannot see a redirect. */
  readonly inPage?: Partial<Pick<ApiRow, 'method' | 'path' | 'headers' | 'status'>>;
  /** Throws when the answer is not right. */
  readonly check?: (answer: ApiAnswer) => void;
}

/** An answer, read. */
export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  /** The text as JSON, or undefined. */
  readonly json: unknown;
  header(name: string): string | null;
}

/** Throws the message where the truth is missing. */
export function expect(truth: boolean, message: string): void {
  if (!truth) throw new Error(message);
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Checks that the answer has these fields. */
export function names(...wanted: readonly string[]): (answer: ApiAnswer) => void {
  return ({ json: value, text }) => {
    for (const name of wanted) expect(field(value, name) !== undefined, `no ${name} in ${text}`);
  };
}

/** Checks that the answer is a list of that length whose items have these fields. */
export function listOf(length: number, ...wanted: readonly string[]): (answer: ApiAnswer) => void {
  return ({ json: value, text }) => {
    expect(Array.isArray(value) && value.length === length, `expected a list of ${length}, got ${text.slice(0, 200)}`);
    for (const item of value as readonly unknown[]) {
      for (const name of wanted) expect(field(item, name) !== undefined, `no ${name} in ${JSON.stringify(item)}`);
    }
  };
}

/** Checks one field of the answer. */
export function is(name: string, want: unknown): (answer: ApiAnswer) => void {
  return ({ json: value }) => {
    const got = JSON.stringify(field(value, name));
    expect(got === JSON.stringify(want), `${name} is ${got}, expected ${JSON.stringify(want)}`);
  };
}

/** Checks that the answer's text has these parts. */
export function holds(...parts: readonly string[]): (answer: ApiAnswer) => void {
  return ({ text }) => {
    for (const part of parts) expect(text.includes(part), `no ${JSON.stringify(part)} in ${text.slice(0, 300)}`);
  };
}

/** Checks that the answer has no body. */
export const nothing = ({ text }: ApiAnswer): void =>
  expect(text === '', `expected no body, got ${text.slice(0, 200)}`);

const jsonHeader = { 'Content-Type': 'application/json' };

/** Sends one request to the emulator and reads the answer. Redirects are not followed. */
export type Send = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
) => Promise<ApiAnswer>;

/** What a run of the rows needs to know. */
export interface RowRun {
  readonly send: Send;
  /** Login to token. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Login to the uid of that person's seeded order. */
  readonly orders: ReadonlyMap<string, string>;
  readonly inPage?: boolean;
}

/** Runs one row in a world of its own. Throws when the outcome is not right. */
export async function runRow(apiRow: ApiRow, world: string, run: RowRun): Promise<void> {
  const row = run.inPage ? { ...apiRow, ...apiRow.inPage } : apiRow;
  const call = async (one: Pick<ApiRow, 'as' | 'method' | 'path' | 'body' | 'headers'>): Promise<ApiAnswer> => {
    const token = one.as === undefined ? undefined : run.tokens.get(one.as);
    const path = one.path.replace(/\{\{(\w+)\}\}/, (_, login: string) => run.orders.get(login) ?? '');
    const hasBody = one.body !== undefined && !(run.inPage && one.method === 'GET');
    const headers = {
      ...(hasBody && jsonHeader),
      ...(token && { Authorization: `token ${token}` }),
      'X-Drydock-World': world,
      ...one.headers,
    };
    return run.send(one.method, `/api/v1${path}`, headers, hasBody ? JSON.stringify(one.body) : undefined);
  };
  if (row.control) {
    const [method, path, body] = row.control;
    const text = body === undefined ? undefined : JSON.stringify(body);
    await run.send(method, `/__drydock${path}`, { ...jsonHeader, 'X-Drydock-World': world }, text);
  }
  for (const one of row.before ?? []) await call(one);
  const answer = await call(row);
  expect(answer.status === row.status, `status ${answer.status}, expected ${row.status}: ${answer.text.slice(0, 300)}`);
  if (row.status !== 0) row.check?.(answer);
}

/** Returns the name of a row for a report. */
export function titleOfRow(apiRow: ApiRow): string {
  return `${apiRow.status} ${apiRow.row} as ${apiRow.as ?? 'nobody'}: ${apiRow.method} ${apiRow.path}`;
}

/** Returns an answer with its text read as JSON, if it is that. */
export function readAnswer(status: number, text: string, header: ApiAnswer['header']): ApiAnswer {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status, text, json, header };
}
