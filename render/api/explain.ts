// Explains rendered output: its lines, its values, and which objects and fields a value affects.

import { chartArgument } from '../chart/check.ts';
import { plainValue } from '../codec/plain.ts';
import {
  type Check,
  callback,
  checkArguments,
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
import {
  type Impact,
  type ImpactedField,
  type ImpactedObject,
  impactOf,
  impactText,
  type LeftOut,
} from '../provenance/impact/impact.ts';
import { chartTexts, reportData } from '../provenance/report/data.ts';
import { reportPage } from '../provenance/report/page.ts';
import type { ExplainedCondition, ExplainedPart, TemplatePlace } from '../provenance/trace/explain.ts';
import {
  type ExplainQuestion,
  type Explanation,
  explainObjects,
  type ObjectLine,
  type TracedInput,
  type TracedObjects,
} from '../provenance/trace/explanation.ts';
import type { ReleaseTrace, TracedFile } from '../provenance/trace/release-trace.ts';
import { explanationText, marginText } from '../provenance/trace/report.ts';
import type { Setter } from '../provenance/trace/setters.ts';
import { type ExplainedValue, type MergedValue, mergedValues } from '../provenance/trace/values.ts';
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
const tracedReleases = listOf(
  having<TracedObjects>('a traced package', { namespace: text, documents: listOf(document), trace }),
);
const order = having<RenderedOrder>('what renderOrder gave', { traces: tracedReleases });
const input = having<TracedInput>('what traceInput gave', {
  releases: tracedReleases,
  files: kind('a Map of names to texts', (value) => value instanceof Map),
});

type Traced = Release | RenderedOrder | TracedInput;

/** Checks that the rendering was traced. */
const tracedArgument: Check = (value, path) => {
  if (!isMembers(value)) return wrongKind(value, path, 'what renderRelease, renderOrder or traceInput gave');
  if ('releases' in value) return input(value, path);
  const isOrder = 'packages' in value;
  if ((isOrder ? value.traces : value.trace) !== undefined) return (isOrder ? order : release)(value, path);
  return [{ path, message: 'was not traced', severity: 'error', hint: 'Render it with the option `trace: true`.' }];
};

const questionOptions = optionsOf<ExplainQuestion>({ object: text, path: text, line: wholeNumber(1) });

/**
 * Explains a part of rendered output: its value, the template line behind each of its lines, the includes on the way, the conditions, the
 * values that were read, and every place that sets them. The rendering must have been traced: `renderRelease(chart, { trace: true })`,
 * `renderOrder(order, { registry, trace: true })`, or `traceInput` of `drydock/node`. Throws RenderError: MANIFEST_INVALID if no object, or
 * more than one, has this name; ARGUMENT_INVALID.
 * @example
 * const release = renderRelease(chart, { trace: true, set: ['replicaCount=5'] });
 * const { value, lines } = explain(release, { object: 'Deployment/release-name-web', path: 'spec.replicas' });
 * for (const { parts } of lines)
 *   for (const { place, values } of parts)
 *     for (const { path, how, setBy } of values) console.log(`${place.file}:${place.line}`, path, how, setBy[0]?.where);
 */
export function explain(rendered: Traced, question: ExplainQuestion): Explanation {
  checkArguments('explain', ['rendered', rendered, tracedArgument], ['question', question, questionOptions]);
  checkArguments('explain', ['question', question, oneOfBoth]);
  return explainObjects(tracedObjectsOf(rendered), question);
}

const place = having<TemplatePlace>('a place in a template', { file: text, source: text, text });
const setters = listOf(having<Setter>('a place that sets a value', { where: text, path: text }));
// Their places are computed when they are printed.
const explainedValues = listOf(having<ExplainedValue>('a value', { path: text }));
const explanationArgument = having<Explanation>('an explanation, as returned by explain', {
  lines: listOf(
    having<ObjectLine>('an explained line', {
      text,
      parts: listOf(
        having<ExplainedPart>('a part of a line', {
          text,
          place,
          through: listOf(place),
          values: explainedValues,
          conditions: listOf(
            having<ExplainedCondition>('a condition', { file: text, source: text, text, values: explainedValues }),
          ),
        }),
      ),
    }),
  ),
});

/**
 * Formats an explanation as `drydock explain` prints it: a single line in full, with what it read, where that was set, and its conditions;
 * several lines with a margin that names the template line of each. Throws RenderError: ARGUMENT_INVALID.
 */
export function formatExplanation(explanation: Explanation): string {
  checkArguments('formatExplanation', ['explanation', explanation, explanationArgument]);
  const [only, ...more] = explanation.lines;
  return only !== undefined && more.length === 0 ? explanationText(only) : marginText(explanation.lines);
}

const oneOfBoth: Check = (value, path) => {
  const { object, line } = value as ExplainQuestion;
  if ((object === undefined) !== (line === undefined)) return [];
  const message = object === undefined ? 'names neither an object nor a line' : 'names an object and a line';
  return [{ path, message, severity: 'error', hint: 'Give either `object` or `line`.' }];
};

/** Returns the traced objects of a rendering; empty if it was not traced. */
export function tracedObjectsOf(rendered: Traced): readonly TracedObjects[] {
  if ('releases' in rendered) return rendered.releases;
  if ('packages' in rendered) return rendered.traces ?? [];
  const { namespace, objects, hooks, trace } = rendered;
  return trace === undefined ? [] : [{ namespace, documents: [...objects, ...hooks], trace }];
}

/**
 * Returns the objects and fields that a value affects: where it is used, where something is computed from it, what it decides, and what it
 * left out. An empty path stands for all values. The rendering must have been traced, as for `explain`. Throws RenderError: VALUES_INVALID
 * if nothing sets or reads the value, ARGUMENT_INVALID.
 * @example
 * const release = renderRelease(chart, { trace: true });
 * for (const { object, fields } of impact(release, 'image').objects)
 *   for (const { path, how } of fields) console.log(object, path, how);
 */
export function impact(rendered: Traced, path: string): Impact {
  checkArguments('impact', ['rendered', rendered, tracedArgument], ['path', path, text]);
  return impactOf(tracedObjectsOf(rendered), path);
}

const impactArgument = having<Impact>('an impact, as returned by impact', {
  path: text,
  setBy: setters,
  objects: listOf(
    having<ImpactedObject>('an object', {
      object: text,
      source: text,
      fields: listOf(having<ImpactedField>('a field', { path: text, text, values: listOf(text) })),
    }),
  ),
  leftOut: listOf(having<LeftOut>('a part of a template', { place, values: listOf(text) })),
});

/**
 * Formats the effects of a value as `drydock impact` prints them: each object with its fields, then what the value left out. Throws
 * RenderError: ARGUMENT_INVALID.
 */
export function formatImpact(effects: Impact): string {
  checkArguments('formatImpact', ['effects', effects, impactArgument]);
  return impactText(effects);
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
  const rendered = value as Traced;
  if ('releases' in rendered) return [];
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
 * rendering must have been traced, as for `explain`. Throws RenderError: ARGUMENT_INVALID.
 * @example
 * writeFileSync('web.html', explanationPage(renderRelease(chart, { trace: true }), { title: 'web' }));
 */
export function explanationPage(rendered: Traced, options: ExplanationPageOptions = {}): string {
  checkArguments('explanationPage', ['rendered', rendered, withCharts], ['options', options, pageOptions]);
  const { title = 'Explanation', files = [] } = options;
  const own = files.map(({ name, text: shown }) => [name, shown] as const);
  return reportPage(reportData(tracedObjectsOf(rendered), { title, files: new Map([...textsOf(rendered), ...own]) }));
}

function textsOf(rendered: Traced): readonly (readonly [name: string, text: string])[] {
  if ('releases' in rendered) return [...rendered.files];
  const charts =
    'packages' in rendered
      ? rendered.packages.flatMap(({ chart, release }) => [chart, release.chart])
      : [rendered.chart];
  return charts.flatMap((chart) => [...chartTexts(chart)]);
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
