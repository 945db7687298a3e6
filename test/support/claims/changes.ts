// Changes one value or one template line of a chart at a time: every difference must name the change as its cause, every output line with a
// changed text must be explained by its value, and values that are reported as unread must not change a byte.

import type { Chart } from '../../../render/chart/chart.ts';
import { plainValue } from '../../../render/codec/plain.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { withinLimits } from '../../../render/core/limits.ts';
import type { Steps } from '../../../render/core/paths.ts';
import { type DiffCause, diffObjects } from '../../../render/diff/difference.ts';
import { type RenderedRelease, runInstall } from '../../../render/engine/release.ts';
import { decodeUtf8, encodeUtf8 } from '../../../render/go/utf8.ts';
import type { GoMap } from '../../../render/go/value.ts';
import type { JsonObject } from '../../../render/order/order.ts';
import { formatTemplate } from '../../../render/output/template.ts';
import { type SideRelease, sideRelease, withCauses } from '../../../render/provenance/impact/attribution.ts';
import { createTrace } from '../../../render/provenance/origins/propagation.ts';
import { explainLine } from '../../../render/provenance/trace/explain.ts';
import { releaseObjects } from '../../../render/provenance/trace/objects.ts';
import { settersOf } from '../../../render/provenance/trace/setters.ts';
import { valuesOfRelease } from '../../../render/provenance/trace/values.ts';
import type { Trace } from '../../../render/template/trace.ts';
import { unreadPaths } from '../../../render/validation/checks/unread.ts';
import { copyValue } from '../../../render/values/lookup.ts';
import { pathText, startsWith } from '../../../render/values/paths.ts';
import { Reads } from '../../../render/values/reads.ts';
import type { ChartResult } from '../chart-result.ts';
import {
  addedText,
  changedValue,
  orRenderError,
  overlay,
  overlayAll,
  repeatableHost,
  scalarLeaves,
  some,
} from '../chart-values.ts';
import type { Dice } from '../dice.ts';

interface Change {
  readonly title: string;
  readonly chart: Chart;
  readonly values: GoMap;
  /** The path of the changed value, if it is a text. */
  readonly text?: Steps;
  isCause(cause: DiffCause & { readonly path?: string }): boolean;
}

/** Changes a number of random values, and half as many lines. Throws if the chart does not render with its defaults. */
export function checkChanges(chart: Chart, count: number, dice: Dice): ChartResult {
  const before = render(chart, new Map());
  const untraced = runInstall(chart, { host: repeatableHost(), skipSchemaValidation: true });
  const isSame = formatTemplate(untraced, {}) === formatTemplate(before.release, {});
  const unread = unreadLeaves(chart, before.release);
  const read = readLeaves(chart, before, unread);
  const failures = [...read, ...(isSame ? [] : ['rendering with a trace changes the output'])];
  const counts = { changes: 0, differences: 0, named: 0, right: 0, found: 0, lines: 0, unexplained: 0 };
  for (const change of [
    ...valueChanges(before, chart, count, dice),
    ...lineChanges(chart, Math.ceil(count / 2), dice),
  ]) {
    const after = orRenderError(() => render(change.chart, change.values));
    if (after instanceof RenderError) continue;
    const { objects } = withCauses(
      diffObjects({ documents: before.side.documents }, { documents: after.side.documents }, {}),
      [before.side],
      [after.side],
    );
    if (objects.length > 0) counts.changes++;
    for (const { kind, name, status, entries, causes = [] } of objects) {
      const isWhole = status === 'added' || status === 'removed';
      for (const { path, causes: reported = [] } of isWhole ? [{ path: '', causes }] : entries) {
        const right = reported.filter((cause) => change.isCause(cause));
        counts.differences++;
        counts.named += reported.length;
        counts.right += right.length;
        if (right.length > 0) counts.found++;
        if (right.length === reported.length && right.length > 0) continue;
        const wrong = reported.filter((cause) => !right.includes(cause)).map(({ text }) => text.slice(0, 120));
        failures.push(
          `${change.title}: ${kind}/${name} ${path}: ${wrong.length === 0 ? 'no cause' : wrong.join(' | ')}`,
        );
      }
    }
    if (change.text === undefined) continue;
    const { lines, missed } = explainedLines(change.chart, after, change.text);
    counts.lines += lines;
    counts.unexplained += missed.length;
    failures.push(...missed.map((line) => `${change.title}: not explained: ${line}`));
  }
  return { counts: { ...counts, unread: unread.length, read: read.length, traced: isSame ? 0 : 1 }, failures };
}

const limits = { milliseconds: 10_000, outputBytes: 2 ** 26 };

interface Rendering {
  readonly release: RenderedRelease;
  readonly trace: Trace;
  readonly side: SideRelease;
}

function render(chart: Chart, values: GoMap): Rendering {
  const trace = createTrace();
  const options = { values, host: repeatableHost(), trace, skipSchemaValidation: true };
  const release = withinLimits(limits, () => runInstall(chart, options));
  const given = { values: plainValue(values) as JsonObject };
  const objects = releaseObjects({ ...release, trace }, { chart, given });
  return { release, trace, side: sideRelease(release, objects, '1.31') };
}

/** Returns the values of a chart that are reported as unread. */
function unreadLeaves(chart: Chart, { values }: RenderedRelease): Steps[] {
  const options = { values: copyValue(chart.values), host: repeatableHost(), reads: new Reads() };
  const release = runInstall(chart, { ...options, skipSchemaValidation: true });
  const reported = unreadPaths(chart, release, copyValue(chart.values));
  // An unread table is reported once, and all its members are unread.
  return scalarLeaves(values).flatMap(({ steps }) => (reported.some((path) => startsWith(steps, path)) ? [steps] : []));
}

/** Changes all unread values together and, if that changes the output, one at a time. Returns those that do. */
function readLeaves(chart: Chart, { release }: Rendering, unread: readonly Steps[]): string[] {
  const before = formatTemplate(release, {});
  const isRead = (leaves: readonly Steps[]): boolean => {
    const after = orRenderError(() => render(chart, overlayAll(release.values, leaves)));
    return after instanceof RenderError || formatTemplate(after.release, {}) !== before;
  };
  if (!isRead(unread)) return [];
  const found = unread.filter((steps) => isRead([steps])).map(pathText);
  return [`reported as unread: ${found.join(', ') || 'values that change the output together'}`];
}

/** Returns the number of lines with the text that `changedValue` adds, and those that the value at `steps` does not explain exactly. */
function explainedLines(chart: Chart, { release, trace }: Rendering, steps: Steps) {
  const table = valuesOfRelease({ ...release, trace }, { chart, user: () => [], objects: () => [] });
  const missed: string[] = [];
  let lines = 0;
  for (const [path, traced] of trace.files) {
    for (const [at, line] of traced.text.split('\n').entries()) {
      if (!line.includes(addedText)) continue;
      lines++;
      const parts = explainLine(traced, at + 1, table).filter(({ text }) => text.includes(addedText));
      const isExplained = parts.every(({ values }) =>
        values.some((value) => value.how === 'exact' && ownPath(value.steps) === ownPath(steps)),
      );
      if (parts.length === 0 || !isExplained) missed.push(`${path}:${at + 1}: ${line.trim().slice(0, 120)}`);
    }
  }
  return { lines, missed };
}

// A global value has the same path in every chart.
function ownPath(steps: Steps): string {
  return pathText(steps.slice(Math.max(steps.indexOf('global'), 0)));
}

function valueChanges({ release, side }: Rendering, chart: Chart, count: number, dice: Dice): Change[] {
  const leaves = scalarLeaves(release.values);
  const flags = leaves.filter(({ value }) => typeof value === 'boolean');
  const chosen = [...some(flags, Math.ceil(count / 2), dice), ...some(leaves, Math.floor(count / 2), dice)];
  const find = settersOf(chart, { folder: '', user: () => [] });
  return chosen.map(({ steps, value }) => {
    const path = find(steps).at(0)?.path ?? pathText(steps);
    // Istio's charts store their defaults in a table that they use as `.Values`.
    const moved = (side.side.objects?.trace.moved ?? []).filter(({ from }) => startsWith(steps, from));
    const names = [
      path,
      ...[steps, ...moved.map(({ from, to }) => [...to, ...steps.slice(from.length)])].map(pathText),
    ];
    return {
      title: `value ${path}`,
      chart,
      values: overlay(release.values, steps, changedValue(value)),
      ...(typeof value === 'string' && { text: steps }),
      // A table that contains the value, or a part of it, is a correct cause too.
      isCause: ({ path: reported = '' }) => names.some((name) => isWithin(name, reported) || isWithin(reported, name)),
    };
  });
}

function isWithin(path: string, table: string): boolean {
  return path === table || path.startsWith(`${table}.`) || path.startsWith(`${table}[`);
}

// A field with a plain word, which is made longer or removed.
const plainMember = /^(\s*[\w./-]+: )([A-Za-z][\w-]*)$/;

function lineChanges(chart: Chart, count: number, dice: Dice): Change[] {
  const lines = chart.templates.flatMap((template) => {
    if (/NOTES\.txt$/.test(template.name)) return [];
    const text = decodeUtf8(template.data).split('\n');
    return [...text.keys()].filter((at) => plainMember.test(text[at]!)).map((at) => ({ template, text, at }));
  });
  return some(lines, count, dice).map(({ template, text, at }, i) => {
    const isRemoved = i % 2 === 1;
    const edited = isRemoved ? text.toSpliced(at, 1) : text.with(at, `${text[at]!}zq`);
    const data = encodeUtf8(edited.join('\n'));
    const file = `${chart.metadata.name}/${template.name}`;
    return {
      title: `${isRemoved ? 'removed' : 'changed'} line ${file}:${at + 1}`,
      chart: { ...chart, templates: chart.templates.map((one) => (one === template ? { ...one, data } : one)) },
      values: new Map(),
      isCause: (cause) =>
        cause.file === file && (cause.line === undefined || Math.abs(cause.line - at - 1) <= (isRemoved ? 1 : 0)),
    };
  });
}
