// Formats outcomes of `drydock snapshot` as a report, and as JSON for `drydock merge-reports`.

import { uniqueBy } from '../core/unique-by.ts';
import type { PlacedCoverage } from '../coverage/formats.ts';
import { groupsOfCase, inputFile, leftOutText, reviewIssues } from '../report/issues.ts';
import type { FileReport, Report, ReportedCase, ReportedDifference, ReportedIssue } from '../report/model.ts';
import { findingIssues } from './findings.ts';
import { type CaseOutcome, isOfOrder, newFindings, type Outcome, shownChange } from './outcome.ts';
import { type OutcomeTextOptions, printOutcomes, reviewOutcomes, staleText } from './text.ts';

/** A shard of a run, from 1. */
export interface Shard {
  readonly index: number;
  readonly total: number;
}

/** The shard in a report. */
export interface ShardMark extends Shard {
  /** The same for all shards of a run: a digest of all cases. */
  readonly plan: string;
  /** The snapshots and cases of all shards, in the order of an unsharded run. */
  readonly order: readonly (readonly [snapshot: string, name: string])[];
}

// For texts that are not objects.
const textWords = {
  different: 'is different',
  new: 'is new',
  obsolete: 'is no longer rendered',
};

/** What is known of a run apart from its outcomes. */
export interface RunFacts {
  readonly isUpdate: boolean;
  readonly shard: ShardMark | undefined;
  readonly coverage: readonly PlacedCoverage[] | undefined;
  /** Inputs skipped by --bail. */
  readonly leftOut: readonly string[];
  /** The revision of the comparison; empty for none. */
  readonly against: string;
}

interface ReportFacts extends RunFacts, Pick<Report, 'version' | 'time'> {}

export function snapshotReport(outcomes: readonly Outcome[], facts: ReportFacts): Report {
  const { isUpdate, against, version, time, leftOut } = facts;
  const isTold = !isUpdate || against !== '';
  const review = reviewOutcomes(outcomes);
  const severity = against === '' ? 'error' : 'note';
  const stale = staleText(outcomes, isUpdate);
  const bare = outcomes.filter(({ against: change }) => (change?.fault ?? '') !== '');
  const notes = [
    ...bare.map(({ input, against: change }) => `${input} does not render at ${against}: ${change?.fault}`),
    ...(against === '' || stale === '' ? [] : [stale]),
  ];
  const difference = isTold
    ? ({ review, against, severity, texts: outcomes.flatMap(textsOf), notes } as const)
    : undefined;
  return {
    command: 'snapshot',
    version,
    time,
    files: outcomes.map((outcome) => fileOf(outcome, difference)),
    leftOut,
    difference,
    data: jsonOf(outcomes, facts),
    text: [
      ...outcomes.map(faultsText),
      printed(outcomes, { update: isUpdate, verbose: true, against }),
      ...(stale === '' ? [] : [`${stale}\n`]),
      ...(leftOut.length === 0 ? [] : [`${leftOutText(facts)}\n`]),
    ].join(''),
  };
}

function printed(outcomes: readonly Outcome[], options: OutcomeTextOptions): string {
  const parts: string[] = [];
  const print = (part: string): void => void parts.push(part);
  printOutcomes(outcomes, options, { stdout: print, stderr: print });
  return parts.join('');
}

// On a terminal these are on standard error.
function faultsText({ input, cases }: Outcome): string {
  return cases
    .filter(({ status }) => status === 'fault')
    .map(({ name, valuesFiles, message }) => {
      const files = valuesFiles.length === 0 ? '' : ` (${valuesFiles.join(', ')})`;
      return `${input}, case ${name}${files} does not render:\n  ${message.trimEnd()}\n`;
    })
    .join('');
}

function textsOf(outcome: Outcome): ReportedDifference['texts'] {
  const { snapshot, input, against } = outcome;
  const place = against === undefined ? snapshot : input;
  const texts = shownChange(outcome).meaning.files.filter(({ hasObjects }) => !hasObjects);
  return texts.map(({ path, status, diff }) => ({ title: `${place}/${path} ${textWords[status]}`, diff }));
}

function fileOf(outcome: Outcome, difference: ReportedDifference | undefined): FileReport {
  const cases = outcome.cases.map((one): ReportedCase => {
    const own = issuesOf(one, outcome);
    const differences = difference === undefined ? [] : differencesOf(one, outcome, difference);
    return { name: one.name, milliseconds: one.milliseconds, issues: [...own, ...differences] };
  });
  // A message of many cases is one issue of the input.
  const issues = uniqueBy([
    ...outcome.cases.flatMap((one) => issuesOf(one, outcome)),
    ...staleIssues(outcome, difference),
  ]);
  return { file: outcome.input, issues, cases };
}

function issuesOf(one: CaseOutcome, outcome: Outcome): ReportedIssue[] {
  const { input, folder } = outcome;
  if (one.status === 'fault') {
    const message = one.message.trimEnd();
    const file = one.valuesFiles[0] ?? inputFile(input);
    const isStanding = outcome.against?.faults.includes(one.message) === true;
    return [{ severity: 'error', rule: 'failure', path: '', message, file, ...(isStanding && { isStanding }) }];
  }
  const own = newFindings(outcome).filter((finding) => finding.case === one.name);
  return findingIssues(own, { folder, file: one.valuesFiles[0] ?? inputFile(input) });
}

// Why the test of a case fails: the causes that change it.
function differencesOf(one: CaseOutcome, outcome: Outcome, { review, severity }: ReportedDifference): ReportedIssue[] {
  if (severity !== 'error' || one.status === 'same' || one.status === 'alike' || one.status === 'fault') {
    return one.status === 'different' || one.status === 'new' ? [staleIssue(outcome, 'error')] : [];
  }
  const isOwn = (cases: readonly string[]): boolean =>
    cases.length === 0 ||
    isOfOrder(one) ||
    cases.some(
      (name) => name === one.name || name.startsWith(`${one.name} with `) || name.startsWith(`${one.name}, also `),
    );
  const groups = groupsOfCase(review, outcome.input, isOwn);
  const issues = reviewIssues({ review: { ...review, groups }, severity });
  return issues.length > 0 ? issues : [staleIssue(outcome, severity)];
}

function staleIssue({ input, meaning }: Outcome, severity: 'error' | 'note'): ReportedIssue {
  const isNew = meaning.files.every(({ status }) => status === 'new');
  // The same text for every input, so that annotations can be merged.
  const message = `the snapshot is ${isNew ? 'not recorded' : 'not as recorded'}`;
  const hint = 'If the change is meant, record it with --update.';
  return { severity, rule: 'difference', path: '', message, hint, file: inputFile(input) };
}

// Notes that the causes of the review do not contain: that a snapshot must be recorded, or that texts differ.
function staleIssues(outcome: Outcome, difference: ReportedDifference | undefined): ReportedIssue[] {
  const { meaning, against } = outcome;
  if (difference === undefined || meaning.files.length === 0) return [];
  return against !== undefined || meaning.objects.length === 0 ? [staleIssue(outcome, 'error')] : [];
}

function jsonOf(
  outcomes: readonly Outcome[],
  { version, isUpdate, shard, coverage, leftOut, against }: ReportFacts,
): unknown {
  return {
    drydock: version,
    command: 'snapshot',
    updated: isUpdate,
    ...(against !== '' && { against }),
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
  const faultFields = faults.length === 0 ? {} : { faults };
  return { ...rest, status, isFault, cases, changes, alike, difference, ...faultFields };
}

export interface ReadReport extends RunFacts {
  readonly outcomes: readonly Outcome[];
}

/** Parses a JSON report; undefined for another document. */
export function readReport(data: unknown): ReadReport | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { command, inputs, updated, shard, coverage, leftOut, against } = data as Readonly<Record<string, unknown>>;
  if (command !== 'snapshot' || !Array.isArray(inputs) || !inputs.every(isInput)) return undefined;
  return {
    outcomes: inputs.map(outcomeOf),
    isUpdate: updated === true,
    shard: isShard(shard) ? shard : undefined,
    coverage: Array.isArray(coverage) ? (coverage as PlacedCoverage[]) : undefined,
    leftOut: Array.isArray(leftOut) ? leftOut.map(String) : [],
    against: typeof against === 'string' ? against : '',
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
  const { findings = [], warnings = [], sources = [] } = rest;
  return {
    ...rest,
    findings,
    warnings,
    sources,
    meaning: { ...(difference as object), files: changes, alike },
  } as unknown as Outcome;
}
