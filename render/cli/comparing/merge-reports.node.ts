// `drydock merge-reports`: merges the reports of a run's shards, and fails if a shard is missing.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../core/make-folder.node.ts';
import { ownVersion } from '../../core/own-files.node.ts';
import { uniqueBy } from '../../core/unique-by.ts';
import type { PlacedCoverage } from '../../coverage/formats.ts';
import { joinCoverage } from '../../coverage/measure.ts';
import { expandPatterns } from '../../inputs/files.node.ts';
import { formatReport } from '../../report/format.ts';
import { leftOutText } from '../../report/issues.ts';
import { joinMeanings } from '../../snapshot/meaning.ts';
import { isBad, type Outcome } from '../../snapshot/outcome.ts';
import { type ReadReport, readReport, snapshotReport } from '../../snapshot/report.ts';
import { printOutcomes, staleText } from '../../snapshot/text.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../program.ts';
import { requestedCoverage } from '../rendering/coverage.node.ts';
import { textOptions } from './options.node.ts';
import { requestedReports } from './reports.node.ts';

/** Merges reports. Returns 0 if everything is as recorded, and 1 otherwise, also if a shard is missing. Throws UsageError. */
export async function mergeReportsCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length === 0) {
    throw new UsageError(
      '"drydock merge-reports" takes the reports of shards, each written by drydock snapshot --report json=FILE',
    );
  }
  const reports = requestedReports(flags, io);
  const files = await expandPatterns(flags.args, io.cwd);
  const parts = files.map((file) => readPart(file, io.cwd));
  const missing = missingParts(parts);
  const order = parts[0]?.shard?.order ?? [];
  const outcomes = joinOutcomes(
    parts.flatMap(({ outcomes: all }) => all),
    order,
  );
  const isUpdate = parts.some((part) => part.isUpdate);
  const covered = parts.some(({ coverage }) => coverage !== undefined)
    ? joinCovered(
        parts.flatMap(({ coverage = [] }) => coverage),
        order,
      )
    : undefined;
  const leftOut = uniqueBy(parts.flatMap((part) => part.leftOut));
  const against = parts.find((part) => part.against !== '')?.against ?? '';
  const facts = {
    version: ownVersion(),
    time: new Date(),
    isUpdate,
    shard: undefined,
    coverage: covered,
    leftOut,
    against,
  };
  const report = snapshotReport(outcomes, facts);
  const isSilent = flags.on('json') || reports.takesOutput;
  if (flags.on('json')) io.stdout(formatReport(report, 'json'));
  reports.write(report);
  if (!isSilent) printOutcomes(outcomes, { ...textOptions(flags, against), isUpdate }, io);
  const stale = staleText(outcomes, isUpdate);
  if (!isSilent && stale !== '') io.stderr(`${stale}\n`);
  const durations = flags.text('durations');
  if (durations !== undefined && missing === '') writeDurations(resolve(io.cwd, durations), outcomes);
  const isShort = requestedCoverage(flags, io).report(covered, isSilent ? io.stderr : io.stdout);
  if (leftOut.length > 0) io.stderr(`${leftOutText(report)}\n`);
  if (missing !== '') io.stderr(`Error: ${missing}\n`);
  return missing !== '' || isShort || outcomes.some((outcome) => isBad(outcome, isUpdate)) ? 1 : 0;
}

function readPart(file: string, cwd: string): ReadReport & { readonly file: string } {
  let text: string;
  try {
    text = readFileSync(resolve(cwd, file), 'utf8');
  } catch {
    throw new UsageError(`${file} cannot be read: name the reports of all parts`);
  }
  const report = readReport(parse(text));
  if (report !== undefined) return { ...report, file };
  throw new UsageError(`${file} is not a complete report of drydock snapshot: write one with --report json=${file}`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Returns what is wrong with the set of shards; empty if they are complete and of one run.
function missingParts(parts: readonly (ReadReport & { readonly file: string })[]): string {
  const whole = parts.filter(({ shard }) => shard === undefined);
  if (whole.length === parts.length) return '';
  if (whole.length > 0) return `${whole[0]?.file} is the report of a whole run, and others are of parts`;
  const [first] = parts;
  const other = parts.find(({ shard }) => shard?.plan !== first?.shard?.plan || shard?.total !== first?.shard?.total);
  if (other !== undefined) {
    return `${first?.file} and ${other.file} are parts of different runs: they were not given the same inputs, cases, flags and durations`;
  }
  const total = first?.shard?.total ?? 0;
  const indexes = parts.map(({ shard }) => shard?.index ?? 0);
  const twice = parts.find(({ shard }, at) => indexes.indexOf(shard?.index ?? 0) !== at);
  if (twice !== undefined) return `part ${twice.shard?.index} of ${total} was given twice, by ${twice.file} too`;
  const gone = Array.from({ length: total }, (_, at) => at + 1).filter((index) => !indexes.includes(index));
  if (gone.length === 0) return '';
  const [noun, verb] = gone.length === 1 ? ['part', 'is'] : ['parts', 'are'];
  return `${noun} ${gone.join(', ')} of ${total} ${verb} missing: no report of ${gone.length === 1 ? 'it' : 'them'} was given, so what ${gone.length === 1 ? 'it' : 'they'} would have found is not known`;
}

type Order = NonNullable<ReadReport['shard']>['order'];

function joinOutcomes(outcomes: readonly Outcome[], order: Order): Outcome[] {
  const bySnapshot = new Map<string, Outcome[]>();
  for (const outcome of outcomes) {
    bySnapshot.set(outcome.snapshot, [...(bySnapshot.get(outcome.snapshot) ?? []), outcome]);
  }
  const names = [...new Set(order.map(([snapshot]) => snapshot))];
  const at = ({ name }: Outcome): number => names.indexOf(name);
  const joined = [...bySnapshot.values()].map((parts) => {
    const [first] = parts as [Outcome];
    const cases = order.filter(([name]) => name === first.name).map(([, name]) => name);
    return parts.reduce((a, b) => joinTwo(a, b, cases));
  });
  return joined.sort((a, b) => at(a) - at(b));
}

function joinTwo(a: Outcome, b: Outcome, order: readonly string[]): Outcome {
  return {
    ...a,
    isFault: a.isFault || b.isFault,
    cases: [...a.cases, ...b.cases].sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name)),
    files: a.files + b.files,
    manifests: a.manifests + b.manifests,
    meaning: joinMeanings([a.meaning, b.meaning]),
    written: a.written + b.written,
    removed: a.removed + b.removed,
    isOld: a.isOld || b.isOld,
    warnings: uniqueBy([...a.warnings, ...b.warnings]),
    sources: uniqueBy([...a.sources, ...b.sources]),
    against: joinChanges(a.against, b.against),
    random: uniqueBy([...a.random, ...b.random]),
    findings: [...a.findings, ...b.findings].sort((one, other) => order.indexOf(one.case) - order.indexOf(other.case)),
  };
}

function joinChanges(a: Outcome['against'], b: Outcome['against']): Outcome['against'] {
  if (a === undefined || b === undefined) return a ?? b;
  const faults = [a.fault, b.fault].filter((fault) => fault !== '');
  return {
    // A shard whose cases are all new, or all removed, does not represent the input.
    status: a.status === b.status ? a.status : 'both',
    fault: uniqueBy(faults).join('\n'),
    meaning: joinMeanings([a.meaning, b.meaning]),
    standing: [...a.standing, ...b.standing],
    warnings: uniqueBy([...a.warnings, ...b.warnings]),
    faults: uniqueBy([...a.faults, ...b.faults]),
  };
}

function joinCovered(all: readonly PlacedCoverage[], order: Order): PlacedCoverage[] {
  const names = order.map(([, name]) => name);
  const byFolder = new Map<string, PlacedCoverage>();
  for (const one of all) {
    const known = byFolder.get(one.folder);
    const coverage = known === undefined ? one.coverage : joinCoverage(known.coverage, one.coverage);
    byFolder.set(one.folder, { folder: one.folder, coverage });
  }
  const sorted = [...byFolder.values()].map(({ folder, coverage }) => {
    const cases = [...coverage.cases].sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
    return { folder, coverage: { ...coverage, cases } };
  });
  return sorted.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

// By snapshot and case, as a later run looks them up.
function writeDurations(file: string, outcomes: readonly Outcome[]): void {
  const entries = outcomes.flatMap(({ cases, name }) => {
    return cases.map((one) => [`${name}/${one.name}`, Math.max(1, Math.round(one.milliseconds))] as const);
  });
  makeFolder(dirname(file));
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
}
