// The model of a chart in an editor.

import type { ReleaseOptions } from '../api/chart.ts';
import type { Chart } from '../chart/chart.ts';
import type { RenderError } from '../core/errors.ts';
import type { HelmSelector } from '../core/helm-version.ts';
import type { Steps } from '../core/paths.ts';
import type { RenderedRelease } from '../engine/release.ts';
import type { ValuesFile } from '../values/user.ts';
import type { ReadRuns, TemplateName } from './template-nodes.ts';
import type { FileSpan, KeySpan } from './texts.ts';
import type { ChartValues } from './yaml/known-values.ts';

export interface AnalyzedCase {
  readonly name: string;
  /** Paths relative to the chart's folder, such as `ci/small-values.yaml`. */
  readonly valuesFiles: readonly ValuesFile[];
  readonly kubeVersion?: string | undefined;
  readonly apiVersions?: readonly string[] | undefined;
  readonly isUpgrade?: boolean | undefined;
  /** Arguments of `--set`. */
  readonly set?: readonly string[] | undefined;
  /** Whether the chart must refuse it. */
  readonly fails?: boolean | undefined;
}

export interface FileFault {
  readonly path: string;
  readonly message: string;
}

export interface ChartSnapshot {
  /** The files of the chart's folder by relative path. */
  readonly files: ReadonlyMap<string, Uint8Array | string>;
  readonly cases: readonly AnalyzedCase[];
  readonly helm?: HelmSelector | undefined;
  readonly skipSchemaValidation?: boolean | undefined;
  /** Problems with the files that define the cases. */
  readonly faults?: readonly FileFault[] | undefined;
}

export interface EditorProblem extends FileSpan {
  readonly severity: 'error' | 'warning' | 'hint';
  readonly message: string;
  /** A code of `RenderErrorCode` or of an issue, such as `TEMPLATE_EXEC` or `UNREAD_VALUE`. */
  readonly code: string;
}

/** A name in a template that refers to values. */
export interface ValueReference extends FileSpan {
  /** The values that the renderings looked up there; if it was not executed, those in its text. */
  readonly values: readonly Steps[];
}

/** A key in a values file. */
export interface ValueKey extends KeySpan, FileSpan {}

/** A named template, where it is defined or called. */
interface TemplateNameAt extends TemplateName, FileSpan {}

/** How many cases reach a part of a template. */
export interface ReachedPart {
  readonly path: string;
  readonly start: number;
  /** The names of the cases that reach it; for a branch, those for which its condition is true. */
  readonly cases: readonly string[];
  /** For a branch with an `else`, the cases that reach that. */
  readonly elseCases?: readonly string[] | undefined;
}

/** The analysis of a chart. Plain data, so that a thread can send it. */
export interface ChartAnalysis {
  /** Whether all files could be read and parsed: otherwise only the problems are up to date. */
  readonly isComplete: boolean;
  readonly cases: readonly string[];
  readonly problems: readonly EditorProblem[];
  readonly references: readonly ValueReference[];
  readonly keys: readonly ValueKey[];
  readonly definitions: readonly TemplateNameAt[];
  readonly calls: readonly TemplateNameAt[];
  readonly reached: readonly ReachedPart[];
  /** The defaults of the chart and of its subcharts, with their comments. */
  readonly values: ChartValues;
}

export interface CaseRun {
  readonly given: AnalyzedCase;
  readonly options: ReleaseOptions;
  /** The name of the rendered template; undefined if all were rendered. */
  readonly only: string | undefined;
  readonly runs: ReadRuns;
  readonly release: RenderedRelease | undefined;
  readonly error: RenderError | undefined;
}

export interface LoadedSnapshot {
  readonly snapshot: ChartSnapshot;
  readonly chart: Chart;
}

/** A chart that was analyzed completely, and its renderings. */
export interface AnalyzedChart extends LoadedSnapshot {
  readonly runs: readonly CaseRun[];
  readonly analysis: ChartAnalysis;
}
