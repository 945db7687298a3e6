// `drydock help`: the commands, or the flags of one.

import { didYouMean } from '../../core/suggest.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { formatHelp, formatOverview } from '../help.ts';
import type { CommandContext, CommandEntry, Program } from '../io.ts';
import { findCommand } from '../program.ts';
import { overviewFlags } from '../table/shared.ts';

/** Prints the help of the program or of a command. Returns 0. Throws UsageError. */
export async function helpCommand({ args }: ParsedFlags, { program, stdout }: CommandContext): Promise<number> {
  const [name, ...more] = args;
  if (more.length > 0) throw new UsageError('"drydock help" takes one argument: the name of a command');
  stdout(name === undefined ? programHelp(program) : formatHelp(await commandNamed(program, name).spec()));
  return 0;
}

/** Returns the help of a program: its commands and the flags of all of them. */
export function programHelp({ commands }: Program): string {
  return formatOverview(
    commands.map(({ heading }) => heading),
    overviewFlags,
  );
}

// Commands of Helm that drydock does not have, and what there is.
const insteadOf: Readonly<Record<string, string>> = {
  package:
    'drydock takes chart folders as they are. To make an archive, use `helm package`; to pack an Order with its charts, use `drydock bundle`.',
  pull: 'To fetch the charts of Orders and the dependencies of charts, use `drydock vendor`.',
  verify: 'To take only charts that are signed, use `drydock vendor --verify`.',
};

/** Returns the command with a name or alias. Throws UsageError if there is none. */
export function commandNamed(program: Program, name: string): CommandEntry {
  const entry = findCommand(program, name);
  if (entry !== undefined) return entry;
  const instead = insteadOf[name];
  if (instead !== undefined) throw new UsageError(`drydock has no command "${name}"`, instead);
  const known = program.commands.map(({ heading }) => heading.name);
  throw new UsageError(`unknown command "${name}" for "drydock"${didYouMean(name, known)}`);
}
