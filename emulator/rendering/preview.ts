// A draft of an Order, rendered while it is edited: all outputs of the order routes, and errors with their place in the text.

import { joinPath } from '../../render/core/paths.ts';
import { withFewPrimes } from '../../render/engine/randomness.ts';
import {
  type Chart,
  checkOrderUpgrade,
  diffManifests,
  type Explanation,
  explain,
  formatDifference,
  type Host,
  type Issue,
  inspectOrder,
  listImages,
  listOrderValues,
  type Registry,
  RenderError,
  type RenderedOrder,
  type RenderedPackage,
  type RenderLimits,
  type RenderOrderOptions,
  readOrder,
  renderOrder,
  type Setter,
  seededHost,
  validateOrder,
} from '../../render/index.ts';
import type { DraftText, RenderJob } from './renderer.ts';

export type DraftJob = Extract<RenderJob, DraftText>;

export interface DraftRendering {
  readonly registry: Registry;
  readonly schemas: RenderOrderOptions['schemas'];
  readonly limits: RenderLimits;
  readonly uploads: readonly { readonly chart: Chart }[];
  readonly kept: KeptDrafts;
}

interface KeptDraft {
  readonly job: DraftJob;
  readonly uploads: DraftRendering['uploads'];
  readonly rendered: RenderedOrder;
}

interface TracedDraft extends KeptDraft {
  readonly index: LineIndex;
}

/** Drafts that are queried again, each kept until the next one. */
export interface KeptDrafts {
  /** The last preview: its checks are requested next. */
  shown?: KeptDraft;
  /** The draft whose lines were queried last, because several lines are queried in a row. */
  traced?: TracedDraft;
}

type Places = ReturnType<typeof readOrder>['placeOf'];

// Maximum number of reported issues of a draft.
const mostIssues = 300;

const draftName = 'order.yaml';

/** Returns the answer of a job: JSON, or the text of a script. Throws a `RenderError` with its place in the draft. */
export async function previewAnswer(job: DraftJob, rendering: DraftRendering): Promise<unknown> {
  const { registry, schemas, limits, uploads, kept } = rendering;
  const { value, placeOf } = readOrder(job.draft, draftName);
  const host = (): Host => withFewPrimes(seededHost({ seed: job.seed, now: job.now }));
  const options: RenderOrderOptions = { registry, schemas, host: host(), limits, helm: job.helm };
  try {
    if (job.task === 'preview-checks') {
      const known = keptDraft('shown', job, rendering)?.issues;
      return issuesOf(known ?? (await inspectOrder(value, options)), placeOf);
    }
    if (job.task === 'preview-line' || job.task === 'preview-values') {
      if (keptDraft('traced', job, rendering) === undefined) {
        const rendered = await renderOrder(value, { ...options, trace: true });
        kept.traced = { job, uploads, rendered, index: indexLines(rendered) };
      }
      const traced = kept.traced!;
      return 'line' in job ? explainedLine(traced, job.line, placeOf) : valuesOf(traced.rendered, placeOf);
    }
    if (job.task === 'preview-upgrade') {
      const upgraded = readOrder(job.upgraded, 'the upgraded Order').value;
      return await upgradeOf([value, upgraded], job.index, options);
    }
    if (job.task === 'preview') {
      const shown = await renderOrder(value, { ...options, watch: true });
      kept.shown = { job, uploads, rendered: shown };
      return overviewOf(shown, placeOf);
    }
    const rendered = await renderOrder(value, options);
    if (job.task === 'preview-diff') {
      const base = readOrder(job.base.draft, 'the other Order').value;
      const before = await renderOrder(base, { ...options, host: host(), helm: job.base.helm });
      return differenceOf(before, rendered, { all: job.all });
    }
    if (job.task === 'preview-script')
      return job.tool === 'helm' ? rendered.helmScript(job.os) : rendered.yamlScript(job.os);
    if (job.task === 'preview-resources') return rendered.resources({ skipCRDs: job.skipCRDs, format: job.format });
    return listImages(rendered);
  } catch (failure) {
    throw failure instanceof RenderError ? placed(failure, placeOf) : failure;
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

function overviewOf(rendered: RenderedOrder, placeOf: Places): object {
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

function issuesOf(issues: readonly Issue[], placeOf: Places): object[] {
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
function placed(failure: RenderError, placeOf: Places): RenderError {
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

interface ManifestObject {
  readonly index: number;
  readonly source: string;
  /** The lines of the manifest, from 1, at which its text starts, below the line with the source, and ends. */
  readonly start: number;
  readonly end: number;
  /** The number of its first line for `explain`; undefined if no template wrote it. */
  readonly traced: number | undefined;
}

/** A manifest whose lines are queried repeatedly. */
interface LineIndex {
  readonly lines: readonly string[];
  readonly objects: readonly ManifestObject[];
}

/**
 * Indexes the manifest of a traced Order for `explainedLine`. Every package starts with a line that names it, and every object with one that
 * names its template.
 */
function indexLines(rendered: RenderedOrder): LineIndex {
  const tracedLines = tracedLinesOf(rendered);
  const lines = rendered.manifest().split('\n');
  const marks = lines.flatMap((line, at) => (line === '---' ? [at] : []));
  const objects: ManifestObject[] = [];
  let index = -1;
  for (const [number, at] of marks.entries()) {
    const [, source] = /^# Source: (.*)$/.exec(lines[at + 1] ?? '') ?? [];
    if (source === undefined) continue;
    const end = marks[number + 1] ?? lines.length - 1;
    const traced = tracedLines.get(objectKey(index, source, lines.slice(at + 2, end).join('\n')));
    if (end <= at + 2) index++;
    else objects.push({ index, source, start: at + 3, end, traced });
  }
  return { lines, objects };
}

// `explain` counts two lines above each object, all packages in sequence.
function tracedLinesOf({ traces = [] }: RenderedOrder): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  let before = 0;
  for (const [index, { documents }] of traces.entries()) {
    for (const { path, content } of documents) {
      const key = objectKey(index, path, content);
      if (!numbers.has(key)) numbers.set(key, before + 3);
      before += content.split('\n').length + 2;
    }
  }
  return numbers;
}

function objectKey(index: number, source: string, content: string): string {
  return `${index} ${source}\n${content.trimEnd()}`;
}

/**
 * Explains a line of a manifest as JSON: the package, the object, and the parts of the line. For lines that no template wrote, `parts` is
 * empty. What an Order sets is reported with its line in the draft.
 */
function explainedLine({ rendered, index: { lines, objects } }: TracedDraft, line: number, placeOf: Places): object {
  const found = objects.findLast(({ start }) => start - 2 <= line);
  if (found === undefined || line < found.start) return { line, parts: [] };
  const { index, source, start, end, traced } = found;
  const common = { line, package: index, source };
  // A definition with several documents continues below the first one.
  if (traced === undefined || line > end) return { ...common, parts: [] };
  const explained = explain(rendered, { line: traced + line - start });
  const parts = explained.lines[0]?.parts.map((part) => withPlaces(part, placeOf)) ?? [];
  return { ...common, object: explained.object, text: lines[line - 1], parts };
}

type Part = Explanation['lines'][number]['parts'][number];

function withPlaces(part: Part, placeOf: Places): Part {
  const values = part.values.map((value) => ({
    ...value,
    setBy: value.setBy.map((setter) => withPlace(setter, placeOf)),
  }));
  return { ...part, values };
}

function withPlace(setter: Setter, placeOf: Places): Setter {
  const { line, column } = setter.where.startsWith('spec.') ? placeOf(setter.where) : {};
  return { ...setter, ...(line !== undefined && { line, column: column ?? 1 }) };
}

/** Returns as JSON the values that the templates of a traced Order received, by package, each with what sets it. */
function valuesOf(rendered: RenderedOrder, placeOf: Places): object[] {
  return listOrderValues(rendered).map(({ package: name, values }) => ({
    package: name,
    values: values.map((one) => ({ ...one, setBy: one.setBy.map((setter) => withPlace(setter, placeOf)) })),
  }));
}

/** Returns as JSON the effects of another version of the chart of a package (index from 0) on its values. */
async function upgradeOf(
  [before, after]: readonly [unknown, unknown],
  index: number,
  options: RenderOrderOptions,
): Promise<object> {
  const { packages } = validateOrder(before).order.spec;
  const item = packages[index];
  if (item === undefined) {
    throw new RenderError('ORDER_INVALID', `the Order has no package ${index}`, {
      hint: `The first of its ${packages.length} packages is 0.`,
    });
  }
  const { namespace, releaseName } = item.chart;
  const releases = [`${namespace}/${releaseName}`];
  const [upgrade] = (await checkOrderUpgrade(before, after, { ...options, releases })).packages;
  const { values = [], defaults = [], failureBefore, failureAfter } = upgrade ?? {};
  return {
    values,
    defaults,
    ...(failureBefore && { failureBefore: failureBefore.message }),
    ...(failureAfter && { failureAfter: failureAfter.message }),
  };
}

// Maximum number of objects that are reported individually.
const mostObjects = 500;

/** Returns as JSON the semantic changes between two rendered Orders. */
function differenceOf(before: RenderedOrder, after: RenderedOrder, { all }: { readonly all: boolean }): object {
  const sideOf = ({ packages }: RenderedOrder) => ({ documents: packages.flatMap(documentsOf) });
  const difference = diffManifests(sideOf(before), sideOf(after), { all });
  const { summary, objects, ignored } = difference;
  const shown = objects.slice(0, mostObjects).map(({ documents: _, ...object }) => object);
  return {
    summary,
    objects: shown,
    count: objects.length,
    ignored,
    text: formatDifference({ ...difference, objects: objects.slice(0, mostObjects) }),
  };
}

function documentsOf({ release }: RenderedPackage): { path: string; content: string; namespace: string }[] {
  const { namespace, crds, hooks, manifests } = release;
  return [...crds, ...hooks, ...manifests].map(({ path, content }) => ({ path, content, namespace }));
}
