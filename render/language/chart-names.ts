// The names for completion in a chart: values, including those that only templates or cases mention, functions and named templates.

import { functionNames } from '../engine/trees.ts';
import type { Helm } from '../helm/helm.ts';
import type { Steps } from '../values/paths.ts';
import type { ChartAnalysis } from './model.ts';
import type { TemplateNames } from './template-help.ts';
import { subchartsIn } from './uses.ts';
import { type KnownValue, type KnownValues, knownValuesOfCharts } from './yaml/known-values.ts';

/** Returns the names for the files of a chart, by the path of the file. */
export function namesOfChart(analysis: ChartAnalysis, helm: Helm): (path: string) => TemplateNames {
  const used = [...analysis.references.flatMap(({ values }) => values), ...analysis.keys.map(({ steps }) => steps)];
  const values = withNames(knownValuesOfCharts(analysis.values), used);
  const templates = [...new Set(analysis.definitions.map(({ name }) => name))].sort();
  const functions = functionNames(helm);
  return (path) => ({ values, prefix: subchartsIn(path), templates, functions });
}

function withNames(known: KnownValues, paths: readonly Steps[]): KnownValues {
  const members = new Map<string, Set<string>>();
  for (const steps of paths) {
    const name = steps.at(-1);
    if (typeof name !== 'string') continue;
    const around = keyOf(steps.slice(0, -1));
    members.set(around, (members.get(around) ?? new Set<string>()).add(name));
  }
  return {
    membersAt: (path) => {
      const own = known.membersAt(path);
      const names = new Set(own.map(({ name }) => name));
      const others = [...(members.get(keyOf(path)) ?? [])].filter((name) => !names.has(name));
      return [...own, ...others.map((name) => bareValue(name, members.has(keyOf([...path, name]))))];
    },
    known: known.known,
  };
}

// All entries of a list have the same members.
function keyOf(steps: Steps): string {
  return JSON.stringify(steps.map((step) => (typeof step === 'number' ? 0 : step)));
}

function bareValue(name: string, isMap: boolean): KnownValue {
  return { name, about: '', type: '', own: undefined, choices: [], isMap, isRequired: false };
}
