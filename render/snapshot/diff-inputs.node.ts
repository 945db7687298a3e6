// Differences of two inputs: Orders, charts, folders of charts or rendered manifests, also of a git revision; with their causes and risks.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { callback, checkArguments, filled, flag, optional, optionsOf } from '../core/arguments.ts';
import { counted } from '../core/counted.ts';
import { ownVersion } from '../core/own-files.node.ts';
import { UsageError } from '../core/usage-error.ts';
import { type Difference, diffObjects, isDifference } from '../diff/difference.ts';
import { formatIgnoreRule } from '../diff/noise.ts';
import { reviewOf } from '../diff/review.ts';
import { differenceText } from '../diff/text.ts';
import { chooseVersions } from '../engine/kube-versions.ts';
import { GoError } from '../go/value.ts';
import { helmOf } from '../helm/versions.ts';
import { casesOf } from '../inputs/cases.node.ts';
import { chartSettings, settingsForChart } from '../inputs/chart-settings.node.ts';
import { formatFailure } from '../inputs/failures.ts';
import { listKubeVersions } from '../inputs/kube-versions.ts';
import { helmVersionOf, type RenderSettings, type RunIo } from '../inputs/settings.ts';
import type { SourcedDocument } from '../manifest/source.ts';
import { withCauses } from '../provenance/impact/attribution.ts';
import { groupsOfCase, reviewIssues } from '../report/issues.ts';
import type { Report, ReportedCase } from '../report/model.ts';
import {
  emptySide,
  findSideChart,
  kubeRangesOf,
  type OpenSide,
  openSide,
  type ReadSide,
  readSide,
} from './diff-sides.node.ts';
import { type ContextWithRules, contextOf, type InputOptions, inputChecks } from './options.node.ts';

/** Options of `diffInputs`. */
export interface InputDiffOptions extends InputOptions {
  /** Returns the settings of the later side from those of both. Default: the same. */
  readonly later?: ((settings: RenderSettings) => RenderSettings) | undefined;
  /** Whether the namespace of a release counts if only one side is rendered. Default false. */
  readonly comparesNamespace?: boolean | undefined;
  /** Called with the kinds of both sides before they are compared. An exception of it ends the comparison. Default: none. */
  readonly onSides?: ((before: SideKind, after: SideKind) => void) | undefined;
}

/** What a side is. */
export type SideKind = 'chart' | 'order' | 'manifest';

/** The difference of a pair of charts, or of the two inputs. */
export interface ComparedInput {
  /** The chart, for two folders of charts; empty for a single pair. */
  readonly title: string;
  readonly difference: Difference;
  /** The configured cases with this difference; empty for a single one. */
  readonly cells: readonly string[];
  /** The folder of the later side's chart; empty if it is not on disk. */
  readonly folder: string;
}

/** The differences of two inputs. */
export interface InputDiff {
  readonly differences: readonly ComparedInput[];
  /** The same for `formatReport`: `text` is what `drydock diff` prints, `json` the differences. */
  readonly report: Report;
  /** Whether any objects differ. */
  readonly isDifferent: boolean;
  /** Whether a side is invalid, in part or entirely; its message went to `stderr`. */
  readonly isFault: boolean;
  /** Whether the inputs are folders of charts. */
  readonly isFolder: boolean;
  /** The rules of `ignore` that match nothing. */
  readonly unusedRules: readonly string[];
}

const diffOptions = optionsOf<InputDiffOptions>({
  ...inputChecks,
  later: callback,
  comparesNamespace: flag,
  onSides: callback,
});

/**
 * Compares two inputs by meaning, as `drydock diff` does: Orders, charts, manifests or folders of them, `-` for standard input, or any of
 * them in a git revision, such as `main:charts/web`. Charts and Orders are rendered; two folders of charts are compared chart by chart. A
 * side that does not render is reported to `stderr`. Without `after`, an input is compared with itself, rendered with `later`. Rejects with UsageError if the inputs do not fit, with CHART_NOT_FOUND, CHART_INVALID,
 * ARGUMENT_INVALID.
 * @example
 * const { report, isDifferent } = await diffInputs('main:charts/web', 'charts/web');
 * if (isDifferent) console.log(formatReport(report, 'markdown'));
 */
export async function diffInputs(before: string, after?: string, options: InputDiffOptions = {}): Promise<InputDiff> {
  checkArguments(
    'diffInputs',
    ['before', before, filled],
    ['after', after, optional(filled)],
    ['options', options, diffOptions],
  );
  const context = contextOf(options);
  const { io } = context;
  const inputs = after === undefined ? [before] : [before, after];
  const opened: OpenSide[] = [];
  try {
    const first = openSide(before, io);
    opened.push(first);
    const second = openSide(after ?? before, io);
    opened.push(second);
    const compared: ComparedInput[] = [];
    let isFault = false;
    for (const pair of pairsOf(first, second)) {
      const found = await comparePair(pair, options, context);
      isFault ||= found.isFault;
      compared.push(...found.compared);
    }
    const isFolder = first.charts !== undefined;
    return {
      differences: compared,
      report: reportOf(compared, isFolder || compared.some(({ cells }) => cells.length > 0), inputs),
      isDifferent: compared.some(({ difference }) => isDifference(difference)),
      isFault,
      isFolder,
      unusedRules: unusedRules(compared),
    };
  } finally {
    for (const side of opened) side.remove();
  }
}

interface Pair {
  readonly title: string;
  readonly before: OpenSide | undefined;
  readonly after: OpenSide | undefined;
}

function pairsOf(before: OpenSide, after: OpenSide): readonly Pair[] {
  if (before.charts === undefined && after.charts === undefined) return [{ title: '', before, after }];
  const other = before.charts === undefined ? before : after;
  if (other.charts === undefined) {
    const folder = other === before ? after : before;
    throw new UsageError(`${folder.word} is a folder of charts, and ${other.word} is not: name one chart of it`);
  }
  const names = [...new Set([...(before.charts ?? []), ...(after.charts ?? [])])].sort();
  return names.map((title) => ({ title, before: findSideChart(before, title), after: findSideChart(after, title) }));
}

interface ComparedPair {
  readonly compared: readonly ComparedInput[];
  readonly isFault: boolean;
}

async function comparePair(
  { title, before, after }: Pair,
  options: InputDiffOptions,
  context: ContextWithRules,
): Promise<ComparedPair> {
  const { settings, io } = context;
  const later = options.later ?? ((own: RenderSettings) => own);
  const compared: ComparedInput[] = [];
  let isFault = false;
  for (const cell of await diffCases([before, after], { settings, later, io })) {
    const from = await sideOf(before, cell.before, io);
    const to = from && (await sideOf(after, cell.after, io));
    if (from !== undefined && to !== undefined) options.onSides?.(kindOf(from), kindOf(to));
    const difference = from && to && compare([from, to], options, context);
    if (difference === undefined) isFault = true;
    else addCompared(compared, { title, difference, folder: to?.isChart ? folderOf(after, io) : '' }, cell.name);
  }
  return { compared, isFault };
}

interface DiffCase {
  /** The configured case; empty for a single one. */
  readonly name: string;
  readonly before: RenderSettings;
  readonly after: RenderSettings;
}

interface CaseOptions {
  readonly settings: RenderSettings;
  readonly later: (settings: RenderSettings) => RenderSettings;
  readonly io: RunIo;
}

// The comparisons of a pair of sides, one of which may not exist: one for each case that the configuration names.
async function diffCases(
  sides: readonly [OpenSide | undefined, OpenSide | undefined],
  { settings, later, io }: CaseOptions,
): Promise<readonly DiffCase[]> {
  const { word, place } = (sides[1] ?? sides[0])!;
  const own = settingsForChart(settings, place, io.cwd);
  const [from, to] = await versionsOf(sides, [own, later(own)], io);
  if ([own, later(own)].some((one) => listKubeVersions(one).length > 1)) {
    io.stderr(`Note: ${word}: compared for Kubernetes ${to} only; snapshot compares every version\n`);
  }
  const { values } = chartSettings(settings, place, io.cwd);
  const cases = values === undefined ? [undefined] : casesOf(place, values);
  return cases.map((item): DiffCase => {
    const withCase = item === undefined ? own : { ...own, values: item.valuesFiles };
    return {
      name: item === undefined || cases.length === 1 ? '' : item.name,
      before: withVersion(withCase, from),
      after: withVersion(later(withCase), to),
    };
  });
}

function withVersion(settings: RenderSettings, version: string | undefined): RenderSettings {
  return version === undefined ? settings : { ...settings, kubeVersions: [version] };
}

// The first of the requested Kubernetes versions that both sides accept; else each side's own, for which rendering may fail.
async function versionsOf(
  sides: readonly [OpenSide | undefined, OpenSide | undefined],
  settings: readonly [RenderSettings, RenderSettings],
  io: RunIo,
): Promise<readonly (string | undefined)[]> {
  const helm = helmOf(helmVersionOf(settings[0]));
  const [before, after] = settings.map(listKubeVersions) as [string[], string[]];
  const rangesOf = async (side: OpenSide | undefined, own: RenderSettings): Promise<readonly string[]> =>
    side === undefined ? [] : kubeRangesOf(side, own, io);
  const ranges = [await rangesOf(sides[0], settings[0]), await rangesOf(sides[1], settings[1])] as const;
  const shared = before.join() === after.join() ? chooseVersions(ranges.flat(), before, helm).accepted[0] : undefined;
  const ownOf = (own: readonly string[], requested: readonly string[]): string | undefined =>
    shared ?? chooseVersions(own, requested, helm).accepted[0] ?? requested[0];
  return [ownOf(ranges[0], before), ownOf(ranges[1], after)];
}

function kindOf({ isChart, isRendered }: ReadSide): SideKind {
  if (isChart) return 'chart';
  return isRendered ? 'order' : 'manifest';
}

// Equal differences are reported once.
function addCompared(all: ComparedInput[], found: Omit<ComparedInput, 'cells'>, cell: string): void {
  const text = differenceText(found.difference);
  const at = all.findIndex(({ difference }) => differenceText(difference) === text);
  const own = cell === '' ? [] : [cell];
  if (at < 0) all.push({ ...found, cells: own });
  else all[at] = { ...all[at]!, cells: [...all[at]!.cells, ...own] };
}

/** Returns the subject of a difference, such as `web (small; large)`. */
function titleOf({ title, cells }: ComparedInput, otherwise = ''): string {
  const name = title || otherwise;
  if (cells.length === 0) return name;
  return name === '' ? cells.join('; ') : `${name} (${cells.join('; ')})`;
}

// Returns undefined for an invalid side, after reporting it. A chart missing on one side has no objects there.
async function sideOf(side: OpenSide | undefined, settings: RenderSettings, io: RunIo): Promise<ReadSide | undefined> {
  if (side === undefined) return emptySide;
  try {
    return await readSide(side, { settings, io });
  } catch (error) {
    reportError(error, side.word, io);
    return undefined;
  }
}

function compare(
  [before, after]: readonly [ReadSide, ReadSide],
  { comparesNamespace, all }: InputDiffOptions,
  { settings, rules, io }: ContextWithRules,
): Difference | undefined {
  // Compared with the output of a cluster or another tool, the namespace of a release counts only if it was specified.
  const isNamed = before.isRendered === after.isRendered || comparesNamespace === true;
  const sideFor = ({ documents }: ReadSide) => ({
    documents: isNamed ? documents : documents.map(({ path, content }) => ({ path, content })),
  });
  const { DRYDOCK_SECRET_KEY: secretKey } = io.env;
  try {
    const difference = diffObjects(sideFor(before), sideFor(after), {
      ignore: rules,
      all: all ?? false,
      showSecrets: settings.showSecrets,
      ...(secretKey ? { secretKey } : {}),
    });
    return withCauses(asRendered(difference, [before, after]), before.releases, after.releases);
  } catch (error) {
    reportError(error, '', io);
    return undefined;
  }
}

// Causes are looked up in the rendered text, not in the placeholders for random values.
function asRendered(difference: Difference, [before, after]: readonly [ReadSide, ReadSide]): Difference {
  const rendered = ({ originals }: ReadSide, document: SourcedDocument): SourcedDocument => {
    return { ...document, content: originals.get(document.content.trim()) ?? document.content };
  };
  const objects = difference.objects.map(({ documents, ...object }) => ({
    ...object,
    documents: {
      ...(documents.before && { before: rendered(before, documents.before) }),
      ...(documents.after && { after: rendered(after, documents.after) }),
    },
  }));
  return { ...difference, objects };
}

function reportError(error: unknown, word: string, io: RunIo): void {
  io.stderr(error instanceof GoError ? `Error: ${word}: ${error.message}\n` : formatFailure(error, undefined, word));
}

// For a chart on disk, template lines can be shown.
function folderOf(side: OpenSide | undefined, io: RunIo): string {
  const isOnDisk = side !== undefined && statSync(resolve(io.cwd, side.word), { throwIfNoEntry: false })?.isDirectory();
  return isOnDisk ? side.word.replace(/(?<!\/)\/+$/, '') : '';
}

function reportOf(compared: readonly ComparedInput[], isMany: boolean, words: readonly string[]): Report {
  const file = words.at(-1) ?? '';
  const inputs = compared.map(({ difference, folder, ...of }) => ({
    title: titleOf({ ...of, difference, folder }, file),
    folder,
    changes: difference.objects.map(({ documents: _, ...object }) => object),
    summary: difference.summary,
  }));
  const difference = {
    review: reviewOf(inputs),
    against: words.length > 1 ? (words[0] ?? '') : '',
    severity: 'error' as const,
    texts: [],
    notes: [],
  };
  const caseOf = (name: string): ReportedCase => {
    const groups = groupsOfCase(difference.review, name, () => true);
    const issues = reviewIssues({ ...difference, review: { ...difference.review, groups } });
    return { name: `diff ${name}`, milliseconds: 0, issues };
  };
  return {
    command: 'diff',
    version: ownVersion(),
    time: new Date(),
    files: inputs.map(({ title }) => ({ file: title, issues: [], cases: [caseOf(title)] })),
    difference,
    data: dataOf(compared, isMany),
    text: textOf(compared, isMany),
  };
}

function dataOf(compared: readonly ComparedInput[], isMany: boolean): Readonly<Record<string, unknown>> {
  const all = compared.map(({ title, cells, difference }) => ({
    ...(isMany ? { chart: title } : {}),
    ...(cells.length > 0 ? { cells } : {}),
    ...difference,
    objects: difference.objects.map(({ documents: _, ...object }) => object),
  }));
  return isMany ? { charts: all } : { ...all[0] };
}

function textOf(compared: readonly ComparedInput[], isMany: boolean): string {
  const [only] = compared;
  if (!isMany) return only === undefined ? '' : differenceText(only.difference);
  const differing = compared.filter(({ difference }) => isDifference(difference));
  const parts = differing.map((one) => {
    const title = titleOf(one);
    return `${title === '' ? '' : `${title} is different: `}${differenceText(one.difference)}\n`;
  });
  const charts = (of: readonly ComparedInput[]): number => new Set(of.map(({ title }) => title)).size;
  const all = counted(charts(compared), 'chart');
  const count = differing.length === 0 ? `${all}, all the same` : `${charts(differing)} of ${all} differ`;
  return `${parts.join('')}${count}\n`;
}

// A rule may apply to only one of the charts.
function unusedRules(compared: readonly ComparedInput[]): string[] {
  const [first = [], ...others] = compared.map(({ difference }) => difference.unusedRules.map(formatIgnoreRule));
  return first.filter((rule) => others.every((rules) => rules.includes(rule)));
}
