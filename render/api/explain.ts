// Explains rendered output: its lines, its values, and which objects and fields a value affects.

import { chartArgument } from '../chart/check.ts';
import { plainValue } from '../codec/plain.ts';
import {
  type Check,
  callback,
  checkArguments,
  filled,
  having,
  isMembers,
  jsonObject,
  kind,
  listOf,
  membersOf,
  optionsOf,
  text,
  wholeNumber,
  wrongKind,
} from '../core/arguments.ts';
import type { RenderedPackage } from '../engine/packages.ts';
import type { RenderedRelease } from '../engine/release.ts';
import type { Manifest } from '../manifest/sort.ts';
import type { JsonObject } from '../order/order.ts';
import { type Impact, impactOf } from '../provenance/impact/impact.ts';
import { chartTexts, reportData } from '../provenance/report/data.ts';
import { reportPage } from '../provenance/report/page.ts';
import {
  type ExplainQuestion,
  type Explanation,
  explainObjects,
  type TracedObjects,
} from '../provenance/trace/explanation.ts';
import type { ReleaseTrace, TracedFile } from '../provenance/trace/release-trace.ts';
import { type MergedValue, mergedValues } from '../provenance/trace/values.ts';
import type { ValuesFile } from '../values/user.ts';
import type { Release } from './chart.ts';
import type { RenderedOrder } from './order.ts';

const document = having<Manifest>('a rendered object', { path: text, content: text, kind: text, name: text });
const trace = having<ReleaseTrace>('a trace, as `trace: true` gives it', {
  setBy: callback,
  files: listOf(having<TracedFile>('a traced file', { path: text, text })),
});
const release = having<Release>('what renderRelease gave', {
  namespace: text,
  objects: listOf(document),
  hooks: listOf(document),
  trace,
});
const order = having<RenderedOrder>('what renderOrder gave', {
  traces: listOf(having<TracedObjects>('a traced package', { namespace: text, documents: listOf(document), trace })),
});

/** Checks that the rendering was traced. */
const tracedArgument: Check = (value, path) => {
  if (!isMembers(value)) return wrongKind(value, path, 'what renderRelease or renderOrder gave');
  const isOrder = 'packages' in value;
  if ((isOrder ? value.traces : value.trace) !== undefined) return (isOrder ? order : release)(value, path);
  return [{ path, message: 'was not traced', severity: 'error', hint: 'Render it with the option `trace: true`.' }];
};

const questionOptions = optionsOf<ExplainQuestion>({ object: filled, path: filled, line: wholeNumber(1) });

/**
 * Explains a part of rendered output: its value, the template line behind each of its lines, the includes on the way, the conditions, the
 * values that were read, and every place that sets them. The rendering must have been traced: `renderRelease(chart, { trace: true })`,
 * `renderOrder(order, { registry, trace: true })`. Throws RenderError: MANIFEST_INVALID if no object, or more than one, has this name;
 * ARGUMENT_INVALID.
 * @example
 * const release = renderRelease(chart, { trace: true, set: ['replicaCount=5'] });
 * const { value, lines } = explain(release, { object: 'Deployment/release-name-web', path: 'spec.replicas' });
 * for (const { parts } of lines)
 *   for (const { place, values } of parts)
 *     for (const { path, how, setBy } of values) console.log(`${place.file}:${place.line}`, path, how, setBy[0]?.where);
 */
export function explain(rendered: Release | RenderedOrder, question: ExplainQuestion): Explanation {
  checkArguments('explain', ['rendered', rendered, tracedArgument], ['question', question, questionOptions]);
  checkArguments('explain', ['question', question, oneOfBoth]);
  return explainObjects(tracedObjectsOf(rendered), question);
}

const oneOfBoth: Check = (value, path) => {
  const { object, line } = value as ExplainQuestion;
  if ((object === undefined) !== (line === undefined)) return [];
  const message = object === undefined ? 'names neither an object nor a line' : 'names an object and a line';
  return [{ path, message, severity: 'error', hint: 'Give either `object` or `line`.' }];
};

/** Returns the traced objects of a rendering; empty if it was not traced. */
export function tracedObjectsOf(rendered: Release | RenderedOrder): readonly TracedObjects[] {
  if ('packages' in rendered) return rendered.traces ?? [];
  const { namespace, objects, hooks, trace } = rendered;
  return trace === undefined ? [] : [{ namespace, documents: [...objects, ...hooks], trace }];
}

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

const valuesArgument = having<Release>('what renderRelease gave', {
  values: jsonObject,
  trace: having('a trace', { setBy: callback }),
});

/**
 * Returns every value that the templates of a release received, each with the places that set it, the winning one first. It must have been
 * traced with `trace: true`. Throws RenderError: ARGUMENT_INVALID.
 * @example
 * const release = renderRelease(chart, { trace: true, set: ['image.tag=1.2'] });
 * for (const { path, value, setBy } of listValues(release)) console.log(path, value, setBy[0]?.where);
 */
export function listValues(release: Release): MergedValue[] {
  checkArguments('listValues', ['release', release, tracedArgument]);
  checkArguments('listValues', ['release', release, valuesArgument]);
  return mergedValues(release.values, (steps) => release.trace?.setBy(steps) ?? []);
}

const orderArgument = having<RenderedOrder>('what renderOrder gave', {
  packages: listOf(
    having<RenderedPackage>('a rendered package', {
      release: having<RenderedRelease>('a release', { name: text, values: kind('a map', (one) => one instanceof Map) }),
    }),
  ),
});

/** The values of a package of an Order. */
export interface PackageValues {
  /** The name of its release. */
  readonly package: string;
  readonly values: readonly MergedValue[];
}

/**
 * Returns the values of each package of an Order, as `listValues` does for a release. The Order must have been rendered with `trace: true`.
 * Values set by the Order have a place such as `spec.packages[0].chart.values`. Throws RenderError: ARGUMENT_INVALID.
 */
export function listOrderValues(rendered: RenderedOrder): PackageValues[] {
  checkArguments('listOrderValues', ['rendered', rendered, tracedArgument]);
  checkArguments('listOrderValues', ['rendered', rendered, orderArgument]);
  return rendered.packages.map(({ release }, at) => ({
    package: release.name,
    values: mergedValues(
      plainValue(release.values) as JsonObject,
      (steps) => rendered.traces?.[at]?.trace.setBy(steps) ?? [],
    ),
  }));
}
