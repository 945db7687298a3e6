// Checks that differences name their causes: changes one value or one template line, which each difference must name.

import type { Chart } from '../../../render/chart/chart.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { withinLimits } from '../../../render/core/limits.ts';
import { type DiffCause, diffObjects } from '../../../render/diff/difference.ts';
import { runInstall } from '../../../render/engine/release.ts';
import { decodeUtf8, encodeUtf8 } from '../../../render/go/utf8.ts';
import type { GoMap } from '../../../render/go/value.ts';
import { type SideRelease, sideRelease, withCauses } from '../../../render/provenance/impact/attribution.ts';
import { createTrace } from '../../../render/provenance/origins/propagation.ts';
import { releaseObjects } from '../../../render/provenance/trace/objects.ts';
import { settersOf } from '../../../render/provenance/trace/setters.ts';
import { pathText, startsWith } from '../../../render/values/paths.ts';
import type { Dice } from '../dice.ts';
import { overlay } from './precision.ts';
import { changedValue, orRenderError, repeatableHost, scalarLeaves, some } from './tools.ts';

/** The results for a chart. */
export interface CausesResult {
  /** The number of changed values and lines that had an effect. */
  readonly changes: number;
  /** The number of resulting differences: added, removed and renamed objects, and fields. */
  readonly differences: number;
  /** The number of named causes, and of correct ones. */
  readonly named: number;
  readonly right: number;
  /** The number of differences that name the change. */
  readonly found: number;
  /** Differences without the right cause, and wrong causes. */
  readonly failures: readonly string[];
}

interface Change {
  readonly title: string;
  readonly chart: Chart;
  readonly values: GoMap;
  isRight(cause: DiffCause & { readonly path?: string }): boolean;
}

const limits = { milliseconds: 10_000, outputBytes: 2 ** 26 };

/** Changes a number of random values, and half as many lines. */
export function checkCauses(chart: Chart, count: number, dice: Dice): CausesResult {
  const before = rendered(chart, new Map());
  if (before === undefined) throw new RenderError('TEMPLATE_EXEC', 'the chart does not render with its defaults');
  const changes = [...valueChanges(chart, before, count, dice), ...lineChanges(chart, Math.ceil(count / 2), dice)];
  const counts = { changes: 0, differences: 0, named: 0, right: 0, found: 0 };
  const failures: string[] = [];
  for (const change of changes) {
    const after = rendered(change.chart, change.values);
    if (after === undefined) continue;
    const plain = diffObjects({ documents: before.side.documents }, { documents: after.side.documents }, {});
    const { objects } = withCauses(plain, [before.side], [after.side]);
    if (objects.length > 0) counts.changes++;
    for (const { kind, name, status, entries, causes = [] } of objects) {
      const isWhole = status === 'added' || status === 'removed';
      const own = isWhole ? [{ path: '', causes }] : entries;
      for (const { path, causes: reported = [] } of own) {
        const right = reported.filter((cause) => change.isRight(cause));
        counts.differences++;
        counts.named += reported.length;
        counts.right += right.length;
        if (right.length > 0) counts.found++;
        if (right.length === reported.length && right.length > 0) continue;
        const text = reported.filter((cause) => !right.includes(cause)).map((cause) => cause.text.slice(0, 120));
        failures.push(`${change.title}: ${kind}/${name} ${path}: ${text.length === 0 ? 'no cause' : text.join(' | ')}`);
      }
    }
  }
  return { ...counts, failures };
}

interface Rendered {
  readonly side: SideRelease;
  readonly values: GoMap;
}

function rendered(chart: Chart, values: GoMap): Rendered | undefined {
  const found = orRenderError(() => {
    const trace = createTrace();
    const options = { values, host: repeatableHost(), trace, skipSchemaValidation: true };
    const release = withinLimits(limits, () => runInstall(chart, options));
    const given = { values: Object.fromEntries(values) as never };
    const objects = releaseObjects({ ...release, trace }, { chart, given });
    return { side: sideRelease(release, objects, '1.31'), values: release.values };
  });
  return found instanceof RenderError ? undefined : found;
}

function valueChanges(chart: Chart, { values, side }: Rendered, count: number, dice: Dice): Change[] {
  const leaves = scalarLeaves(values);
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
      values: overlay(values, steps, changedValue(value)),
      // A table that contains the value, or a part of it, is a correct cause too.
      isRight: ({ path: reported = '' }) => names.some((name) => isWithin(name, reported) || isWithin(reported, name)),
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
    const line = text[at]!;
    const isRemoved = i % 2 === 1;
    const edited = isRemoved ? text.toSpliced(at, 1) : text.with(at, `${line}zq`);
    const templates = chart.templates.map((one) =>
      one === template ? { ...one, data: encodeUtf8(edited.join('\n')) } : one,
    );
    const file = `${chart.metadata.name}/${template.name}`;
    return {
      title: `${isRemoved ? 'removed' : 'changed'} line ${file}:${at + 1}`,
      chart: { ...chart, templates },
      values: new Map(),
      isRight: (cause) =>
        cause.file === file && (cause.line === undefined || Math.abs(cause.line - at - 1) <= (isRemoved ? 1 : 0)),
    };
  });
}
