// Outcomes of `drydock snapshot` as a person reads them.

import { isDifference } from '../../../render/diff/difference.ts';
import { formatBlocks, formatSummary, type ToldChange } from '../../../render/diff/text.ts';
import type { SnapshotStatus } from '../../../render/snapshot/compare.ts';
import type { MeantFile } from '../../../render/snapshot/meaning.ts';
import { counted } from '../counted.ts';
import type { ParsedFlags } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { paintDiff, paintDifference, type Style } from '../style.ts';
import { findingsText } from './findings.ts';
import { hasErrors, isAllFault, isDifferent, type Outcome, type OutcomeChange } from './outcome.ts';

/** Says what is told of an outcome. */
export interface OutcomeTextOptions {
  readonly style: Style;
  /** Whether the lines that differ are told, too. */
  readonly lines: boolean;
}

/** Gives what an outcome says, in one line where nothing differs. */
export function outcomeText(outcome: Outcome, { style, lines }: OutcomeTextOptions): string {
  const { snapshot, files, meaning, findings, cases } = outcome;
  const found = paintFindings(findingsText(findings, cases.length), style);
  if (meaning.files.length === 0) {
    const alike = meaning.alike.length;
    const other = alike === 0 ? '' : `, ${alike} written otherwise`;
    return `${snapshot}: same (${counted(files, 'file')}${other})\n${found}`;
  }
  const last = `${snapshot}: ${counted(meaning.files.length, 'file')} not as recorded\n`;
  return `${meaningText(outcome, { style, lines })}${last}${found}`;
}

function paintFindings(text: string, style: Style): string {
  return text.replace(/^ {2}(error|warning):/gm, (words, word) =>
    word === 'error' ? style.red(words) : style.yellow(words),
  );
}

function meaningText(outcome: Outcome, { style, lines }: OutcomeTextOptions): string {
  const { snapshot, meaning } = outcome;
  const blocks: string[] = [];
  if (isDifference(meaning)) {
    const names = new Set(meaning.objects.flatMap(({ files }) => files));
    const noteOf = (object: ToldChange): string => {
      const shown = casesShown((object as OutcomeChange).files, outcome);
      return names.size < 2 || shown.length === 0 ? '' : `  in ${shown.join(', ')}`;
    };
    const { objects } = meaning;
    const summary = formatSummary(meaning);
    const text = [`${snapshot} is different: ${summary}`, ...formatBlocks(objects, { noteOf })].join('\n');
    blocks.push(`${paintDifference(text, style)}\n`);
  }
  for (const file of meaning.files) {
    const isTold = file.hasObjects && !lines;
    if (!isTold) blocks.push(fileText(file, snapshot, { style, lines: lines || !isDifference(meaning) }));
  }
  return blocks.join('');
}

// What a recorded file is of: a case, and its cell of the matrix.
const cellName =
  /^(.*?)(?:\.kube-((?:(?!\.apis-|\.values-)[^/])+))?(?:\.apis-((?:(?!\.values-)[^/])+))?(?:\.values-([^/]+))?$/;

interface CellName {
  readonly own: string;
  /** Such as `Kubernetes 1.31 and values production`; empty for the first cell. */
  readonly cell: string;
}

function namesOf(file: string): CellName {
  const name = file.replace(/\.yaml$/, '').replace(/\.crds(?=\.|$)/, '');
  const [, own = name, version, apis, values] = cellName.exec(name) ?? [];
  const parts = [
    ...(version === undefined ? [] : [`Kubernetes ${version}`]),
    ...(apis === undefined ? [] : [`API versions ${apis.replaceAll('_', '/').replaceAll('+', ', ')}`]),
    ...(values === undefined ? [] : [`values ${values.replaceAll('+', ', ')}`]),
  ];
  return parts.length === 0 ? { own: name, cell: '' } : { own, cell: parts.join(' and ') };
}

/** Gives the cell of a recorded file, such as `Kubernetes 1.31 and values production`; empty for the first one. */
export function cellOf(file: string): string {
  return namesOf(file).cell;
}

const fewCases = 4;

/**
 * Gives the cases in which an object is another, such as `default with Kubernetes 1.31`; of an Order the cells alone. Where they
 * are many, and all there are, it says so.
 */
export function casesShown(
  files: readonly string[],
  { cases, files: all }: Pick<Outcome, 'cases' | 'files'>,
): string[] {
  const isOrder = cases.some(({ name }) => name === 'order');
  const names = files.map(namesOf);
  if (!isOrder && files.length > fewCases && files.length === all)
    return [`all ${all} cases${names.some(({ cell }) => cell !== '') ? ' and cells' : ''}`];
  return names
    .filter(({ cell }) => !isOrder || cell !== '')
    .map(({ own, cell }) => (cell === '' ? own : `${own} with ${cell}`))
    .sort();
}

const words: Readonly<Record<SnapshotStatus, string>> = {
  different: 'is different',
  new: 'is not recorded',
  obsolete: 'is recorded, and nothing renders it any more',
};

function fileText({ path, status, diff }: MeantFile, snapshot: string, { style, lines }: OutcomeTextOptions): string {
  const head = `${snapshot}/${path} ${words[status]}`;
  if (diff === '') return `${head}\n`;
  if (lines) return paintDiff(`${head}\n--- recorded\n+++ rendered\n${diff}`, style);
  const count = diff.split('\n').filter((line) => /^[-+]/.test(line)).length;
  return `${head}, too: ${count} lines (--lines shows them)\n`;
}

/** Gives what an update did. */
export function updateText({ snapshot, written, removed, files, findings, cases }: Outcome): string {
  const found = findingsText(findings, cases.length);
  if (written === 0 && removed === 0) return `${snapshot}: same (${counted(files, 'file')})\n${found}`;
  return `${snapshot}: ${counted(written, 'file')} written, ${removed} removed\n${found}`;
}

/** Tells an outcome. */
export function tell(outcome: Outcome, flags: ParsedFlags, io: CommandContext): void {
  const isUpdate = flags.on('update');
  if (isAllFault(outcome) || (io.quiet && !hasErrors(outcome) && !isDifferent(outcome, isUpdate))) return;
  io.stdout(isUpdate ? updateText(outcome) : outcomeText(outcome, { style: io.out, lines: flags.on('lines') }));
  if (!isUpdate || io.quiet) return;
  for (const { object, path, file, line } of outcome.random) {
    io.stdout(`  <random> ${object} ${path}, written by ${file}${line === 0 ? '' : `:${line}`}\n`);
  }
}
