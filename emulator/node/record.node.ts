// Forwards requests to another server and records its responses in a folder: those of the API as fixtures, and the last one of every other
// address in recorded.json.

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { elsewhereLimit, readBytes } from '../app/input.ts';
import type { Incoming, Reply } from '../app/message.ts';
import { type Recording, replay } from '../app/recordings.ts';
import { trimSlashes } from '../core/base-url.ts';
import type { EmulatorOptions } from '../emulator.ts';
import { readRecordings } from '../fixture-folder.node.ts';
import type { Json } from '../store/json.ts';
import { proxyTo } from './proxy.node.ts';
import { recordFixtures } from './record-fixtures.ts';

/** Options of an emulator that records. */
interface RecordingProxy {
  readonly options: Pick<EmulatorOptions, 'elsewhere' | 'passThrough'>;
  /** Writes all recordings and fixtures. Rejects with the system error. */
  flush(): Promise<void>;
}

/** Returns the options of an emulator that forwards to `url` and records. A server that does not respond is replaced by its recordings. */
export async function recordingProxy(
  url: string,
  { folder, includeApi }: { readonly folder: string; readonly includeApi: boolean },
): Promise<RecordingProxy> {
  await mkdir(folder, { recursive: true });
  const kept = new Map((await readRecordings(folder)).map((recording) => [keyOf(recording), recording]));
  let hasNews = false;
  const api = includeApi ? recordApiInto(folder, url) : undefined;
  const onAnswer = (recording: Recording): void => {
    if (api && apiPath(recording.path) !== undefined) return;
    kept.set(keyOf(recording), recording);
    hasNews = true;
  };
  const ask = proxyTo(url, { onAnswer });
  return {
    options: {
      passThrough: includeApi,
      elsewhere: async (incoming, target) => {
        try {
          const reply = await ask(incoming, target);
          await api?.add(incoming, target, reply);
          return reply;
        } catch (failure) {
          const { method } = incoming;
          const known = [...kept.values()];
          const recorded = await replay(known, { method, target }, () => readBytes(incoming, elsewhereLimit));
          if (recorded) return recorded;
          throw failure;
        }
      },
    },
    flush: async () => {
      const text = `${JSON.stringify([...kept.values()], null, 2)}\n`;
      if (hasNews) await replaceFile(join(folder, 'recorded.json'), text);
      await api?.flush();
    },
  };
}

function keyOf({ method, path, bodyDigest = '' }: Recording): string {
  return `${method} ${path} ${bodyDigest}`;
}

// Written to a temporary file and renamed, so that readers never see a partial file.
async function replaceFile(file: string, text: string): Promise<void> {
  await writeFile(`${file}.writing`, text);
  await rename(`${file}.writing`, file);
}

// Collects the responses of the API as fixtures.
function recordApiInto(folder: string, url: string) {
  const recorder = recordFixtures();
  const callers = new Map<string, Promise<string | undefined>>();
  const login = async (incoming: Incoming): Promise<string | undefined> => {
    const [authorization, cookie] = [incoming.header('authorization'), incoming.header('cookie')];
    const key = authorization ?? cookie ?? '';
    if (key === '') return undefined;
    const known = callers.get(key) ?? whoIs(url, { ...(authorization ? { authorization } : { cookie: cookie ?? '' }) });
    callers.set(key, known);
    const caller = await known;
    // Asked again with the next response, because the server may have failed.
    if (caller === undefined) callers.delete(key);
    return caller;
  };
  return {
    add: async (incoming: Incoming, target: string, { status, text }: Reply): Promise<void> => {
      const path = apiPath(target);
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
    flush: async (): Promise<void> => {
      const fixtures = recorder.fixtures();
      // Without any response, earlier recordings are kept.
      if (fixtures.users?.length === 0) return;
      for (const [kind, rows] of Object.entries(fixtures) as (readonly [string, readonly Json[]])[]) {
        const lines = rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n');
        await replaceFile(join(folder, `${kind}.json`), `[\n${lines}\n]\n`);
      }
    },
  };
}

// The part of a target below the API; undefined for other addresses.
function apiPath(target: string): string | undefined {
  return /^\/+api\/+v1(\/[^#]*)$/.exec(target)?.[1];
}

async function whoIs(url: string, headers: Record<string, string>): Promise<string | undefined> {
  const address = `${trimSlashes(url)}/api/v1/user`;
  const answer = await fetch(address, { headers }).catch(() => undefined);
  const person = answer?.ok ? ((await answer.json().catch(() => ({}))) as { readonly login?: unknown }) : {};
  return typeof person.login === 'string' ? person.login : undefined;
}
