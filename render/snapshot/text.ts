// Formats outcomes of `drydock snapshot` for a terminal.

import { counted, listNames } from '../core/counted.ts';
import { paintDiff, paintDifference, type Style } from '../core/style.ts';
import type { Review } from '../diff/review.ts';
import { formatGroups, formatReviewCounts, formatReviewRisks } from '../diff/review.ts';
import { formatSummary } from '../diff/text.ts';
import type { SnapshotStatus } from './compare.ts';
import { findingsText } from './findings.ts';
import type { MeantFile } from './meaning.ts';
import { isAllFault, isDifferent, newFindings, newWarnings, type Outcome, shownChange } from './outcome.ts';
import { reviewOutcomes } from './review.ts';

/** Options for printing outcomes. */
export interface OutcomeTextOptions {
  readonly isUpdate: boolean;
  /** Whether everything is listed. */
  readonly isFull: boolean;
  /** Whether the differing lines are included. */
  readonly hasLines: boolean;
  /** The revision of the comparison; empty for none. */
  readonly against: string;
}

/** Where outcomes are printed. */
export interface Printer {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** The style of standard output. */
  readonly out: Style;
  /** Whether only differences and errors are printed. */
  readonly quiet: boolean;
}

/** Prints outcomes: differences, then one line for inputs without any. */
export function printOutcomes(outcomes: readonly Outcome[], options: OutcomeTextOptions, io: Printer): void {
  const { isUpdate, isFull, against } = options;
  const rendered = outcomes.filter((outcome) => !isAllFault(outcome));
  const review = reviewOutcomes(outcomes);
  if (isFull && !io.quiet) for (const outcome of rendered) io.stdout(inputText(outcome, isUpdate));
  if (!isUpdate || against !== '') {
    const text = differencesText(review, outcomes, { isFull, against });
    if (text !== '') io.stdout(paintDifference(text, io.out));
    for (const outcome of outcomes) io.stdout(filesText(outcome, options, io));
  }
  printFindings(outcomes, { isFull }, io);
  if (io.quiet) return;
  if (isUpdate) io.stdout(updateText(rendered, isFull));
  else if (rendered.length > 0) io.stdout(sameText(rendered, against));
}

function differencesText(
  review: Review,
  outcomes: readonly Outcome[],
  { isFull, against }: { readonly isFull: boolean; readonly against: string },
): string {
  const { inputs } = review;
  const faults = outcomes.filter((outcome) => (outcome.against?.fault ?? '') !== '');
  const notes = faults.map(({ input, against: change }) => {
    return `${input} cannot be compared with ${against}, where it does not render: ${change?.fault.split('\n')[0]}\n`;
  });
  if (inputs.length === 0) return notes.join('');
  const of = outcomes.length === 1 ? inputs[0] : `${inputs.length} of ${counted(outcomes.length, 'input')}`;
  const verb = outcomes.length === 1 || inputs.length === 1 ? 'differs' : 'differ';
  const than = against === '' ? (outcomes.length === 1 ? 'its snapshot' : 'the snapshots') : against;
  const risks = formatReviewRisks(review);
  const head = `${of} ${verb} from ${than}: ${formatReviewCounts(review)}\n${risks === '' ? '' : `risks: ${risks}\n`}`;
  return `${[head, ...formatGroups(review, isFull), ...notes].join('\n')}\n`;
}

const mostFiles = 3;

// Texts that are not objects: the lines of a few, and the names of the rest.
function filesText(outcome: Outcome, options: OutcomeTextOptions, io: Printer): string {
  const { snapshot, input, against } = outcome;
  const { meaning } = shownChange(outcome);
  const isFull = options.hasLines || options.isFull;
  const texts = meaning.files.filter(({ hasObjects }) => options.hasLines || !hasObjects);
  const [first] = texts;
  if (first === undefined) return '';
  const place = against === undefined ? snapshot : input;
  const isNew = against === undefined && texts.length > mostFiles && texts.every(({ status }) => status === 'new');
  if (isNew && !isFull) return `${place}: ${counted(texts.length, 'file')} not recorded yet\n`;
  const isShown = isFull || meaning.objects.length === 0;
  const shown = isFull ? texts : texts.slice(0, mostFiles);
  const rest = texts.length - shown.length;
  const more = rest > 0 ? `${place}: ${counted(rest, 'more text')} (--verbose shows them)\n` : '';
  return shown.map((file) => fileText(file, place, { isShown, isFull, io })).join('') + more;
}

const words: Readonly<Record<SnapshotStatus, string>> = {
  different: 'is different',
  new: 'is not recorded',
  obsolete: 'is recorded, and nothing renders it any more',
};

const mostLines = 8;

function fileText(
  { path, status, diff }: MeantFile,
  place: string,
  { isShown, isFull, io }: { readonly isShown: boolean; readonly isFull: boolean; readonly io: Printer },
): string {
  const head = `${place}/${path} ${words[status]}`;
  if (diff === '') return `${head}\n`;
  const lines = diff.split('\n').slice(0, -1);
  const count = lines.filter((line) => /^[-+]/.test(line)).length;
  if (!isShown) return `${head}, too: ${counted(count, 'line')} (--lines shows them)\n`;
  const rest = lines.length - mostLines;
  const shown =
    isFull || rest < 2 ? lines : [...lines.slice(0, mostLines), `… and ${rest} more lines (--lines shows them)`];
  return paintDiff(`${head}\n--- recorded\n+++ rendered\n${shown.join('\n')}\n`, io.out);
}

// Errors always; warnings if they are new, or of a single input, or requested.
function printFindings(outcomes: readonly Outcome[], { isFull }: { readonly isFull: boolean }, io: Printer): void {
  const isFew = isFull || outcomes.length === 1;
  let left = 0;
  for (const outcome of outcomes) {
    const isListed = isFew || outcome.against !== undefined;
    const warnings = newWarnings(outcome);
    if (!io.quiet && isListed) for (const line of warnings) io.stderr(`${line}\n`);
    const all = isFew ? outcome.findings : newFindings(outcome);
    const findings = all.filter(({ severity }) => severity === 'error' || (isListed && !io.quiet));
    left += (isListed ? 0 : warnings.length) + all.length - findings.length;
    const text = findingsText(findings, outcome.cases.length);
    if (text !== '') io.stdout(`${outcomes.length > 1 ? `${outcome.input}:\n` : ''}${paintFindings(text, io)}`);
  }
  if (left > 0 && !io.quiet) io.stderr(`${counted(left, 'warning')} (--verbose lists them)\n`);
}

function paintFindings(text: string, { out }: Printer): string {
  return text.replace(/^ {2}(error|warning):/gm, (found, word) =>
    word === 'error' ? out.red(found) : out.yellow(found),
  );
}

function inputText(outcome: Outcome, isUpdate: boolean): string {
  const { snapshot, input, files, meaning, written, removed } = outcome;
  if (isUpdate) return `${snapshot}: ${counted(written, 'file')} written, ${removed} removed\n`;
  const alike = meaning.alike.length === 0 ? '' : `, ${meaning.alike.length} written otherwise`;
  const ignored = formatSummary(shownChange(outcome).meaning)
    .split('\n')
    .filter((line) => line.startsWith('left out: '));
  const more = ignored.map((line) => `  ${line}\n`).join('');
  if (outcome.against?.status === 'gone') return `${input}: removed\n${more}`;
  const different = meaning.files.length;
  const state =
    different === 0 ? `same (${counted(files, 'file')}${alike})` : `${counted(different, 'file')} not as recorded`;
  return `${snapshot}: ${state}\n${more}`;
}

// Inputs without differences, on one line.
function sameText(rendered: readonly Outcome[], against: string): string {
  const current = rendered.filter((outcome) => outcome.against?.status !== 'gone');
  const same = current.filter((outcome) => !isDifferent(outcome, false));
  const nothing =
    against !== '' && rendered.every((one) => isUnchanged(one)) ? `nothing differs from ${against}\n` : '';
  if (same.length === 0) return nothing;
  const files = same.reduce((sum, one) => sum + one.files, 0);
  const alike = same.reduce((sum, { meaning }) => sum + meaning.alike.length, 0);
  const name = current.length === 1 ? same[0]!.snapshot : counted(same.length, 'snapshot');
  return `${nothing}${name}: same (${counted(files, 'file')}${alike === 0 ? '' : `, ${alike} written otherwise`})\n`;
}

function isUnchanged(outcome: Outcome): boolean {
  const { meaning, status } = shownChange(outcome);
  return meaning.files.length === 0 && status === 'both';
}

function updateText(rendered: readonly Outcome[], isFull: boolean): string {
  const sum = (of: (outcome: Outcome) => number): number => rendered.reduce((all, one) => all + of(one), 0);
  const random = rendered.flatMap((outcome) => outcome.random);
  const current = rendered.filter((outcome) => outcome.against?.status !== 'gone');
  const name = current.length === 1 ? current[0]!.snapshot : counted(current.length, 'snapshot');
  const [written, removed] = [sum((one) => one.written), sum((one) => one.removed)];
  const state =
    written === 0 && removed === 0
      ? `same (${counted(
          sum((one) => one.files),
          'file',
        )})`
      : `${counted(written, 'file')} written, ${removed} removed`;
  const isListed = isFull || current.length === 1;
  const sites = random.map(({ object, path, file, line }) => {
    return `  <random> ${object} ${path}, written by ${file}${line === 0 ? '' : `:${line}`}\n`;
  });
  const lines =
    isListed || random.length === 0
      ? sites
      : [`  <random> replaces ${counted(random.length, 'value')} (--verbose lists them)\n`];
  return current.length === 0 ? '' : `${name}: ${state}\n${lines.join('')}`;
}

/** Returns the names of the snapshots that differ, in a sentence that says what to do. */
export function staleText(outcomes: readonly Outcome[], isUpdate: boolean): string {
  const stale = outcomes.filter((outcome) => isDifferent(outcome, isUpdate));
  if (stale.length === 0) return '';
  const names = listNames(
    stale.map(({ snapshot }) => snapshot),
    5,
  );
  return `Not as recorded: ${names}. If the changes are meant, record them with --update.`;
}
