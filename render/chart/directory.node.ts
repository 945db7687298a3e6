// Loads a chart from disk: a folder in Helm's order, or a packed archive.
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
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { checkArguments, filled } from '../core/arguments.ts';
import { convertGoError } from '../core/catch.ts';
import { codeOf, RenderError } from '../core/errors.ts';
import { invalidHeader, isGzip } from '../go/compress/gzip.ts';
import { quote } from '../go/number.ts';
import { systemReason } from '../go/os.node.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { compareStrings, GoError } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { maxChartSize, maxFileSize } from './archive.ts';
import type { Chart } from './chart.ts';
import { type IgnoreOptions, type IsIgnored, parseIgnoreRules } from './ignore.ts';
import {
  chartFileMissing,
  chartInvalid,
  checkApiVersion,
  type LoadOptions,
  loadForCommand,
  loadOptions,
} from './load.ts';

/**
 * Loads the chart at a path: a folder (.helmignore is applied, symbolic links are followed) or a .tgz archive. Rejects with CHART_NOT_FOUND
 * if the path does not exist, CHART_INVALID with Helm's message, ARGUMENT_INVALID.
 * @example
 * const chart = await loadChartPath('charts/web');
 */
export async function loadChartPath(path: string, options: LoadOptions = {}): Promise<Chart> {
  checkArguments('loadChartPath', ['path', path, filled], ['options', options, loadOptions]);
  return readChartPath(path, options).load();
}

/** A chart that was read from disk but not parsed. */
export interface ReadChart {
  /** The files of a folder by their relative paths, in Helm's order; for an archive, its bytes under an empty name. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Returns the chart. Throws CHART_INVALID with Helm's message. */
  readonly load: () => Chart;
}

export interface ReadOptions extends LoadOptions {
  /** A folder inside the chart to exclude; an absolute path. Default none. */
  readonly without?: string | undefined;
}

/** Reads the chart at a path. Throws CHART_NOT_FOUND if it does not exist, CHART_INVALID with Helm's message. */
export function readChartPath(path: string, options: ReadOptions = {}): ReadChart {
  const absolute = resolve(path);
  // For a path through a file, statSync throws.
  if (!existsSync(absolute)) {
    throw new RenderError('CHART_NOT_FOUND', `path ${quote(path)} not found`, {
      place: { file: path },
      hint: 'Name a chart folder or a .tgz archive on this machine.',
    });
  }
  return convertGoError(() => {
    if (!statSync(absolute).isDirectory()) return readArchive(absolute, options);
    const { helm, onWarning, detectsVersion = helmOf(options.helm).charts.detectsVersion } = options;
    if (detectsVersion) detectChart(absolute, options);
    const files = readChartFiles(absolute, options);
    return {
      files,
      load: () => {
        // The file exists but .helmignore excludes it.
        if (detectsVersion && !files.has('Chart.yaml')) throw chartInvalid(chartFileMissing());
        return loadForCommand(files, { helm, onWarning, detectsVersion });
      },
    };
  }, chartInvalid);
}

// Mirrors: helm.sh/helm/v4/pkg/chart/loader, load.go, `LoadDir`, v4.2.3.
function detectChart(folder: string, { helm }: LoadOptions): void {
  const path = join(folder, 'Chart.yaml');
  const data = convertGoError(
    () => attempt('open', path, () => readFileSync(path)),
    (cause) => new GoError(`unable to detect chart at ${path}: ${cause.message}`, { cause }),
  );
  checkApiVersion({ name: 'Chart.yaml', data }, { helm });
}

function readArchive(path: string, options: LoadOptions): ReadChart {
  const data = readFileSync(path);
  if (isGzip(data)) {
    return {
      files: new Map([['', data]]),
      load: () => convertGoError(() => loadStream(data, path, options), chartInvalid),
    };
  }
  if (/\.ya?ml$/.test(path)) {
    throw new GoError(`file '${path}' seems to be a YAML file, but expected a gzipped archive`);
  }
  throw new GoError(`file '${path}' does not appear to be a gzipped archive; got '${detectContentType(data)}'`);
}

function loadStream(data: Uint8Array, path: string, options: LoadOptions): Chart {
  try {
    return loadForCommand(data, options);
  } catch (error) {
    // Files of this chart's archive; an error of a subchart names the subchart.
    if (!(error instanceof RenderError) || error.message !== invalidHeader) throw error;
    throw new GoError(`file '${path}' does not appear to be a valid chart file (details: ${invalidHeader})`);
  }
}

/** Returns the files of a chart's folder by their relative paths, in Helm's order, without those excluded by .helmignore. */
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
  /** The remaining size of all files, in bytes. */
  remaining: number;
}

// `name` is the folder's path within the chart with a trailing slash; empty for the chart itself.
function walkFolder(folder: string, name: string, walk: Walk): void {
  const entries = attempt('open', folder, () => readdirSync(folder, { withFileTypes: true }));
  // Not `join`, which parses each path again: charts have hundreds of files.
  const inside = folder.endsWith(sep) ? folder : folder + sep;
  for (const info of entries.sort((a, b) => compareStrings(a.name, b.name))) {
    const path = inside + info.name;
    if (path === walk.without) continue;
    if (info.isSymbolicLink()) visitLink(path, name + info.name, walk);
    else visit({ path, title: info.name, info }, name + info.name, walk);
  }
}

// Helm warns about every link that it follows.
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

/**
 * Returns the path at which following links fails, as in Go's message.
 * Mirrors: path/filepath, symlink.go, walkSymlinks.
 */
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
  /** Helm's name for it; for a link, the name of its target. */
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
  const most = walk.helm.charts.limitsFiles ? maxFileSize : walk.remaining;
  const data = convertGoError(
    () => attempt('open', path, () => readSmall(path, most)),
    (cause) => new GoError(`error reading ${name}: ${cause.message}`, { cause }),
  );
  if (data !== undefined) {
    walk.remaining -= data.length;
    walk.files.set(name, data);
    return;
  }
  if (!walk.helm.charts.limitsFiles) {
    throw new GoError(`error reading ${name}: chart exceeds maximum decompressed size of ${maxChartSize} bytes`);
  }
  throw new GoError(`chart file ${quote(title)} is larger than the maximum file size ${maxFileSize}`);
}

// Returns undefined for a file that is too large.
function readSmall(path: string, most: number): Uint8Array | undefined {
  const file = openSync(path, 'r');
  try {
    // A small Buffer is a part of a larger one, which would be cloned with it.
    return fstatSync(file).size > most ? undefined : new Uint8Array(readFileSync(file));
  } finally {
    closeSync(file);
  }
}

// Calls a function and converts its error to that of Go's os package.
function attempt<T>(operation: string, path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    const { code, path: at = path } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new GoError(`${operation} ${at}: ${systemReason(error)}`, { cause: error });
  }
}

// Detects the media type of a file from its first bytes.
// Mirrors: Go 1.23, net/http, sniff.go, `DetectContentType`, its common rows.

const signatures: readonly (readonly [RegExp, string])[] = [
  [
    /^[\t\n\f\r ]*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >]/i,
    'text/html; charset=utf-8',
  ],
  [/^[\t\n\f\r ]*<\?xml/, 'text/xml; charset=utf-8'],
  [/^%PDF-/, 'application/pdf'],
  [/^%!PS-Adobe-/, 'application/postscript'],
  [/^\udcfe\udcff/, 'text/plain; charset=utf-16be'],
  [/^\udcff\udcfe/, 'text/plain; charset=utf-16le'],
  [/^\ufeff/, 'text/plain; charset=utf-8'],
  [/^\0\0[\x01\x02]\0/, 'image/x-icon'],
  [/^BM/, 'image/bmp'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBPVP/s, 'image/webp'],
  [/^\udc89PNG\r\n\x1a\n/, 'image/png'],
  [/^\udcff\udcd8\udcff/, 'image/jpeg'],
  [/^ID3/, 'audio/mpeg'],
  [/^OggS\0/, 'application/ogg'],
  [/^RIFF.{4}WAVE/s, 'audio/wave'],
  [/^\x1f\udc8b\x08/, 'application/x-gzip'],
  [/^PK\x03\x04/, 'application/zip'],
  [/^Rar!\x1a\x07(?:\0|\x01\0)/, 'application/x-rar-compressed'],
  [/^\0asm/, 'application/wasm'],
];

/** Returns the media type of data from its first 512 bytes; shorter data is padded with zeros, as in Helm. */
function detectContentType(data: Uint8Array): string {
  const head = new Uint8Array(512);
  head.set(data.subarray(0, 512));
  const text = decodeUtf8(head);
  const found = signatures.find(([pattern]) => pattern.test(text));
  if (found !== undefined) return found[1];
  const isBinary = head.some(
    (byte) => byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f),
  );
  return isBinary ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}
