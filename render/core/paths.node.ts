// Paths that users write: patterns, similar names, and how paths are shown.

import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, relative, resolve, sep } from 'node:path';
import { isPattern } from './paths.ts';
import { suggest } from './suggest.ts';
import { UsageError } from './usage-error.ts';

/**
 * Expands patterns (`*`, `?`, `[a-z]`, `{a,b}`, `**`) like shells other than those of Windows: arguments that do not exist as paths and
 * contain one of these. Throws UsageError for a pattern without matches.
 */
export async function expandPatterns(words: readonly string[], cwd: string): Promise<readonly string[]> {
  const inputs: string[] = [];
  for (const word of words) {
    if (!isPattern(word) || existsSync(resolve(cwd, word))) inputs.push(word);
    else inputs.push(...(await filesOf(word, cwd)));
  }
  return [...new Set(inputs)];
}

async function filesOf(pattern: string, cwd: string): Promise<readonly string[]> {
  const { glob } = await import('tinyglobby');
  // Windows uses the escape character of patterns as its path separator.
  const portable = process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern;
  const found = await glob(portable, { cwd, onlyFiles: false, expandDirectories: false });
  if (found.length === 0) throw new UsageError(`nothing matches ${pattern}`);
  return found.map((path) => path.replace(/\/$/, '')).sort();
}

/** Returns `; did you mean "PATH"?` for a missing path with a similar existing one; empty for others. */
export function didYouMeanPath(path: string, cwd: string): string {
  const name = basename(path);
  const before = path.slice(0, path.lastIndexOf(name));
  const meant = suggest(name, namesIn(dirname(resolve(cwd, path))));
  return meant === undefined || meant === name ? '' : `; did you mean ${JSON.stringify(`${before}${meant}`)}?`;
}

/** Returns the names in a folder; empty if it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the prefix of the paths of a folder's files, such as `charts/web/`; empty for the working directory. */
export function folderPrefix(folder: string, cwd: string): string {
  const path = relative(cwd, folder).split(sep).join('/');
  return path === '' ? '' : `${path}/`;
}

/** Returns a path relative to the working directory. */
export function shownPath(path: string, { cwd }: { readonly cwd: string }): string {
  return relative(cwd, path).split(sep).join('/') || '.';
}
