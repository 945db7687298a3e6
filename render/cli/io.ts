// What a command may touch of the terminal that runs it.

/** Is the terminal of a command: its folder, environment and streams. Texts may hold stray bytes, as Go strings do. */
export interface CliIo {
  /** The folder that relative paths start from. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Gives all of standard input. */
  readonly stdin: () => Promise<string>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/** Is a command: it gives the exit code, and throws UsageError (2) or RenderError (1). */
export type Command = (argv: readonly string[], io: CliIo) => Promise<number>;
