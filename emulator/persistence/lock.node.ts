// Inter-process lock: a file beside the state names the process that holds it, until that process has ended.

import { rmSync } from 'node:fs';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { codeOf } from '../../render/core/errors.ts';
import { reasonOf } from '../core/reasons.ts';
import { PersistError } from './log-file.node.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
}

// The locks of this process: its own id in a file may be that of a dead process in the same container.
const held = new Set<string>();

/** Acquires the lock of a file and returns a function that releases it. Throws a `PersistError` that names the process that holds it. */
export async function lock(file: string): Promise<() => void> {
  const path = `${file}.lock`;
  if (held.has(path)) throw refusal(file, self());
  held.add(path);
  try {
    await takeInTurn(file, path);
  } catch (failure) {
    held.delete(path);
    throw failure;
  }
  return () => {
    held.delete(path);
    rmSync(path, { force: true });
  };
}

async function takeInTurn(file: string, path: string): Promise<void> {
  for (let tries = 0; tries < 10; tries++) {
    if (await take(file, path)) return;
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const holder = readHolder(text);
    if (holder && isAlive(holder)) throw refusal(file, holder);
    await discard(path, text);
  }
  throw new PersistError(`${path}: others keep taking it; try again`);
}

// Written to a temporary file and linked, so that the lock file is never incomplete.
async function take(file: string, path: string): Promise<boolean> {
  const own = `${path}.${process.pid}`;
  try {
    const handle = await open(own, 'w', 0o600);
    await handle.writeFile(`${JSON.stringify(self())}\n`);
    await handle.close();
    await link(own, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw new PersistError(`${file}: ${reasonOf(error)}`, code);
  } finally {
    await rm(own, { force: true }).catch(() => {});
  }
}

// Moved away before it is removed: a lock that another process acquired meanwhile is restored.
async function discard(path: string, stale: string): Promise<void> {
  const away = `${path}.${process.pid}.stale`;
  try {
    await rename(path, away);
    if ((await readFile(away, 'utf8')) !== stale) await link(away, path).catch(() => {});
  } catch {
    // Another process was faster.
  }
  await rm(away, { force: true }).catch(() => {});
}

function self(): Holder {
  return { pid: process.pid, host: hostname() };
}

function readHolder(text: string): Holder | undefined {
  try {
    const { pid, host } = (JSON.parse(text) ?? {}) as Partial<Holder>;
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive({ pid, host }: Holder): boolean {
  if (host !== hostname()) return true;
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function refusal(file: string, { pid, host }: Holder): PersistError {
  const there = host === hostname() ? '' : ` on the machine ${host}`;
  const hint =
    there === ''
      ? `stop that one, or remove ${file}.lock if it is not drydock`
      : `if it no longer runs, remove ${file}.lock`;
  return new PersistError(`${file}: the process ${pid}${there} keeps its state there: ${hint}`);
}
