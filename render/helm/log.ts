// The lines that Helm writes to standard error.
// Mirrors: helm.sh/helm/v3, v3.17.3 to v3.22.0; helm.sh/helm/v4, v4.1.4 to v4.3.1.

import { quote } from '../go/number.ts';
import { slogLine } from '../go/slog.ts';

/** The lines that a Helm version writes to standard error, without line breaks. */
export interface LogLines {
  readonly deprecatedChart: string;
  readonly symbolicLink: (path: string, target: string) => string;
  /** A .helmignore rule, by what it is compared with. */
  readonly brokenRule: (rule: string, form: 'rooted' | 'path' | 'name') => string;
  readonly oldRequirements: string;
  readonly oldLock: string;
  readonly skippedValue: (path: string) => string;
  readonly tableOverValue: (path: string, table: string) => string;
  readonly valueOverTable: (path: string, value: string) => string;
  readonly childGlobalNoTable: string;
  readonly parentGlobalNoTable: string;
  readonly globalIsTable: (key: string) => string;
  readonly globalConflict: (key: string) => string;
  readonly tagNoBool: (tag: string, chart: string) => string;
  readonly conditionNoBool: (path: string, chart: string) => string;
  readonly importMissing: (error: string) => string;
  readonly importMissingFrom: (chart: string, error: string) => string;
  /** An unresolved schema reference; Helm 3 does not accept one. */
  readonly unresolvedUrn: (urn: string) => string;
  /** `events` is the text of the annotation. */
  readonly unknownHook: (events: string) => string;
  /** Written by `required` and `fail` in `helm lint`, where they do not fail. */
  readonly requiredInLint: (message: string, isNull: boolean) => string;
  readonly failInLint: (message: string) => string;
  /** Written before the error itself. */
  readonly beforeReleaseName: (error: string) => readonly string[];
  readonly beforeDependencies: (error: string) => readonly string[];
}

// Go's log adds a line break only if the message does not end with one.
function logLine(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}

/** The lines of Helm 3.17.3, which include source positions. */
export const plainLog: LogLines = {
  deprecatedChart: 'WARNING: This chart is deprecated',
  symbolicLink: (path, target) =>
    `walk.go:75: found symbolic link in path: ${path} resolves to ${target}. Contents of linked file included and used`,
  brokenRule: (rule, form) =>
    `rules.go:${{ rooted: 180, path: 190, name: 202 }[form]}: Failed to compile ${quote(rule)}: syntax error in pattern`,
  oldRequirements:
    'load.go:120: Warning: Dependencies are handled in Chart.yaml since apiVersion "v2". We recommend migrating dependencies to Chart.yaml.',
  oldLock:
    'load.go:138: Warning: Dependency locking is handled in Chart.lock since apiVersion "v2". We recommend migrating to Chart.lock.',
  skippedValue: (path) => `coalesce.go:237: warning: skipped value for ${path}: Not a table.`,
  ...plainTableLines(298, 301),
  childGlobalNoTable: 'coalesce.go:138: warning: skipping globals because destination global is not a table.',
  parentGlobalNoTable: 'coalesce.go:145: warning: skipping globals because source global is not a table.',
  globalIsTable: (key) => `coalesce.go:175: key ${key} is table. Skipping`,
  globalConflict: (key) => `coalesce.go:161: Conflict: cannot merge map onto non-map for ${quote(key)}. Skipping.`,
  ...plainDependencyLines({ tag: 94, condition: 63, importFrom: 269, import: 286 }),
  unresolvedUrn: () => '',
  unknownHook: plainHookLine(190),
  requiredInLint: (message, isNull) =>
    logLine(`engine.go:${isNull ? 206 : 214}: [INFO] Missing required value: ${message}`),
  failInLint: (message) => logLine(`engine.go:227: [INFO] Fail: ${message}`),
  beforeReleaseName: () => [],
  beforeDependencies: () => [],
};

/** Returns the warnings about a table that conflicts with another value, from two lines of Helm 3's coalesce.go. */
export function plainTableLines(
  tableOverValue: number,
  valueOverTable: number,
): Pick<LogLines, 'tableOverValue' | 'valueOverTable'> {
  return {
    tableOverValue: (path, table) =>
      `coalesce.go:${tableOverValue}: warning: cannot overwrite table with non table for ${path} (${table})`,
    valueOverTable: (path, value) =>
      `coalesce.go:${valueOverTable}: warning: destination for ${path} is a table. Ignoring non-table value (${value})`,
  };
}

/** Returns the warnings about dependencies from lines of Helm 3's dependencies.go. */
export function plainDependencyLines(
  at: Readonly<Record<'tag' | 'condition' | 'importFrom' | 'import', number>>,
): Pick<LogLines, 'tagNoBool' | 'conditionNoBool' | 'importMissing' | 'importMissingFrom'> {
  return {
    tagNoBool: (tag, chart) =>
      `dependencies.go:${at.tag}: Warning: Tag '${tag}' for chart ${chart} returned non-bool value`,
    conditionNoBool: (path, chart) =>
      `dependencies.go:${at.condition}: Warning: Condition path '${path}' for chart ${chart} returned non-bool value`,
    importMissing: (error) => `dependencies.go:${at.import}: Warning: ImportValues missing table: ${error}`,
    importMissingFrom: (chart, error) =>
      `dependencies.go:${at.importFrom}: Warning: ImportValues missing table from chart ${chart}: ${error}`,
  };
}

/** Returns the message about a hook with an unknown event from a line of Helm 3's manifest_sorter.go. */
export function plainHookLine(line: number): LogLines['unknownHook'] {
  return (events) => `manifest_sorter.go:${line}: info: skipping unknown hook: ${quote(events)}`;
}

// Go's plain log is written through the structured one.
const plain = (message: string): string => slogLine('INFO', message);

/** The lines of Helm 4, in the format of Go's structured log. */
export const structuredLog: LogLines = {
  deprecatedChart: slogLine('WARN', 'this chart is deprecated'),
  symbolicLink: (path, resolved) =>
    slogLine('INFO', 'found symbolic link in path. Contents of linked file included and used', { path, resolved }),
  brokenRule: (rule) => slogLine('ERROR', 'failed to compile', { rule, error: 'syntax error in pattern' }),
  oldRequirements: plain(
    'Warning: Dependencies are handled in Chart.yaml since apiVersion "v2". We recommend migrating dependencies to Chart.yaml.',
  ),
  oldLock: plain(
    'Warning: Dependency locking is handled in Chart.lock since apiVersion "v2". We recommend migrating to Chart.lock.',
  ),
  skippedValue: (path) => plain(`warning: skipped value for ${path}: Not a table.`),
  tableOverValue: (path, table) => plain(`warning: cannot overwrite table with non table for ${path} (${table})`),
  valueOverTable: (path, value) =>
    plain(`warning: destination for ${path} is a table. Ignoring non-table value (${value})`),
  childGlobalNoTable: plain('warning: skipping globals because destination global is not a table.'),
  parentGlobalNoTable: plain('warning: skipping globals because source global is not a table.'),
  globalIsTable: (key) => plain(`key ${key} is table. Skipping`),
  globalConflict: (key) => plain(`Conflict: cannot merge map onto non-map for ${quote(key)}. Skipping.`),
  tagNoBool: (tag, chart) => slogLine('WARN', 'returned non-bool value', { tag, chart }),
  conditionNoBool: (path, chart) => slogLine('WARN', 'returned non-bool value', { path, chart }),
  importMissing: (error) => slogLine('WARN', 'ImportValues missing table', { error }),
  importMissingFrom: (chart, error) => slogLine('WARN', 'ImportValues missing table from chart', { chart, error }),
  unresolvedUrn: (urn) => slogLine('WARN', 'unresolved URN reference ignored; using permissive schema', { urn }),
  unknownHook: (hookTypes) => slogLine('INFO', 'skipping unknown hooks', { hookTypes }),
  requiredInLint: (message, isNull) =>
    slogLine('WARN', isNull ? 'missing required value' : 'missing required values', { message }),
  failInLint: (message) => slogLine('INFO', 'funcMap fail', { message }),
  beforeReleaseName: (error) => [slogLine('ERROR', 'release name check failed', { error })],
  beforeDependencies: (error) => [slogLine('ERROR', 'chart dependencies processing failed', { error })],
};
