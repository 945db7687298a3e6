// Runs a drydock command inside this process and captures its output.

import { runCommand } from '../../emulator/cli/run.node.ts';
import type { CommandIo } from '../../render/cli/program.ts';
import type { Answer } from './golden.ts';

/** Runs `drydock ARGV` in the folder `cwd` with the environment `env`. Default of its input: empty. */
export function runInProcess(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = { TZ: 'UTC' },
  stdin: () => Promise<string> = async () => '',
): Promise<Answer> {
  return captureCommand(argv, { cwd, env, stdin });
}

/** Runs `drydock ARGV`. Default environment `TZ=UTC`, and an empty standard input. */
export async function captureCommand(
  argv: readonly string[],
  io: Pick<CommandIo, 'cwd'> & Partial<CommandIo>,
): Promise<Answer> {
  const answer = { exitCode: 0, stdout: '', stderr: '' };
  answer.exitCode = await runCommand(argv, {
    env: { TZ: 'UTC' },
    stdin: async () => '',
    stdout: (text) => {
      answer.stdout += text;
    },
    stderr: (text) => {
      answer.stderr += text;
    },
    ...io,
  });
  return answer;
}
