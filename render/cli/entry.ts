// Entries of commands in a program.

import type { Command, CommandEntry } from './io.ts';
import type { CommandSpec } from './table/command.ts';
import { asHelm4, selectsHelm4 } from './table/template-4.ts';

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
