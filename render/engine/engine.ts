// The templates of a chart tree: parses all of them, each with its top-level objects, and executes each, path to text.
// Mirrors: helm.sh/helm/v3/pkg/engine, engine.go and funcs.go, v3.17.3.

import { type Chart, type ChartFile, childPath, isLibrary } from '../chart/chart.ts';
import { orUndefined } from '../core/catch.ts';
import type { Host } from '../core/host.ts';
import { asLimit, limitIn, meter } from '../core/limits.ts';
import { BoundFunctions } from '../functions/table.ts';
import { quote } from '../go/number.ts';
import { base, join } from '../go/path.ts';
import {
  type FuncMap,
  func,
  GoError,
  type GoFunc,
  type GoMap,
  type GoValue,
  NamedMap,
  sortedEntries,
} from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { isPartial } from '../manifest/sort.ts';
import { TemplateExecError, TemplateParseError } from '../template/failures.ts';
import type { Observers } from '../template/observer.ts';
import { type ParsedFile, TemplateSet } from '../template/template.ts';
import type { Trace } from '../template/trace.ts';
import type { Capabilities } from '../values/capabilities.ts';
import type { Composition } from '../values/compose.ts';
import { lookupTable } from '../values/lookup.ts';
import {
  capabilitiesObject,
  chartObject,
  filesObject,
  type ReleaseInfo,
  releaseObject,
  valuesObject,
} from './objects.ts';
import { parseFile, parseText } from './trees.ts';
import { execFailure, limitFailure, markFailure, parseFailure } from './wording.ts';

/** Options of rendering a chart. */
export interface EngineOptions {
  readonly release: ReleaseInfo;
  readonly capabilities: Capabilities;
  /** Default Helm 3. */
  readonly helm?: Helm;
  readonly host: Host;
  /** Whether `getHostByName` answers. Default false. */
  readonly enableDns?: boolean | undefined;
  /** If set, `required` and `fail` log a line instead of failing, as in `helm lint`. */
  readonly lintLog?: ((line: string) => void) | undefined;
  /** The only template to execute, by name. Changes that other templates make to shared values are missing then. Default: all. */
  readonly only?: string | undefined;
  /** Counts which parts of the templates are executed. Default: no counting. */
  readonly runs?: Observers | undefined;
  /** Records the origins of the texts. Default: no tracing. */
  readonly trace?: Trace | undefined;
}

/**
 * Renders every template of a composed chart tree except partials. Returns texts by path, notes included. Templates can write to the
 * composed values. Throws TEMPLATE_PARSE and TEMPLATE_EXEC with Helm's message.
 */
export function renderTemplates(composition: Composition, options: EngineOptions): Map<string, string> {
  const helm = options.helm ?? helmOf();
  const templates = listTemplates(composition.chart, {
    helm,
    values: composition.values,
    release: releaseObject(options.release),
    capabilities: capabilitiesObject(options.capabilities, helm),
  });
  const { trace } = options;
  trace?.name(composition.values, 'Values');
  for (const { scope, basePath } of templates) {
    trace?.name(scope instanceof NamedMap ? scope.target : scope, 'Objects', basePath.slice(0, -'/templates'.length));
  }
  const set = createSet(options, helm);
  for (const template of templates) addFile(set, template, helm);
  const rendered = new Map<string, string>();
  for (const template of templates) {
    if (isPartial(template.path)) continue;
    if (options.only !== undefined && options.only !== template.path) continue;
    template.scope.set('Template', templateObject(template, helm));
    options.host.beginTemplate?.(options.release.name, template.path);
    rendered.set(template.path, execute(set, template, helm));
    trace?.keep(template.path);
  }
  return rendered;
}

function createSet({ host, enableDns = false, lintLog, runs, trace }: EngineOptions, helm: Helm): TemplateSet {
  const funcs = new BoundFunctions(host, helm);
  const set = new TemplateSet({ funcs, missingKey: 'zero', rules: helm.go, observers: trace ?? runs });
  set.setFuncs(
    new Map([
      ...helmFuncs(host, enableDns),
      ...(lintLog ? lintFuncs(helm, lintLog) : []),
      ...setFuncs(set, { includes: new Map(), helm }),
    ]),
  );
  return set;
}

function addFile(set: TemplateSet, { path, file }: ScopedTemplate, helm: Helm): void {
  try {
    set.add(parseFile(path, file, helm));
  } catch (error) {
    throw error instanceof TemplateParseError ? parseFailure(error) : limitIn(path, error);
  }
}

function execute(set: TemplateSet, { path, scope }: ScopedTemplate, helm: Helm): string {
  try {
    const text = withoutNoValue(set.execute(path, scope));
    meter.budget?.write(text.length);
    return text;
  } catch (error) {
    const limit = asLimit(error);
    if (limit !== undefined) throw limitFailure(path, limit);
    throw error instanceof TemplateExecError ? execFailure(error, helm.wording) : error;
  }
}

function templateObject({ path, basePath }: ScopedTemplate, helm: Helm): GoMap {
  return valuesObject(
    new Map<string, GoValue>([
      ['Name', path],
      ['BasePath', basePath],
    ]),
    helm,
  );
}

/** One template of a chart tree. */
interface ScopedTemplate {
  /** The full path, which is the name of the template: `web/charts/cache/templates/config.yaml`. */
  readonly path: string;
  readonly file: ChartFile;
  /** The chart's top-level objects: one map for all its templates, so that a template sees what an earlier one set. */
  readonly scope: GoMap;
  /** The folder of the chart's templates, for `.Template.BasePath`. */
  readonly basePath: string;
}

/** Shared by all charts of a tree. */
interface SharedObjects {
  readonly helm: Helm;
  readonly values: GoMap;
  readonly release: GoMap;
  readonly capabilities: GoValue;
}

/** Returns all templates of a chart tree in the order in which Helm parses and executes them: deepest first, then Z to A. */
function listTemplates(chart: Chart, shared: SharedObjects): ScopedTemplate[] {
  // Of two files with the same path the later one wins, as in Go's map.
  const found = new Map<string, ScopedTemplate>();
  addChart({ chart, path: chart.metadata.name, values: shared.values, isRoot: true }, shared, found);
  return sortedEntries(found)
    .map(([path, template]) => ({ template, depth: path.split('/').length }))
    .reverse()
    .sort((a, b) => b.depth - a.depth)
    .map(({ template }) => template);
}

/** A chart at its position in the tree. */
interface PlacedChart {
  readonly chart: Chart;
  readonly path: string;
  readonly values: GoMap;
  readonly isRoot: boolean;
}

function addChart(placed: PlacedChart, shared: SharedObjects, found: Map<string, ScopedTemplate>): GoMap {
  const { chart, path, values, isRoot } = placed;
  const subcharts: GoMap = new Map();
  const objects: GoMap = new Map<string, GoValue>([
    ['Chart', chartObject(chart.metadata, isRoot, shared.helm)],
    ['Files', filesObject(chart.files, shared.helm)],
    ['Release', shared.release],
    ['Capabilities', shared.capabilities],
    ['Values', valuesObject(values, shared.helm)],
    ['Subcharts', subcharts],
  ]);
  for (const child of chart.children) {
    const name = child.metadata.name;
    const inner = { chart: child, path: childPath(path, child), values: sectionOf(values, name), isRoot: false };
    subcharts.set(name, addChart(inner, shared, found));
  }
  const scope = valuesObject(objects, shared.helm);
  const basePath = join(path, 'templates');
  for (const file of chart.templates) {
    if (isLibrary(chart) && !base(file.name).startsWith('_')) continue;
    const full = join(path, file.name);
    found.set(full, { path: full, file, scope, basePath });
  }
  return objects;
}

// A child receives the map that its parent holds under the child's name, so that mutations are visible to both. The name is read as a
// dotted path: a chart called `a.b` looks into `a`.
function sectionOf(values: GoMap, name: string): GoMap {
  return orUndefined(() => lookupTable(values, name)) ?? new Map();
}

// Functions that need the executing template set or Helm itself: include, tpl, required, fail, lookup, getHostByName.

/** Maximum nesting of includes of one name. */
const maxIncludes = 1000;

/** State shared by all template sets of one rendering. */
interface RenderingScope {
  /** The number of active includes by name. */
  readonly includes: Map<string, number>;
  readonly helm: Helm;
}

/** Returns the functions bound to a template set. A clone of the set needs its own. */
function setFuncs(set: TemplateSet, running: RenderingScope): FuncMap {
  return new Map<string, GoFunc>([
    ['include', includeFunc(set, running)],
    ['tpl', tplFunc(set, running)],
  ]);
}

/** Returns the functions that Helm adds or overrides and that do not depend on the template set. */
function helmFuncs(host: Host, enableDns: boolean): FuncMap {
  return new Map<string, GoFunc>([
    ['required', func(['string', 'any'], required)],
    ['fail', func(['string'], fail)],
    [
      'lookup',
      func(['string', 'string', 'string', 'string'], (apiVersion, kind, namespace, name) => {
        return host.lookup(apiVersion, kind, namespace, name) ?? new Map();
      }),
    ],
    ['getHostByName', func(['string'], (name) => (enableDns ? addressOf(name) : ''))],
  ]);
}

/** Returns `required` and `fail` of `helm lint`, which log a line and continue. */
function lintFuncs({ log }: Helm, onLine: (line: string) => void): FuncMap {
  return new Map<string, GoFunc>([
    [
      'required',
      func(['string', 'any'], (warning, value) => {
        if (value !== null && value !== '') return value;
        onLine(log.requiredInLint(warning, value === null));
        return '';
      }),
    ],
    [
      'fail',
      func(['string'], (message) => {
        onLine(log.failInLint(message));
        return '';
      }),
    ],
  ]);
}

// Both execute the template directly: includes are recursive, and each frame uses stack.
function includeFunc(set: TemplateSet, running: RenderingScope): GoFunc {
  return func(['string', 'any'], (name, data) => {
    const depth = running.includes.get(name) ?? 0;
    if (depth > maxIncludes) {
      throw new GoError(`rendering template has a nested reference name: ${name}: unable to execute template`);
    }
    running.includes.set(name, depth + 1);
    const text = set.execution(name, data).run();
    // After an error the count is not used again.
    running.includes.set(name, depth);
    return text;
  });
}

function tplFunc(set: TemplateSet, running: RenderingScope): GoFunc {
  return func(['string', 'any'], (text, data) => {
    if (!text.includes('{{')) return withoutNoValue(text);
    const parsed = parseTpl(text, running.helm);
    try {
      return withoutNoValue(setOf(set, running, parsed).execution(parsed, data).run());
    } catch (error) {
      throw tplFailure(text, error);
    }
  });
}

function parseTpl(text: string, helm: Helm): ParsedFile {
  try {
    return parseText(text, helm);
  } catch (error) {
    if (!(error instanceof TemplateParseError)) throw error;
    throw new GoError(`cannot parse template ${quote(text)}: ${error.message}`, { cause: error });
  }
}

function tplFailure(text: string, error: unknown): unknown {
  if (!(error instanceof TemplateExecError)) return error;
  return new GoError(`error during tpl function execution for ${quote(text)}: ${error.message}`, { cause: error });
}

/** Returns the set for executing a text: the templates of the chart, plus, in a clone, those that the text defines. */
function setOf(set: TemplateSet, running: RenderingScope, parsed: ParsedFile): TemplateSet {
  if (parsed.templates.size <= 1) return set;
  const clone = set.clone();
  clone.setFuncs(setFuncs(clone, running));
  clone.add(parsed);
  return clone;
}

/** Removes Go's marker for a missing value. Helm deletes it from the output even if a template wrote it. */
function withoutNoValue(text: string): string {
  return text.replaceAll('<no value>', '');
}

function required(warning: string, value: GoValue): GoValue {
  if (value === null || value === '') throw new GoError(markFailure(warning));
  return value;
}

function fail(message: string): never {
  throw new GoError(markFailure(message));
}

// Rendering is offline: only an IP address resolves.
function addressOf(name: string): string {
  if (name === 'localhost') return '127.0.0.1';
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(name) || name.includes(':')) return name;
  throw new GoError(`lookup ${name}: names are not resolved offline; give the address itself`);
}
