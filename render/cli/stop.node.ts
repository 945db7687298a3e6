// Ends a long-running command: on Ctrl-C, SIGTERM, the end of the npm that started it, or an abort signal.

import { readFileSync } from 'node:fs';

export interface Stop {
  readonly wished: Promise<void>;
  /** Restores the default signal handling: a second Ctrl-C kills a command that does not end. */
  ignore(): void;
}

/** Listens for requests from now on. */
export function listenForStop(signal: AbortSignal | undefined): Stop {
  let wish = (): void => {};
  const wished = new Promise<void>((resolve) => {
    wish = resolve;
  });
  if (signal?.aborted) wish();
  signal?.addEventListener('abort', wish, { once: true });
  process.once('SIGINT', wish);
  process.once('SIGTERM', wish);
  if (process.env.npm_lifecycle_event !== undefined) watchNpm(wish);
  return {
    wished,
    ignore: () => {
      signal?.removeEventListener('abort', wish);
      process.off('SIGINT', wish);
      process.off('SIGTERM', wish);
    },
  };
}

// A user who kills npm wants to stop its child; npm cannot forward every signal, and some shells stay in between.

/** Calls `gone` when the npm that started this process has ended. */
function watchNpm(gone: () => void): void {
  const [parent, shell] = [process.ppid, isShell(process.ppid)];
  const npm = shell ? parentOf(parent) : parent;
  const timer = setInterval(() => {
    if (process.ppid !== parent || (shell && parentOf(parent) !== npm)) gone();
  }, 250);
  timer.unref();
}

// npm runs a command with `sh -c`; most shells replace themselves with the last program. Detected where proc(5) exists.
function isShell(pid: number): boolean {
  return read(pid, 'cmdline').split('\0')[1] === '-c' && parentOf(pid) !== 0;
}

// The second field may contain spaces and parentheses.
// Mirrors: proc(5), field 4 of /proc/PID/stat.
function parentOf(pid: number): number {
  const stat = read(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return '';
  }
}
