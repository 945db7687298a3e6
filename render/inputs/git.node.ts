// Runs git.

import { execFileSync } from 'node:child_process';

/** Runs git and returns its output. Throws GitError. */
export type Git = (args: readonly string[], input?: string) => string;

/** Git's error; the message is its first line. */
export class GitError extends Error {
  override readonly name = 'GitError';
}

/** How to get the commits that a shallow clone lacks. */
export const deepenHint = '`fetch-depth: 0` of actions/checkout, `GIT_DEPTH: 0` of GitLab, `git fetch --unshallow`';

/** Returns git for a folder. `env` extends its environment. */
export function gitIn(cwd: string, env: Readonly<Record<string, string>> = {}): Git {
  return (args, input) => {
    try {
      return execFileSync('git', args, {
        cwd,
        env: { ...process.env, ...env },
        encoding: 'utf8',
        stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        maxBuffer: 1 << 28,
        ...(input === undefined ? {} : { input }),
      });
    } catch (error) {
      const { code, stderr } = error as { readonly code?: string; readonly stderr?: string };
      if (code === 'ENOENT') throw new GitError('git is not on the PATH', { cause: error });
      const [line = ''] = (stderr ?? '').trim().split('\n');
      throw new GitError(line.replace(/^fatal: /, '') || 'unknown revision or path', { cause: error });
    }
  };
}

/** Returns git's output without the last line break; undefined if it fails. */
export function tryGit(git: Git, ...args: readonly string[]): string | undefined {
  try {
    return git(args).trimEnd();
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

export function isShallow(git: Git): boolean {
  return tryGit(git, 'rev-parse', '--is-shallow-repository') === 'true';
}
