// A chart on disk: a folder, walked as Helm walks it, or a packed archive.
// Mirrors: helm.sh/helm/v3, pkg/chart/loader, directory.go and archive.go; internal/sympath, walk.go, v3.17.3.

import {
  closeSync,
  type Dirent,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { checkArguments, filled } from '../core/arguments.ts';
import { codeOf, RenderError } from '../core/errors.ts';
import { invalidHeader, isGzip } from '../go/compress/gzip.ts';
import { quote } from '../go/number.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { compareStrings, GoError } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { maxChartSize, maxFileSize } from './archive.ts';
import type { Chart } from './chart.ts';
import { detectContentType } from './content-type.ts';
import { type IgnoreOptions, type IsIgnored, parseIgnoreRules } from './ignore.ts';
import {
  type CommandLoadOptions,
  chartFileMissing,
  chartInvalid,
  checkApiVersion,
  type LoadOptions,
  loadForCommand,
  loadOptions,
} from './load.ts';

/**
 * Loads the chart at a path: a folder (its .helmignore counts, symbolic links are followed) or a .tgz archive.
 * Rejects with CHART_NOT_FOUND when nothing is there, CHART_INVALID with Helm's text, ARGUMENT_INVALID.
 * @example
 * const chart = await loadChartPath('charts/web');
 */
export async function loadChartPath(path: string, options: LoadOptions = {}): Promise<Chart> {
  checkArguments('loadChartPath', ['path', path, filled], ['options', options, loadOptions]);
  return readChartPath(path, options).load();
}

/** A chart that was read from a disk, and not yet parsed. */
export interface ReadChart {
  /** The files of a folder by their paths below it, in Helm's order; of an archive, its bytes under an empty name. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Returns the chart. Throws CHART_INVALID with Helm's text. */
  readonly load: () => Chart;
}

/** Describes how a chart is read. */
export interface ReadOptions extends CommandLoadOptions {
  /** A folder that is not part of the chart, though it may lie in it; an absolute path. Default none. */
  readonly without?: string | undefined;
}

/** Reads the chart at a path. Throws CHART_NOT_FOUND when nothing is there, CHART_INVALID with Helm's text. */
export function readChartPath(path: string, options: ReadOptions = {}): ReadChart {
  const absolute = resolve(path);
  // A path that leads through a file is none, and statSync throws of it.
  if (!existsSync(absolute)) {
    throw new RenderError('CHART_NOT_FOUND', `path ${quote(path)} not found`, {
      place: { file: path },
      hint: 'Name a chart folder or a .tgz archive on this machine.',
    });
  }
  return orInvalid(() => {
    if (!statSync(absolute).isDirectory()) return readArchive(absolute, options);
    const { helm, onWarning, detectsVersion = helmOf(options.helm).charts.detectsVersion } = options;
    if (detectsVersion) detectChart(absolute);
    const files = readChartFiles(absolute, options);
    return {
      files,
      load: () =>
        orInvalid(() => {
          // It was there, and is among the files that .helmignore leaves out.
          if (detectsVersion && !files.has('Chart.yaml')) throw chartFileMissing();
          return loadForCommand(files, { helm, onWarning, detectsVersion });
        }),
    };
  });
}

function orInvalid<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof GoError) throw chartInvalid(error);
    throw error;
  }
}

// Mirrors: helm.sh/helm/v4/pkg/chart/loader, load.go, `LoadDir`, v4.2.3.
function detectChart(folder: string): void {
  const path = join(folder, 'Chart.yaml');
  let data: Uint8Array;
  try {
    data = attempt('open', path, () => readFileSync(path));
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`unable to detect chart at ${path}: ${error.message}`, { cause: error });
  }
  checkApiVersion({ name: 'Chart.yaml', data });
}

function readArchive(path: string, options: CommandLoadOptions): ReadChart {
  const data = readFileSync(path);
  if (isGzip(data)) {
    return { files: new Map([['', data]]), load: () => orInvalid(() => loadStream(data, path, options)) };
  }
  if (/\.ya?ml$/.test(path)) {
    throw new GoError(`file '${path}' seems to be a YAML file, but expected a gzipped archive`);
  }
  throw new GoError(`file '${path}' does not appear to be a gzipped archive; got '${detectContentType(data)}'`);
}

function loadStream(data: Uint8Array, path: string, options: CommandLoadOptions): Chart {
  try {
    return loadForCommand(data, options);
  } catch (error) {
    // Of the members of this stream; a sub-chart's fault names the sub-chart.
    if (!(error instanceof RenderError) || error.message !== invalidHeader) throw error;
    throw new GoError(`file '${path}' does not appear to be a valid chart file (details: ${invalidHeader})`);
  }
}

/** Returns the files of a chart's folder by their paths below it, in Helm's order, without those that its .helmignore names. */
export function readChartFiles(folder: string, options: ReadOptions = {}): Map<string, Uint8Array> {
  const { onWarning = () => {}, without } = options;
  const helm = helmOf(options.helm);
  const isIgnored = readRules(folder, {
    leadingSlash: helm.charts.ignoreSlash,
    onBroken: (pattern, form) => onWarning(helm.log.brokenRule(pattern, form)),
  });
  const walk: Walk = { isIgnored, files: new Map(), onWarning, helm, without, remaining: maxChartSize };
  walkFolder(folder, '', walk);
  return walk.files;
}

function readRules(folder: string, options: IgnoreOptions): IsIgnored {
  const path = join(folder, '.helmignore');
  const exists = statSync(path, { throwIfNoEntry: false }) !== undefined;
  return parseIgnoreRules(exists ? decodeUtf8(attempt('open', path, () => readFileSync(path))) : '', options);
}

interface Walk {
  readonly isIgnored: IsIgnored;
  readonly files: Map<string, Uint8Array>;
  readonly onWarning: (line: string) => void;
  readonly helm: Helm;
  readonly without: string | undefined;
  /** How many bytes more all files may have. */
  remaining: number;
}

// `name` is the folder's path within the chart, with a slash behind; empty for the chart itself.
function walkFolder(folder: string, name: string, walk: Walk): void {
  const entries = attempt('open', folder, () => readdirSync(folder, { withFileTypes: true }));
  // Not `join`, which takes each path apart again: charts have hundreds of files.
  const inside = folder.endsWith(sep) ? folder : folder + sep;
  for (const info of entries.sort((a, b) => compareStrings(a.name, b.name))) {
    const path = inside + info.name;
    if (path === walk.without) continue;
    if (info.isSymbolicLink()) visitLink(path, name + info.name, walk);
    else visit({ path, title: info.name, info }, name + info.name, walk);
  }
}

// Helm warns of every link that it follows.
function visitLink(path: string, name: string, walk: Walk): void {
  const target = evaluate(path);
  walk.onWarning(walk.helm.log.symbolicLink(path, target));
  const info = attempt('lstat', target, () => lstatSync(target));
  visit({ path, title: basename(target), info }, name, walk);
}

function evaluate(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const isLoop = codeOf(error) === 'ELOOP';
    const reason = isLoop ? 'EvalSymlinks: too many links' : `lstat ${firstMissing(path)}: ${systemReason(error)}`;
    throw new GoError(`error evaluating symlink ${path}: ${reason}`, { cause: error });
  }
}

/** Returns the path at which following links ends: the one that Go names. Mirrors: path/filepath, symlink.go, walkSymlinks. */
function firstMissing(path: string): string {
  const rest = path.split('/').filter((part) => part !== '');
  let done = '/';
  for (let part = rest.shift(), links = 0; part !== undefined && links < 255; part = rest.shift()) {
    const next = join(done, part);
    const info = lstatSync(next, { throwIfNoEntry: false });
    if (info === undefined) return next;
    if (!info.isSymbolicLink()) {
      done = next;
      continue;
    }
    links++;
    const target = readlinkSync(next);
    if (target.startsWith('/')) done = '/';
    rest.unshift(...target.split('/').filter((step) => step !== ''));
  }
  return path;
}

interface Entry {
  readonly path: string;
  /** The name by which Helm calls it; of a link, its target's. */
  readonly title: string;
  readonly info: Stats | Dirent;
}

function visit({ path, title, info }: Entry, name: string, walk: Walk): void {
  if (walk.isIgnored(name, info.isDirectory())) return;
  if (info.isDirectory()) {
    walkFolder(path, `${name}/`, walk);
    return;
  }
  if (!info.isFile()) throw new GoError(`cannot load irregular file ${path} as it has file mode type bits set`);
  try {
    const most = walk.helm.charts.limitsFiles ? maxFileSize : walk.remaining;
    const data = attempt('open', path, () => readSmall(path, most));
    if (data !== undefined) {
      walk.remaining -= data.length;
      walk.files.set(name, data);
      return;
    }
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`error reading ${name}: ${error.message}`, { cause: error });
  }
  if (!walk.helm.charts.limitsFiles) {
    throw new GoError(`error reading ${name}: chart exceeds maximum decompressed size of ${maxChartSize} bytes`);
  }
  throw new GoError(`chart file ${quote(title)} is larger than the maximum file size ${maxFileSize}`);
}

// Returns undefined for a file that is too large. Its size comes from `fstat` of the open file: charts have hundreds of files.
function readSmall(path: string, most: number): Uint8Array | undefined {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    return size > most ? undefined : readAll(file, size);
  } finally {
    closeSync(file);
  }
}

function readAll(file: number, size: number): Uint8Array {
  const data = new Uint8Array(size);
  let end = 0;
  while (end < size) {
    const count = readSync(file, data, end, size - end, null);
    if (count === 0) break;
    end += count;
  }
  return data.subarray(0, end);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  EISDIR: 'is a directory',
  EROFS: 'read-only file system',
  ENOSPC: 'no space left on device',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'file name too long',
};

/** Returns the reason for a failure of the system, in Go's words. */
export function systemReason(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return reasons[code] ?? code;
}

// Gives what `call` gives, or throws its error in the words of Go's os package.
function attempt<T>(operation: string, path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const { code, path: at = path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new GoError(`${operation} ${at}: ${systemReason(error)}`, { cause: error });
  }
}
