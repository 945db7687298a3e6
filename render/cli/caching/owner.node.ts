// File ownership: cached compiled code must not come from another user.

import type { Stats } from 'node:fs';

/** Reports whether only the current user can write a file. Always true on platforms without users, such as Windows. */
export function isOursAlone({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
