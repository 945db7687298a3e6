// Formats outcomes of `drydock snapshot` for a terminal, and as a review with the names of the cases that show a change.

import {
  anything,
  callback,
  checkArguments,
  flag,
  having,
  listOf,
  optional,
  optionsOf,
  text,
} from '../core/arguments.ts';
import { counted, listNames } from '../core/counted.ts';
import { groupBy } from '../core/group-by.ts';
import { paintDiff, paintDifference, plainStyle, type Style } from '../core/style.ts';
import { formatGroups, formatReviewCounts, type Review, reviewOf } from '../diff/review.ts';
import { formatSummary, risksText } from '../diff/text.ts';
import { statusWords } from './compare.ts';
import { findingsText } from './findings.ts';
import { isAllFault, isDifferent, isOfOrder, newFindings, newWarnings, type Outcome, shownChange } from './outcome.ts';

/** Options of `printOutcomes`. */
export interface OutcomeTextOptions {
  /** Whether snapshots were recorded. Default false. */
  readonly update?: boolean | undefined;
  /** Whether everything is printed: each input, all objects of a cause, warnings. Default false. */
  readonly verbose?: boolean | undefined;
  /** The revision of the comparison. Default: none. */
  readonly against?: string | undefined;
}

/** Where outcomes are printed. */
export interface Printer {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** The markup of standard output. Default: none. */
  readonly out?: Style | undefined;
  /** Whether only differences and errors are printed. Default false. */
  readonly quiet?: boolean | undefined;
}

interface FilledPrinter extends Printer {
  readonly out: Style;
  readonly quiet: boolean;
}

const textOptions = optionsOf<OutcomeTextOptions>({ update: flag, verbose: flag, against: text });
const outcomeArgument = having<Outcome>('an outcome of compareSnapshots', {
  input: text,
  snapshot: text,
  cases: listOf(anything),
  findings: listOf(anything),
  warnings: listOf(text),
  meaning: having<Outcome['meaning']>('the meaning of differences', {
    objects: listOf(anything),
    files: listOf(anything),
    alike: listOf(text),
  }),
});
const printerArgument = having<Printer>('a printer', {
  stdout: callback,
  stderr: callback,
  out: optional(having<Style>('a style', { bold: callback, dim: callback, red: callback, green: callback })),
  quiet: optional(flag),
});

/**
 * Prints outcomes as `drydock snapshot` does: differences by their causes, then one line for inputs without any. Throws ARGUMENT_INVALID.
 * @example
 * const { outcomes } = await compareSnapshots(['charts/*']);
 * printOutcomes(outcomes, { verbose: true }, { stdout: (text) => process.stdout.write(text), stderr: console.error });
 */
export function printOutcomes(outcomes: readonly Outcome[], options: OutcomeTextOptions, printer: Printer): void {
  checkArguments(
    'printOutcomes',
    ['outcomes', outcomes, listOf(outcomeArgument)],
    ['options', options, textOptions],
    ['printer', printer, printerArgument],
  );
  const { update: isUpdate = false, verbose: isFull = false, against = '' } = options;
  const { stdout, stderr, out = plainStyle, quiet = false } = printer;
  const io = { stdout, stderr, out, quiet };
  const rendered = outcomes.filter((outcome) => !isAllFault(outcome));
  const review = reviewOutcomes(outcomes);
  if (isFull && !quiet) for (const outcome of rendered) stdout(inputText(outcome, isUpdate));
  if (!isUpdate || against !== '') {
    const differences = differencesText(review, outcomes, { isFull, against });
    if (differences !== '') stdout(paintDifference(differences, out));
    for (const outcome of outcomes) stdout(filesText(outcome, isFull, out));
  }
  printFindings(outcomes, { isFull }, io);
  if (quiet) return;
  if (isUpdate) stdout(updateText(rendered, isFull));
  else if (rendered.length > 0) stdout(sameText(rendered, against));
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
  const risks = risksText(review.summary);
  const head = `${of} ${verb} from ${than}: ${formatReviewCounts(review)}\n${risks === '' ? '' : `risks: ${risks}\n`}`;
  return `${[head, ...formatGroups(review, isFull), ...notes].join('\n')}\n`;
}

const mostFiles = 3;
const mostLines = 8;

// Texts that are not objects: the lines of a few, and the number of the rest.
function filesText(outcome: Outcome, isFull: boolean, out: Style): string {
  const { snapshot, input, against } = outcome;
  const { meaning } = shownChange(outcome);
  const texts = meaning.files.filter(({ hasObjects }) => !hasObjects);
  const place = against === undefined ? snapshot : input;
  const isNew = against === undefined && texts.length > mostFiles && texts.every(({ status }) => status === 'new');
  if (isNew && !isFull) return `${place}: ${counted(texts.length, 'file')} not recorded yet\n`;
  const shown = isFull ? texts : texts.slice(0, mostFiles);
  const rest = texts.length - shown.length;
  const parts = shown.map(({ path, status, diff }) => {
    const lines = diff.split('\n').slice(0, -1);
    const isCut = !isFull && lines.length > mostLines + 1;
    const listed = isCut
      ? [...lines.slice(0, mostLines), `… and ${lines.length - mostLines} more lines (--verbose shows them)`]
      : lines;
    const body = diff === '' ? '' : `--- recorded\n+++ rendered\n${listed.join('\n')}\n`;
    return paintDiff(`${place}/${path} ${statusWords[status]}\n${body}`, out);
  });
  const more = rest > 0 ? `${place}: ${counted(rest, 'more text')} (--verbose shows them)\n` : '';
  return parts.join('') + more;
}

// Errors always; warnings if they are new, or of a single input, or requested.
function printFindings(
  outcomes: readonly Outcome[],
  { isFull }: { readonly isFull: boolean },
  io: FilledPrinter,
): void {
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
    if (text !== '') io.stdout(`${outcomes.length > 1 ? `${outcome.input}:\n` : ''}${paintFindings(text, io.out)}`);
  }
  if (left > 0 && !io.quiet) io.stderr(`${counted(left, 'warning')} (--verbose lists them)\n`);
}

function paintFindings(text: string, out: Style): string {
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

export function reviewOutcomes(outcomes: readonly Outcome[]): Review {
  return reviewOf(
    outcomes.map((outcome) => {
      const { input, folder, sources } = outcome;
      const { status, meaning } = shownChange(outcome);
      const casesOf = (files: readonly string[]): readonly string[] =>
        status === 'both' ? casesShown(files, outcome) : [];
      const { objects: changes, summary } = meaning;
      return { title: input, folder, status, changes, casesOf, summary, sources };
    }),
  );
}

interface EntryName {
  /** The Kubernetes version; undefined for the first one. */
  readonly version: string | undefined;
  /** The other settings of the matrix entry, such as `values production`; empty for none. */
  readonly more: string;
}

// A recorded file is named after its case, then `.kube-`, `.apis-` and `.values-` of its matrix entry, as far as the matrix has them.
function nameOf(file: string): EntryName & { readonly own: string } {
  const name = file.replace(/\.yaml$/, '').replace(/\.crds(?=\.|$)/, '');
  const base = name.lastIndexOf('/') + 1;
  const at = name.slice(base).search(/\.(?:kube|apis|values)-/);
  if (at < 0) return { own: name, version: undefined, more: '' };
  const start = base + at;
  const parts = name.slice(start + 1).split(/\.(?=(?:apis|values)-)/);
  const [first = ''] = parts;
  const version = first.startsWith('kube-') ? first.slice('kube-'.length) : undefined;
  const more = version === undefined ? parts : parts.slice(1);
  return { own: name.slice(0, start), version, more: more.map(settingText).join(' and ') };
}

function settingText(part: string): string {
  if (part.startsWith('values-')) return `values ${part.slice('values-'.length).replaceAll('+', ', ')}`;
  return `API versions ${part.slice('apis-'.length).replaceAll('_', '/').replaceAll('+', ', ')}`;
}

function isFirst({ version, more }: EntryName): boolean {
  return version === undefined && more === '';
}

/**
 * Returns the cases with a change, each once with its matrix entries, such as `default with Kubernetes 1.31, 1.33; values big`; for an Order
 * only the entries. Empty if all have it.
 */
function casesShown(
  files: readonly string[],
  { cases, manifests: all }: Pick<Outcome, 'cases' | 'manifests'>,
): string[] {
  const names = files.map(nameOf);
  if (cases.some(isOfOrder)) {
    // A change in the first entry needs no further ones named.
    return names.length === 0 || names.some(isFirst) ? [] : [`order with ${entriesText(names)}`];
  }
  if (files.length >= all) return [];
  const rendered = cases.filter(({ status }) => status !== 'fault').length;
  const entriesOfCase = rendered === 0 ? 1 : all / rendered;
  return [...groupBy(names, ({ own }) => own)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([own, found]) => {
      const others = found.filter((entry) => !isFirst(entry));
      if (others.length === 0 || found.length >= entriesOfCase) return own;
      return `${own}${others.length < found.length ? ', also' : ''} with ${entriesText(others)}`;
    });
}

// Without repetition: `Kubernetes 1.31, 1.33 and values big`, or `values big, also with Kubernetes 1.31, 1.33` with the first version.
function entriesText(entries: readonly EntryName[]): string {
  return [...groupBy(entries, ({ more }) => more)]
    .map(([more, group]) => {
      const versions = [...new Set(group.flatMap(({ version }) => version ?? []))].sort();
      const kubernetes = versions.length === 0 ? '' : `Kubernetes ${versions.join(', ')}`;
      if (kubernetes === '' || more === '') return `${kubernetes}${more}`;
      const hasFirst = group.some(({ version }) => version === undefined);
      return hasFirst ? `${more}, also with ${kubernetes}` : `${kubernetes} and ${more}`;
    })
    .join('; ');
}
