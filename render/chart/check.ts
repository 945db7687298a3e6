// Validates a chart that a caller passes in: one loaded by this library, or assembled from loaded ones.

import {
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
import type { Chart, ChartFile, Metadata } from './chart.ts';

const must = 'a chart, as returned by loadChart or loadArchive';
const isMap = kind('a Map', (value) => value instanceof Map);
const bytes = kind('a Uint8Array', isBytes);
const file = having<ChartFile>('a file of a chart', { name: text, data: bytes });
const files = listOf(file);
const texts = listOf(text);

const metadata: OptionChecks<Metadata> = {
  name: text,
  home: text,
  sources: texts,
  version: text,
  description: text,
  keywords: texts,
  maintainers: listOf(having('a maintainer', { name: text, email: text, url: text })),
  icon: text,
  apiVersion: text,
  condition: text,
  tags: text,
  appVersion: text,
  deprecated: flag,
  annotations: isMap,
  kubeVersion: text,
  dependencies: listOf(
    having<Metadata['dependencies'][number]>('a dependency', {
      name: text,
      version: text,
      repository: text,
      condition: text,
      tags: texts,
      enabled: flag,
      importValues: listOf(() => []),
      alias: text,
    }),
  ),
  type: text,
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
