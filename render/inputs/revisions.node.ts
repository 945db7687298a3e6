// Files of a git revision, in a temporary folder.

import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import type { Chart } from '../chart/chart.ts';
import { readChartPath } from '../chart/directory.node.ts';
import { attempt } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import { makeFolder } from '../core/make-folder.node.ts';
import { accepts, missingDependencies } from '../vendor/lock/dependencies.ts';
import { readChartLock } from '../vendor/lock/registry.node.ts';
import { type Git, GitError, gitIn } from './git.node.ts';
import { isFolder } from './paths.node.ts';
import type { RunIo } from './settings.ts';

interface RevisionWord {
  readonly revision: string;
  /** From the top of the repository, or from the current folder if it begins with `./` or `../`. */
  readonly path: string;
}

/** Parses an argument such as `HEAD~1:charts/web`; undefined for a path, including `C:\charts`. */
export function readRevision(word: string): RevisionWord | undefined {
  const colon = word.indexOf(':');
  if (colon < 2 || word.startsWith('-')) return undefined;
  return { revision: word.slice(0, colon), path: word.slice(colon + 1) };
}

export interface RevisionFiles {
  readonly path: string;
  /** The top of the repository in the working tree, and of the written files. */
  readonly tops: { readonly working: string; readonly written: string };
  /** Archives of untracked dependencies copied from the working tree, by their paths from its top. */
  readonly copied: readonly string[];
  /** Dependencies of which the working tree has only another version. */
  readonly lacking: readonly string[];
  readonly remove: () => void;
}

/**
 * Writes the files of a revision into a temporary folder. Ignored files, such as vendored charts, are linked from the working tree;
 * dependencies in the charts/ folder of a chart only if they match. Throws CHART_NOT_FOUND if the revision or path does not exist,
 * CHART_INVALID for a link out of the revision.
 */
export function checkOut({ revision, path }: RevisionWord, cwd: string): RevisionFiles {
  const word = `${revision}:${path}`;
  const own = gitAt(cwd, word);
  const inside = own(['rev-parse', '--show-prefix']).trim();
  const full = posix.normalize(/^\.\.?(?:\/|$)/.test(path) ? join(inside, path) : path || '.').replaceAll('\\', '/');
  const name = full.replace(/(?<!\/)\/+$/, '').replace(/^\.$/, '');
  const commit = own(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]).trim();
  const isBare = own(['rev-parse', '--is-bare-repository']).trim() === 'true';
  const top = own(['rev-parse', isBare ? '--absolute-git-dir' : '--show-toplevel']).trim();
  const folder = mkdtempSync(join(tmpdir(), 'drydock-diff-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    // The attributes for writing files are at the top.
    const git = gitAt(existsSync(top) ? top : cwd, word, {
      GIT_INDEX_FILE: join(folder, 'index'),
      ...(isBare ? { GIT_DIR: top, GIT_WORK_TREE: folder } : {}),
    });
    git(['read-tree', commit]);
    const root = join(folder, basename(top));
    makeFolder(root);
    git(['checkout-index', '--all', '--force', `--prefix=${root}/`]);
    const outside = outsideLinks(git, top, root);
    const target = join(root, name);
    const isThere = existsSync(target);
    // Git's own error message.
    if (!isThere) git(['cat-file', '-t', `${commit}:${name}`]);
    const real = isThere ? relative(realpathSync(root), realpathSync(target)) : name;
    // A file may refer to others.
    const scope = isThere && !isFolder(target) ? '' : real;
    for (const [link, leadsTo] of outside) {
      if (isOutside(relative(scope, link))) continue;
      const message = `${word}: the symbolic link ${link} leads to ${leadsTo}, out of the revision`;
      const hint = 'Make it a relative link to a path of the repository.';
      throw new RenderError('CHART_INVALID', message, { hint });
    }
    const copied: string[] = [];
    const lacking: string[] = [];
    const files = git(['ls-files', '-z']).split('\0');
    for (const chart of chartsAmong(files).filter((one) => !isOutside(relative(scope, one)))) {
      const found = lendDependencies(join(root, chart), join(top, chart));
      copied.push(...found.copied.map((archive) => posix.join(chart, archive)));
      lacking.push(...found.lacking);
    }
    // With the current index: a file that the revision does not have yet may be tracked by now.
    if (!isBare) linkIgnored(gitAt(top, word), { working: top, written: root });
    return { path: join(root, real), tops: { working: top, written: root }, copied, lacking, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

export function reportMissing(
  word: string,
  { lacking }: Pick<RevisionFiles, 'lacking'>,
  { stderr }: Pick<RunIo, 'stderr'>,
): void {
  if (lacking.length === 0) return;
  const why = 'git does not track it, and charts/ of the working tree holds another version';
  stderr(`Note: ${word} lacks ${lacking.join(', ')}: ${why}\n`);
}

function linkIgnored(git: Git, { working, written }: RevisionFiles['tops']): void {
  const listed = git(['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']);
  for (const entry of listed.split('\0')) {
    const path = entry.replace(/\/$/, '');
    if (path === '' || /(?:^|\/)\.drydock(?:\/|$)/.test(path) || isDependency(path, written)) continue;
    const target = join(written, path);
    if (existsSync(target) || !existsSync(dirname(target))) continue;
    symlinkSync(join(working, path), target);
  }
}

// Reports whether a path is in the charts/ folder of a chart, whose versions are checked separately.
function isDependency(path: string, root: string): boolean {
  const steps = path.split('/');
  return steps.some((step, at) => step === 'charts' && existsSync(join(root, ...steps.slice(0, at), 'Chart.yaml')));
}

// The folders of charts, except subcharts.
function chartsAmong(paths: readonly string[]): string[] {
  const folders = paths
    .filter((path) => posix.basename(path) === 'Chart.yaml')
    .map((path) => posix.dirname(path))
    .map((path) => (path === '.' ? '' : path));
  const known = new Set(folders);
  return folders.filter((folder) => {
    const [, outer] = /^(?:(.+)\/)?charts\/[^/]+$/.exec(folder) ?? [];
    return outer === undefined || !known.has(outer);
  });
}

// Makes absolute links into the repository lead to files of the revision, and removes links that lead out of the repository. Returns those
// with their targets.
function outsideLinks(git: Git, top: string, root: string): ReadonlyMap<string, string> {
  const outside = new Map<string, string>();
  for (const line of git(['ls-files', '--stage', '-z']).split('\0')) {
    const [, link] = /^120000 \w+ \d+\t(.*)$/s.exec(line) ?? [];
    // On Windows git may write links as files.
    if (link === undefined || !lstatSync(join(root, link)).isSymbolicLink()) continue;
    const target = readlinkSync(join(root, link));
    const steps = relative(root, resolve(root, dirname(link), target.replace(`${top}/`, `${root}/`)));
    if (!isAbsolute(target) && !isOutside(steps)) continue;
    unlinkSync(join(root, link));
    if (isOutside(steps)) outside.set(link, target);
    else symlinkSync(join(root, steps), join(root, link));
  }
  return outside;
}

function isOutside(path: string): boolean {
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
}

// Git, with errors that name the requested revision and path.
function gitAt(cwd: string, word: string, env: Readonly<Record<string, string>> = {}): Git {
  const git = gitIn(cwd, env);
  return (args, input) => {
    try {
      return git(args, input);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      throw new RenderError('CHART_NOT_FOUND', `${word}: ${error.message}`, {
        cause: error,
        hint: 'Name a revision and a path from the top of the repository, such as HEAD~1:charts/web.',
      });
    }
  };
}

// Untracked dependencies of a chart in a revision: they are copied from the working tree if they match, so that both sides of a comparison
// are equally complete.

/** What was copied from the working tree, and what is missing. */
interface LentDependencies {
  /** Paths relative to the chart, such as `charts/redis-18.1.0.tgz`. */
  readonly copied: readonly string[];
  /** Dependencies of which the working tree has only another version, such as `redis 18.1.0`. */
  readonly lacking: readonly string[];
}

/**
 * Copies what the chart in a folder lacks: `file://` charts beside it, and archives from the `charts/` folder of the working tree in the
 * version of the lock file, or a matching one.
 */
function lendDependencies(folder: string, working: string): LentDependencies {
  const chart = tryRead(folder);
  if (chart === undefined) return { copied: [], lacking: [] };
  const copied: string[] = [];
  const lacking: string[] = [];
  for (const { dependency, from } of missingDependencies(chart, readChartLock(folder))) {
    if ('path' in from) {
      const local = join(folder, from.path);
      if (existsSync(local)) cpSync(local, join(folder, 'charts', dependency.name), { recursive: true });
      continue;
    }
    const held = heldIn(join(working, 'charts')).filter(({ name }) => name === dependency.name);
    const found = held.find(({ version }) => accepts(from.ref.version || '*', version));
    if (found === undefined) {
      if (held.length > 0) lacking.push(`${dependency.name} ${from.ref.version ?? ''}`.trim());
      continue;
    }
    cpSync(join(working, 'charts', found.entry), join(folder, 'charts', found.entry), { recursive: true });
    copied.push(`charts/${found.entry}`);
  }
  return { copied, lacking };
}

interface HeldChart {
  readonly entry: string;
  readonly name: string;
  readonly version: string;
}

function heldIn(folder: string): HeldChart[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((entry) => {
    const chart = tryRead(join(folder, entry));
    return chart === undefined ? [] : [{ entry, name: chart.metadata.name, version: chart.metadata.version }];
  });
}

// An invalid chart is reported when it is rendered.
function tryRead(path: string): Chart | undefined {
  return attempt(() => readChartPath(path).load(), RenderError, undefined);
}
