// The type of a cause, and causes that are version changes.

import { memo } from '../../core/lazy.ts';
import type { VersionChange } from '../../diff/difference.ts';
import type { TracedObjects } from '../trace/explanation.ts';
import type { ValueWay } from '../trace/values.ts';
import { type InputEdits, inputEdits } from './edits.ts';
import type { KnownInputs } from './inputs.ts';
import { type TracedSide, tracedSide } from './places.ts';

/**
 * Names what made a difference.
 *
 * - `value` – a value that is another one, or was removed.
 * - `patch` – the same, where an operation of an Order's `valuesPatch` sets it.
 * - `template` – a line of a template that was not there before, or with lines removed.
 * - `file` – a file of the chart that a template reads.
 * - `chart` – another version of the chart or of a dependency, or a dependency that is new or gone.
 * - `kubeVersion`, `helmVersion` – another version of Kubernetes or Helm.
 * - `release` – another name or namespace of the release, or an upgrade in place of an installation.
 */
export type CauseKind = 'value' | 'patch' | 'template' | 'file' | 'chart' | 'kubeVersion' | 'helmVersion' | 'release';

export interface Cause {
  readonly kind: CauseKind;
  /** A description, such as `image.tag, set by values.yaml:3:5`. */
  readonly text: string;
  /** The path of the value, such as `image.tag`. */
  readonly path?: string | undefined;
  /** How the value affects the change: it was printed, something was computed from it, or a condition read it. */
  readonly how?: ValueWay | undefined;
  /** The file that sets it, or the template file. */
  readonly file?: string | undefined;
  /** Line, from 1. */
  readonly line?: number | undefined;
  readonly version?: VersionChange | undefined;
}

/** One of two renderings of a release; without objects if only the inputs were recorded. */
export interface CauseSide extends TracedSide {
  readonly known: KnownInputs;
  /** Returns the edits of files and lists since an earlier rendering. */
  readonly editsSince: (before: KnownInputs) => InputEdits;
}

/** Returns a rendering as a side; without objects, only its inputs are used. */
export function causeSide(known: KnownInputs, objects?: TracedObjects): CauseSide {
  return { known, ...tracedSide(objects), editsSince: memo((before) => inputEdits(before, known)) };
}

export interface Sides {
  readonly before: CauseSide;
  readonly after: CauseSide;
}

/** Returns a chart and its enclosing charts, the outermost first, without the root chart. */
export function outerCharts(chart: string): readonly string[] {
  const names = chart.split('/charts/');
  return names.slice(1).map((_, at) => names.slice(0, at + 2).join('/charts/'));
}

/** Returns the version change of the dependency that contains a chart, or undefined. */
export function bumpOf(chart: string, sides: Sides): readonly Cause[] | undefined {
  const outer = outerCharts(chart).find((one) => {
    const [from, to] = versionsOf(one, sides);
    return from !== undefined && to !== undefined && from !== to;
  });
  return outer === undefined ? undefined : chartVersionCauses(outer, versionsOf(outer, sides));
}

export function chartOfCause(chart: string): string {
  const [root, ...names] = chart.split('/charts/');
  return names.length === 0 ? `chart ${root}` : `dependency ${names.join('/')}`;
}

/** Returns the path of the chart that a template belongs to. */
export function chartOfFile(path: string): string {
  return path.replace(/\/(?:templates|crds)\/.*/s, '');
}

export type Versions = readonly [before: string | undefined, after: string | undefined];

/** Returns the version changes that affect a template. */
export function versionCauses(sides: Sides, path: string): readonly Cause[] {
  const { was, is } = inputsOfBoth(sides);
  const chart = chartOfFile(path);
  return [
    ...(bumpOf(chart, sides) ?? chartVersionCauses(chart, versionsOf(chart, sides))),
    ...versionCausesOf({ kind: 'kubeVersion', name: 'Kubernetes' }, [was.kubeVersion, is.kubeVersion]),
    ...versionCausesOf({ kind: 'helmVersion', name: 'Helm' }, [was.helm, is.helm]),
  ];
}

/** Returns the change of a chart's version, or of its `appVersion`, if any. */
export function chartVersionCauses(chart: string, versions: Versions, field?: 'appVersion'): Cause[] {
  const name = `${chartOfCause(chart)}${field === undefined ? '' : `, ${field}`}`;
  return versionCausesOf({ kind: 'chart', name }, versions, { chart, ...(field && { field }) });
}

/** Returns the change of a version, if any. */
export function versionCausesOf(
  { kind, name }: { readonly kind: CauseKind; readonly name: string },
  versions: Versions,
  of: Pick<VersionChange, 'chart' | 'field'> = {},
): Cause[] {
  const [from, to] = versions;
  if (from === to || from === undefined || to === undefined) return [];
  return [{ kind, text: `${name} ${from} → ${to}`, version: { ...of, from, to } }];
}

export function versionsOf(chart: string, sides: Sides): Versions {
  const { was, is } = inputsOfBoth(sides);
  return [was.charts[chart]?.version, is.charts[chart]?.version];
}

export function inputsOfBoth({ before, after }: Sides): {
  readonly was: KnownInputs['inputs'];
  readonly is: KnownInputs['inputs'];
} {
  return { was: before.known.inputs, is: after.known.inputs };
}
