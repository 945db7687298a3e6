// What a person sees while a command works through many inputs: one line that gives way to what follows.

import type { CommandContext } from './io.ts';

/** The line that says what is being worked on. */
export interface Progress {
  /** Shows the next input. */
  readonly show: (name: string) => void;
  /** Takes the line away, before anything else is printed. */
  readonly clear: () => void;
}

/** Returns the line for a number of inputs. It is shown on a terminal alone, and not for a single input. */
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
