// The definition of a command as data, for parsing, help, reference pages, completion and the configuration's type.

import type { FlagSpec } from '../flags.ts';

export interface CommandHeading {
  readonly name: string;
  /** The operands, such as `[NAME] CHART`. */
  readonly operands: string;
  /** What it does, in one line that starts with a verb. */
  readonly summary: string;
  /** Other names: they work, here and in a configuration, but help does not list them. */
  readonly aliases?: readonly string[];
  /** Whether its command line and its output are exactly those of a Helm command. Default false. */
  readonly isHelms?: boolean;
}

export interface CommandSpec extends CommandHeading {
  /** The description, as lines of a paragraph. */
  readonly about: readonly string[];
  readonly flags: readonly FlagSpec[];
  /** Flags that are accepted without effect; help omits them. */
  readonly ignoredFlags?: readonly FlagSpec[];
  /** Flags that are accepted, change nothing and are not documented. */
  readonly hiddenFlags?: readonly FlagSpec[];
  /** The names of flags that are parsed before the others are known. */
  readonly readFirst?: readonly string[];
  /** The completions of its operands. */
  readonly offers: 'files' | 'none' | readonly string[];
  /** Further tables of its help, such as the settings of the emulator. */
  readonly tables?: readonly { readonly title: string; readonly rows: readonly (readonly [string, string])[] }[];
  /** The names of emulator settings, for a command that accepts them. */
  readonly settings?: readonly string[];
  /** The command whose configured cases are its default. */
  readonly follows?: string;
  readonly examples: readonly string[];
  readonly notes: readonly string[];
}

export function flagsOf(spec: CommandSpec): readonly FlagSpec[] {
  return [...spec.flags, ...(spec.ignoredFlags ?? []), ...(spec.hiddenFlags ?? [])];
}
