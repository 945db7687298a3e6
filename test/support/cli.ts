// Runs a drydock command inside this process and captures its output.

import { runCommand } from '../../emulator/cli/run.node.ts';
import type { Answer } from './golden.ts';

/** Runs `drydock ARGV` in the folder `cwd` with the environment `env`. Default of its input: empty. */
export async function runInProcess(
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = { TZ: 'UTC' },
  stdin: () => Promise<string> = async () => '',
): Promise<Answer> {
  let stdout = '';
  let stderr = '';
  const exitCode = await runCommand(argv, {
    cwd,
    env,
    stdin,
    stdout: (text: string) => {
      stdout += text;
    },
    stderr: (text: string) => {
      stderr += text;
    },
  });
  return { exitCode, stdout, stderr };
}
