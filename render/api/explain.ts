// Explains rendered output.

import {
  type Check,
  checkArguments,
  filled,
  having,
  isMembers,
  listOf,
  optionsOf,
  text,
  wholeNumber,
  wrongKind,
} from '../core/arguments.ts';
import type { Manifest } from '../manifest/sort.ts';
import {
  type ExplainQuestion,
  type Explanation,
  explainObjects,
  type TracedObjects,
} from '../provenance/trace/explanation.ts';
import type { ReleaseTrace, TracedFile } from '../provenance/trace/release-trace.ts';
import type { Release } from './chart.ts';
import type { RenderedOrder } from './order.ts';

const document = having<Manifest>('a rendered object', { path: text, content: text, kind: text, name: text });
const trace = having<ReleaseTrace>('a trace, as `trace: true` gives it', {
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
export const tracedArgument: Check = (value, path) => {
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
