// Renders and compares an input of `drydock snapshot`.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RenderError } from '../core/errors.ts';
import { memo } from '../core/lazy.ts';
import type { DiffCause, VersionChange } from '../diff/difference.ts';
import { type ReviewPlace, sourcePath } from '../diff/review.ts';
import { helmOf } from '../helm/versions.ts';
import { settingsForChart } from '../inputs/chart-settings.node.ts';
import { explainPackage } from '../inputs/explain.node.ts';
import { formatFailure } from '../inputs/failures.ts';
import { isChartInput } from '../inputs/files.node.ts';
import { kubeRangeOf, kubeRangesOfOrder } from '../inputs/kube-ranges.node.ts';
import { type OrderInput, readOrderFile } from '../inputs/orders.node.ts';
import { helmVersionsOf, type RenderSettings } from '../inputs/settings.ts';
import { compareHelms, type HelmRendering } from '../provenance/impact/helm-versions.ts';
import { type ChartRun, renderChartCases } from './chart.node.ts';
import type { SnapshotFiles } from './compare.ts';
import {
  type BaseSide,
  type Comparing,
  compareRendering,
  compareSides,
  type SnapshotContext,
} from './compare-rendering.node.ts';
import { noCoverage, type SnapshotCoverage } from './coverage.node.ts';
import { type MatrixEntry, type MatrixEntryName, matrixForRanges, matrixOf, withMatrix } from './matrix.node.ts';
import { renderOrderInput } from './order.node.ts';
import { crdsEnding, emptyOutcome, noMeaning, type Outcome, shownChange } from './outcome.ts';
import { type CaseRendering, type RenderingRun, withMore } from './rendering.node.ts';

export interface InputJob {
  readonly input: string;
  readonly name: string;
  /** The cases to render. Default all. */
  readonly cases?: readonly string[] | undefined;
  /** Whether the input exists in the current files, at the compared revision, or both. Default: the current files. */
  readonly sides?: 'both' | 'new' | 'gone' | undefined;
}

/** What a revision renders. */
export interface BaseInputs {
  /** The arguments that name its inputs, relative to the folder of its files. */
  readonly inputs: readonly string[];
  /** The settings of its own configuration. */
  readonly settings: RenderSettings;
}

/** The revision that a run is also compared with, as files on disk. */
export interface BaseRevision extends BaseInputs {
  /** The given or detected name, such as `origin/main`. */
  readonly name: string;
  /** The commit of the files: the merge base, or the revision itself if there is none. */
  readonly commit: string;
  /** The folder of its files, which corresponds to the current one. */
  readonly cwd: string;
}

/** Shared by the inputs of a run. */
export interface InputRun extends SnapshotContext, RenderingRun {
  readonly coverage: SnapshotCoverage;
  /** Called with differences before their causes are known. Default: none. */
  readonly onDifference?: ((outcome: Outcome) => void) | undefined;
  /** The revision to compare with. */
  readonly base?: BaseRevision | undefined;
}

/** Renders an input and compares it. Errors are reported as part of the outcome, so that other inputs are processed. */
export async function compareInput(job: InputJob, all: InputRun): Promise<Outcome> {
  const { input, name } = job;
  const run = { ...all, settings: settingsForChart(all.settings, input, all.io.cwd) };
  const { settings, comparison, io, onDifference } = run;
  const snapshot = snapshotOf(job, comparison);
  let order: OrderInput | undefined;
  try {
    const comparing = { input, name, snapshot, settings, comparison, io, onDifference };
    if (job.sides === 'gone') return await goneOutcome(job, run, comparing);
    const warnings: string[] = [];
    const onWarning = (line: string): void => void warnings.push(line);
    if (!isChartInput(input, io.cwd)) order = await readOrderFile(input, settings, io);
    const rendering = await renderAll(job, order, { ...run, onWarning });
    const base = run.base && (await renderBase(job, run));
    const outcome = await compareRendering(rendering, { ...comparing, isExplained: base === undefined });
    const against = base && (await compareSides(base, rendering, comparing));
    return placed({ ...outcome, warnings, ...(against && { against }) }, io.cwd);
  } catch (error) {
    const failure = comparison.explainsFailures ? await explainPackage(error, order) : error;
    io.stderr(formatFailure(failure, order?.text, input));
    const fault = faultOutcome(job, comparison, error as RenderError);
    if (run.base === undefined) return fault;
    const { fault: known, warnings = [] } = await renderBase(job, run);
    const faults = known === undefined ? [] : [known];
    const against = { status: job.sides ?? 'both', fault: '', meaning: noMeaning, standing: [], warnings, faults };
    return { ...fault, against };
  }
}

// Renders the input at the revision.
async function renderBase(job: InputJob, { base, ...run }: InputRun): Promise<BaseSide> {
  const { input, sides = 'both' } = job;
  if (sides === 'new' || base === undefined) return { status: 'new' };
  const settings = settingsForChart(base.settings, input, base.cwd);
  const io = { ...run.io, cwd: base.cwd, stderr: () => {} };
  const coverage = noCoverage;
  const warnings: string[] = [];
  const onWarning = (line: string): void => void warnings.push(line);
  try {
    const order = isChartInput(input, io.cwd) ? undefined : await readOrderFile(input, settings, io);
    const rendering = await renderAll(job, order, { ...run, settings, io, coverage, onWarning });
    return { status: sides, rendering, warnings };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { status: sides, fault: messageOfAll(error) };
  }
}

// An input that only the revision has: its snapshot is reported with others without an input.
async function goneOutcome(job: InputJob, run: InputRun, comparing: Comparing): Promise<Outcome> {
  const base = await renderBase(job, run);
  return { ...emptyOutcome(comparing), against: await compareSides(base, undefined, comparing) };
}

function messageOfAll({ message, issues }: RenderError): string {
  return issues.length === 0 ? message : issues.map((issue) => issue.message).join('\n');
}

/** Returns the outcome of an input that cannot be rendered. */
export function faultOutcome(job: InputJob, comparison: InputRun['comparison'], error: RenderError): Outcome {
  const { input, name } = job;
  const message = messageOfAll(error);
  const fault = { name: 'order', valuesFiles: [], status: 'fault', message, milliseconds: 0 } as const;
  return { ...emptyOutcome({ input, name, snapshot: snapshotOf(job, comparison) }), isFault: true, cases: [fault] };
}

function snapshotOf({ name }: InputJob, { snapshots }: InputRun['comparison']): string {
  return join(snapshots, `${name}.snap`);
}

// Adds the repository files that causes refer to, and the places of changed versions.
function placed(outcome: Outcome, cwd: string): Outcome {
  const { folder, against, meaning } = outcome;
  const places = new Map<string, ReviewPlace | undefined>();
  const placeOf = (cause: DiffCause): DiffCause => {
    const { text, version, file: known } = cause;
    if (folder === '' || version?.chart === undefined || known !== undefined) return cause;
    if (!places.has(text)) places.set(text, placeOfVersion(version, folder, cwd));
    return { ...cause, ...places.get(text) };
  };
  const withPlaces = <Caused extends { readonly causes?: readonly DiffCause[] }>(changed: Caused): Caused =>
    changed.causes === undefined ? changed : { ...changed, causes: changed.causes.map(placeOf) };
  const objects = shownChange(outcome).meaning.objects.map((object) =>
    withPlaces({ ...object, entries: object.entries.map(withPlaces) }),
  );
  const causes = objects.flatMap((object) => [
    ...(object.causes ?? []),
    ...object.entries.flatMap((entry) => entry.causes ?? []),
  ]);
  const files = [...causes.flatMap(({ file }) => file ?? []), ...objects.map(({ source }) => source)];
  const paths = files.flatMap((file) => [
    file,
    ...(folder !== '' && file.includes('/') ? [sourcePath(file, folder)] : []),
  ]);
  const sources = [...new Set(paths)].filter((path) =>
    statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isFile(),
  );
  const shown =
    against === undefined
      ? { meaning: { ...meaning, objects } }
      : { against: { ...against, meaning: { ...against.meaning, objects } } };
  return { ...outcome, ...shown, sources };
}

// The line of the chart's own version, or that of a dependency: its version below its name, or its name.
function placeOfVersion(version: VersionChange, folder: string, cwd: string): ReviewPlace | undefined {
  const [, ...names] = (version.chart ?? '').split('/charts/');
  const dependency = names.pop();
  const home = [folder, ...names].join('/charts/');
  const own = version.field === undefined ? /^version:/ : /^appVersion:/;
  const isPlace = (line: string): boolean =>
    dependency === undefined ? own.test(line) : /\b(?:name|alias):\s*["']?([^"'\s#,}]+)/.exec(line)?.[1] === dependency;
  for (const file of [`${home}/Chart.yaml`, `${home}/requirements.yaml`]) {
    const path = resolve(cwd, file);
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    const at = lines.findIndex(isPlace);
    if (at < 0) continue;
    const more = lines.slice(at + 1);
    const end = more.findIndex((line) => /^(?:\s*-\s|\S)/.test(line));
    const version = more.slice(0, end < 0 ? undefined : end).findIndex((line) => /^\s*version:/.test(line));
    return { file, line: dependency === undefined ? at + 1 : at + 2 + version };
  }
  return undefined;
}

// For each Helm version and each requested Kubernetes version.
async function renderAll(job: InputJob, order: OrderInput | undefined, run: InputRun): Promise<CaseRendering> {
  const { settings } = run;
  const [version, ...otherVersions] = helmVersionsOf(settings);
  const own = { ...settings, helm: [version] };
  const matrix = matrixOf(settings);
  const ranges =
    order === undefined
      ? [kubeRangeOf(job.input, run.io.cwd)]
      : matrix[0].version === undefined
        ? []
        : (await kubeRangesOfOrder(order)).map(({ range }) => range);
  const [name, ...others] = matrixForRanges(matrix, ranges, settings);
  const plain = { job, order: orderFor(order, name, own), run: { ...run, settings: settingsOfEntry(own, name) } };
  const first = await renderInput(job, plain.order, plain.run);
  const entries: MatrixEntry[] = [];
  // An Order has its own values: other values are another Order.
  for (const entry of order === undefined ? others : others.filter(({ values }) => values.length === 0)) {
    const io = { ...run.io, stderr: () => {} };
    const entryRun = {
      ...run,
      settings: settingsOfEntry(own, entry),
      io,
      coverage: noCoverage,
      moreValues: entry.values,
      onWarning: () => {},
    };
    const rendering = await orRefused(renderInput(job, orderFor(order, entry, own), entryRun));
    entries.push({ name: entry, rendering });
  }
  const whole = entries.length === 0 ? first : await withMatrix(first, name, entries);
  if (otherVersions.length === 0) return whole;
  return withOtherHelms(whole, { ...plain, texts: await first.files() }, settings);
}

function settingsOfEntry(settings: RenderSettings, { version, apis }: MatrixEntryName): RenderSettings {
  const own = version === undefined ? settings : { ...settings, kubeVersions: [version] };
  return apis.length === 0 ? own : { ...own, apiVersions: [...settings.apiVersions, ...apis] };
}

function orderFor(
  order: OrderInput | undefined,
  { version, apis }: MatrixEntryName,
  settings: RenderSettings,
): OrderInput | undefined {
  const apiVersions = [...settings.apiVersions, ...apis];
  return order && { ...order, options: { ...order.options, kubeVersion: version, apiVersions } };
}

async function orRefused(rendering: Promise<CaseRendering>): Promise<CaseRendering | RenderError> {
  try {
    return await rendering;
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
}

function renderInput(
  { input, cases }: InputJob,
  order: OrderInput | undefined,
  run: InputRun & Pick<ChartRun, 'moreValues'>,
): Promise<CaseRendering> {
  if (order !== undefined) return renderOrderInput(order, input, run);
  const isWanted = cases && ((name: string): boolean => cases.includes(name));
  return renderChartCases(input, { ...run, isWanted });
}

interface FirstHelm {
  readonly job: InputJob;
  readonly order: OrderInput | undefined;
  readonly run: InputRun;
  /** The files of the first matrix entry, which the other Helm versions render, too. */
  readonly texts: SnapshotFiles;
}

// With --helm 3.17,4 the snapshot is that of the first version, with the differences of the others beside each manifest.
async function withOtherHelms(
  rendering: CaseRendering,
  { job, order, run, texts }: FirstHelm,
  settings: RenderSettings,
): Promise<CaseRendering> {
  const names = [...texts.keys()].filter((name) => /^[^/]+\.yaml$/.test(name) && !name.endsWith(crdsEnding));
  const renderedBy = memo((version: string) => manifestsOf(names, version, { job, order, run }));
  const more = new Map<string, string>();
  const [first, ...others] = helmVersionsOf(settings);
  for (const version of others) {
    const word = settings.helm.find((text) => helmOf(text).name === version) ?? version;
    const theirs = await renderedBy(version);
    for (const name of names) {
      const renderWith = async (between: string): Promise<HelmRendering> => (await renderedBy(between)).get(name)!;
      const sides = [{ text: texts.get(name)! }, theirs.get(name)!] as const;
      const { text } = await compareHelms([first, version], sides, renderWith);
      more.set(`${name.slice(0, -'.yaml'.length)}.helm-${word.replace(/^v/, '')}.txt`, text);
    }
  }
  return withMore(rendering, more);
}

// Renders some manifests with a version, without reporting anything.
async function manifestsOf(
  names: readonly string[],
  version: string,
  { job, order, run }: Omit<FirstHelm, 'texts'>,
): Promise<ReadonlyMap<string, HelmRendering>> {
  const settings = { ...run.settings, helm: [version] };
  const io = { ...run.io, stderr: () => {} };
  const coverage = noCoverage;
  try {
    const rendering = await renderInput(job, order, { ...run, settings, io, coverage, onWarning: () => {} });
    const texts = await rendering.files();
    return new Map(
      names.map((name): [string, HelmRendering] => {
        const text = texts.get(name);
        if (text !== undefined) return [name, { text }];
        const fault = rendering.cases.find((item) => `${item.name}.yaml` === name);
        return [name, { text: '', error: fault?.message ?? '' }];
      }),
    );
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return new Map(names.map((name) => [name, { text: '', error: error.message }]));
  }
}
