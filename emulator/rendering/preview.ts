// A draft of an Order, rendered while it is edited: all outputs of the order routes, and errors with their place in the text.

import { joinPath } from '../../render/core/paths.ts';
import type {
  Chart,
  Host,
  Issue,
  Registry,
  RenderError,
  RenderedOrder,
  RenderLimits,
  RenderOrderOptions,
} from '../../render/index.ts';
import type { Json, JsonObject } from '../store/json.ts';
import { differenceOf, explainedLine, indexLines, type LineIndex, upgradeOf, valuesOf } from './preview-questions.ts';
import type { DraftText, RenderJob } from './renderer.ts';

/** A job about a draft. */
export type DraftJob = Extract<RenderJob, DraftText>;

/** Inputs for rendering a draft. */
export interface DraftRendering {
  readonly engine: typeof import('../../render/index.ts');
  readonly registry: Registry;
  readonly schemas: RenderOrderOptions['schemas'];
  readonly limits: RenderLimits;
  /** The uploads so far. */
  readonly uploads: readonly { readonly chart: Chart }[];
  readonly kept: KeptDrafts;
}

interface KeptDraft {
  readonly job: DraftJob;
  readonly uploads: DraftRendering['uploads'];
  readonly rendered: RenderedOrder;
}

/** Drafts that are queried again, each kept until the next one. */
export interface KeptDrafts {
  /** The last preview: its checks are requested next. */
  shown?: KeptDraft;
  /** The draft whose lines were queried last, because several lines are queried in a row. */
  traced?: KeptDraft & { readonly index: LineIndex };
}

type Places = ReturnType<DraftRendering['engine']['readOrder']>['placeOf'];

// Maximum number of reported issues of a draft.
const mostIssues = 300;

/** The name of a draft in errors. */
const draftName = 'order.yaml';

/**
 * Returns the answer of a job about a draft: JSON, or the plain text of a script. Throws a `RenderError` whose issues and place are in the
 * draft, if the error is there.
 */
export async function previewAnswer(job: DraftJob, rendering: DraftRendering): Promise<Json | string> {
  const { engine, registry, schemas, limits, uploads, kept } = rendering;
  const { value, placeOf } = engine.readOrder(job.draft, draftName);
  const host = (): Host => engine.seededHost({ seed: job.seed, now: job.now });
  const options: RenderOrderOptions = { registry, schemas, host: host(), limits, helm: job.helm };
  try {
    if (job.task === 'preview-checks') {
      const known = keptDraft('shown', job, rendering)?.issues;
      return issuesOf(known ?? (await engine.inspectOrder(value, options)), placeOf);
    }
    if (job.task === 'preview-line' || job.task === 'preview-values') {
      if (keptDraft('traced', job, rendering) === undefined) {
        const rendered = await engine.renderOrder(value, { ...options, trace: true });
        kept.traced = { job, uploads, rendered, index: indexLines(rendered) };
      }
      const { rendered, index } = kept.traced!;
      const question = { index, placeOf, engine };
      return 'line' in job ? explainedLine(rendered, { ...question, line: job.line }) : valuesOf(rendered, question);
    }
    if (job.task === 'preview-upgrade') {
      const upgraded = engine.readOrder(job.upgraded, 'the upgraded Order').value;
      return await upgradeOf([value, upgraded], job.index, { engine, options });
    }
    if (job.task === 'preview') {
      const shown = await engine.renderOrder(value, { ...options, watch: true });
      kept.shown = { job, uploads, rendered: shown };
      return overviewOf(shown, placeOf);
    }
    const rendered = await engine.renderOrder(value, options);
    if (job.task === 'preview-diff') {
      const base = engine.readOrder(job.base.draft, 'the other Order').value;
      const before = await engine.renderOrder(base, { ...options, host: host(), helm: job.base.helm });
      return differenceOf(before, rendered, { engine, all: job.all });
    }
    if (job.task === 'preview-script')
      return job.tool === 'helm' ? rendered.helmScript(job.os) : rendered.yamlScript(job.os);
    if (job.task === 'preview-resources')
      return rendered.resources({ skipCRDs: job.skipCRDs, format: job.format }) as unknown as Json;
    return engine.listImages(rendered) as unknown as Json;
  } catch (failure) {
    throw failure instanceof engine.RenderError ? placed(failure, placeOf, engine) : failure;
  }
}

// How long the charts of folders and the world's time may be outdated in a preview, in milliseconds.
const keptAge = 60_000;

function keptDraft(
  which: keyof KeptDrafts,
  job: DraftJob,
  { kept, uploads }: DraftRendering,
): RenderedOrder | undefined {
  const known = kept[which];
  const isSame =
    known !== undefined &&
    known.job.draft === job.draft &&
    known.job.seed === job.seed &&
    known.job.helm === job.helm &&
    Math.abs(known.job.now - job.now) < keptAge &&
    known.uploads.length === uploads.length &&
    known.uploads.every(({ chart }, index) => chart === uploads[index]?.chart);
  return isSame ? known.rendered : undefined;
}

function overviewOf(rendered: RenderedOrder, placeOf: Places): JsonObject {
  return {
    kubeVersion: rendered.kubeVersion,
    packages: rendered.packages.map(({ chart, selection, release }) => ({
      path: selection.path,
      chart: chart.metadata.name,
      version: chart.metadata.version,
      release: release.name,
      namespace: release.namespace,
      objects: release.manifests.length + release.crds.length,
    })),
    manifest: rendered.manifest(),
    notes: rendered.notes(),
    warnings: issuesOf(rendered.warnings, placeOf),
  };
}

function issuesOf(issues: readonly Issue[], placeOf: Places): JsonObject[] {
  return issues.slice(0, mostIssues).map(({ path, message, severity, hint, place, code }) => {
    const { line, column } = placeOf(path);
    return {
      path,
      message,
      severity,
      ...(hint !== undefined && { hint }),
      ...(code !== undefined && { code }),
      ...(line !== undefined && { line, column: column ?? 1 }),
      ...(place !== undefined && { place: { ...place } }),
    };
  });
}

// A schema violation has a path in the values in the format of Helm's library: `hosts.0.name`.
function inValues(issue: Issue, path: string): Issue {
  if (issue.path.startsWith('spec.') || issue.path.endsWith('.schema.json')) return issue;
  const steps = issue.path === '' ? [] : issue.path.split('.');
  const values = `${path}.chart.values`;
  return { ...issue, path: steps.reduce((at, step) => joinPath(at, /^\d+$/.test(step) ? Number(step) : step), values) };
}

// A failed package is reported at its place in the Order, not at the failed template.
function placed(failure: RenderError, placeOf: Places, { RenderError }: DraftRendering['engine']): RenderError {
  const { code, message, place, cause, hint } = failure;
  const { memberPath, path, release, chart } = failure as RenderError & Readonly<Record<string, string | undefined>>;
  const own: readonly Issue[] =
    memberPath === undefined || failure.issues.length > 0
      ? failure.issues
      : [{ path: memberPath, message, severity: 'error', hint }];
  const located = code === 'VALUES_INVALID' && path !== undefined ? own.map((issue) => inValues(issue, path)) : own;
  const issues = located.slice(0, mostIssues).map((issue) => ({ ...issue, place: issue.place ?? placeOf(issue.path) }));
  return Object.assign(new RenderError(code, message, { issues, place, cause, hint }), { path, release, chart });
}
