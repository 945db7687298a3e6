// `drydock completion`: a script with which a shell completes what follows `drydock`.

import { askMeant } from '../../core/suggest.ts';
import { allSpecs } from '../commands.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { type OfferedCommand, type OfferedFlag, offeredCommands, offeredFlag } from '../completion/model.ts';
import { powershellScript } from '../completion/powershell.ts';
import { zshScript } from '../completion/zsh.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { overviewFlags } from '../table/shared.ts';
import { shells } from '../table/tools.ts';

/** The shells that there are scripts for. */
export type Shell = (typeof shells)[number];

type Writer = (commands: readonly OfferedCommand[], leading: readonly OfferedFlag[]) => string;

const writers: Readonly<Record<Shell, Writer>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** Prints the script of a shell. Gives 0. Throws UsageError. */
export async function completionCommand({ args }: ParsedFlags, io: CommandIo): Promise<number> {
  const [word = '', ...more] = args;
  const shell = shells.find((name) => name === (word === 'pwsh' ? 'powershell' : word));
  if (shell === undefined || more.length > 0) {
    throw new UsageError(`"drydock completion" takes one of ${shells.join(', ')}${askMeant(word, shells)}`);
  }
  io.stdout(await completionScript(shell));
  return 0;
}

/** Returns the completion script of a shell. */
export async function completionScript(shell: Shell): Promise<string> {
  return writers[shell](offeredCommands(await allSpecs()), overviewFlags.map(offeredFlag));
}
