// A draft of an Order, rendered while somebody writes it: every form that the order routes give, and faults with their place in the text.

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

/** What a draft is rendered with. */
export interface DraftRendering {
  readonly engine: typeof import('../../render/index.ts');
  readonly registry: Registry;
  readonly schemas: RenderOrderOptions['schemas'];
  readonly limits: RenderLimits;
  /** What was handed over by now. */
  readonly uploads: readonly { readonly chart: Chart }[];
  readonly kept: KeptDrafts;
}

interface KeptDraft {
  readonly job: DraftJob;
  readonly uploads: DraftRendering['uploads'];
  readonly rendered: RenderedOrder;
}

/** Drafts of which more will be asked, each kept until the next one. */
export interface KeptDrafts {
  /** What was shown last: its checks are requested next. */
  shown?: KeptDraft;
  /** The one whose lines were asked about last: who looks along a manifest asks about one after the other. */
  traced?: KeptDraft & { readonly index: LineIndex };
}

type Places = ReturnType<DraftRendering['engine']['readOrder']>['placeOf'];

// Of what is odd about a draft, so much is reported.
const mostIssues = 300;

/** What errors call the text of a draft. */
const draftName = 'order.yaml';

/**
 * Returns what a job about a draft asks for: JSON, or the bare text of a script. Throws a `RenderError` whose issues and place
 * are those of the text, where the fault lies there.
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

// So long the charts of folders, and the time of the world, may be others than those that are shown, in milliseconds.
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

// What a schema refuses is reported by its way in the values, as Helm's library writes it: `hosts.0.name`.
function inValues(issue: Issue, path: string): Issue {
  if (issue.path.startsWith('spec.') || issue.path.endsWith('.schema.json')) return issue;
  const steps = issue.path === '' ? [] : issue.path.split('.');
  const values = `${path}.chart.values`;
  return { ...issue, path: steps.reduce((at, step) => joinPath(at, /^\d+$/.test(step) ? Number(step) : step), values) };
}

// A package that fails is reported at its place in the Order, not at the template that failed.
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
