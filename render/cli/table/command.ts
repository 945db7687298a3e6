// What a command is, as data: parsing, help, reference pages, completion and the configuration's type are made from it.

import type { FlagSpec } from '../flags.ts';

/** The name of a command, what is after it, and one line about it. */
export interface CommandHeading {
  readonly name: string;
  /** The words after the name, such as `[NAME] CHART`. */
  readonly operands: string;
  /** What it does, in one line that starts with a verb. */
  readonly summary: string;
  /** Other names that it can be called by. */
  readonly aliases?: readonly string[];
  /** Earlier names: they work, here and in a configuration, but help does not list them. */
  readonly formerNames?: readonly string[];
  /** Whether its command line and its output are those of a command of Helm, to the byte. Default false. */
  readonly isHelms?: boolean;
}

/** A command with all its details. */
export interface CommandSpec extends CommandHeading {
  /** What it does, as lines of a paragraph. */
  readonly about: readonly string[];
  readonly flags: readonly FlagSpec[];
  /** Flags that are taken and change nothing; help leaves them out. */
  readonly ignoredFlags?: readonly FlagSpec[];
  /** Flags that are accepted, change nothing and are not documented. */
  readonly hiddenFlags?: readonly FlagSpec[];
  /** The names of the flags that are looked for before the others are known; what is found holds where the flag is not given. */
  readonly readFirst?: readonly string[];
  /** What a shell offers for the words after the name. */
  readonly offers: 'files' | 'none' | readonly string[];
  /** Further tables of its help, such as the settings of the emulator. */
  readonly tables?: readonly { readonly title: string; readonly rows: readonly (readonly [string, string])[] }[];
  /** The names of the settings of the emulator, for a command that takes them. */
  readonly settings?: readonly string[];
  /** The command whose cases it takes from a configuration that names none for it. */
  readonly follows?: string;
  readonly examples: readonly string[];
  readonly notes: readonly string[];
}

/** Returns every flag that a command line may hold. */
export function flagsOf(spec: CommandSpec): readonly FlagSpec[] {
  return [...spec.flags, ...(spec.ignoredFlags ?? []), ...(spec.hiddenFlags ?? [])];
}
