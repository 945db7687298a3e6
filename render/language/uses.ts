// Which values and templates the texts of a chart name, and what of them the cases reach.

import type { Chart } from '../chart/chart.ts';
import { plainValue } from '../codec/plain.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import type { ListNode } from '../template/nodes.ts';
import type { ParsedFile } from '../template/template.ts';
import { readSchema } from '../values/describe.ts';
import type { Steps } from '../values/paths.ts';
import { listKeys } from './keys.ts';
import type { CaseRun, ChartSnapshot, ReachedPart, ValueKey, ValueReference } from './model.ts';
import { type NamesNode, type Span, spanOfName, templateDefinitions, visitNodes } from './template-nodes.ts';
import type { ChartTexts } from './texts.ts';
import type { ChartValues } from './yaml/known-values.ts';

/** A parsed template file of the chart's folder. */
export interface PlacedTree {
  readonly path: string;
  readonly tree: ParsedFile;
}

/** Returns the names in templates that stand for values: those that the renderings looked up, and those that ran nowhere. */
export function listReferences(
  trees: readonly PlacedTree[],
  runs: readonly CaseRun[],
  files: ChartTexts,
): ValueReference[] {
  const found = new Map<string, { readonly span: Span; readonly path: string; readonly values: Map<string, Steps> }>();
  for (const { path, tree } of trees) {
    const text = files.text(path);
    const reads = runs.flatMap(({ runs: own }) => {
      const { source } = tree.templates.get(tree.name) ?? {};
      return source === undefined
        ? []
        : [...own.read].filter(([one]) => one.name === source.name).map(([, read]) => read);
    });
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
              values.set(JSON.stringify(steps), steps);
            }
          }
          if (named !== undefined) values.set(JSON.stringify(named), named);
          if (values.size > 0) found.set(key, { span, path, values });
        });
      },
    });
  }
  return [...found.values()].map(({ span, path, values }) => ({ path, ...span, values: [...values.values()] }));
}

// What did not run is taken by its words: `.Values` of the chart that the file belongs to.
function namedValue(node: NamesNode, at: number, file: string): Steps | undefined {
  const values = node.names.indexOf('Values');
  if (values < 0 || at <= values) return undefined;
  const charts = [...file.matchAll(/\/charts\/([^/]+)(?=\/)/g)].map(([, name]) => name!);
  return [...charts, ...node.names.slice(values + 1, at + 1)];
}

/** Returns the keys of the chart's values.yaml, of those of its sub-charts' folders, and of its cases. */
export function listValueKeys({ files, cases }: ChartSnapshot, chart: Chart): ValueKey[] {
  const found: ValueKey[] = [];
  const add = (path: string, text: string, prefix: Steps): void => {
    for (const { steps, start, end } of listKeys(text)) found.push({ path, steps: [...prefix, ...steps], start, end });
  };
  const visit = ({ children, metadata }: Chart, folder: string, prefix: Steps): void => {
    const data = files.get(`${folder}values.yaml`);
    if (data !== undefined) add(`${folder}values.yaml`, typeof data === 'string' ? data : decodeUtf8(data), prefix);
    for (const child of children) {
      visit(child, `${folder}charts/${child.metadata.name}/`, [...prefix, keyOfSubchart(metadata, child)]);
    }
  };
  visit(chart, '', []);
  const named = new Map(cases.flatMap(({ valuesFiles }) => valuesFiles.map(({ name, text }) => [name, text] as const)));
  for (const [name, text] of named) add(name, text, []);
  return found;
}

// Under which key a chart has the values of a sub-chart.
function keyOfSubchart({ dependencies }: Chart['metadata'], child: Chart): string {
  const { name } = child.metadata;
  return dependencies.find((one) => one.name === name)?.alias || name;
}

/** Returns the defaults of a chart and of its sub-charts. */
export function chartValues({ valuesData, schema, children, metadata }: Chart, name: string): ChartValues {
  return {
    name,
    values: valuesData === undefined ? '' : decodeUtf8(valuesData),
    schema: schema === undefined ? undefined : plainValue(readSchema(schema)),
    charts: children.map((child) => chartValues(child, keyOfSubchart(metadata, child))),
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
