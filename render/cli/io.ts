// What a command may touch of the terminal that runs it.

import type { Issue } from '../core/errors.ts';
import type { ParsedFlags } from './flags.ts';
import type { Style } from './style.ts';
import type { CommandHeading, CommandSpec } from './table/command.ts';

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
  /** The program that the command belongs to. */
  readonly program: Program;
  /** Whether only results and errors are wanted. */
  readonly quiet: boolean;
  /** The style of standard output. */
  readonly out: Style;
  /** The style of standard error. */
  readonly err: Style;
}

/** A command. Returns the exit code; throws UsageError (2), or an error that a user can fix (1). */
export type Command = (flags: ParsedFlags, context: CommandContext) => Promise<number>;

/** A command with its flags. */
export interface CommandEntry {
  readonly heading: CommandHeading;
  /** Returns its flags and texts, which may depend on the words of a command line. */
  readonly spec: (words?: readonly string[]) => Promise<CommandSpec>;
  /** Whether a configuration file has a section for it. */
  readonly isConfigured: boolean;
  /** Loads the command. */
  readonly load: () => Promise<Command>;
}

/** What the program `drydock` consists of. */
export interface Program {
  /** In the order of help. */
  readonly commands: readonly CommandEntry[];
  /** Returns the problems of the settings in a section of a configuration file. Default: there are no settings. */
  readonly settingIssues?: (settings: unknown) => Promise<readonly Pick<Issue, 'path' | 'message' | 'hint'>[]>;
}
