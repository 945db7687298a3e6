// What a shell offers after `drydock`: the commands, their flags and the values of those, from the tables of flags.

import type { FlagSpec } from '../flags.ts';
import type { CommandSpec } from '../table/command.ts';

/** What a shell offers for a value: paths, or these words; `none` where it cannot know. */
export type Offers = 'files' | 'folders' | 'none' | readonly string[];

/** A flag as a shell sees it. */
export interface OfferedFlag {
  readonly name: string;
  readonly short: string | undefined;
  /** In a few words, on one line. */
  readonly about: string;
  /** Whether the next word is its value. */
  readonly takesValue: boolean;
  readonly offers: Offers;
}

/** A command as a shell sees it. */
export interface OfferedCommand {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly OfferedFlag[];
  /** What comes after its name. */
  readonly offers: Offers;
}

const helpFlag: OfferedFlag = { name: 'help', short: 'h', about: 'print help', takesValue: false, offers: 'none' };

/** Returns what a shell offers for each command. `help` offers the names of all. */
export function offeredCommands(specs: readonly CommandSpec[]): readonly OfferedCommand[] {
  const names = specs.map(({ name }) => name);
  return specs.map((spec) => ({
    name: spec.name,
    about: spec.summary,
    flags: [...spec.flags, ...(spec.ignoredFlags ?? [])].map(offeredFlag).concat(helpFlag),
    offers: spec.name === 'help' ? names : spec.offers,
  }));
}

/** Returns a flag as a shell sees it. */
export function offeredFlag(flag: FlagSpec): OfferedFlag {
  return {
    name: flag.name,
    short: flag.short,
    about: flag.help,
    // pflag reads the value of a flag that may be bare after `=` alone.
    takesValue: flag.type !== 'bool' && flag.bare === undefined,
    offers: flag.words ?? flag.offers ?? 'none',
  };
}
