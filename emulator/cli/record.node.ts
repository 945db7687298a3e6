// Answers of another server, kept in a folder: what a real account sees of the API as fixtures, and of all other addresses the last
// answer in recorded.json.

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Incoming, Reply } from '../app/message.ts';
import type { Recording } from '../app/recordings.ts';
import type { Json } from '../store/json.ts';
import { later } from '../world/clock.ts';
import { recordFixtures } from './record-fixtures.ts';

/** Keeps recordings. */
export interface Recorder {
  /** Keeps one more, soon. */
  add(recording: Recording): void;
  /** Lists what it keeps. */
  kept(): readonly Recording[];
  /** Waits until all are written. Rejects with the system's error when they cannot be. */
  flush(): Promise<void>;
}

/** Starts with the recordings that a folder has; `failed` hears of a write that did not succeed. */
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
        // Written beside and moved over: who reads it sees a whole file.
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

/** Gathers what passes by, and writes the fixtures that it makes. */
export interface ApiRecorder {
  /** Takes an answer to a call of the API. */
  add(incoming: Incoming, target: string, reply: Reply): Promise<void>;
  /** Writes the fixtures. Rejects with the system's error. */
  flush(): Promise<void>;
}

/** Records into a folder what `url` answers to the API. */
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
        // It was no JSON, which no fixture is made of.
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
  const address = `${url.replace(/(?<!\/)\/+$/, '')}/api/v1/user`;
  const answer = await fetch(address, { headers }).catch(() => undefined);
  const person = answer?.ok ? ((await answer.json().catch(() => ({}))) as { readonly login?: unknown }) : {};
  return typeof person.login === 'string' ? person.login : undefined;
}
