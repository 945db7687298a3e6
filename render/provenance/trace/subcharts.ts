// Explains why a sub-chart is enabled or disabled: the condition or tags of its dependency entry.

import { type Chart, type Dependency, nilList } from '../../chart/chart.ts';
import { findMember } from '../../codec/yaml/places.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { type Steps, valueAtSteps } from '../../values/paths.ts';
import type { ExplainedCondition } from './explain.ts';
import type { ValueTable } from './values.ts';

/** A sub-chart that values enable or disable. */
export interface DecidedSubchart {
  /** Its path, such as `web/charts/cache`, with its alias if it has one. */
  readonly path: string;
  readonly isEnabled: boolean;
  /** What decided it: a place in the parent's Chart.yaml. */
  readonly condition: ExplainedCondition;
}

/** Returns the sub-charts, at all levels, with a condition or tags; those of disabled ones are left out. */
export function decidedSubcharts(chart: Chart, folder: string, values: ValueTable): DecidedSubchart[] {
  const found: DecidedSubchart[] = [];
  const visit = (one: Chart, path: string, at: { readonly steps: Steps; readonly folder: string }): void => {
    const { dependencies } = one.metadata;
    for (const child of one.children) {
      const { name } = child.metadata;
      // Its files are below its own name.
      const inside = (known: string): typeof at => {
        return { steps: [...at.steps, known], folder: `${at.folder}/charts/${name}` };
      };
      const entries = dependencies.filter((entry) => entry.name === name);
      if (entries.length === 0) visit(child, `${path}/charts/${name}`, inside(name));
      for (const entry of entries) {
        const known = entry.alias || name;
        const decision = decisionOf(entry, at.steps, values);
        if (decision !== undefined) {
          const place = placeOf(one, at.folder, { at: dependencies.indexOf(entry), member: decision.member });
          const condition = { ...place, text: decision.text, isElse: false, values: decision.values };
          found.push({ path: `${path}/charts/${known}`, isEnabled: decision.isEnabled, condition });
        }
        if (decision?.isEnabled !== false) visit(child, `${path}/charts/${known}`, inside(known));
      }
    }
  };
  if (chart.metadata.dependencies !== nilList) visit(chart, chart.metadata.name, { steps: [], folder });
  return found;
}

interface Decision extends Pick<ExplainedCondition, 'text' | 'values'> {
  readonly isEnabled: boolean;
  readonly member: 'condition' | 'tags';
}

// The first condition that is true or false decides; without one, a single enabled tag is enough.
function decisionOf({ name, alias, condition, tags }: Dependency, at: Steps, values: ValueTable): Decision | undefined {
  const read = (steps: Steps): ExplainedCondition['values'][number] =>
    values.explain({ root: 'Values', steps }, 'decides');
  const subchart = `the sub-chart ${alias || name}`;
  for (const path of condition.split(',').map((word) => word.trim())) {
    const steps = [...at, ...path.split('.')];
    const value = valueAtSteps(values.root, steps);
    if (typeof value !== 'boolean') continue;
    return { isEnabled: value, member: 'condition', text: `${subchart}, by its condition`, values: [read(steps)] };
  }
  const set = tags.filter((tag) => typeof valueAtSteps(values.root, ['tags', tag]) === 'boolean');
  if (set.length === 0) return undefined;
  return {
    isEnabled: set.some((tag) => valueAtSteps(values.root, ['tags', tag]) === true),
    member: 'tags',
    text: `${subchart}, by its tags`,
    values: set.map((tag) => read(['tags', tag])),
  };
}

function placeOf(
  { dependenciesData }: Chart,
  folder: string,
  { at, member }: { readonly at: number; readonly member: string },
): Omit<ExplainedCondition, 'text' | 'isElse' | 'values'> {
  if (dependenciesData === undefined) return { file: `${folder}/Chart.yaml`, line: 1, column: 1, source: '' };
  const { name, data } = dependenciesData;
  const text = decodeUtf8(data);
  const { line, column } = findMember(text, ['dependencies', String(at), member]);
  return { file: `${folder}/${name}`, line, column, source: text.split('\n')[line - 1] ?? '' };
}
