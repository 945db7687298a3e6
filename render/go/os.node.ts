// Files, with the errors of Go's os package.
// Mirrors: Go 1.23, os, file.go and error.go.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { codeOf } from '../core/errors.ts';
import { quote } from './number.ts';
import { decodeUtf8 } from './utf8.ts';
import { GoError } from './value.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  EISDIR: 'is a directory',
  EROFS: 'read-only file system',
  ENOSPC: 'no space left on device',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'file name too long',
};

/** Returns Go's message for a system error. */
export function systemReason(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return reasons[code] ?? code;
}

/** Returns the text of a file; `path` is as the user wrote it. Throws GoError with Go's message. */
export function readTextFile(path: string, cwd: string): string {
  if (/^(https?|oci):\/\//.test(path)) throw new GoError(`Get ${quote(path)}: drydock fetches nothing; name a file`);
  try {
    return decodeUtf8(readFileSync(resolve(cwd, path)));
  } catch (error) {
    // Opening a folder succeeds.
    const operation = codeOf(error) === 'EISDIR' ? 'read' : 'open';
    throw new GoError(`${operation} ${path}: ${systemReason(error)}`, { cause: error });
  }
}
