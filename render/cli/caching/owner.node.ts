// Who can write a file: compiled code that is cached must not come from somebody else.

import type { Stats } from 'node:fs';

/** Reports whether only the user of this process can write a file. Always true where there are no users, as on Windows. */
export function isOursAlone({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
