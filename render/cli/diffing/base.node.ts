// The revision that a run is compared with, and its files on disk during the run.

import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { makeFolder } from '../../core/make-folder.node.ts';
import { configuredDefaults, findConfig } from '../config/load.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { deepenHint, type Git, gitIn, isShallow, tryGit } from '../git.node.ts';
import type { CommandContext } from '../io.ts';
import { flagsOfPlain, type PlainFlags, plainFlags } from '../made-flags.node.ts';
import { flagsOf } from '../table/command.ts';
import { snapshotSpec } from '../table/snapshot.ts';
import { checkOut, printMissing } from './revision.node.ts';

/** The revision to compare with, for all threads. */
export interface BaseRevision {
  /** The given or detected name, such as `origin/main`. */
  readonly name: string;
  /** The commit of the files: the merge base, or the revision itself if there is none. */
  readonly commit: string;
  /** The folder of its files, which corresponds to the current one. */
  readonly cwd: string;
  /** The command line with the configuration of the revision. */
  readonly flags: PlainFlags;
}

/** A revision whose files are on disk. */
export interface CheckedOutBase {
  readonly base: BaseRevision;
  /** Removes the files. */
  readonly remove: () => void;
}

/**
 * Checks out the revision of `--against`, or the target of the current job's pull request. Returns undefined if there is none, and in a job
 * whose clone lacks the target, which is reported. Throws UsageError.
 */
export async function checkOutBase(flags: ParsedFlags, io: CommandContext): Promise<CheckedOutBase | undefined> {
  const given = flags.text('against');
  if (given === 'none') return undefined;
  const git = gitIn(io.cwd);
  const found = given === undefined ? detected(git, io) : named(git, given, io.cwd);
  if (found === undefined) return undefined;
  const { name, commit } = found;
  const prefix = tryGit(git, 'rev-parse', '--show-prefix') ?? '';
  const files = checkOut({ revision: commit, path: '' }, io.cwd);
  try {
    printMissing(name, files, io);
    const cwd = join(files.path, prefix);
    // A folder that the revision does not have yet contains no inputs.
    makeFolder(cwd);
    const own = await flagsAt(cwd, { flags, io, top: files.tops.working, root: files.path });
    return { base: { name, commit, cwd, flags: own }, remove: files.remove };
  } catch (error) {
    files.remove();
    throw error;
  }
}

type Env = CommandContext['env'];

// Mirrors: GitHub's default environment variables (`GITHUB_BASE_REF` is set for pull requests alone; `refs/pull/N/merge` is a merge
// into the target), and GitLab's predefined variables of merge request pipelines.
function candidates({
  GITHUB_BASE_REF: target = '',
  GITHUB_REF: ref = '',
  CI_MERGE_REQUEST_DIFF_BASE_SHA: sha = '',
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: branch = '',
}: Env): string[] {
  if (target !== '') return [`origin/${target}`, ...(/^refs\/pull\/\d+\/merge$/.test(ref) ? ['HEAD^1'] : [])];
  return [...(sha === '' ? [] : [sha]), ...(branch === '' ? [] : [`origin/${branch}`])];
}

interface FoundRevision {
  readonly name: string;
  readonly commit: string;
}

function detected(git: Git, { env, quiet, stderr, err }: CommandContext): FoundRevision | undefined {
  const words = candidates(env);
  for (const word of words) {
    const commit = commitOf(git, word);
    if (commit !== undefined)
      return { name: env.GITHUB_BASE_REF || env.CI_MERGE_REQUEST_TARGET_BRANCH_NAME || word, commit };
  }
  if (words.length > 0 && !quiet) {
    stderr(
      `${err.yellow('Note:')} the report is against the recorded snapshots: this clone lacks ${words[0]}; fetch it (${deepenHint}) or pass --against none\n`,
    );
  }
  return undefined;
}

function named(git: Git, word: string, cwd: string): FoundRevision {
  if (word === '' || word.startsWith('-')) throw new UsageError(`--against takes a revision of git, not "${word}"`);
  const commit = commitOf(git, word);
  if (commit !== undefined) return { name: word, commit };
  if (tryGit(git, 'rev-parse', '--git-dir') === undefined) {
    throw new UsageError(`--against ${word}: ${cwd} is not in a git repository`);
  }
  throw new UsageError(
    `--against ${word}: git knows no such revision`,
    isShallow(git) ? `This clone is shallow: fetch the revision too (${deepenHint}).` : undefined,
  );
}

// Changes of the target since the branch began are not changes of the branch.
function commitOf(git: Git, word: string): string | undefined {
  const commit = tryGit(git, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${word}^{commit}`);
  return commit && (tryGit(git, 'merge-base', commit, 'HEAD')?.split('\n')[0] || commit);
}

interface FlagsAt {
  readonly flags: ParsedFlags;
  readonly io: CommandContext;
  readonly top: string;
  readonly root: string;
}

// The command line with the revision's own configuration.
async function flagsAt(cwd: string, { flags, io, top, root }: FlagsAt): Promise<PlainFlags> {
  const names = flagsOf(snapshotSpec).map(({ name }) => name);
  const current = plainFlags(flags, names);
  const moved = { ...current, args: current.args.map((path) => movedPath(path, top, root)) };
  if (flags.on('no-config')) return moved;
  const own = configFile(flags.text('config'), io.cwd);
  const isOutside = own !== undefined && relative(top, own).startsWith('..');
  if (isOutside) return moved;
  const other = own === undefined ? configFile(undefined, cwd) : join(root, relative(top, own));
  const file = other?.startsWith(root) && existsSync(other) ? other : undefined;
  if (own === undefined && file === undefined) return moved;
  if (own !== undefined && file !== undefined && readFileSync(own).equals(readFileSync(file))) return moved;
  const mine =
    own === undefined
      ? undefined
      : await configuredDefaults(snapshotSpec, { program: io.program, cwd: io.cwd, env: io.env, given: own });
  const theirs =
    file === undefined
      ? undefined
      : await configuredDefaults(snapshotSpec, {
          program: io.program,
          cwd,
          env: io.env,
          given: file,
          allowsMissingCharts: true,
        });
  const given = names.filter((name) => flags.isGiven(name)).map((name) => [name, flags.list(name)] as const);
  const areConfigured = mine?.defaultArgs?.join('\0') === current.args.join('\0');
  return {
    args: areConfigured ? (theirs?.defaultArgs ?? []) : moved.args,
    given: current.given,
    chartSettings: theirs?.chartSettings ?? [],
    texts: { ...Object.fromEntries(theirs?.defaults ?? []), ...Object.fromEntries(given) },
  };
}

function configFile(given: string | undefined, cwd: string): string | undefined {
  return given === undefined ? findConfig(cwd) : resolve(cwd, given);
}

function movedPath(path: string, top: string, root: string): string {
  const full = resolve(top, path);
  return full === path && (full === top || full.startsWith(top + sep)) ? join(root, relative(top, full)) : path;
}

/** Returns the command line of a revision. */
export function flagsOfBase(base: BaseRevision): ParsedFlags {
  return flagsOfPlain(base.flags);
}
