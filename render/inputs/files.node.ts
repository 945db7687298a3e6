// Reads files that arguments and settings name, with the errors of Go's os package.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { systemReason } from '../chart/directory.node.ts';
import { codeOf, RenderError } from '../core/errors.ts';
import { suggest } from '../core/suggest.ts';
import { UsageError } from '../core/usage-error.ts';
import { quote } from '../go/number.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { GoError } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { mergeUserValues, type ValuesFile } from '../values/user.ts';
import type { RunIo } from './settings.ts';

/**
 * Expands patterns (`*`, `?`, `[a-z]`, `{a,b}`, `**`) like shells other than those of Windows: arguments that do not exist as paths and
 * contain one of these. Throws UsageError for a pattern without matches.
 */
export async function expandPatterns(words: readonly string[], cwd: string): Promise<readonly string[]> {
  const inputs: string[] = [];
  for (const word of words) {
    if (!/[*?[{]/.test(word) || existsSync(resolve(cwd, word))) inputs.push(word);
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

/** Returns the text of a file; `path` is as the user wrote it. Throws GoError with Go's message. */
export function readTextFile(path: string, cwd: string): string {
  if (/^(https?|oci):\/\//.test(path)) throw new GoError(`Get ${quote(path)}: drydock fetches nothing; name a file`);
  try {
    return decodeUtf8(readFileSync(resolve(cwd, path)));
  } catch (error) {
    // Opening a folder succeeds.
    const operation = codeOf(error) === 'EISDIR' ? 'read' : 'open';
    throw new GoError(`${operation} ${path}: ${systemReason(error)}`, { cause: error });
  }
}

/**
 * Reads values files, `-` from standard input. Throws VALUES_INVALID with Go's message; an error in an earlier file comes first, because
 * Helm reads and parses file by file. `read` returns the text of a file, like `readTextFile`.
 */
export async function readValuesFiles(
  names: readonly string[],
  io: RunIo,
  helm: Helm = helmOf(),
  read = readTextFile,
): Promise<ValuesFile[]> {
  const files: ValuesFile[] = [];
  for (const name of names) {
    try {
      files.push({ name, text: name.trim() === '-' ? await io.stdin() : read(name, io.cwd) });
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      mergeUserValues({ valuesFiles: files }, helm);
      const hint = 'Name a values file in YAML that can be read, or - for standard input.';
      throw new RenderError('VALUES_INVALID', error.message, { place: { file: name }, cause: error, hint });
    }
  }
  return files;
}

/** Returns the prefix of the paths of a folder's files, such as `charts/web/`; empty for the working directory. */
export function folderPrefix(folder: string, cwd: string): string {
  const path = relative(cwd, folder).split(sep).join('/');
  return path === '' ? '' : `${path}/`;
}

/** Returns a path relative to the working directory. */
export function shownPath(path: string, { cwd }: RunIo): string {
  return relative(cwd, path).split(sep).join('/') || '.';
}

/** Returns the absolute path of a chart argument. Throws CHART_NOT_FOUND: charts are never downloaded. */
export function locateChart(word: string, cwd: string): string {
  const reference = word.trim();
  const path = resolve(cwd, reference);
  if (reference !== '' && existsSync(path)) return path;
  throw new RenderError('CHART_NOT_FOUND', missing(reference), {
    place: { file: reference },
    hint: `Name a chart folder or a .tgz archive on this machine${didYouMeanPath(reference, cwd) || '; nothing is fetched from repositories'}.`.replace(
      '?.',
      '?',
    ),
  });
}

// Helm's messages; the last two are those without any repository.
function missing(reference: string): string {
  if (isAbsolute(reference) || reference.startsWith('.')) return `path ${quote(reference)} not found`;
  if (reference.includes('://')) return `chart ${quote(reference)} is not on this machine, and drydock fetches nothing`;
  const slash = reference.indexOf('/');
  if (slash < 0) return `non-absolute URLs should be in form of repo_name/path_to_chart, got: ${reference}`;
  return `repo ${reference.slice(0, slash)} not found`;
}

/** Reports whether an argument names a chart; otherwise it is an Order. */
export function isChartInput(input: string, cwd: string): boolean {
  const path = resolve(cwd, input);
  return input.endsWith('.tgz') || (existsSync(path) && statSync(path).isDirectory());
}
