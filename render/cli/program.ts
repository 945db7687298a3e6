// Accessors for a program.

import type { CommandEntry, Program } from './io.ts';
import type { CommandSpec } from './table/command.ts';

/** Returns the command with a name or alias; undefined if there is none. */
export function findCommand({ commands }: Program, name: string): CommandEntry | undefined {
  return commands.find(({ heading }) =>
    [heading.name, ...(heading.aliases ?? []), ...(heading.formerNames ?? [])].includes(name),
  );
}

/** Returns the flags and texts of all commands. */
export function allSpecs({ commands }: Program): Promise<readonly CommandSpec[]> {
  return Promise.all(commands.map(({ spec }) => spec()));
}
