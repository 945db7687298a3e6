// The limit on open files, which any read may meet: the path in Node's message, often one of our own modules, is of no help.

import { codeOf } from '../core/errors.ts';

/** The message where a process may open no more files. */
export const tooManyFiles = {
  message: 'too many open files',
  hint: 'Raise the limit on open files, for example with `ulimit -n 1024`.',
};

/** Reports whether an error is the limit on open files, of the process or of the system. */
export function isTooManyFiles(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EMFILE' || code === 'ENFILE';
}
