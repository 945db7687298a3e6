// What a command may touch of the terminal that runs it.

/** The terminal of a command: its folder, environment and streams. Texts may hold stray bytes, as Go strings do. */
export interface CommandIo {
  /** The folder that relative paths start from. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Gives all of standard input. */
  readonly stdin: () => Promise<string>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Ends a command that would run on: it stops as it does at Ctrl-C. */
  readonly signal?: AbortSignal;
}

/** A command: it gives the exit code, and throws UsageError (2) or an error that a user can mend (1). */
export type Command = (argv: readonly string[], io: CommandIo) => Promise<number>;
