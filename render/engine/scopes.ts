// The templates of a chart tree, each with its top-level objects.
// Mirrors: helm.sh/helm/v3/pkg/engine, engine.go, `allTemplates` and `sortTemplates`, v3.17.3.

import { type Chart, type ChartFile, childPath, isLibrary } from '../chart/chart.ts';
import { emitYaml } from '../codec/yaml/emit.ts';
import { encodeBase64 } from '../go/base64.ts';
import { compileGlob } from '../go/glob.ts';
import { base, join } from '../go/path.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import {
  func,
  GoError,
  type GoFunc,
  type GoMap,
  type GoValue,
  type Methods,
  NamedMap,
  sortedEntries,
  stringSlice,
} from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { chartObject } from './chart-object.ts';
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

// `.Files`: the files of a chart that are not templates.
// Mirrors: helm.sh/helm/v3/pkg/engine, files.go, v3.17.3.

type FileMap = Map<string, Uint8Array>;
type FileRules = Pick<Helm, 'codec' | 'panicsOnEmptyLines'>;

const made = new WeakMap<FileRules, WeakMap<readonly ChartFile[], NamedMap>>();

/** Returns `.Files` of a chart: a map from name to bytes with the methods of Go's type. Created once per list. */
function filesObject(files: readonly ChartFile[], helm: FileRules): NamedMap {
  const known = made.get(helm) ?? new WeakMap<readonly ChartFile[], NamedMap>();
  made.set(helm, known);
  let object = known.get(files);
  if (object === undefined) {
    object = wrap(new Map(files.map((file) => [file.name, file.data])), helm);
    known.set(files, object);
  }
  return object;
}

function wrap(files: FileMap, helm: FileRules): NamedMap {
  return new NamedMap(files as Map<string, GoValue>, 'engine.files', filesMethods(files, helm), '[]uint8');
}

function filesMethods(files: FileMap, helm: FileRules): Methods {
  const bytesOf = (name: string): Uint8Array => files.get(name) ?? new Uint8Array();
  const emitFiles = (texts: GoMap): string => {
    try {
      return emitYaml(texts, helm.codec.yamlKeys).replace(/\n$/, '');
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      return ''; // A character that YAML does not know: Helm says nothing of it.
    }
  };
  return new Map<string, GoFunc>([
    ['Get', func(['string'], (name) => decodeUtf8(bytesOf(name)))],
    ['GetBytes', func(['string'], bytesOf)],
    ['Glob', func(['string'], (pattern) => wrap(glob(files, pattern), helm))],
    ['Lines', func(['string'], (name) => stringSlice(lines(files.get(name), helm)))],
    ['AsConfig', func([], () => emitFiles(byBaseName(files, decodeUtf8)))],
    ['AsSecrets', func([], () => emitFiles(byBaseName(files, encodeBase64)))],
  ]);
}

// An invalid pattern matches everything.
function glob(files: FileMap, pattern: string): FileMap {
  let matches: (name: string) => boolean = () => true;
  try {
    matches = compileGlob(pattern);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
  }
  return new Map([...files].filter(([name]) => matches(name)));
}

function lines(data: Uint8Array | undefined, { panicsOnEmptyLines }: FileRules): string[] {
  if (data === undefined || (data.length === 0 && !panicsOnEmptyLines)) return [];
  if (data.length === 0) throw new GoError('runtime error: index out of range [-1]');
  const text = decodeUtf8(data);
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

// Go keeps either of two files with the same base name; here the later path wins.
function byBaseName(files: FileMap, read: (data: Uint8Array) => string): GoMap {
  const texts: GoMap = new Map();
  for (const [name, data] of sortedEntries(files)) texts.set(base(name), read(data));
  return texts;
}
