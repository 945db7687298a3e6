/** Invalid arguments of a command or options of a run; the command exits with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** A hint for a terminal. */
  readonly hint: string | undefined;
  /** The first line of the error, if it is not `Error: ` and the message. */
  readonly line: string;

  constructor(message: string, hint?: string, line = `Error: ${message}`) {
    super(message);
    this.hint = hint;
    this.line = line;
  }
}
