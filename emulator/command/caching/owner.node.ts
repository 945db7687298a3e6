// Whose a kept file is: what is believed, or run as code, nobody else may have written.

import type { Stats } from 'node:fs';

/** Tells whether nobody but the user of this process can write a file. Where there are no users, as on Windows, it is so. */
export function isOursAlone({ uid, mode }: Stats): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}
