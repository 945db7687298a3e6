// Which objects and fields a value reaches, and a whole rendering with its explanations as one page: front doors of the trace.

import { chartArgument } from '../chart/check.ts';
import { type Check, checkArguments, filled, having, listOf, membersOf, optionsOf, text } from '../core/arguments.ts';
import type { RenderedPackage } from '../engine/packages.ts';
import { type Impact, impactOf } from '../provenance/impact/impact.ts';
import { reportData } from '../provenance/report/data.ts';
import { reportPage } from '../provenance/report/page.ts';
import { chartTexts } from '../provenance/report/sources.ts';
import type { ValuesFile } from '../values/user.ts';
import type { Release } from './chart.ts';
import { tracedArgument, tracedObjectsOf } from './explain.ts';
import type { RenderedOrder } from './order.ts';

/**
 * Returns which objects and fields a value reaches: where it is used, where something is computed from it, what it decides, and what
 * it left out, as it is. What was rendered must have been traced, with `trace: true`.
 * Throws RenderError: VALUES_INVALID where nothing sets or reads the value, ARGUMENT_INVALID.
 * @example
 * const release = renderRelease(chart, { trace: true });
 * for (const { object, fields } of impact(release, 'image').objects)
 *   for (const { path, how } of fields) console.log(object, path, how);
 */
export function impact(rendered: Release | RenderedOrder, path: string): Impact {
  checkArguments('impact', ['rendered', rendered, tracedArgument], ['path', path, filled]);
  return impactOf(tracedObjectsOf(rendered), path);
}

/** The options of `explanationPage`. */
export interface ExplanationPageOptions {
  /** What the page is called. Default `Explanation`. */
  readonly title?: string | undefined;
  /** Texts that the page shows beside the charts' own: values files, under the names that they were rendered with. */
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
 * Returns what was rendered as one page of HTML that needs no server and no other file: every object, for each line why it is
 * what it is, the sources, and a search. What was rendered must have been traced, with `trace: true`.
 * Throws RenderError: ARGUMENT_INVALID.
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
