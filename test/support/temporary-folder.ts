// Folders for the files of a test program.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder that is deleted when the process exits. Its name starts with `prefix`. */
export function temporaryFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
