// Answers of another server, kept in recorded.json of a folder of fixtures: the last one of each address.

import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recording } from '../app/recordings.ts';
import { later } from '../world/clock.ts';

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
