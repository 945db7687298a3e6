// Validates a chart that a caller passes in: one loaded by this library, or assembled from loaded ones.

import {
  anything,
  type Check,
  flag,
  having,
  isMembers,
  kind,
  listOf,
  type OptionChecks,
  optional,
  text,
  wrongKind,
} from '../core/arguments.ts';
import { isBytes } from '../go/realm.ts';
import type { Chart, ChartFile, Dependency, Metadata } from './chart.ts';

const must = 'a chart, as returned by loadChart or loadArchive';
const isMap = kind('a Map', (value) => value instanceof Map);
const bytes = kind('a Uint8Array', isBytes);
const file = having<ChartFile>('a file of a chart', { name: text, data: bytes });
const files = listOf(file);
const texts = listOf(text);

function textMembers<Name extends string>(...names: readonly Name[]): Record<Name, Check> {
  return Object.fromEntries(names.map((name) => [name, text])) as Record<Name, Check>;
}

const dependency: OptionChecks<Dependency> = {
  ...textMembers('name', 'version', 'repository', 'condition', 'alias'),
  tags: texts,
  enabled: flag,
  importValues: listOf(anything),
};

const metadata: OptionChecks<Metadata> = {
  ...textMembers('name', 'home', 'version', 'description', 'icon', 'apiVersion'),
  ...textMembers('condition', 'tags', 'appVersion', 'kubeVersion', 'type'),
  sources: texts,
  keywords: texts,
  maintainers: listOf(having('a maintainer', textMembers('name', 'email', 'url'))),
  deprecated: flag,
  annotations: isMap,
  dependencies: listOf(having<Dependency>('a dependency', dependency)),
};

const parts: OptionChecks<Chart> = {
  metadata: having<Metadata>('the metadata of a chart', metadata),
  templates: files,
  files,
  values: isMap,
  valuesData: optional(bytes),
  dependenciesData: optional(file),
  readBy: optional(text),
  schema: optional(bytes),
  children: listOf((value, path) => chartArgument(value, path)),
  parentPath: optional(text),
};

const checkParts = having<Chart>(must, parts);
const right = new WeakSet<object>();

/** A chart with all its parts. Each is visited once. */
export const chartArgument: Check = (value, path) => {
  if (isMembers(value) && right.has(value)) return [];
  if (!isMembers(value) || !isMembers(value.metadata)) {
    const isNearly =
      typeof value === 'string' ? 'Load it first: `await loadChartPath(path)` of drydock/node.' : undefined;
    return wrongKind(value, path, must, isNearly ?? 'Load it first: loadChart(files), or loadArchive(bytes).');
  }
  const issues = checkParts(value, path);
  if (issues.length === 0) right.add(value);
  return issues;
};
