// Files that a command line names, with the errors that Go's os package gives.

import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { reasonOf } from '../../../render/chart/directory.node.ts';
import { codeOf, RenderError } from '../../../render/errors.ts';
import { quote } from '../../../render/go/number.ts';
import { decodeUtf8 } from '../../../render/go/utf8.ts';
import { GoError } from '../../../render/go/value.ts';
import type { Helm } from '../../../render/helm/helm.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { defaultHelm } from '../../../render/helm-version.ts';
import { mergeUserValues, type ValuesFile } from '../../../render/values/user.ts';
import type { ParsedFlags } from '../flags.ts';
import { askMeantPath } from '../inputs.node.ts';
import type { CommandIo } from '../io.ts';

/** Returns the Helm version that a command line selects, the first one of several; for `any` the default version. */
export function helmVersionOf(flags: ParsedFlags): string {
  return helmVersionsOf(flags)[0];
}

/** Returns the Helm versions that a command line selects, each once. */
export function helmVersionsOf(flags: ParsedFlags): readonly [string, ...string[]] {
  const selected = flags.list('helm').map((text) => (text === 'any' ? defaultHelm : helmOf(text).name));
  const [first = defaultHelm, ...others] = new Set(selected);
  return [first, ...others];
}

/** Gives the text of a file; `path` is as the user wrote it. Throws GoError with Go's text. */
export function readTextFile(path: string, cwd: string): string {
  if (/^(https?|oci):\/\//.test(path)) throw new GoError(`Get ${quote(path)}: drydock fetches nothing; name a file`);
  try {
    return decodeUtf8(readFileSync(resolve(cwd, path)));
  } catch (error) {
    // A folder can be opened.
    const operation = codeOf(error) === 'EISDIR' ? 'read' : 'open';
    throw new GoError(`${operation} ${path}: ${reasonOf(error)}`, { cause: error });
  }
}

/**
 * Reads values files, `-` from standard input. Throws VALUES_INVALID with Go's text; a fault within an earlier file comes
 * first, for Helm reads and parses file by file. `read` gives the text of a file, as `readTextFile` does.
 */
export async function readValuesFiles(
  names: readonly string[],
  io: CommandIo,
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
      const mend = 'Name a values file in YAML that can be read, or - for standard input.';
      throw new RenderError('VALUES_INVALID', error.message, { place: { file: name }, cause: error, mend });
    }
  }
  return files;
}

/** Gives a path as seen from the folder that a command runs in. */
export function shownPath(path: string, { cwd }: CommandIo): string {
  return relative(cwd, path).split(sep).join('/') || '.';
}

/** Gives the absolute path of the chart that a word names. Throws CHART_NOT_FOUND: charts are not fetched from anywhere. */
export function locateChart(word: string, cwd: string): string {
  const reference = word.trim();
  const path = resolve(cwd, reference);
  if (reference !== '' && existsSync(path)) return path;
  throw new RenderError('CHART_NOT_FOUND', missing(reference), {
    place: { file: reference },
    mend: `Name a chart folder or a .tgz archive on this machine${askMeantPath(reference, cwd) || '; nothing is fetched from repositories'}.`.replace(
      '?.',
      '?',
    ),
  });
}

// Helm's texts; the last two are what it says where no repository is set up.
function missing(reference: string): string {
  if (isAbsolute(reference) || reference.startsWith('.')) return `path ${quote(reference)} not found`;
  if (reference.includes('://')) return `chart ${quote(reference)} is not on this machine, and drydock fetches nothing`;
  const slash = reference.indexOf('/');
  if (slash < 0) return `non-absolute URLs should be in form of repo_name/path_to_chart, got: ${reference}`;
  return `repo ${reference.slice(0, slash)} not found`;
}
