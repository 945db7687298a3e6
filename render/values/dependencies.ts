// Enables, renames and copies subcharts by condition, tag and alias, and imports the values that they export.
// Mirrors: helm.sh/helm/v3/pkg/chartutil, dependencies.go, v3.17.3.

import { type Chart, type Dependency, isCompatibleRange, nilList } from '../chart/chart.ts';
import { catchGoError } from '../core/catch.ts';
import { formatValue } from '../go/format.ts';
import { GoError, type GoMap, type GoValue, NamedMap, typeOf } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { type Composing, coalesceTables, coalesceValues, type Layer } from './coalesce.ts';
import { isTable, lookupTable, valueAt } from './lookup.ts';

/**
 * Returns the chart with dependencies processed for the values: without disabled subcharts, with aliases, with imported values among the
 * defaults. The input is not modified. Throws GoError `type mismatch on NAME: …`.
 * Mirrors: `ProcessDependenciesWithMerge`.
 */
export function processDependencies(chart: Chart, values: GoMap, composing: Composing): Chart {
  const root = instantiate(chart, undefined);
  enable(root, values, { path: '', ...composing });
  importValues(root, composing);
  return finish(root, '');
}

/**
 * A mutable chart. Helm modifies the loaded chart in place, and its copies share what Go's shallow copies share (children, dependency
 * entries). The effects are visible in results, so the sharing is the same here.
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

interface Enabling extends Composing {
  /** The path of the chart in the root's values, with a trailing dot; empty for the root. */
  readonly path: string;
}

// Mirrors: `processDependencyEnabled`.
function enable(chart: Draft, values: GoMap, enabling: Enabling): void {
  const { dependencies } = chart;
  if (dependencies === undefined) return;
  setChildren(chart, selectChildren(chart, dependencies, enabling.helm));
  for (const entry of dependencies) entry.enabled = true;
  const layered = coalesceValues(chart, values, { ...enabling, merge: false });
  applyTags(dependencies, layered, enabling);
  applyConditions(dependencies, layered, enabling);
  const disabled = new Set(dependencies.filter((entry) => !entry.enabled).map((entry) => entry.name));
  const remaining = chart.children.filter((child) => !disabled.has(child.metadata.name));
  for (const child of remaining) {
    enable(child, layered, { ...enabling, path: `${enabling.path}${child.metadata.name}.` });
  }
  const kept = dependencies.filter((entry) => !disabled.has(entry.name));
  chart.dependencies = kept.length === 0 ? undefined : kept;
  setChildren(chart, remaining);
}

// Undeclared children first, then one copy for each declared entry that a child satisfies.
function selectChildren(chart: Draft, dependencies: readonly DraftDependency[], helm: Helm): Draft[] {
  const isDeclared = (child: Draft): boolean => dependencies.some((entry) => satisfies(child, entry, helm));
  const children = chart.children.filter((child) => !isDeclared(child));
  for (const entry of dependencies) {
    const match = chart.children.find((child) => satisfies(child, entry, helm));
    if (match !== undefined) {
      const metadata = { ...match.metadata, name: entry.alias || match.metadata.name };
      children.push(helm.charts.copiesBelowAlias ? withOwnChildren({ ...match, metadata }) : { ...match, metadata });
    }
    if (entry.alias !== '') entry.name = entry.alias;
  }
  return children;
}

// Helm 3 keeps the subcharts of a copy below the original chart and shares its entries.
function withOwnChildren(copy: Draft): Draft {
  copy.dependencies = copy.dependencies?.map((entry) => ({ ...entry }));
  setChildren(
    copy,
    copy.children.map((child) => ({ ...child })),
  );
  return copy;
}

function satisfies(child: Draft, entry: DraftDependency, { semver }: Helm): boolean {
  return child.metadata.name === entry.name && isCompatibleRange(entry.version, child.metadata.version, semver);
}

function setChildren(chart: Draft, children: Draft[]): void {
  for (const child of children) child.parent = chart;
  chart.children = children;
}

// Mirrors: `processDependencyTags`.
function applyTags(dependencies: readonly DraftDependency[], values: GoMap, { helm, warn }: Composing): void {
  const tags = values.get('tags');
  if (!isTable(tags)) return;
  for (const entry of dependencies) {
    const flags = entry.tags.map((tag) => tags.get(tag));
    flags.forEach((flag, i) => {
      if (flag === undefined || typeof flag === 'boolean') return;
      warn(helm.log.tagNoBool(entry.tags[i] ?? '', entry.name));
    });
    entry.enabled = flags.includes(true) || !flags.includes(false);
  }
}

// Mirrors: `processDependencyConditions`.
function applyConditions(dependencies: readonly DraftDependency[], values: GoMap, enabling: Enabling): void {
  const { path, helm, warn } = enabling;
  for (const entry of dependencies) {
    for (const condition of entry.condition.trim().split(',')) {
      if (condition === '') continue;
      const value = valueAt(values, path + condition);
      if (typeof value === 'boolean') {
        entry.enabled = value;
        break;
      }
      if (value === undefined) continue;
      warn(helm.log.conditionNoBool(condition, entry.name));
    }
  }
}

// Mirrors: `processDependencyImportValues`, `processImportValues`.
function importValues(chart: Draft, composing: Composing): void {
  for (const child of chart.children) importValues(child, composing);
  const { dependencies } = chart;
  if (dependencies === undefined) return;
  const merging = { ...composing, merge: true };
  const values = coalesceValues(chart, new Map(), merging);
  const imports: GoMap = new Map();
  for (const entry of dependencies) {
    const items = entry.importValues
      .map((item) => importItem(item, composing.helm))
      .filter((item) => item !== undefined);
    entry.importValues = items.length === 0 ? nilList : items.map(({ child, parent }) => importEntry(child, parent));
    for (const item of items) {
      const table = importTable(values, entry.name, item, composing);
      // An imported table is the child's own table, and a later import modifies it, as in Helm.
      if (table !== undefined) coalesceTables(imports, atPath(item.parent, table), merging);
    }
  }
  coalesceTables(values, imports, merging);
  chart.values = values;
}

interface ImportItem {
  readonly child: string;
  readonly parent: string;
  readonly isShort: boolean;
}

function importItem(item: GoValue, helm: Helm): ImportItem | undefined {
  if (typeof item === 'string') return { child: `exports.${item}`, parent: '.', isShort: true };
  // An entry that another alias of the same chart has rewritten is a map of strings, which Helm skips.
  if (!isTable(item) || item instanceof NamedMap) return undefined;
  const read = helm.values.importsAnyPath ? formatAny : importPath;
  return { child: read(item.get('child')), parent: read(item.get('parent')), isShort: false };
}

function formatAny(value: GoValue | undefined): string {
  return formatValue(value ?? null);
}

// Helm 3 panics here.
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

function importTable(values: GoMap, name: string, item: ImportItem, { helm, warn }: Composing): GoMap | undefined {
  return catchGoError(
    () => lookupTable(values, `${name}.${item.child}`),
    ({ message }) => {
      warn(item.isShort ? helm.log.importMissing(message) : helm.log.importMissingFrom(name, message));
      return undefined;
    },
  );
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
