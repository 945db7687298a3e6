// The limit on open files, which any read may exceed: the path in Node's message, often one of our own modules, does not help.

import { codeOf } from '../core/errors.ts';

/** The message if a process cannot open more files. */
export const tooManyFiles = {
  message: 'too many open files',
  hint: 'Raise the limit on open files, for example with `ulimit -n 1024`.',
};

/** Reports whether an error is due to the limit on open files, of the process or of the system. */
export function isTooManyFiles(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EMFILE' || code === 'ENFILE';
}
