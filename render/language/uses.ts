// The values and named templates that the files of a chart refer to, and which parts the cases reach.

import type { Chart } from '../chart/chart.ts';
import { plainValue } from '../codec/plain.ts';
import { getOrCreate } from '../core/lazy.ts';
import type { Steps } from '../core/paths.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import type { ListNode } from '../template/nodes.ts';
import type { ParsedFile } from '../template/template.ts';
import { readSchema, subchartKeys } from '../values/describe.ts';
import type { CaseRun, ChartSnapshot, ReachedPart, ValueKey, ValueReference } from './model.ts';
import { type NamesNode, nodesOf, spanOfName, templateDefinitions } from './template-nodes.ts';
import { type ChartTexts, listKeys } from './texts.ts';
import type { ChartValues } from './yaml/known-values.ts';

/** A parsed template file of the chart's folder. */
interface PlacedTree {
  readonly path: string;
  readonly tree: ParsedFile;
}

/** Returns the names in templates that refer to values, according to renderings or, if they were not executed, to their text. */
export function listReferences(
  trees: readonly PlacedTree[],
  runs: readonly CaseRun[],
  files: ChartTexts,
): ValueReference[] {
  const found = new Map<string, Omit<ValueReference, 'values'> & { readonly values: Map<string, Steps> }>();
  for (const { path, tree } of trees) {
    const text = files.text(path);
    const { source } = tree.templates.get(tree.name) ?? {};
    const reads = source === undefined ? [] : runs.flatMap(({ runs: own }) => own.read.get(source.name) ?? []);
    for (const node of nodesOf(tree)) {
      if (node.kind !== 'field' && node.kind !== 'variable' && node.kind !== 'chain') continue;
      const own = reads.flatMap((read) => read.get(node) ?? []);
      for (const [at, name] of node.names.entries()) {
        const tables = own.flatMap((one) => [...(one.get(at) ?? [])]);
        const isRead = own.some((one) => one.has(at));
        const values = [...tables.map((table) => [...table, name]), ...(isRead ? [] : namedValue(node, at, tree.name))];
        const span = spanOfName(node, at, text);
        if (span === undefined || values.length === 0) continue;
        const known = getOrCreate(found, `${path}:${span.start}`, () => ({ path, ...span, values: new Map() }));
        for (const steps of values) known.values.set(steps.join('\0'), steps);
      }
    }
  }
  return [...found.values()].map(({ values, ...span }) => ({ ...span, values: [...values.values()] }));
}

// For code that was not executed, only the text is known: `.Values` are those of the file's chart.
function namedValue(node: NamesNode, at: number, file: string): Steps[] {
  const values = node.names.indexOf('Values');
  if (values < 0 || at <= values) return [];
  return [[...subchartsIn(file.slice(file.indexOf('/') + 1)), ...node.names.slice(values + 1, at + 1)]];
}

/** Returns the names of the subcharts that contain a file, outermost first. The path is relative to the root chart. */
export function subchartsIn(path: string): string[] {
  return [...path.matchAll(/(?:^|\/)charts\/([^/]+)(?=\/)/g)].map(([, name]) => name!);
}

/** Returns the keys of the chart's values.yaml, of those of its subcharts' folders, and of its cases. */
export function listValueKeys({ cases }: ChartSnapshot, chart: Chart, texts: ChartTexts): ValueKey[] {
  const found: ValueKey[] = [];
  const add = (path: string, text: string, prefix: Steps): void => {
    for (const { steps, start, end } of listKeys(text)) found.push({ path, steps: [...prefix, ...steps], start, end });
  };
  const visit = (current: Chart, folder: string, prefix: Steps): void => {
    const path = `${folder}values.yaml`;
    if (texts.has(path)) add(path, texts.text(path), prefix);
    for (const child of current.children) {
      visit(child, `${folder}charts/${child.metadata.name}/`, [...prefix, subchartKeys(current, child)[0]]);
    }
  };
  visit(chart, '', []);
  const named = new Map(cases.flatMap(({ valuesFiles }) => valuesFiles.map(({ name, text }) => [name, text] as const)));
  for (const [name, text] of named) add(name, text, []);
  return found;
}

/** Returns the defaults of a chart and of its subcharts. */
export function chartValues(chart: Chart, name = chart.metadata.name): ChartValues {
  const { valuesData, schema, children } = chart;
  return {
    name,
    values: valuesData === undefined ? '' : decodeUtf8(valuesData),
    schema: schema === undefined ? undefined : plainValue(readSchema(schema)),
    charts: children.map((child) => chartValues(child, subchartKeys(chart, child)[0])),
  };
}

/** Returns which cases reach the branches and named templates of a file. */
export function reachedParts({ path, tree }: PlacedTree, runs: readonly CaseRun[], files: ChartTexts): ReachedPart[] {
  const { source } = tree.templates.get(tree.name) ?? {};
  if (source === undefined) return [];
  const counts = runs.map(({ given, runs: own }) => ({ name: given.name, counts: own.of(source) }));
  const reach = (list: ListNode): string[] =>
    counts.filter((one) => one.counts.started(list) > 0).map(({ name }) => name);
  const parts: ReachedPart[] = templateDefinitions(files.text(path)).flatMap(({ name, start }) => {
    const template = tree.templates.get(name);
    return template === undefined ? [] : [{ path, start, cases: reach(template.body) }];
  });
  for (const node of nodesOf(tree)) {
    if (!('list' in node)) continue;
    const { offset, list, otherwise } = node;
    parts.push({ path, start: offset, cases: reach(list), elseCases: otherwise && reach(otherwise) });
  }
  return parts.sort((a, b) => a.start - b.start);
}
