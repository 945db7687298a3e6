// The revision that a run is also compared with, and its files on disk during the run.

import { join, relative, resolve, sep } from 'node:path';
import { makeFolder } from '../core/make-folder.node.ts';
import { UsageError } from '../core/usage-error.ts';
import { deepenHint, type Git, gitIn, isShallow, tryGit } from '../inputs/git.node.ts';
import { checkOut, reportMissing } from '../inputs/revisions.node.ts';
import type { RunIo } from '../inputs/settings.ts';
import type { BaseInputs, BaseRevision } from './input.node.ts';

/** A revision whose files are on disk. */
export interface CheckedOutBase {
  readonly base: BaseRevision;
  /** Removes the files. */
  readonly remove: () => void;
}

/** The files of a revision on disk. */
export interface BaseFolder {
  /** The folder that corresponds to the current one. */
  readonly cwd: string;
  /** The folder that corresponds to the top of the repository. */
  readonly path: string;
  /** The top of the repository in the working tree. */
  readonly top: string;
  /** The current inputs, with absolute paths moved into the files of the revision. */
  readonly inputs: readonly string[];
}

interface BaseOptions extends BaseInputs {
  /** Returns the inputs and settings of the revision. Default: the current ones. */
  readonly configure?: ((folder: BaseFolder) => Promise<BaseInputs | undefined>) | undefined;
}

/**
 * Checks out a revision: the given one, or the target of the current job's pull request. Returns undefined for `none`, if there is no target,
 * and in a job whose clone lacks the target, which is reported. Throws UsageError.
 */
export async function checkOutBase(
  given: string | undefined,
  io: RunIo,
  { inputs: current, settings, configure }: BaseOptions,
): Promise<CheckedOutBase | undefined> {
  if (given === 'none') return undefined;
  const git = gitIn(io.cwd);
  const found = given === undefined ? targetOfJob(git, io) : namedRevision(git, given, io.cwd);
  if (found === undefined) return undefined;
  const { name, commit } = found;
  const prefix = tryGit(git, 'rev-parse', '--show-prefix') ?? '';
  const files = checkOut({ revision: commit, path: '' }, io.cwd);
  try {
    reportMissing(name, files, io);
    const { path, tops } = files;
    const cwd = join(path, prefix);
    // A folder that the revision does not have yet contains no inputs.
    makeFolder(cwd);
    const inputs = current.map((input) => movedPath(input, tops.working, path));
    const own = await configure?.({ cwd, path, top: tops.working, inputs });
    return { base: { name, commit, cwd, ...(own ?? { inputs, settings }) }, remove: files.remove };
  } catch (error) {
    files.remove();
    throw error;
  }
}

function movedPath(path: string, top: string, root: string): string {
  const full = resolve(top, path);
  return full === path && (full === top || full.startsWith(top + sep)) ? join(root, relative(top, full)) : path;
}

// Mirrors: GitHub's default environment variables (`GITHUB_BASE_REF` is set for pull requests alone; `refs/pull/N/merge` is a merge
// into the target), and GitLab's predefined variables of merge request pipelines.
function candidates({
  GITHUB_BASE_REF: target = '',
  GITHUB_REF: ref = '',
  CI_MERGE_REQUEST_DIFF_BASE_SHA: sha = '',
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: branch = '',
}: RunIo['env']): string[] {
  if (target !== '') return [`origin/${target}`, ...(/^refs\/pull\/\d+\/merge$/.test(ref) ? ['HEAD^1'] : [])];
  return [...(sha === '' ? [] : [sha]), ...(branch === '' ? [] : [`origin/${branch}`])];
}

interface FoundRevision {
  readonly name: string;
  readonly commit: string;
}

function targetOfJob(git: Git, { env, stderr }: RunIo): FoundRevision | undefined {
  const words = candidates(env);
  for (const word of words) {
    const commit = commitOf(git, word);
    if (commit !== undefined)
      return { name: env.GITHUB_BASE_REF || env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME || word, commit };
  }
  if (words.length > 0) {
    stderr(
      `Note: the report is against the recorded snapshots: this clone lacks ${words[0]}; fetch it (${deepenHint}) or pass --against none\n`,
    );
  }
  return undefined;
}

function namedRevision(git: Git, word: string, cwd: string): FoundRevision {
  if (word === '' || word.startsWith('-')) throw new UsageError(`--against takes a revision of git, not "${word}"`);
  const commit = commitOf(git, word);
  if (commit !== undefined) return { name: word, commit };
  if (tryGit(git, 'rev-parse', '--git-dir') === undefined) {
    throw new UsageError(`--against ${word}: ${cwd} is not in a git repository`);
  }
  throw new UsageError(
    `--against ${word}: unknown revision`,
    isShallow(git) ? `This clone is shallow: fetch the revision too (${deepenHint}).` : undefined,
  );
}

// Changes of the target since the branch began are not changes of the branch.
function commitOf(git: Git, word: string): string | undefined {
  const commit = tryGit(git, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${word}^{commit}`);
  return commit && (tryGit(git, 'merge-base', commit, 'HEAD')?.split('\n')[0] || commit);
}
