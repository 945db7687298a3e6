// Records responses of another server in a folder: API responses as fixtures, and the last response of every other address in
// recorded.json.

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Incoming, Reply } from '../app/message.ts';
import type { Recording } from '../app/recordings.ts';
import { trimSlashes } from '../core/base-url.ts';
import type { Json } from '../store/json.ts';
import { later } from '../world/clock.ts';
import { recordFixtures } from './record-fixtures.ts';

/** Collects recordings and writes them to disk. */
export interface Recorder {
  /** Adds a recording; it is written after a short delay. */
  add(recording: Recording): void;
  /** Returns the recordings so far. */
  kept(): readonly Recording[];
  /** Writes all pending recordings. Rejects with the system error. */
  flush(): Promise<void>;
}

/** Creates a recorder that continues with known recordings. Calls `failed` when a delayed write fails. */
export function recordInto(folder: string, known: readonly Recording[], failed: (failure: Error) => void): Recorder {
  const file = join(folder, 'recorded.json');
  const kept = new Map(known.map((recording) => [keyOf(recording), recording]));
  let callOff: (() => void) | undefined;
  let writing = Promise.resolve();
  const write = (): Promise<void> => {
    callOff?.();
    callOff = undefined;
    writing = writing
      .catch(() => {})
      .then(async () => {
        // Written to a temporary file and renamed, so that readers never see a partial file.
        await writeFile(`${file}.writing`, `${JSON.stringify([...kept.values()], null, 2)}\n`);
        await rename(`${file}.writing`, file);
      });
    return writing;
  };
  return {
    add: (recording) => {
      kept.set(keyOf(recording), recording);
      callOff ??= later(200, () => void write().catch(failed));
    },
    kept: () => [...kept.values()],
    flush: () => (callOff ? write() : writing),
  };
}

function keyOf({ method, path, bodyDigest = '' }: Recording): string {
  return `${method} ${path} ${bodyDigest}`;
}

/** Records API responses as fixtures. */
export interface ApiRecorder {
  /** Adds a response to an API request. */
  add(incoming: Incoming, target: string, reply: Reply): Promise<void>;
  /** Writes the fixtures. Rejects with the system error. */
  flush(): Promise<void>;
}

/** Creates a recorder that writes the API responses of `url` as fixtures into a folder. */
export function recordApiInto(folder: string, url: string): ApiRecorder {
  const recorder = recordFixtures();
  const callers = new Map<string, Promise<string | undefined>>();
  const login = (incoming: Incoming): Promise<string | undefined> => {
    const [authorization, cookie] = [incoming.header('authorization'), incoming.header('cookie')];
    const key = authorization ?? cookie ?? '';
    if (key === '') return Promise.resolve(undefined);
    const known = callers.get(key) ?? whoIs(url, { ...(authorization ? { authorization } : { cookie: cookie ?? '' }) });
    callers.set(key, known);
    return known;
  };
  return {
    add: async (incoming, target, { status, text }) => {
      const path = /^\/+api\/+v1(\/[^#]*)$/.exec(target)?.[1];
      if (path === undefined || status < 200 || status > 201 || text === undefined) return;
      const caller = await login(incoming);
      if (caller === undefined) return;
      try {
        const content = typeof text.content === 'string' ? text.content : new TextDecoder().decode(text.content);
        recorder.add(caller, incoming.method, path, JSON.parse(content) as Json);
      } catch {
        // Not JSON, so not part of any fixture.
      }
    },
    flush: async () => {
      await mkdir(folder, { recursive: true });
      for (const [kind, rows] of Object.entries(recorder.fixtures()) as (readonly [string, readonly Json[]])[]) {
        const file = join(folder, `${kind}.json`);
        await writeFile(`${file}.writing`, `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`);
        await rename(`${file}.writing`, file);
      }
    },
  };
}

async function whoIs(url: string, headers: Record<string, string>): Promise<string | undefined> {
  const address = `${trimSlashes(url)}/api/v1/user`;
  const answer = await fetch(address, { headers }).catch(() => undefined);
  const person = answer?.ok ? ((await answer.json().catch(() => ({}))) as { readonly login?: unknown }) : {};
  return typeof person.login === 'string' ? person.login : undefined;
}
