// Assembles files into a chart with all its subcharts.
// Mirrors: helm.sh/helm/v3/pkg/chart/loader, load.go, v3.17.3.

import { type Check, callback, checkArguments, flag, isPlain, kind, optionsOf, wrongKind } from '../core/arguments.ts';
import { convertGoError } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import { defaultHelm, type HelmSelector } from '../core/helm-version.ts';
import { getOrCreate } from '../core/lazy.ts';
import { joinPath } from '../core/paths.ts';
import { invalidHeader } from '../go/compress/gzip.ts';
import { ext } from '../go/path.ts';
import { isBytes } from '../go/realm.ts';
import { decodeUtf8, encodeUtf8 } from '../go/utf8.ts';
import { GoError, type GoMap } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmArgument, helmOf } from '../helm/versions.ts';
import { cutByteOrderMark, unpackArchive } from './archive.ts';
import type { Chart, ChartFile } from './chart.ts';
import {
  checkLock,
  checkName,
  decodeBase,
  decodeMetadata,
  isKnownVersion,
  type RawMetadata,
  validateMetadata,
} from './metadata.ts';
import { readValues } from './values-file.ts';

export interface LoadOptions {
  /** The Helm version that will render the chart. Default: the newest Helm 3. */
  readonly helm?: HelmSelector | undefined;
  /** Called with each line that Helm would log. */
  readonly onWarning?: ((line: string) => void) | undefined;
  /** Whether the version of the chart is detected first, as in `template` of Helm 4. Default: whether this Helm version ever does. */
  readonly detectsVersion?: boolean | undefined;
}

/** The files of a chart by their relative paths, with `/`: a Map or a plain object of bytes or texts. Their order is the load order. */
export type ChartFiles = ReadonlyMap<string, Uint8Array | string> | Readonly<Record<string, Uint8Array | string>>;

/** Internal options of the load functions. */
export const loadOptions: Check = optionsOf<LoadOptions>({
  helm: helmArgument,
  onWarning: callback,
  detectsVersion: flag,
});

const bytes = kind('a Uint8Array', isBytes, 'Give the bytes of the .tgz archive.');
const content = kind('a Uint8Array or a string', (value) => isBytes(value) || typeof value === 'string');

const chartFiles: Check = (value, path) => {
  const hint = 'Give a Map, or an object, of paths such as "Chart.yaml" to bytes or texts.';
  if (!(value instanceof Map) && !isPlain(value)) return wrongKind(value, path, 'the files of a chart', hint);
  return entriesOf(value).flatMap(([name, data]) => {
    const isPath = typeof name === 'string';
    return isPath ? content(data, joinPath(path, name)) : wrongKind(name, path, 'a Map of paths', hint);
  });
};

function entriesOf<T>(files: ReadonlyMap<string, T> | Readonly<Record<string, T>>): readonly (readonly [string, T])[] {
  return files instanceof Map ? [...files] : Object.entries(files as Readonly<Record<string, T>>);
}

/**
 * Returns the chart with the given files. Archives in `charts/` are unpacked. Throws CHART_INVALID with Helm's message, ARGUMENT_INVALID.
 * @example
 * const chart = loadChart({
 *   'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
 *   'templates/map.yaml': 'kind: ConfigMap\ndata: {replicas: {{ .Values.replicas | quote }}}\n',
 * });
 */
export function loadChart(files: ChartFiles, options: LoadOptions = {}): Chart {
  checkArguments('loadChart', ['files', files, chartFiles], ['options', options, loadOptions]);
  return loadForCommand(files, options);
}

/** Returns the chart of files or of an archive's bytes. Throws CHART_INVALID with Helm's message. */
export function loadForCommand(given: ChartFiles | Uint8Array, options: LoadOptions): Chart {
  return convertGoError(
    () => loadDetected(isBytes(given) ? unpack(given, options) : listFiles(given), options),
    chartInvalid,
  );
}

/**
 * Returns the chart of a .tgz archive. Throws CHART_INVALID with Helm's message, ARGUMENT_INVALID.
 * @example
 * const chart = loadArchive(new Uint8Array(await (await fetch('/charts/web-1.0.0.tgz')).arrayBuffer()));
 */
export function loadArchive(data: Uint8Array, options: LoadOptions = {}): Chart {
  checkArguments('loadArchive', ['data', data, bytes], ['options', options, loadOptions]);
  return loadForCommand(data, options);
}

// Helm does not include the cause.
// Mirrors: helm.sh/helm/v4/pkg/chart/loader, load.go, `LoadFile`, v4.2.3.
function unpack(data: Uint8Array, options: LoadOptions): readonly ChartFile[] {
  const { charts } = helmOf(options.helm);
  return convertGoError(
    () => unpackArchive(data, charts),
    (error) => {
      if (!detects(options) || !charts.hidesArchiveErrors || error.message === invalidHeader) return error;
      const hint = `The archive is broken: ${error.message}.`;
      return new GoError('unable to load chart archive', { cause: error, hint });
    },
  );
}

const hints: Readonly<Record<string, string>> = {
  '': 'Point at the folder or archive that holds a Chart.yaml.',
  'Chart.yaml': 'Correct the field named; Chart.yaml needs apiVersion, name and version.',
  'requirements.yaml': 'Correct the field named.',
  'values.yaml': 'values.yaml holds one YAML mapping; correct the line named.',
};

/** Returns the CHART_INVALID error for a Helm message, with its file and hint if known. */
export function chartInvalid(error: GoError): RenderError {
  const { message, hint } = error;
  const { file, ...at } = error.place;
  const place = file === undefined ? undefined : { file, ...at };
  return new RenderError('CHART_INVALID', message, { cause: error, place, hint });
}

function listFiles(files: ChartFiles): ChartFile[] {
  return entriesOf(files).map(([name, data]) => ({
    name,
    data: cutByteOrderMark(typeof data === 'string' ? encodeUtf8(data) : data),
  }));
}

function detects({ helm, detectsVersion }: LoadOptions): boolean {
  return detectsVersion ?? helmOf(helm).charts.detectsVersion;
}

// Helm 4 reads the version of a chart before loading it.
function loadDetected(files: readonly ChartFile[], options: LoadOptions): Chart {
  if (detects(options)) {
    const file = files.findLast(({ name }) => name === 'Chart.yaml');
    if (file === undefined) throw new GoError('unable to detect chart version, no Chart.yaml found', missingChart);
    checkApiVersion(file, options);
  }
  return loadFiles(files, options);
}

/** Returns the error for files without a Chart.yaml. */
export function chartFileMissing(): GoError {
  return new GoError('Chart.yaml file is missing', missingChart);
}

const missingChart = { place: { file: 'Chart.yaml' }, hint: hints[''] };

/** Checks that a Helm version which detects chart versions supports that of a Chart.yaml. Throws GoError. */
export function checkApiVersion({ name, data }: ChartFile, { helm }: Pick<LoadOptions, 'helm'>): void {
  const { apiVersion = '' } =
    within('cannot load Chart.yaml', name, () => decodeBase(decodeUtf8(data), helmOf(helm))) ?? {};
  if (!isKnownVersion(apiVersion)) throw unsupportedVersion(hints[name]);
}

function unsupportedVersion(hint?: string): GoError {
  return new GoError('unsupported chart version', { place: { file: 'Chart.yaml' }, hint });
}

/**
 * Returns a chart as a Helm version reads it, because values files and validation can differ; the chart itself if it was loaded for that
 * version. Throws CHART_INVALID with the message of that version.
 */
export function reloadFor(chart: Chart, helm: Helm): Chart {
  if (isReadBy(chart, helm)) return chart;
  return convertGoError(() => {
    if (helm.charts.detectsVersion && !isKnownVersion(chart.metadata.apiVersion)) throw unsupportedVersion();
    return readTree(chart, helm);
  }, chartInvalid);
}

function isReadBy({ readBy = defaultHelm }: Chart, helm: Helm): boolean {
  return readBy === helm.name;
}

function readTree(chart: Chart, helm: Helm): Chart {
  checkName(chart.metadata.name, helm.charts.refusedNames);
  const children = chart.children.map((child) => readTree(child, helm));
  const { valuesData } = chart;
  const isKept = valuesData === undefined || isReadBy(chart, helm);
  return { ...chart, values: isKept ? chart.values : loadValues(valuesData, helm), children, readBy: helm.name };
}

function loadValues(data: Uint8Array, helm: Helm): GoMap {
  return within('cannot load values.yaml', 'values.yaml', () => readValues(decodeUtf8(data), helm));
}

interface Parts {
  metadata: RawMetadata | undefined;
  dependenciesData: ChartFile | undefined;
  values: GoMap;
  valuesData: Uint8Array | undefined;
  schema: Uint8Array | undefined;
  readonly templates: ChartFile[];
  readonly files: ChartFile[];
  /** The files of each subchart by the first step of their path below `charts/`. */
  readonly subcharts: Map<string, ChartFile[]>;
}

// Mirrors: `LoadFiles`.
function loadFiles(files: readonly ChartFile[], options: LoadOptions): Chart {
  const parts: Parts = {
    metadata: undefined,
    dependenciesData: undefined,
    values: new Map(),
    valuesData: undefined,
    schema: undefined,
    templates: [],
    files: [],
    subcharts: new Map(),
  };
  for (const { name, data } of files) {
    if (name !== 'Chart.yaml') continue;
    const raw = within('cannot load Chart.yaml', name, () =>
      decodeMetadata(decodeUtf8(data), parts.metadata ?? {}, helmOf(options.helm)),
    );
    parts.metadata = { ...raw, apiVersion: raw.apiVersion || 'v1' };
    if (raw.dependencies !== undefined) parts.dependenciesData = { name, data };
  }
  for (const file of files) sortIn(file, parts, options);
  const raw = parts.metadata;
  if (raw === undefined) throw chartFileMissing();
  const metadata = within('', 'Chart.yaml', () => validateMetadata(raw, helmOf(options.helm).charts.refusedNames));
  const { subcharts, ...own } = parts;
  const children = [...subcharts]
    .filter(([name]) => !/^[_.]/.test(name))
    .map(([name, inner]) => loadSubchart(metadata.name, { name, files: inner }, options));
  const readBy = options.helm === undefined ? undefined : helmOf(options.helm).name;
  return { ...own, metadata, children, readBy };
}

function sortIn(file: ChartFile, parts: Parts, options: LoadOptions): void {
  const { name, data } = file;
  if (name === 'Chart.yaml') return;
  if (name === 'values.yaml') {
    parts.values = loadValues(data, helmOf(options.helm));
    parts.valuesData = data;
  } else if (name === 'values.schema.json') parts.schema = data;
  else if (name === 'Chart.lock') checkLockFile(file, options);
  else if (name === 'requirements.yaml') loadRequirements(file, parts, options);
  else if (name === 'requirements.lock') loadRequirementsLock(file, parts, options);
  else if (name.startsWith('templates/')) parts.templates.push(file);
  else if (name.startsWith('charts/') && ext(name) !== '.prov') {
    const inner = name.slice('charts/'.length);
    const [key] = inner.split('/') as [string];
    getOrCreate(parts.subcharts, key, () => []).push({ name: inner, data });
  } else parts.files.push(file);
}

// Helm 2 declares dependencies here. A chart of version 1 keeps the file for its templates.
function loadRequirements(file: ChartFile, parts: Parts, { helm, onWarning }: LoadOptions): void {
  const before = parts.metadata ?? {};
  if (before.apiVersion !== 'v1') {
    onWarning?.(helmOf(helm).log.oldRequirements);
  }
  parts.metadata = within('cannot load requirements.yaml', file.name, () =>
    decodeMetadata(decodeUtf8(file.data), before, helmOf(helm)),
  );
  parts.dependenciesData = file;
  if (parts.metadata.apiVersion === 'v1') parts.files.push(file);
}

function checkLockFile({ name, data }: ChartFile, { helm }: LoadOptions): void {
  within(`cannot load ${name}`, name, () => checkLock(decodeUtf8(data), helmOf(helm)));
}

function loadRequirementsLock(file: ChartFile, parts: Parts, options: LoadOptions): void {
  const { helm, onWarning } = options;
  checkLockFile(file, options);
  parts.metadata ??= {};
  if (parts.metadata.apiVersion === 'v1') parts.files.push(file);
  else onWarning?.(helmOf(helm).log.oldLock);
}

function loadSubchart(
  parent: string,
  { name, files }: { readonly name: string; readonly files: readonly ChartFile[] },
  options: LoadOptions,
): Chart {
  const [file] = files as [ChartFile];
  const isPacked = ext(name) === '.tgz';
  if (isPacked && file.name !== name) {
    throw new GoError(`error unpacking subchart tar in ${parent}: expected ${name}, got ${file.name}`);
  }
  return within(`error unpacking subchart ${name} in ${parent}`, `charts/${name}`, () => {
    if (isPacked) return loadFiles(unpackArchive(file.data, helmOf(options.helm).charts), options);
    // A file directly in charts/ is a chart without files, and so without a Chart.yaml.
    const inner = files.filter((one) => one.name.includes('/'));
    const below = inner.map((one) => ({ name: one.name.slice(name.length + 1), data: one.data }));
    return loadFiles(below, options);
  });
}

// Adds the step and the file that failed; a file of a subchart is below the subchart.
function within<T>(step: string, file: string, load: () => T): T {
  const convert = (error: GoError): GoError => {
    const inner = error.place.file;
    return new GoError(step === '' ? error.message : `${step}: ${error.message}`, {
      cause: error,
      place: { ...error.place, file: inner === undefined ? file : `${file}/${inner}` },
      hint: inner === undefined ? hints[file] : error.hint,
    });
  };
  return convertGoError(load, convert, file);
}
