// The values and named templates that the files of a chart refer to, and which parts the cases reach.

import type { Chart } from '../chart/chart.ts';
import { plainValue } from '../codec/plain.ts';
import type { Steps } from '../core/paths.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import type { ListNode } from '../template/nodes.ts';
import type { ParsedFile } from '../template/template.ts';
import { readSchema, subchartKeys } from '../values/describe.ts';
import type { CaseRun, ChartSnapshot, ReachedPart, ValueKey, ValueReference } from './model.ts';
import { type NamesNode, spanOfName, type TextSpan, templateDefinitions, visitNodes } from './template-nodes.ts';
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
  const found = new Map<
    string,
    { readonly span: TextSpan; readonly path: string; readonly values: Map<string, Steps> }
  >();
  for (const { path, tree } of trees) {
    const text = files.text(path);
    const { source } = tree.templates.get(tree.name) ?? {};
    const reads = source === undefined ? [] : runs.flatMap(({ runs: own }) => own.read.get(source.name) ?? []);
    visitNodes(tree, {
      names: (node) => {
        const own = reads.flatMap((read) => read.get(node) ?? []);
        if (own.length === 0 && !node.names.includes('Values')) return;
        node.names.forEach((_, at) => {
          const named = own.some((one) => one.has(at)) ? undefined : namedValue(node, at, tree.name);
          const span = spanOfName(node, at, text);
          if (span === undefined || (named === undefined && own.length === 0)) return;
          const key = `${path}:${span.start}`;
          const values = found.get(key)?.values ?? new Map<string, Steps>();
          for (const one of own) {
            for (const table of one.get(at) ?? []) {
              const steps = [...table, node.names[at]!];
              values.set(steps.join('\0'), steps);
            }
          }
          if (named !== undefined) values.set(named.join('\0'), named);
          if (values.size > 0) found.set(key, { span, path, values });
        });
      },
    });
  }
  return [...found.values()].map(({ span, path, values }) => ({ path, ...span, values: [...values.values()] }));
}

// For code that was not executed, only the text is known: `.Values` are those of the file's chart.
function namedValue(node: NamesNode, at: number, file: string): Steps | undefined {
  const values = node.names.indexOf('Values');
  if (values < 0 || at <= values) return undefined;
  return [...subchartsIn(file.slice(file.indexOf('/') + 1)), ...node.names.slice(values + 1, at + 1)];
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
  visitNodes(tree, {
    body: (node) => {
      if (node.kind !== 'if' && node.kind !== 'with' && node.kind !== 'range') return;
      const { offset, list, otherwise } = node;
      parts.push({ path, start: offset, cases: reach(list), elseCases: otherwise && reach(otherwise) });
    },
  });
  return parts.sort((a, b) => a.start - b.start);
}
