// A draft of an Order, rendered while somebody writes it: every form that the order routes give, and faults with their place in the text.

import type {
  Host,
  Issue,
  Registry,
  RenderError,
  RenderedOrder,
  RenderLimits,
  RenderOrderOptions,
} from '../../render/index.ts';
import type { Json, JsonObject } from '../store/json.ts';
import { differenceOf, explainedLine } from './preview-questions.ts';
import type { DraftText, RenderJob } from './renderer.ts';

/** A job about a draft. */
export type DraftJob = Extract<RenderJob, DraftText>;

/** What a draft is rendered with. */
export interface DraftRendering {
  readonly engine: typeof import('../../render/index.ts');
  readonly registry: Registry;
  readonly limits: RenderLimits;
}

type Places = ReturnType<DraftRendering['engine']['readOrder']>['placeOf'];

// Of what is odd about a draft, so much is told.
const mostIssues = 300;

/** What errors call the text of a draft. */
export const draftName = 'order.yaml';

/**
 * Gives what a job about a draft asks for: JSON, or the bare text of a script. Throws a `RenderError` whose issues and place
 * are those of the text, where the fault lies there.
 */
export async function previewAnswer(
  job: DraftJob,
  { engine, registry, limits }: DraftRendering,
): Promise<Json | string> {
  const { value, placeOf } = engine.readOrder(job.draft, draftName);
  const host = (): Host => engine.seededHost({ seed: job.seed, now: job.now });
  const options: RenderOrderOptions = { registry, host: host(), limits, helm: job.helm };
  try {
    if (job.task === 'preview-checks') return issuesOf(await engine.inspectOrder(value, options), placeOf);
    if (job.task === 'preview-line') {
      const traced = await engine.renderOrder(value, { ...options, trace: true });
      return explainedLine(traced, { line: job.line, placeOf, engine });
    }
    const rendered = await engine.renderOrder(value, options);
    if (job.task === 'preview-diff') {
      const base = engine.readOrder(job.base.draft, 'the other Order').value;
      const before = await engine.renderOrder(base, { ...options, host: host(), helm: job.base.helm });
      return differenceOf(before, rendered, engine);
    }
    if (job.task === 'preview') return overviewOf(rendered, placeOf);
    if (job.task === 'preview-script')
      return job.tool === 'pkgmgr3' ? rendered.helmScript(job.os) : rendered.yamlScript(job.os);
    return rendered.resources({ skipCRDs: job.skipCRDs, format: job.format }) as unknown as Json;
  } catch (failure) {
    throw failure instanceof engine.RenderError ? placed(failure, placeOf, engine) : failure;
  }
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
      objects: release.manifests.length + release.hooks.length + release.crds.length,
    })),
    manifest: rendered.manifest(),
    notes: rendered.notes(),
    warnings: issuesOf(rendered.warnings, placeOf),
  };
}

function issuesOf(issues: readonly Issue[], placeOf: Places): JsonObject[] {
  return issues.slice(0, mostIssues).map(({ path, message, severity, mend, place, code }) => {
    const { line, column } = placeOf(path);
    return {
      path,
      message,
      severity,
      ...(mend !== undefined && { mend }),
      ...(code !== undefined && { code }),
      ...(line !== undefined && { line, column: column ?? 1 }),
      ...(place !== undefined && { place: { ...place } }),
    };
  });
}

// A package that fails is at fault where it stands in the text, whatever template stumbled over it.
function placed(failure: RenderError, placeOf: Places, { RenderError }: DraftRendering['engine']): RenderError {
  const { code, message, place, cause, mend } = failure;
  const { memberPath, path, release, chart } = failure as RenderError & Readonly<Record<string, string | undefined>>;
  const own: readonly Issue[] =
    memberPath === undefined || failure.issues.length > 0
      ? failure.issues
      : [{ path: memberPath, message, severity: 'error', mend }];
  const issues = own.slice(0, mostIssues).map((issue) => ({ ...issue, place: issue.place ?? placeOf(issue.path) }));
  return Object.assign(new RenderError(code, message, { issues, place, cause, mend }), { path, release, chart });
}
