// Outcomes of `drydock snapshot` as a report, and as the JSON that `drydock merge` reads again.

import type { PlacedCoverage } from '../../../render/coverage/formats.ts';
import { distinct } from '../../../render/distinct.ts';
import { listNames } from '../counted.ts';
import { changeIssues, restartIssues } from '../reporting/changes.ts';
import { leftOutText } from '../reporting/issues.ts';
import type { FileReport, Report, ReportedCase, ReportedDifference, ReportedIssue } from '../reporting/model.ts';
import { plainStyle } from '../style.ts';
import { findingIssues } from './findings.ts';
import { type CaseOutcome, isAllFault, type Outcome } from './outcome.ts';
import type { ShardMark } from './shards.ts';
import { casesShown, cellOf, outcomeText, updateText } from './text.ts';

// Of texts that are no objects.
const textWords = {
  different: 'is different',
  new: 'is not recorded',
  obsolete: 'is recorded, and nothing renders it',
};

/** What a report says beside its outcomes. */
export interface ReportFacts {
  readonly version: string;
  readonly time: Date;
  readonly isUpdate: boolean;
  readonly shard: ShardMark | undefined;
  readonly coverage: readonly PlacedCoverage[] | undefined;
  /** The inputs that --bail left out. */
  readonly leftOut: readonly string[];
}

/** Gives outcomes as a report. */
export function snapshotReport(all: readonly Outcome[], facts: ReportFacts): Report {
  const outcomes = all.map(shown);
  const isTold = !facts.isUpdate || outcomes.some(({ against }) => against !== undefined);
  return {
    command: 'snapshot',
    version: facts.version,
    time: facts.time,
    files: outcomes.map((outcome) => fileOf(outcome, isTold)),
    leftOut: facts.leftOut,
    differences: isTold ? outcomes.map(differenceOf) : [],
    data: jsonOf(all, facts),
    text: [
      ...outcomes.map((one) => `${faultsText(one)}${toldText(one, isTold)}`),
      ...(facts.leftOut.length === 0 ? [] : [`${leftOutText(facts)}\n`]),
    ].join(''),
  };
}

// A difference from a revision is told in the place of the one from the snapshots: it does not change with an update.
function shown(outcome: Outcome): Outcome {
  return outcome.against === undefined ? outcome : { ...outcome, meaning: outcome.against.meaning };
}

// A terminal has these on standard error.
function faultsText({ input, cases }: Outcome): string {
  return cases
    .filter(({ status }) => status === 'fault')
    .map(({ name, valuesFiles, message }) => {
      const files = valuesFiles.length === 0 ? '' : ` (${valuesFiles.join(', ')})`;
      return `${input}, case ${name}${files} does not render:\n  ${message.trimEnd()}\n`;
    })
    .join('');
}

function toldText(outcome: Outcome, isTold: boolean): string {
  if (isAllFault(outcome)) return '';
  return isTold ? outcomeText(outcome, { style: plainStyle, lines: false }) : updateText(outcome);
}

function fileOf(outcome: Outcome, isTold: boolean): FileReport {
  const cases = outcome.cases.map((one): ReportedCase => {
    return { name: one.name, milliseconds: one.milliseconds, issues: issuesOf(one, outcome, isTold) };
  });
  // One change shows in many cases, and is one issue of the input.
  return { file: outcome.input, issues: distinct(cases.flatMap((one) => one.issues)), cases };
}

function issuesOf(one: CaseOutcome, outcome: Outcome, isTold: boolean): ReportedIssue[] {
  const { input, meaning, snapshot, folder } = outcome;
  if (one.status === 'fault') {
    const message = one.message.trimEnd();
    return [{ severity: 'error', rule: 'failure', path: '', message, file: one.valuesFiles[0] ?? input }];
  }
  const own = outcome.findings.filter((finding) => finding.case === one.name);
  const found = findingIssues(own, { folder, file: one.valuesFiles[0] ?? input });
  if (!isTold) return found;
  const isOwn = (path: string): boolean => one.name === 'order' || path.startsWith(`${one.name}.`);
  const changes = meaning.objects.map((change) => ({ change, files: change.files.filter(isOwn) }));
  const differences = inCells(
    changes.flatMap(({ change, files }) => {
      const issues = files.length === 0 ? [] : changeIssues(change, { folder, file: `${snapshot}/${change.files[0]}` });
      return issues.map((issue) => ({ issue, cells: files.map(cellOf) }));
    }),
  );
  const restarts = one.status === 'different' ? restartIssues(meaning, input) : [];
  const files = meaning.files.filter(({ path, hasObjects }) => !hasObjects && isOwn(path));
  const others = files.map(({ path, status }): ReportedIssue => {
    const file = `${snapshot}/${path}`;
    return { severity: 'error', rule: 'difference', path: '', message: `${path} ${textWords[status]}`, file };
  });
  return [...differences, ...restarts, ...others, ...found];
}

interface CellIssue {
  readonly issue: ReportedIssue;
  readonly cells: readonly string[];
}

// One issue for all cells that show it; where the first cell does not, it says which do.
function inCells(found: readonly CellIssue[]): ReportedIssue[] {
  const issues = new Map<string, CellIssue>();
  for (const { issue, cells } of found) {
    const key = JSON.stringify(issue);
    issues.set(key, { issue, cells: [...(issues.get(key)?.cells ?? []), ...cells] });
  }
  return [...issues.values()].map(({ issue, cells }) => {
    const names = distinct(cells);
    if (names.includes('')) return issue;
    return { ...issue, message: `${issue.message} (with ${listNames([...names].sort(), 3)})` };
  });
}

function differenceOf(outcome: Outcome): ReportedDifference {
  const { snapshot, meaning } = outcome;
  const isOne = new Set(meaning.objects.flatMap(({ files }) => files)).size < 2;
  const { summary, ignored, objects, files } = meaning;
  const texts = files
    .filter(({ hasObjects }) => !hasObjects)
    .map(({ path, status, diff }) => ({ title: `${path} ${textWords[status]}`, diff }));
  const changes = objects.map((object) => ({ ...object, files: isOne ? [] : casesShown(object.files, outcome) }));
  return { title: snapshot, summary, ignored, changes, texts };
}

function jsonOf(outcomes: readonly Outcome[], { version, isUpdate, shard, coverage, leftOut }: ReportFacts): unknown {
  return {
    drydock: version,
    command: 'snapshot',
    updated: isUpdate,
    ...(shard && { shard }),
    inputs: outcomes.map(inputOf),
    ...(leftOut.length > 0 && { leftOut }),
    ...(coverage && { coverage: coverage.map(plainCoverage) }),
  };
}

function plainCoverage({ coverage, folder }: PlacedCoverage): unknown {
  const cases = coverage.cases.map(({ name, failure }) => ({
    name,
    ...(failure && { failure: { message: failure.message } }),
  }));
  return { folder, coverage: { ...coverage, cases } };
}

function inputOf(outcome: Outcome): unknown {
  const { cases, meaning, isFault, ...rest } = outcome;
  const { files: changes, alike, ...difference } = meaning;
  const hasFault = isFault || cases.some(({ status }) => status === 'fault');
  const status = hasFault ? 'fault' : changes.length === 0 ? 'same' : 'different';
  const faults = cases
    .filter((one) => one.status === 'fault')
    .map(({ name, valuesFiles, message }) => ({ case: name, valuesFiles, message }));
  const told = faults.length === 0 ? {} : { faults };
  return { ...rest, status, isFault, cases, changes, alike, difference, ...told };
}

/** What the JSON of a report holds. */
export interface ReadReport {
  readonly outcomes: readonly Outcome[];
  readonly isUpdate: boolean;
  readonly shard: ShardMark | undefined;
  readonly coverage: readonly PlacedCoverage[] | undefined;
  /** The inputs that --bail left out. */
  readonly leftOut: readonly string[];
}

/** Reads the JSON of a report; undefined for another document. */
export function readReport(data: unknown): ReadReport | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { command, inputs, updated, shard, coverage, leftOut } = data as Readonly<Record<string, unknown>>;
  if (command !== 'snapshot' || !Array.isArray(inputs) || !inputs.every(isInput)) return undefined;
  return {
    outcomes: inputs.map(outcomeOf),
    isUpdate: updated === true,
    shard: isShard(shard) ? shard : undefined,
    coverage: Array.isArray(coverage) ? (coverage as PlacedCoverage[]) : undefined,
    leftOut: Array.isArray(leftOut) ? leftOut.map(String) : [],
  };
}

function isShard(value: unknown): value is ShardMark {
  if (typeof value !== 'object' || value === null) return false;
  const { index, total, plan } = value as Partial<ShardMark>;
  return Number.isInteger(index) && Number.isInteger(total) && typeof plan === 'string';
}

function isInput(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const { input, snapshot, cases, changes, alike, difference } = value as Readonly<Record<string, unknown>>;
  const { objects, ignored, summary } = (difference ?? {}) as Readonly<Record<string, unknown>>;
  const lists = [cases, changes, alike, objects, ignored].every(Array.isArray);
  const { restarts } = (summary ?? {}) as Readonly<Record<string, unknown>>;
  return typeof input === 'string' && typeof snapshot === 'string' && lists && Array.isArray(restarts);
}

function outcomeOf({
  changes,
  alike,
  difference,
  status: _,
  faults: __,
  ...rest
}: Readonly<Record<string, unknown>>): Outcome {
  const findings = rest.findings ?? [];
  return { ...rest, findings, meaning: { ...(difference as object), files: changes, alike } } as unknown as Outcome;
}
