// `drydock completion`: a script with which a shell completes what follows `drydock`.

import { didYouMean } from '../../core/did-you-mean.ts';
import { bashScript } from '../completion/bash.ts';
import { fishScript } from '../completion/fish.ts';
import { type OfferedCommand, type OfferedFlag, offeredCommands, offeredFlag } from '../completion/model.ts';
import { powershellScript } from '../completion/powershell.ts';
import { zshScript } from '../completion/zsh.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext, Program } from '../io.ts';
import { allSpecs } from '../program.ts';
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

/** Prints the script of a shell. Returns 0. Throws UsageError. */
export async function completionCommand({ args }: ParsedFlags, { program, stdout }: CommandContext): Promise<number> {
  const [word = '', ...more] = args;
  const shell = shells.find((name) => name === (word === 'pwsh' ? 'powershell' : word));
  if (shell === undefined || more.length > 0) {
    throw new UsageError(`"drydock completion" takes one of ${shells.join(', ')}${didYouMean(word, shells)}`);
  }
  stdout(await completionScript(program, shell));
  return 0;
}

/** Returns the completion script of a shell. */
export async function completionScript(program: Program, shell: Shell): Promise<string> {
  return writers[shell](offeredCommands(await allSpecs(program)), overviewFlags.map(offeredFlag));
}
