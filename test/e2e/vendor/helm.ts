// Runs real Helm in a separate folder, without this machine's configuration of Helm and Docker.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { digestBytes } from '../../../render/chart/digest.ts';

/** The result of a program. */
export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An isolated environment for programs: a folder for their output, and their variables. */
export interface Sandbox {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Creates an environment in a folder, with an empty home folder. */
export function createSandbox(root: string): Sandbox {
  const home = join(root, 'home');
  mkdirSync(home, { recursive: true });
  return { root, env: { PATH: process.env.PATH, HOME: home, CI: undefined } };
}

/** Runs a program for at most a minute. */
export async function run(
  { root, env }: Sandbox,
  [program, ...argv]: readonly [string, ...string[]],
  cwd = root,
): Promise<CommandResult> {
  const ran = await execa(program, argv, { cwd, env, extendEnv: false, reject: false, timeout: 60_000 });
  return { exitCode: ran.exitCode ?? -1, stdout: ran.stdout, stderr: ran.stderr };
}

/** Pulls a chart with real Helm. Returns the digest of the archive; undefined if Helm fails. */
export async function pull(sandbox: Sandbox, helm: string, words: readonly string[]): Promise<string | undefined> {
  const folder = mkdtempSync(join(sandbox.root, 'pull-'));
  const { exitCode } = await run(sandbox, [helm, 'pull', ...words, '-d', folder]);
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  return exitCode !== 0 || file === undefined ? undefined : digestBytes(readFileSync(join(folder, file)));
}
