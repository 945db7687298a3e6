// Files of a git revision, in a temporary folder.

import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, posix } from 'node:path';
import type { Chart } from '../chart/chart.ts';
import { readChartPath } from '../chart/directory.node.ts';
import { RenderError } from '../core/errors.ts';
import { accepts, missingDependencies } from '../vendor/lock/dependencies.ts';
import { readChartLock } from '../vendor/lock/registry.node.ts';
import { type Git, GitError, gitIn } from './git.node.ts';
import { localDependencies } from './paths.node.ts';
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
 * Writes files of a revision into a temporary folder: those below the path and the targets of their symbolic links, or all of them for a
 * file, which may refer to others. Ignored files, such as vendored charts, are linked from the working tree; dependencies in the charts/
 * folder of a chart only if they match. Throws CHART_NOT_FOUND if the revision or path does not exist, CHART_INVALID for a link out of the
 * revision.
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
    const tree = new RevisionTree(git, { word, top });
    const found = tree.follow(name);
    // Git's own error message.
    if (found === undefined || !tree.has(found)) git(['cat-file', '-t', `${commit}:${name}`]);
    const real = found ?? name;
    const root = join(folder, basename(top));
    const written = new Set<string>();
    const write = (path: string): void => {
      const paths = [...tree.below(path)].filter((one) => !written.has(one));
      for (const one of paths) written.add(one);
      git(['checkout-index', '-z', '--stdin', '--force', `--prefix=${root}/`], paths.join('\0'));
      for (const chart of chartsAmong(paths)) {
        for (const local of localDependencies(join(root, chart))) write(posix.normalize(posix.join(chart, local)));
      }
    };
    write(tree.isFile(real) ? '' : real);
    const copied: string[] = [];
    const lacking: string[] = [];
    for (const chart of chartsAmong([...written])) {
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

interface TreeEntry {
  readonly isLink: boolean;
  readonly object: string;
}

class RevisionTree {
  readonly #git: Git;
  readonly #named: { readonly word: string; readonly top: string };
  readonly #entries = new Map<string, TreeEntry>();
  readonly #folders = new Set<string>(['']);

  constructor(git: Git, named: { readonly word: string; readonly top: string }) {
    this.#git = git;
    this.#named = named;
    for (const line of git(['ls-files', '--stage', '-z']).split('\0')) {
      const [, mode = '', object = '', path] = /^(\d+) (\w+) \d+\t(.*)$/s.exec(line) ?? [];
      if (path === undefined) continue;
      this.#entries.set(path, { isLink: mode === '120000', object });
      for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
        this.#folders.add(path.slice(0, at));
      }
    }
  }

  has(path: string): boolean {
    return this.#folders.has(path) || this.#entries.has(path);
  }

  isFile(path: string): boolean {
    return this.#entries.has(path);
  }

  /** Returns the target of a path; undefined for cyclic links. `onLink` is called with each link on the way. */
  follow(path: string, onLink: (link: string) => void = () => {}): string | undefined {
    const rest = path.split('/').filter((step) => step !== '');
    let done = '';
    for (let links = 0, step = rest.shift(); step !== undefined; step = rest.shift()) {
      const next = posix.join(done, step);
      if (this.#entries.get(next)?.isLink !== true) {
        done = next === '.' ? '' : next;
        continue;
      }
      if (++links > 255) return undefined;
      onLink(next);
      const target = this.#targetOf(next);
      if (target === undefined) return undefined;
      rest.unshift(...target.split('/').filter((one) => one !== ''));
      done = '';
    }
    return done;
  }

  /** Returns the files below a folder, and the targets of links among them. */
  below(folder: string): ReadonlySet<string> {
    const found = new Set<string>();
    const add = (path: string): void => {
      for (const name of this.#entries.keys()) {
        if (found.has(name) || !(path === '' || name === path || name.startsWith(`${path}/`))) continue;
        found.add(name);
        if (this.#entries.get(name)?.isLink !== true) continue;
        const end = this.follow(name, (link) => found.add(link));
        // A broken link is reported when the chart is read.
        if (end !== undefined && this.has(end)) add(end);
      }
    };
    add(folder);
    return found;
  }

  // From the top; undefined for a target outside of the repository, which no revision has.
  #targetOf(link: string): string | undefined {
    const { word, top } = this.#named;
    const target = this.#git(['cat-file', 'blob', this.#entries.get(link)!.object]);
    const isAbsolute = posix.isAbsolute(target);
    if (isAbsolute && !target.startsWith(`${top}/`)) return undefined;
    const path = posix.normalize(posix.join(posix.dirname(link), target));
    if (!isAbsolute && !/^\.\.(?:\/|$)/.test(path)) return path;
    throw new RenderError(
      'CHART_INVALID',
      `${word}: the symbolic link ${link} leads to ${target}, out of the revision`,
      {
        hint: 'Make it a relative link to a path of the repository.',
      },
    );
  }
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
  try {
    return readChartPath(path).load();
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}
