// Shows which objects and fields a value affects, and formats a traced rendering as one page.

import { chartArgument } from '../chart/check.ts';
import { type Check, checkArguments, filled, having, listOf, membersOf, optionsOf, text } from '../core/arguments.ts';
import type { RenderedPackage } from '../engine/packages.ts';
import { type Impact, impactOf } from '../provenance/impact/impact.ts';
import { chartTexts, reportData } from '../provenance/report/data.ts';
import { reportPage } from '../provenance/report/page.ts';
import type { ValuesFile } from '../values/user.ts';
import type { Release } from './chart.ts';
import { tracedArgument, tracedObjectsOf } from './explain.ts';
import type { RenderedOrder } from './order.ts';

/**
 * Returns the objects and fields that a value affects: where it is used, where something is computed from it, what it decides, and what it
 * left out. The rendering must have been traced with `trace: true`. Throws RenderError: VALUES_INVALID if nothing sets or reads the value,
 * ARGUMENT_INVALID.
 * @example
 * const release = renderRelease(chart, { trace: true });
 * for (const { object, fields } of impact(release, 'image').objects)
 *   for (const { path, how } of fields) console.log(object, path, how);
 */
export function impact(rendered: Release | RenderedOrder, path: string): Impact {
  checkArguments('impact', ['rendered', rendered, tracedArgument], ['path', path, filled]);
  return impactOf(tracedObjectsOf(rendered), path);
}

/** Options of `explanationPage`. */
export interface ExplanationPageOptions {
  /** The title of the page. Default `Explanation`. */
  readonly title?: string | undefined;
  /** Texts to show in addition to the charts' own: values files, by the names that they were rendered with. */
  readonly files?: readonly ValuesFile[] | undefined;
}

const pageOptions = optionsOf<ExplanationPageOptions>({
  title: text,
  files: listOf(membersOf<ValuesFile>({ name: text, text }, ['name', 'text'])),
});

const withCharts: Check = (value, path) => {
  const faults = tracedArgument(value, path);
  if (faults.length > 0) return faults;
  const rendered = value as Release | RenderedOrder;
  return 'packages' in rendered ? renderedPackages(rendered.packages, path) : chartArgument(rendered.chart, path);
};
const renderedPackages = listOf(
  having<RenderedPackage>('a rendered package', {
    chart: chartArgument,
    release: having<RenderedPackage['release']>('a release', { chart: chartArgument }),
  }),
);

/**
 * Returns a rendering as one self-contained HTML page: every object with the explanation of each line, the sources, and a search. The
 * rendering must have been traced with `trace: true`. Throws RenderError: ARGUMENT_INVALID.
 * @example
 * writeFileSync('web.html', explanationPage(renderRelease(chart, { trace: true }), { title: 'web' }));
 */
export function explanationPage(rendered: Release | RenderedOrder, options: ExplanationPageOptions = {}): string {
  checkArguments('explanationPage', ['rendered', rendered, withCharts], ['options', options, pageOptions]);
  const { title = 'Explanation', files = [] } = options;
  const charts =
    'packages' in rendered
      ? rendered.packages.flatMap(({ chart, release }) => [chart, release.chart])
      : [rendered.chart];
  const texts = charts.flatMap((chart) => [...chartTexts(chart)]);
  const own = files.map(({ name, text: shown }) => [name, shown] as const);
  return reportPage(reportData(tracedObjectsOf(rendered), { title, files: new Map([...texts, ...own]) }));
}
