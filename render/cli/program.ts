// A program and its commands, and a command's access to its terminal.

import type { Issue } from '../core/errors.ts';
import type { Style } from '../core/style.ts';
import type { RunIo } from '../inputs/settings.ts';
import type { ParsedFlags, ReadFlagsOptions } from './flags.ts';
import type { CommandHeading, CommandSpec } from './table/command.ts';
import { asHelm4, selectsHelm4 } from './table/template.ts';

/** The terminal of a command. */
export interface CommandIo extends RunIo {
  readonly stdout: (text: string) => void;
  /** Whether a stream is a terminal. Default: it is not. */
  readonly isTerminal?: { readonly stdout: boolean; readonly stderr: boolean };
  /** Stops a long-running command, like Ctrl-C. */
  readonly signal?: AbortSignal;
}

/** The terminal of a command with output settings. */
export interface CommandContext extends CommandIo {
  readonly program: Program;
  /** Whether only results and errors are printed. */
  readonly quiet: boolean;
  readonly out: Style;
  readonly err: Style;
}

/** A command. Returns the exit code; throws UsageError (2), or a user error (1). */
export type Command = (flags: ParsedFlags, context: CommandContext) => Promise<number>;

export interface CommandEntry {
  readonly heading: CommandHeading;
  /** Returns its flags and texts, which may depend on the words of a command line. */
  readonly spec: (words?: readonly string[]) => Promise<CommandSpec>;
  /** Whether a configuration file has a section for it. */
  readonly isConfigured: boolean;
  readonly load: () => Promise<Command>;
}

export interface ConfigSource {
  readonly program: Program;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file of `--config`. */
  readonly given: string | undefined;
  /** Whether its chart settings can refer to charts that do not exist. Default false. */
  readonly allowsMissingCharts?: boolean;
}

/** The commands of the program `drydock`. */
export interface Program {
  /** In the order of help. */
  readonly commands: readonly CommandEntry[];
  /** Returns the defaults of a command's flags in a configuration file, or undefined. Default: no file is read. */
  readonly configuredDefaults?: (spec: CommandSpec, source: ConfigSource) => Promise<ReadFlagsOptions | undefined>;
  /** Returns the problems of the settings in a section of a configuration file. Default: there are no settings. */
  readonly settingIssues?: (settings: unknown) => Promise<readonly Pick<Issue, 'path' | 'message' | 'hint'>[]>;
}

/** Returns the command with a name or alias; undefined if there is none. */
export function findCommand({ commands }: Program, name: string): CommandEntry | undefined {
  return commands.find(({ heading }) => [heading.name, ...(heading.aliases ?? [])].includes(name));
}

export function allSpecs({ commands }: Program): Promise<readonly CommandSpec[]> {
  return Promise.all(commands.map(({ spec }) => spec()));
}

/** Returns a command for `Program`. */
export function commandEntry(
  spec: CommandSpec,
  load: () => Promise<Command>,
  { isConfigured = true }: { readonly isConfigured?: boolean } = {},
): CommandEntry {
  return { heading: spec, spec: async () => spec, isConfigured, load };
}

/** Returns a command that prints what Helm prints; a configuration file has no section for it. */
export function helmEntry(spec: CommandSpec, load: () => Promise<Command>, spec4 = asHelm4(spec)): CommandEntry {
  return {
    heading: spec,
    spec: async (words = []) => (selectsHelm4(words) ? spec4 : spec),
    isConfigured: false,
    load,
  };
}
