// Sends requests to an emulator as one of its seeded users, without a port.

import { createEmulator, type Emulator, type EmulatorOptions } from '../../emulator/emulator.ts';

/** A response with its body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Returns the body as JSON. Throws if it is not valid JSON. */
  json(): unknown;
  /** Returns the value in the JSON body at a dotted path, such as `0.organization.id`. */
  at(path: string): unknown;
}

/** Sends a request. The path is below `/api/v1`, or from the root if it starts with `//`. */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** Returns a function that calls an emulator as a user, or anonymously without a login. */
export function as(emulator: Emulator, login?: string): Call {
  const token = emulator.users().find((user) => user.login === login)?.token;
  return async (method, path, body, headers = {}) => {
    const address = path.startsWith('//') ? path.slice(1) : `/api/v1${path}`;
    const response = await emulator.fetch(address, {
      method,
      headers: {
        ...(token && { Authorization: `token ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = (): unknown => JSON.parse(text);
    return { status: response.status, headers: response.headers, text, json, at: (where) => at(json(), where) };
  };
}

/** Creates an emulator that also checks its own responses. */
export function strictEmulator(options: EmulatorOptions = {}): Emulator {
  return createEmulator({ strict: true, ...options });
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce((inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key], value);
}
