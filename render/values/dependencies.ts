// Prunes, renames and copies sub-charts by condition, tag and alias, and lifts the values they export.
// Mirrors: helm.sh/helm/v3/pkg/chartutil, dependencies.go, v3.17.3.

import { type Chart, type Dependency, nilList } from '../chart/chart.ts';
import { isCompatibleRange } from '../chart/compatible.ts';
import { GoError, type GoMap, type GoValue, NamedMap, typeOf } from '../go/value.ts';
import { Coalescing, type Layer, type Warn } from './coalesce.ts';
import { copyValue, isTable, tableAt, valueAt } from './lookup.ts';

interface Processed {
  readonly chart: Chart;
  readonly warnings: readonly string[];
}

// What import-values make of a chart depends on the chart and on the decisions only, not on the user's values.
const processedCharts = new WeakMap<Chart, Map<string, Processed>>();
const keptDecisions = 64;

/**
 * Gives the chart with its dependencies decided by the values: disabled sub-charts gone, aliases named, imported values
 * among the defaults. The chart given is not changed, and the same decisions give the very same chart again.
 * Throws GoError `type mismatch on NAME: …`. Mirrors: `ProcessDependenciesWithMerge`.
 */
export function processDependencies(chart: Chart, values: GoMap, warn: Warn): Chart {
  const root = instantiate(chart, undefined);
  const decisions: string[] = [];
  enable(root, values, { path: '', warn, decisions });
  const known = processedCharts.get(chart) ?? new Map<string, Processed>();
  processedCharts.set(chart, known);
  const found = known.get(decisions.join());
  if (found !== undefined) {
    for (const line of found.warnings) warn(line);
    return found.chart;
  }
  const warnings: string[] = [];
  importValues(root, (line) => {
    warnings.push(line);
    warn(line);
  });
  const processed = finish(root, '');
  if (known.size >= keptDecisions) known.clear();
  known.set(decisions.join(), { chart: processed, warnings });
  return processed;
}

/**
 * A chart in the making. Helm works on the loaded chart in place and its copies share what Go's shallow copies share
 * (children, dependency entries); what follows from that shows in results, so the sharing is the same here.
 */
interface Draft extends Layer {
  readonly source: Chart;
  readonly metadata: { readonly name: string; readonly version: string };
  dependencies: DraftDependency[] | undefined;
  children: Draft[];
  parent: Draft | undefined;
  values: GoMap;
}

type DraftDependency = { -readonly [Key in keyof Dependency]: Dependency[Key] };

function instantiate(chart: Chart, parent: Draft | undefined): Draft {
  const { name, version, dependencies } = chart.metadata;
  const draft: Draft = {
    source: chart,
    metadata: { name, version },
    dependencies: dependencies === nilList ? undefined : dependencies.map((entry) => ({ ...entry })),
    children: [],
    parent,
    values: chart.values,
  };
  draft.children = chart.children.map((child) => instantiate(child, draft));
  return draft;
}

interface Enabling {
  /** The dotted place of the chart in the values of the root, with a dot behind; empty for the root. */
  readonly path: string;
  readonly warn: Warn;
  /** Collects what is enabled: with the loaded chart it determines everything that comes after. */
  readonly decisions: string[];
}

// Mirrors: `processDependencyEnabled`.
function enable(chart: Draft, values: GoMap, enabling: Enabling): void {
  const { dependencies } = chart;
  if (dependencies === undefined) return;
  setChildren(chart, selectChildren(chart, dependencies));
  for (const entry of dependencies) entry.enabled = true;
  const layered = new Coalescing({ merge: false, warn: enabling.warn }).layer(chart, values);
  applyTags(dependencies, layered, enabling.warn);
  applyConditions(dependencies, layered, enabling);
  const disabled = new Set(dependencies.filter((entry) => !entry.enabled).map((entry) => entry.name));
  enabling.decisions.push(dependencies.map((entry) => (entry.enabled ? '1' : '0')).join(''));
  const remaining = chart.children.filter((child) => !disabled.has(child.metadata.name));
  for (const child of remaining) {
    enable(child, layered, { ...enabling, path: `${enabling.path}${child.metadata.name}.` });
  }
  const kept = dependencies.filter((entry) => !disabled.has(entry.name));
  chart.dependencies = kept.length === 0 ? undefined : kept;
  setChildren(chart, remaining);
}

// Undeclared children first, then one copy for each declared entry that some child satisfies.
function selectChildren(chart: Draft, dependencies: readonly DraftDependency[]): Draft[] {
  const isDeclared = (child: Draft): boolean => dependencies.some((entry) => satisfies(child, entry));
  const children = chart.children.filter((child) => !isDeclared(child));
  for (const entry of dependencies) {
    const match = chart.children.find((child) => satisfies(child, entry));
    if (match !== undefined) {
      children.push({ ...match, metadata: { ...match.metadata, name: entry.alias || match.metadata.name } });
    }
    if (entry.alias !== '') entry.name = entry.alias;
  }
  return children;
}

function satisfies(child: Draft, entry: DraftDependency): boolean {
  return child.metadata.name === entry.name && isCompatibleRange(entry.version, child.metadata.version);
}

function setChildren(chart: Draft, children: Draft[]): void {
  for (const child of children) child.parent = chart;
  chart.children = children;
}

// Mirrors: `processDependencyTags`.
function applyTags(dependencies: readonly DraftDependency[], values: GoMap, warn: Warn): void {
  const tags = values.get('tags');
  if (!isTable(tags)) return;
  for (const entry of dependencies) {
    const flags = entry.tags.map((tag) => tags.get(tag));
    flags.forEach((flag, i) => {
      if (flag === undefined || typeof flag === 'boolean') return;
      warn(`dependencies.go:94: Warning: Tag '${entry.tags[i]}' for chart ${entry.name} returned non-bool value`);
    });
    entry.enabled = flags.includes(true) || !flags.includes(false);
  }
}

// Mirrors: `processDependencyConditions`.
function applyConditions(dependencies: readonly DraftDependency[], values: GoMap, { path, warn }: Enabling): void {
  for (const entry of dependencies) {
    for (const condition of entry.condition.trim().split(',')) {
      if (condition === '') continue;
      const value = valueAt(values, path + condition);
      if (typeof value === 'boolean') {
        entry.enabled = value;
        break;
      }
      if (value === undefined) continue;
      warn(
        `dependencies.go:63: Warning: Condition path '${condition}' for chart ${entry.name} returned non-bool value`,
      );
    }
  }
}

// Mirrors: `processDependencyImportValues`, `processImportValues`.
function importValues(chart: Draft, warn: Warn): void {
  for (const child of chart.children) importValues(child, warn);
  const { dependencies } = chart;
  if (dependencies === undefined) return;
  let values = new Coalescing({ merge: true, warn }).layer(chart, new Map());
  // An imported table is the child's very table, and a later import writes into it, as in Helm.
  if (dependencies.some((entry) => entry.importValues.length > 0)) values = copyValue(values);
  const tables = new Coalescing({ merge: true, warn, inPlace: true });
  let imports: GoMap = new Map();
  for (const entry of dependencies) {
    const items = entry.importValues.map(importItem).filter((item) => item !== undefined);
    entry.importValues = items.length === 0 ? nilList : items.map(({ child, parent }) => importEntry(child, parent));
    for (const item of items) {
      const table = importTable(values, entry.name, item, warn);
      if (table !== undefined) imports = tables.fill(imports, atPath(item.parent, table));
    }
  }
  chart.values = new Coalescing({ merge: true, warn }).fill(values, imports);
}

interface ImportItem {
  readonly child: string;
  readonly parent: string;
  readonly isShort: boolean;
}

function importItem(item: GoValue): ImportItem | undefined {
  if (typeof item === 'string') return { child: `exports.${item}`, parent: '.', isShort: true };
  // An entry that another alias of the same chart has rewritten is a map of strings, which Helm passes over.
  if (!isTable(item) || item instanceof NamedMap) return undefined;
  return { child: importPath(item.get('child')), parent: importPath(item.get('parent')), isShort: false };
}

// Helm panics here.
function importPath(value: GoValue | undefined): string {
  if (typeof value === 'string') return value;
  const type = value === undefined || value === null ? 'nil' : typeOf(value);
  throw new GoError(`interface conversion: interface {} is ${type}, not string`);
}

function importEntry(child: string, parent: string): NamedMap {
  const paths = new Map<string, GoValue>([
    ['child', child],
    ['parent', parent],
  ]);
  return new NamedMap(paths, 'map[string]string');
}

function importTable(values: GoMap, name: string, item: ImportItem, warn: Warn): GoMap | undefined {
  try {
    return tableAt(values, `${name}.${item.child}`);
  } catch (error) {
    const where = item.isShort
      ? 'dependencies.go:286: Warning: ImportValues missing table'
      : `dependencies.go:269: Warning: ImportValues missing table from chart ${name}`;
    warn(`${where}: ${(error as GoError).message}`);
    return undefined;
  }
}

// Mirrors: `pathToMap`.
function atPath(path: string, table: GoMap): GoMap {
  if (path === '.') return table;
  return path.split('.').reduceRight<GoMap>((inner, key) => new Map([[key, inner]]), table);
}

function fullPath(chart: Draft): string {
  const { name } = chart.metadata;
  return chart.parent === undefined ? name : `${fullPath(chart.parent)}/charts/${name}`;
}

function finish(draft: Draft, parentPath: string): Chart {
  const { source, values } = draft;
  const path = parentPath === '' ? draft.metadata.name : `${parentPath}/charts/${draft.metadata.name}`;
  const metadata = {
    ...source.metadata,
    name: draft.metadata.name,
    dependencies: draft.dependencies ?? nilList,
  };
  const children = draft.children.map((child) => finish(child, path));
  const placed = draft.parent === undefined ? '' : fullPath(draft.parent);
  return { ...source, metadata, values, children, ...(placed === parentPath ? {} : { parentPath: placed }) };
}
