// What the emulator's commands may touch of the terminal that runs them.

/** Is the terminal of a command. */
export interface CommandIo {
  /** The folder that relative paths start from. */
  readonly cwd: string;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Ends a command that would run on: it stops as it does at Ctrl-C. */
  readonly signal?: AbortSignal;
}

/** Is thrown for a command line that cannot be read. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
