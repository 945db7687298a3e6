// The templates of a chart tree, each with its top-level objects.
// Mirrors: helm.sh/helm/v3/pkg/engine, engine.go, `allTemplates` and `sortTemplates`, v3.17.3.

import { type Chart, type ChartFile, childPath, isLibrary } from '../chart/chart.ts';
import { base, join } from '../go/path.ts';
import { GoError, type GoMap, type GoValue, sortedEntries } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { chartObject } from './chart-object.ts';
import { filesObject } from './files.ts';
import { tableAt, valuesObject } from './objects.ts';

/** One template of a chart tree. */
export interface ScopedTemplate {
  /** The full path, which is the name of the template: `web/charts/cache/templates/config.yaml`. */
  readonly path: string;
  readonly file: ChartFile;
  /** The chart's top-level objects: one map for all its templates, so that a template sees what an earlier one set. */
  readonly scope: GoMap;
  /** The folder of the chart's templates, for `.Template.BasePath`. */
  readonly basePath: string;
}

/** Shared by all charts of a tree. */
export interface SharedObjects {
  readonly helm: Helm;
  readonly values: GoMap;
  readonly release: GoMap;
  readonly capabilities: GoValue;
}

/** Returns all templates of a chart tree in the order in which Helm parses and executes them: deepest first, then Z to A. */
export function listTemplates(chart: Chart, shared: SharedObjects): ScopedTemplate[] {
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
  try {
    return tableAt(values, name);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    return new Map();
  }
}
