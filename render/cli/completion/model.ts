// The completions after `drydock`: commands, flags and their values, from the flag tables.

import type { FlagSpec } from '../flags.ts';
import type { CommandSpec } from '../table/command.ts';

/** The completions of a value: paths, or these words; `none` if unknown. */
export type Offers = 'files' | 'folders' | 'none' | readonly string[];

/** A flag for completion. */
export interface OfferedFlag {
  readonly name: string;
  readonly short: string | undefined;
  /** A short description on one line. */
  readonly about: string;
  /** Whether the next word is its value. */
  readonly takesValue: boolean;
  readonly offers: Offers;
}

/** A command for completion. */
export interface OfferedCommand {
  readonly name: string;
  readonly about: string;
  readonly flags: readonly OfferedFlag[];
  /** The completions after its name. */
  readonly offers: Offers;
}

const helpFlag: OfferedFlag = { name: 'help', short: 'h', about: 'print help', takesValue: false, offers: 'none' };

/** Returns the completions of each command. `help` offers the names of all. */
export function offeredCommands(specs: readonly CommandSpec[]): readonly OfferedCommand[] {
  const names = specs.map(({ name }) => name);
  return specs.map((spec) => ({
    name: spec.name,
    about: spec.summary,
    flags: [...spec.flags, ...(spec.ignoredFlags ?? [])].map(offeredFlag).concat(helpFlag),
    offers: spec.name === 'help' ? names : spec.offers,
  }));
}

/** Returns a flag for completion. */
export function offeredFlag(flag: FlagSpec): OfferedFlag {
  return {
    name: flag.name,
    short: flag.short,
    about: flag.help,
    // pflag reads the value of a flag with an optional value only after `=`.
    takesValue: flag.type !== 'bool' && flag.bare === undefined,
    offers: flag.words ?? flag.offers ?? 'none',
  };
}
