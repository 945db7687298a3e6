// Reads files of a command line, with the errors of Go's os package.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { systemReason } from '../../chart/directory.node.ts';
import { codeOf, RenderError } from '../../core/errors.ts';
import { defaultHelm } from '../../core/helm-version.ts';
import { quote } from '../../go/number.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { GoError } from '../../go/value.ts';
import type { Helm } from '../../helm/helm.ts';
import { helmOf } from '../../helm/versions.ts';
import { mergeUserValues, type ValuesFile } from '../../values/user.ts';
import type { ParsedFlags } from '../flags.ts';
import { didYouMeanPath } from '../inputs.node.ts';
import type { CommandIo } from '../io.ts';

/** Returns the Helm version of a command line, the first one of several; for `any` the default version. */
export function helmVersionOf(flags: ParsedFlags): string {
  return helmVersionsOf(flags)[0];
}

/** Returns the Helm versions of a command line, without duplicates. */
export function helmVersionsOf(flags: ParsedFlags): readonly [string, ...string[]] {
  const selected = flags.list('helm').map((text) => (text === 'any' ? defaultHelm : helmOf(text).name));
  const [first = defaultHelm, ...others] = new Set(selected);
  return [first, ...others];
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
      const hint = 'Name a values file in YAML that can be read, or - for standard input.';
      throw new RenderError('VALUES_INVALID', error.message, { place: { file: name }, cause: error, hint });
    }
  }
  return files;
}

/** Resolves a path relative to the working directory. */
export function shownPath(path: string, { cwd }: CommandIo): string {
  return relative(cwd, path).split(sep).join('/') || '.';
}

/**
 * Checks Helm's flags for remote charts and verification. Throws GoError with Helm's message.
 * Mirrors: helm.sh/helm/v3, internal/tlsutil, tls.go, and pkg/downloader, chart_downloader.go, `VerifyChart`, v3.17.3.
 */
export function checkChartFlags(flags: ParsedFlags, { major }: Helm, cwd: string): void {
  const file = flags.text('ca-file') ?? '';
  if (file === '') return;
  try {
    readFileSync(resolve(cwd, file));
  } catch (error) {
    const shown = major === 3 ? file : `${quote(file)}: open ${file}: ${systemReason(error)}`;
    throw new GoError(`missing registry client: can't create TLS config for client: can't read CA file: ${shown}`);
  }
}

/** Refuses a chart that `--verify` cannot accept. Throws GoError with Helm's message. */
export function checkVerifiable(flags: ParsedFlags, path: string): void {
  if (!flags.on('verify')) return;
  if (statSync(path).isDirectory()) throw new GoError('unpacked charts cannot be verified');
  if (!/\.(?:tgz|tar\.gz)$/.test(path)) throw new GoError('chart must be a tgz file');
  const file = `${path}.prov`;
  if (!existsSync(file)) {
    throw new GoError(`could not load provenance file ${file}: stat ${file}: no such file or directory`);
  }
  throw new GoError('--verify checks no signatures here; `drydock vendor --verify` does');
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
