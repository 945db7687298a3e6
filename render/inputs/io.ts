/** The surroundings of a run, like those of a process. Texts can contain stray bytes, like Go strings. */
export interface RunIo {
  /** The base of relative paths. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns all of standard input. */
  readonly stdin: () => Promise<string>;
  /** Called with each warning and error, such as `Warning: …\n`. */
  readonly stderr: (text: string) => void;
}
