// Runs a row of the API document. Does not use Node, because pages run it too.

/** A request and its expected response. */
export interface ApiRow {
  /** The row of the document: method and path as written there, and the status. */
  readonly row: string;
  readonly status: number;
  /** The login of the caller. Default: anonymous. */
  readonly as?: string;
  readonly method: string;
  /** The path below `/api/v1`; `order-of-ada` stands for the uid of ada's seeded Order. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sets up the world through a control route first: method, path, body. */
  readonly control?: readonly [string, string, unknown?];
  /** Whether the row needs a hosted emulator, or one that is not hosted. Default: either. */
  readonly hosted?: boolean;
  /** The variant for pages, which cannot send a body with GET or see a redirect. */
  readonly inPage?: Partial<Pick<ApiRow, 'method' | 'path' | 'headers' | 'status'>>;
  /** Throws if the response is wrong. */
  readonly check?: (answer: ApiAnswer) => void;
}

/** A response with its body. */
export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  /** The body as JSON, or undefined. */
  readonly json: unknown;
  header(name: string): string | null;
}

/** Throws the message unless the condition is true. */
export function expect(truth: boolean, message: string): void {
  if (!truth) throw new Error(message);
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Checks that the response has the given fields. */
export function hasFields(...fields: readonly string[]): (answer: ApiAnswer) => void {
  return ({ json: value, text }) => {
    for (const name of fields) expect(field(value, name) !== undefined, `no ${name} in ${text}`);
  };
}

/** Checks that the response is a list of the given length whose items have the given fields. */
export function listOf(length: number, ...fields: readonly string[]): (answer: ApiAnswer) => void {
  return ({ json: value, text }) => {
    expect(Array.isArray(value) && value.length === length, `expected a list of ${length}, got ${text.slice(0, 200)}`);
    for (const item of value as readonly unknown[]) {
      for (const name of fields) expect(field(item, name) !== undefined, `no ${name} in ${JSON.stringify(item)}`);
    }
  };
}

/** Checks the value of a field of the response. */
export function hasField(name: string, want: unknown): (answer: ApiAnswer) => void {
  return ({ json: value }) => {
    const got = JSON.stringify(field(value, name));
    expect(got === JSON.stringify(want), `${name} is ${got}, expected ${JSON.stringify(want)}`);
  };
}

/** Checks that the body contains the given texts. */
export function contains(...parts: readonly string[]): (answer: ApiAnswer) => void {
  return ({ text }) => {
    for (const part of parts) expect(text.includes(part), `no ${JSON.stringify(part)} in ${text.slice(0, 300)}`);
  };
}

/** Checks that the response has no body. */
export const isEmpty = ({ text }: ApiAnswer): void =>
  expect(text === '', `expected no body, got ${text.slice(0, 200)}`);

const jsonHeader = { 'Content-Type': 'application/json' };

/** Sends one request to the emulator and reads the response. Redirects are not followed. */
export type Send = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
) => Promise<ApiAnswer>;

/** The environment of a run. */
export interface RowRun {
  readonly send: Send;
  /** Login to token. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Login to the uid of the person's seeded order. */
  readonly orders: ReadonlyMap<string, string>;
  readonly inPage?: boolean;
}

/** Runs one row in a separate world. Throws if the result is wrong. */
export async function runRow(apiRow: ApiRow, world: string, run: RowRun): Promise<void> {
  const row = run.inPage ? { ...apiRow, ...apiRow.inPage } : apiRow;
  if (row.control) {
    const [method, path, body] = row.control;
    const text = body === undefined ? undefined : JSON.stringify(body);
    await run.send(method, `/__drydock${path}`, { ...jsonHeader, 'X-Drydock-World': world }, text);
  }
  const token = row.as === undefined ? undefined : run.tokens.get(row.as);
  const path = row.path.replace(/order-of-(\w+)/, (_, login: string) => run.orders.get(login) ?? '');
  const hasBody = row.body !== undefined && !(run.inPage && row.method === 'GET');
  const headers = {
    ...(hasBody && jsonHeader),
    ...(token && { Authorization: `token ${token}` }),
    'X-Drydock-World': world,
    ...row.headers,
  };
  const answer = await run.send(row.method, `/api/v1${path}`, headers, hasBody ? JSON.stringify(row.body) : undefined);
  expect(answer.status === row.status, `status ${answer.status}, expected ${row.status}: ${answer.text.slice(0, 300)}`);
  if (row.status !== 0) row.check?.(answer);
}

/** Returns the title of a row for a report. */
export function titleOfRow(apiRow: ApiRow): string {
  return `${apiRow.status} ${apiRow.row} as ${apiRow.as ?? 'anonymous'}: ${apiRow.method} ${apiRow.path}`;
}

/** Returns a response with its body parsed as JSON, if possible. */
export function readAnswer(status: number, text: string, header: ApiAnswer['header']): ApiAnswer {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { status, text, json, header };
}
