// The state of the default world in a file: read at the start, written after changes, whole or not at all.

import { createHash } from 'node:crypto';
import { copyFile, open, readFile, rename } from 'node:fs/promises';
import type { Emulator } from './emulator.ts';
import { later } from './world/clock.ts';
import type { SnapshotDocument } from './world/world.ts';

/** Is thrown when the file cannot be trusted: it was left as it is. */
export class PersistError extends Error {
  override readonly name = 'PersistError';
}

/** Writes the state of an emulator to a file. */
export interface Persistence {
  /** Asks for a write soon; many calls make one. */
  touch(): void;
  /** Writes what is not yet written, and waits for it. Throws a `PersistError` when it cannot. */
  flush(): Promise<void>;
}

const delayMs = 100;

/**
 * Restores the default world from a file, if there is one, and keeps the file up to date from then on.
 * Throws a `PersistError` when the file cannot be written, is torn or none of ours; it and the one before it (`FILE.previous`) stay as they are.
 */
export async function persist(emulator: Emulator, file: string): Promise<Persistence> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new PersistError(`${file}: ${error.message}`);
  });
  if (text !== undefined) restore(emulator, file, text);
  const persistence = keep(emulator, file, text);
  // Written at once where there is none: a place that cannot be written is told before anything can be lost.
  await persistence.flush();
  return persistence;
}

function restore(emulator: Emulator, file: string, text: string): void {
  try {
    emulator.world().importSnapshot(parse(text));
  } catch (failure) {
    const mend = `It was left as it is; ${file}.previous is the state before it, and without the file the seed is used.`;
    throw new PersistError(`${file}: ${(failure as Error).message}. ${mend}`);
  }
}

// One line of head with the digest of the rest: a file cut anywhere is seen.
function format(document: SnapshotDocument): string {
  const state = JSON.stringify(document);
  return `${JSON.stringify({ format: 'drydock-state', sha256: digest(state) })}\n${state}\n`;
}

function parse(text: string): unknown {
  const [head = '', state = ''] = text.split('\n');
  const { format: name, sha256 } = parseHead(head);
  if (name !== 'drydock-state') throw new Error('this is no state that drydock wrote');
  if (!text.endsWith('\n') || digest(state) !== sha256) throw new Error('the file is torn: its digest does not fit');
  return JSON.parse(state);
}

function parseHead(head: string): { readonly format?: unknown; readonly sha256?: unknown } {
  try {
    return (JSON.parse(head) ?? {}) as object;
  } catch {
    return {};
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function keep(emulator: Emulator, file: string, before: string | undefined): Persistence {
  let written = before;
  let callOff: (() => void) | undefined;
  let writing = Promise.resolve();
  const save = (): Promise<void> => {
    callOff?.();
    callOff = undefined;
    // One that failed stands in nobody's way: the next writes the whole state again.
    writing = writing
      .catch(() => {})
      .then(async () => {
        const text = format(emulator.world().exportSnapshot() as SnapshotDocument);
        if (text === written) return;
        await write(file, text).catch((error: Error) => {
          throw new PersistError(`${file}: ${error.message}`);
        });
        written = text;
      });
    return writing;
  };
  return {
    touch: () => {
      callOff ??= later(
        delayMs,
        () => void save().catch((error: Error) => console.error(`drydock: state not kept: ${error.message}`)),
      );
    },
    flush: save,
  };
}

// Written beside and moved over: a reader sees the old file or the new one, never half of one.
async function write(file: string, text: string): Promise<void> {
  const fresh = `${file}.writing`;
  const handle = await open(fresh, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await copyFile(file, `${file}.previous`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(fresh, file);
}
