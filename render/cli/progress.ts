// A progress line while a command works through many inputs.

import type { CommandContext } from './io.ts';

/** The line that says what is being worked on. */
export interface Progress {
  /** Shows the next input. */
  readonly show: (name: string) => void;
  /** Removes the line before anything else is printed. */
  readonly clear: () => void;
}

/** Returns the progress line for a number of inputs. It is shown only on a terminal, and not for a single input. */
export function progressOf(io: CommandContext, total: number): Progress {
  if (io.quiet || total < 2 || io.isTerminal?.stderr !== true) return { show: () => {}, clear: () => {} };
  let done = 0;
  return {
    show: (name) => {
      done++;
      io.stderr(`\r\u001b[K${io.err.dim(`[${done}/${total}] ${name}`)}`);
    },
    clear: () => io.stderr('\r\u001b[K'),
  };
}
