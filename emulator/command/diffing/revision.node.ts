// What stood at a path in a revision of git, as files in a folder of their own for as long as it is looked at.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { RenderError } from '../../../render/errors.ts';

/** A path in a revision. */
export interface RevisionWord {
  readonly revision: string;
  /** From the top of the repository, or from the current folder where it begins with `./` or `../`. */
  readonly path: string;
}

/** Reads a word such as `HEAD~1:charts/web`; undefined for a path, `C:\charts` among them. */
export function readRevision(word: string): RevisionWord | undefined {
  const colon = word.indexOf(':');
  if (colon < 2 || word.startsWith('-')) return undefined;
  return { revision: word.slice(0, colon), path: word.slice(colon + 1) };
}

/** Files of a revision on the disk. */
export interface RevisionFiles {
  /** The path that was asked for. */
  readonly path: string;
  /** Takes the files away. */
  readonly remove: () => void;
}

/**
 * Writes a revision's files into a folder for a time: those below the path, and all for a file, which may refer to others.
 * Throws CHART_NOT_FOUND where git knows no such revision or path.
 */
export function checkOut({ revision, path }: RevisionWord, cwd: string): RevisionFiles {
  const git = gitAt(cwd, `${revision}:${path}`);
  const name = git(['rev-parse', '--show-prefix']).trim();
  const full = (/^\.\.?(?:\/|$)/.test(path) ? join(name, path) : path)
    .replaceAll('\\', '/')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '');
  const tree = git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]).trim();
  const kind = git(['cat-file', '-t', `${tree}:${full}`]).trim();
  const folder = mkdtempSync(join(tmpdir(), 'drydock-diff-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const all = kind === 'blob';
    const index = { GIT_INDEX_FILE: join(folder, 'index') };
    // A chart is called as its folder is.
    const target = join(folder, 'files', all ? '' : basename(full) || 'chart', '/');
    git(['read-tree', all ? tree : `${tree}:${full}`], index);
    git(['checkout-index', '--all', '--force', `--prefix=${target}`], index);
    return { path: all ? join(target, full) : target, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function gitAt(cwd: string, word: string): (args: readonly string[], env?: Readonly<Record<string, string>>) => string {
  return (args, env = {}) => {
    try {
      return execFileSync('git', args, {
        cwd: args[0] === 'checkout-index' || args[0] === 'read-tree' ? topOf(cwd) : cwd,
        env: { ...process.env, ...env },
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        maxBuffer: 1 << 28,
      });
    } catch (error) {
      const { code, stderr = '' } = error as { readonly code?: string; readonly stderr?: string };
      if (code === 'ENOENT') {
        throw new RenderError('CHART_NOT_FOUND', `${word} needs git, which is not on the PATH`, { cause: error });
      }
      const reason = stderr
        .trim()
        .replace(/^fatal: /, '')
        .split('\n')[0];
      throw new RenderError('CHART_NOT_FOUND', `${word}: ${reason || 'git knows no such revision or path'}`, {
        cause: error,
        mend: 'Name a revision and a path from the top of the repository, such as HEAD~1:charts/web.',
      });
    }
  };
}

// The attributes that say how files are written down lie at the top.
function topOf(cwd: string): string {
  const top = execFileSync('git', ['rev-parse', '--show-toplevel'], { cwd, encoding: 'utf8' }).trim();
  return existsSync(top) ? top : cwd;
}
