// What a command may touch of the terminal that runs it.

import type { ParsedFlags } from './flags.ts';
import type { Style } from './style.ts';

/** The terminal of a command: its folder, environment and streams. Texts may hold stray bytes, as Go strings do. */
export interface CommandIo {
  /** The folder that relative paths start from. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns all of standard input. */
  readonly stdin: () => Promise<string>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Whether a person looks at a stream. Default: nobody does. */
  readonly isTerminal?: { readonly stdout: boolean; readonly stderr: boolean };
  /** Ends a command that would run on: it stops as it does at Ctrl-C. */
  readonly signal?: AbortSignal;
}

/** The terminal of a command, and how to speak there. */
export interface CommandContext extends CommandIo {
  /** Whether results and errors alone are wanted. */
  readonly quiet: boolean;
  /** The style of standard output. */
  readonly out: Style;
  /** The style of standard error. */
  readonly err: Style;
}

/** A command: it gives the exit code, and throws UsageError (2) or an error that a user can mend (1). */
export type Command = (flags: ParsedFlags, context: CommandContext) => Promise<number>;
