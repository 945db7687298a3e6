// `helm lint`: inspects charts on disk and formats the messages.
// Mirrors: helm.sh/helm/v3, cmd/helm/lint.go, pkg/action/lint.go and pkg/lint, v3.17.3; helm.sh/helm/v4, pkg/cmd/lint.go, v4.2.3.

import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { unpackArchive } from '../chart/archive.ts';
import { type Chart, type ChartFile, crdFiles } from '../chart/chart.ts';
import { readChartPath } from '../chart/directory.node.ts';
import { decodeMetadata } from '../chart/metadata.ts';
import { parseYamlMap } from '../codec/yaml/parse.ts';
import { codeOf } from '../core/errors.ts';
import { makeFolder } from '../core/make-folder.node.ts';
import { systemReason } from '../go/os.node.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { compareStrings, GoError, type GoMap } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { coalesceTables } from '../values/coalesce.ts';
import { copyValue } from '../values/lookup.ts';
import { checkSingleSchema } from '../values/schema/schema.ts';
import { lintChartFile } from './lint-chart-file.ts';
import { errorOf, helmError, Linter, type LintMessage, type LintSeverity } from './lint-rules.ts';
import { type LintRendering, lintCrds, lintTemplates } from './lint-templates.ts';

/** The result of `helm lint` for a chart. */
export interface LintedChart {
  /** The path as specified. */
  readonly path: string;
  readonly messages: readonly LintMessage[];
  /** Why nothing was inspected, or undefined. */
  readonly failure: string | undefined;
}

export interface LintPathOptions extends LintRendering {
  /** The base of relative paths. */
  readonly cwd: string;
}

export function lintChartPath(path: string, options: LintPathOptions): LintedChart {
  const linter = new Linter();
  const failure = errorOf(() => inFolder(path, options, (folder) => lintFolder(linter, folder, path, options)));
  return { path, messages: failure === undefined ? linter.messages : [], failure };
}

function inFolder(path: string, { cwd, helm }: LintPathOptions, lint: (folder: string) => void): void {
  if (!isArchive(path)) {
    lint(resolve(cwd, path));
    return;
  }
  const aside = mkdtempSync(join(tmpdir(), 'helm-lint'));
  try {
    const data = within('unable to open tarball', () => readFile(path, cwd));
    const files = within('unable to extract tarball', () => unpackArchive(data, helm.charts));
    lint(expand(files, aside, helm));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function isArchive(path: string): boolean {
  return path.endsWith('.tgz') || path.endsWith('.tar.gz');
}

// Mirrors: pkg/chartutil, expand.go, `Expand`.
function expand(files: readonly ChartFile[], aside: string, helm: Helm): string {
  const name = within('unable to extract tarball', () => nameOf(files, helm));
  const folder = join(aside, join(sep, name));
  for (const file of files) {
    const target = join(folder, join(sep, file.name));
    makeFolder(dirname(target));
    writeFileSync(target, file.data);
  }
  const [first = ''] = readdirSync(aside);
  return join(aside, first);
}

function nameOf(files: readonly ChartFile[], helm: Helm): string {
  let name = '';
  for (const file of files) {
    if (file.name !== 'Chart.yaml') continue;
    name = within('cannot load Chart.yaml', () => decodeMetadata(decodeUtf8(file.data), {}, helm)).name ?? '';
  }
  if (name === '') throw new GoError('chart name not specified');
  return name;
}

function within<T>(step: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw new GoError(`${step}: ${helmError(error)}`, { cause: error });
  }
}

// Errors name a file by the specified path.
function readFile(path: string, cwd = ''): Uint8Array {
  try {
    return readFileSync(resolve(cwd, path));
  } catch (error) {
    throw new GoError(`${codeOf(error) === 'EISDIR' ? 'read' : 'open'} ${path}: ${systemReason(error)}`, {
      cause: error,
    });
  }
}

function lintFolder(linter: Linter, folder: string, path: string, options: LintPathOptions): void {
  const { helm, onWarning } = options;
  const chartFile = join(folder, 'Chart.yaml');
  try {
    statSync(chartFile);
  } catch (error) {
    // An archive is inspected in its unpacked folder.
    const shown = isArchive(path) ? chartFile : join(path, 'Chart.yaml');
    throw new GoError(`unable to check Chart.yaml file in chart: stat ${shown}: ${systemReason(error)}`, {
      cause: error,
    });
  }
  if (statSync(chartFile).isDirectory()) linter.rule('error', 'Chart.yaml', 'should be a file, not a directory');
  lintChartFile(linter, () => decodeUtf8(readFile(chartFile)), helm);
  lintValues(linter, folder, options);
  const load = (): Chart => readChartPath(folder, { helm: helm.name, onWarning, detectsVersion: false }).load();
  if (hasTemplates(linter, folder, helm)) {
    const chart = linter.attempt('templates/', load);
    if (chart !== undefined) lintTemplates(linter, chart, options);
  }
  const chart = linter.attempt('', load, (message) => `unable to load chart\n\t${message}`);
  if (chart !== undefined) lintDependencies(linter, folder, chart);
  if (!helm.lint.checksCrds || !existsSync(join(folder, 'crds'))) return;
  if (!isFolder(linter, 'crds', folder, 'error')) return;
  const again = linter.attempt('crds/', load);
  if (again !== undefined) lintCrds(linter, crdFiles(again), helm);
}

function hasTemplates(linter: Linter, folder: string, { lint }: Helm): boolean {
  if (!lint.requiresTemplates) return isFolder(linter, 'templates', folder, 'warning');
  const isThere = existsSync(join(folder, 'templates'));
  return (
    linter.rule('warning', 'templates/', isThere ? undefined : 'directory does not exist') &&
    isFolder(linter, 'templates', folder, 'error')
  );
}

// A missing folder is valid.
function isFolder(linter: Linter, name: string, folder: string, severity: LintSeverity): boolean {
  const info = statSync(join(folder, name), { throwIfNoEntry: false });
  return linter.rule(severity, `${name}/`, info === undefined || info.isDirectory() ? undefined : 'not a directory');
}

// Mirrors: pkg/lint/rules, values.go, v3.17.3.
function lintValues(linter: Linter, folder: string, options: LintPathOptions): void {
  const file = 'values.yaml';
  const path = join(folder, file);
  if (!linter.rule('info', file, existsSync(path) ? undefined : 'file does not exist')) return;
  linter.rule(
    'error',
    file,
    errorOf(() => checkValues(path, options)),
  );
}

function checkValues(path: string, { helm, values, skipSchemaValidation, onWarning }: LintPathOptions): void {
  const defaults = within('unable to parse YAML', () => readTable(decodeUtf8(readFile(path)), helm));
  const composing = { helm, warn: onWarning };
  const all = copyValue(values);
  coalesceTables(all, defaults, { ...composing, merge: false });
  const schema = path.replace(/yaml$/, 'schema.json');
  const info = statSync(schema, { throwIfNoEntry: false });
  if (!info?.isFile() || info.size === 0) return;
  if (skipSchemaValidation && helm.lint.skipsValuesSchema) return;
  checkSingleSchema(readFile(schema), all, composing);
}

// Here the type of the values has a name.
function readTable(text: string, { types }: Helm): GoMap {
  try {
    return parseYamlMap(text);
  } catch (error) {
    const message = helmError(error).replace(/map\[string\]interface \{\}$/, types.values);
    throw new GoError(message, { cause: error });
  }
}

// Mirrors: pkg/lint/rules, dependencies.go.
function lintDependencies(linter: Linter, folder: string, { metadata, children }: Chart): void {
  const declared = metadata.dependencies.map(({ name }) => name);
  const present = children.map((child) => child.metadata.name);
  const missing = (names: readonly string[], from: readonly string[], where: string): string | undefined => {
    const lacking = names.filter((name) => !from.includes(name));
    return lacking.length === 0 ? undefined : `${where} is missing these dependencies: ${lacking.join(',')}`;
  };
  linter.rule('error', folder, missing(present, declared, 'chart metadata'));
  linter.rule('warning', folder, missing(declared, present, 'chart directory'));
}

/**
 * Returns the paths for `--with-subcharts`: the specified ones, then the charts below their charts/ folders.
 * Mirrors: path/filepath, `Walk`, which visits names in order and does not follow links.
 */
export function withSubcharts(paths: readonly string[], cwd: string): string[] {
  return [...paths, ...paths.flatMap((path) => chartsBelow(join(path, 'charts'), cwd))];
}

function chartsBelow(path: string, cwd: string): string[] {
  if (!lstatSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory()) return [];
  const entries = readdirSync(resolve(cwd, path), { withFileTypes: true });
  return entries
    .sort((a, b) => compareStrings(a.name, b.name))
    .flatMap((entry) => {
      const inner = join(path, entry.name);
      const own = entry.name === 'Chart.yaml' ? [path] : isArchive(inner) ? [inner] : [];
      return [...own, ...chartsBelow(inner, cwd)];
    });
}

/** Options for `formatLint`. */
export interface LintFormat {
  /** Whether warnings make a chart fail. Default false. */
  readonly strict?: boolean | undefined;
  /** Whether charts and messages without warnings or errors are left out. Default false. */
  readonly quiet?: boolean | undefined;
}

/** The output of `helm lint`. */
export interface LintText {
  /** The text for standard output. */
  readonly text: string;
  /** The last line, if charts failed: an error. */
  readonly failure: string | undefined;
}

export function lintText(charts: readonly LintedChart[], { strict = false, quiet = false }: LintFormat = {}): LintText {
  const isNotable = ({ messages, failure }: LintedChart): boolean =>
    failure !== undefined || messages.some(({ severity }) => severity !== 'info');
  const isFailed = ({ messages, failure }: LintedChart): boolean =>
    failure !== undefined ||
    messages.some(({ severity }) => severity === 'error' || (strict && severity === 'warning'));
  const shown = charts.filter((chart) => !quiet || isNotable(chart));
  const failed = shown.filter(isFailed).length;
  const text = shown.map((chart) => formatChart(chart, quiet)).join('');
  const summary = `${charts.length} chart(s) linted, ${failed} chart(s) failed`;
  if (failed > 0) return { text, failure: summary };
  const isToldOf = !quiet || charts.some(isNotable);
  return { text: isToldOf ? `${text}${summary}\n` : text, failure: undefined };
}

function formatChart({ path, messages, failure }: LintedChart, quiet: boolean): string {
  const lines = messages
    .filter(({ severity }) => !quiet || severity !== 'info')
    .map((message) => `[${message.severity.toUpperCase()}] ${message.path}: ${message.message}\n`);
  const all = messages.length === 0 && failure !== undefined ? [`Error ${failure}\n`] : lines;
  return `==> Linting ${path}\n${all.join('')}\n`;
}
