// Who kills npm means what it runs; npm cannot pass on every signal, and some shells stay between the two.

import { readFileSync } from 'node:fs';

/** Calls `gone` when the npm that runs this process has ended. */
export function watchNpm(gone: () => void): void {
  const [parent, shell] = [process.ppid, isShell(process.ppid)];
  const npm = shell ? parentOf(parent) : parent;
  const timer = setInterval(() => {
    if (process.ppid !== parent || (shell && parentOf(parent) !== npm)) gone();
  }, 250);
  timer.unref();
}

// npm runs a line by `sh -c`; most shells become the last program of it, and are gone. Known where there is proc(5).
function isShell(pid: number): boolean {
  return read(pid, 'cmdline').split('\0')[1] === '-c' && parentOf(pid) !== 0;
}

// Mirrors: proc(5), field 4 of /proc/PID/stat; the second field may hold blanks and brackets.
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
