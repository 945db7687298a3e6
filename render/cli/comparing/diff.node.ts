// `drydock diff`: semantic differences between two Orders, charts, sets of values, versions or rendered manifests.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { counted } from '../../core/counted.ts';
import { RenderError } from '../../core/errors.ts';
import { ownVersion } from '../../core/own-files.node.ts';
import { paintDifference } from '../../core/style.ts';
import { type Difference, diffObjects, isDifference } from '../../diff/difference.ts';
import { formatIgnoreRule, type IgnoreRule, parseIgnoreRule } from '../../diff/noise.ts';
import { reviewOf } from '../../diff/review.ts';
import { differenceText } from '../../diff/text.ts';
import { GoError } from '../../go/value.ts';
import type { RenderSettings } from '../../inputs/settings.ts';
import type { SourcedDocument } from '../../manifest/source.ts';
import { withCauses } from '../../provenance/impact/attribution.ts';
import { groupsOfCase, reviewIssues } from '../../report/issues.ts';
import type { Report, ReportedCase } from '../../report/model.ts';
import { matrixOfPair } from '../../snapshot/diff-matrix.node.ts';
import {
  emptySide,
  findSideChart,
  type OpenSide,
  openSide,
  type ReadSide,
  readSide,
} from '../../snapshot/diff-sides.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { printFailure } from '../output.ts';
import type { CommandContext } from '../program.ts';
import { hasLater, laterSettings, renderSettings } from '../settings.ts';
import { requestedReports } from './reports.node.ts';

/**
 * Reports a difference; for two folders of charts, chart by chart. Returns 0 if nothing differs, 1 if something does, 2 if a side is
 * invalid. Throws UsageError.
 */
export async function diffCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [first, second, ...more] = flags.args;
  if (first === undefined || more.length > 0) {
    throw new UsageError(
      '"drydock diff" takes two Orders, charts, manifests or folders of them; or one, and flags that begin with --new-',
    );
  }
  if (second === undefined && !hasLater(flags)) {
    throw new UsageError(
      `name what ${first} is compared with, or give it other values: --new-values, --new-set, --new-kube-version …`,
    );
  }
  if (first === '-' && second === '-') throw new UsageError('standard input can be one side alone');
  const rules = flags.list('ignore').map(parseIgnoreRule);
  const reports = requestedReports(flags, io);
  const opened: OpenSide[] = [];
  try {
    const before = openSide(first, io);
    opened.push(before);
    const after = openSide(second ?? first, io);
    opened.push(after);
    const compared: Compared[] = [];
    let hasFault = false;
    let isOneSided = false;
    for (const { title, ...pair } of pairsOf(before, after)) {
      const { cells, notes, ...found } = await matrixOfPair(pair.before, pair.after, {
        settings: renderSettings(flags),
        later: (settings) => laterSettings(settings, flags),
        io,
      });
      isOneSided ||= found.isOneSided;
      for (const note of notes) io.stderr(`Note: ${note}\n`);
      const own: Compared[] = [];
      for (const cell of cells) {
        const from = await sideOf(pair.before, cell.before, io);
        const to = from && (await sideOf(pair.after, cell.after, io));
        if (from !== undefined && to !== undefined) checkValues([from, to], flags);
        const difference = from && to && compare([from, to], flags, io, rules);
        if (difference === undefined) hasFault = true;
        else addCompared(own, { title, difference, folder: to?.isChart ? folderOf(pair.after, io) : '' }, cell.name);
      }
      compared.push(...own);
    }
    if (before.charts === undefined && hasFault) return 2;
    printUnused(compared, io);
    const isMany = before.charts !== undefined || compared.some(({ cells }) => cells.length > 0);
    if (!reports.takesOutput) printSummary(compared, isMany, flags, io);
    reports.write(reportOf(compared, isMany, flags.args));
    if (hasFault) return 2;
    return isOneSided || compared.some(({ difference }) => isDifference(difference)) ? 1 : 0;
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    printError(error, '', io);
    return 2;
  } finally {
    for (const side of opened) side.remove();
  }
}

/** A difference and its subject. */
interface Compared {
  /** The chart, for two folders of charts; empty for a single pair. */
  readonly title: string;
  readonly difference: Difference;
  /** The cases and Kubernetes versions with this difference; empty for a single one. */
  readonly cells: readonly string[];
  /** The folder of the later side's chart; empty if it is not on disk. */
  readonly folder: string;
}

// Equal differences are reported once.
function addCompared(all: Compared[], found: Omit<Compared, 'cells'>, cell: string): void {
  const text = differenceText(found.difference);
  const at = all.findIndex(({ difference }) => differenceText(difference) === text);
  const own = cell === '' ? [] : [cell];
  if (at < 0) all.push({ ...found, cells: own });
  else all[at] = { ...all[at]!, cells: [...all[at]!.cells, ...own] };
}

/** Returns the subject of a difference, such as `web (small; large)`. */
function titleOf({ title, cells }: Compared, otherwise = ''): string {
  const name = title || otherwise;
  if (cells.length === 0) return name;
  return name === '' ? cells.join('; ') : `${name} (${cells.join('; ')})`;
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

// Returns undefined for an invalid side, after reporting it. A chart missing on one side has no objects there.
async function sideOf(
  side: OpenSide | undefined,
  settings: RenderSettings,
  io: CommandContext,
): Promise<ReadSide | undefined> {
  if (side === undefined) return emptySide;
  try {
    return await readSide(side, settings, io);
  } catch (error) {
    printError(error, side.word, io);
    return undefined;
  }
}

function compare(
  [before, after]: readonly [ReadSide, ReadSide],
  flags: ParsedFlags,
  io: CommandContext,
  ignore: readonly IgnoreRule[],
): Difference | undefined {
  // Compared with the output of a cluster or another tool, the namespace of a release counts only if it was specified.
  const isNamed = before.isRendered === after.isRendered || flags.has('namespace') || flags.has('new-namespace');
  const sideFor = ({ documents }: ReadSide) => ({
    documents: isNamed ? documents : documents.map(({ path, content }) => ({ path, content })),
  });
  const { DRYDOCK_SECRET_KEY: secretKey } = io.env;
  try {
    const difference = diffObjects(sideFor(before), sideFor(after), {
      ignore,
      all: flags.on('all'),
      showSecrets: flags.on('show-secrets'),
      ...(secretKey ? { secretKey } : {}),
    });
    return withCauses(asRendered(difference, [before, after]), before.releases, after.releases);
  } catch (error) {
    printError(error, '', io);
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

// An Order has its own values, and a manifest has none.
function checkValues([before, after]: readonly [ReadSide, ReadSide], flags: ParsedFlags): void {
  if (before.isChart || after.isChart) return;
  const given = ['values', 'set', 'set-string', 'set-json', 'set-file', 'set-literal', 'namespace', 'release'];
  const flag = given.flatMap((name) => [name, `new-${name}`]).find((name) => flags.isGiven(name));
  if (flag !== undefined) throw new UsageError(`--${flag} is for charts, and neither side is one`);
}

function printError(error: unknown, word: string, io: CommandContext): void {
  if (error instanceof GoError) io.stderr(`Error: ${word}: ${error.message}\n`);
  else printFailure(error, undefined, io, word);
}

// For a chart on disk, template lines can be shown.
function folderOf(side: OpenSide | undefined, io: CommandContext): string {
  const isOnDisk = side !== undefined && statSync(resolve(io.cwd, side.word), { throwIfNoEntry: false })?.isDirectory();
  return isOnDisk ? side.word.replace(/(?<!\/)\/+$/, '') : '';
}

function reportOf(compared: readonly Compared[], isMany: boolean, words: readonly string[]): Report {
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

function dataOf(compared: readonly Compared[], isMany: boolean): Readonly<Record<string, unknown>> {
  const all = compared.map(({ title, cells, difference }) => ({
    ...(isMany ? { chart: title } : {}),
    ...(cells.length > 0 ? { cells } : {}),
    ...difference,
    objects: difference.objects.map(({ documents: _, ...object }) => object),
  }));
  return isMany ? { charts: all } : { ...all[0] };
}

function textOf(compared: readonly Compared[], isMany: boolean): string {
  const [only] = compared;
  if (!isMany) return only === undefined ? '' : differenceText(only.difference);
  const differing = compared.filter(({ difference }) => isDifference(difference));
  const parts = differing.map((one) => {
    const title = titleOf(one);
    return `${title === '' ? '' : `${title} is different: `}${differenceText(one.difference)}\n`;
  });
  const charts = (of: readonly Compared[]): number => new Set(of.map(({ title }) => title)).size;
  const all = counted(charts(compared), 'chart');
  const count = differing.length === 0 ? `${all}, all the same` : `${charts(differing)} of ${all} differ`;
  return `${parts.join('')}${count}\n`;
}

// A rule may apply to only one of the charts.
function printUnused(compared: readonly Compared[], io: CommandContext): void {
  const [first, ...others] = compared.map(({ difference }) => difference.unusedRules.map(formatIgnoreRule));
  for (const rule of first ?? []) {
    if (!others.every((rules) => rules.includes(rule))) continue;
    io.stderr(`Warning: --ignore ${JSON.stringify(rule)} matches nothing\n`);
  }
}

function printSummary(compared: readonly Compared[], isMany: boolean, flags: ParsedFlags, io: CommandContext): void {
  if (flags.on('json')) io.stdout(`${JSON.stringify(dataOf(compared, isMany), null, 2)}\n`);
  else if (!io.quiet || compared.some(({ difference }) => isDifference(difference))) {
    io.stdout(paintDifference(textOf(compared, isMany), io.out));
  }
}
