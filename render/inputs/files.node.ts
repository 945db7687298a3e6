// Values files and charts that arguments name.

import { existsSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { checkArguments, filled, text } from '../core/arguments.ts';
import { RenderError } from '../core/errors.ts';
import { didYouMeanPath } from '../core/paths.node.ts';
import { quote } from '../go/number.ts';
import { readTextFile } from '../go/os.node.ts';
import { GoError } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { mergeUserValues, type ValuesFile } from '../values/user.ts';
import type { RunIo } from './settings.ts';

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

/**
 * Returns the absolute path of a chart that an argument names. Throws CHART_NOT_FOUND with Helm's message, for charts are never downloaded;
 * ARGUMENT_INVALID.
 */
export function locateChart(word: string, cwd = process.cwd()): string {
  checkArguments('locateChart', ['word', word, text], ['cwd', cwd, filled]);
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

/** Reports whether an argument names a chart, a folder or an archive; otherwise it is an Order. Throws ARGUMENT_INVALID. */
export function isChartInput(input: string, cwd = process.cwd()): boolean {
  checkArguments('isChartInput', ['input', input, text], ['cwd', cwd, filled]);
  const path = resolve(cwd, input);
  return input.endsWith('.tgz') || (existsSync(path) && statSync(path).isDirectory());
}
