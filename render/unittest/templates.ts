// The templates that a suite renders.
// Mirrors: helm-unittest 1.1.0, pkg/unittest, deep_copy.go.

import type { Chart, ChartFile } from '../chart/chart.ts';
import { base, join } from '../go/path.ts';

/** Returns the path of a template below its chart: names without a folder are in `templates/`. */
export function templatePath(name: string): string {
  return /^(?:templates|charts|crds|\*\*)/.test(name) ? name : join('templates', name);
}

/** Which parts of a chart tree to render. */
export interface TemplateChoice {
  /** The chart that the names refer to, such as `parent/charts/child`. */
  readonly chartRoute: string;
  readonly templates: readonly string[];
  readonly excluded: readonly string[];
}

/** Returns a chart tree with only the selected templates, and the partials of all its charts. */
export function chooseTemplates(chart: Chart, choice: TemplateChoice): Chart {
  const patternsOf = (names: readonly string[]): readonly RegExp[] =>
    names.flatMap((name) => patternOf(join(choice.chartRoute, templatePath(name))) ?? []);
  return choose(chart, chart.metadata.name, [patternsOf(choice.templates), patternsOf(choice.excluded)]);
}

type Patterns = readonly [chosen: readonly RegExp[], excluded: readonly RegExp[]];

function choose(chart: Chart, route: string, [chosen, excluded]: Patterns): Chart {
  const isChosen = ({ name }: ChartFile): boolean => {
    if (base(name).startsWith('_')) return true;
    const path = join(route, name);
    return chosen.some((pattern) => pattern.test(path)) && !excluded.some((pattern) => pattern.test(path));
  };
  return {
    ...chart,
    templates: chart.templates.filter(isChosen),
    children: chart.children.map((child) =>
      choose(child, join(route, 'charts', child.metadata.name), [chosen, excluded]),
    ),
  };
}

// The pattern can match anywhere in the path of a template.
function patternOf(name: string): RegExp | undefined {
  const pattern = name
    .replace(/[.+?()|{}^$[\]]/g, '\\$&')
    .replaceAll('**', '[0-9a-zA-Z_\\-/.]+')
    .replaceAll('*', '[0-9a-zA-Z_\\-/.]*');
  try {
    return new RegExp(pattern);
  } catch {
    // A backslash in a name makes an invalid pattern, which matches nothing.
    return undefined;
  }
}
