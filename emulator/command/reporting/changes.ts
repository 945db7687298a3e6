// Differences of objects as issues: one for each entry, at the line that can be mended.

import type { Difference } from '../../../render/diff/difference.ts';
import { objectTitle, restartsText, shortText, type ToldChange } from '../../../render/diff/text.ts';
import { cutText } from '../counted.ts';
import type { ReportedIssue } from './model.ts';

/** Where the files of a side lie. */
export interface ChangePlaces {
  /** The folder of the chart, such as `charts/web`; empty where that is not on the disk. */
  readonly folder: string;
  /** What is told where no better place is known. */
  readonly file: string;
}

/** Returns an issue for workloads that restart although no object changes in meaning: nothing else explains the verdict. */
export function restartIssues(
  { objects, summary }: Pick<Difference, 'summary'> & { readonly objects: readonly unknown[] },
  file: string,
): ReportedIssue[] {
  if (objects.length > 0 || summary.restarts.length === 0) return [];
  return [{ severity: 'error', rule: 'difference', path: '', message: restartsText(summary.restarts), file }];
}

type Entry = ToldChange['entries'][number];

/** Gives an issue for each entry of a change, or one for an object that comes, goes or is renamed. */
export function changeIssues(change: ToldChange, places: ChangePlaces): ReportedIssue[] {
  const title = objectTitle(change);
  const base = { severity: 'error', rule: 'difference' } as const;
  const causes = (change.causes ?? []).map(({ text }) => `, because of ${text}`).join('');
  const own = change.from === undefined ? change.status : `was ${change.from.name}`;
  const whole = {
    ...base,
    path: '',
    message: `${title} ${own}${marks(change.risks)}${causes}`,
    ...placeOf(change, change.source, places),
  };
  if (change.entries.length === 0) return [whole];
  const entries = change.entries.map((entry) => ({
    ...base,
    path: '',
    message: `${title}: ${entryText(entry)}`,
    ...placeOf(entry, change.source, places),
  }));
  return change.status === 'renamed' ? [whole, ...entries] : entries;
}

function entryText({ op, path, inside, before, after, risks, isImmutable, causes = [] }: Entry): string {
  const where = inside === undefined ? path : `${path} > ${inside.path}`;
  const what =
    op === 'move'
      ? 'another order'
      : [before, after]
          .map((value, at) => (op === (at === 0 ? 'add' : 'remove') ? '(nothing)' : cut(value)))
          .join(' -> ');
  const because = causes.map(({ text }) => `, because of ${text}`).join('');
  return `${where}: ${what}${marks([...(isImmutable ? ['immutable'] : []), ...risks])}${because}`;
}

function cut(value: unknown): string {
  return cutText(shortText(value), 200);
}

function marks(risks: readonly string[]): string {
  return risks.length === 0 ? '' : ` [${risks.join(', ')}]`;
}

// Where a value is set, or else the line of the template, or else the template.
function placeOf(
  { causes = [], place }: Pick<Entry, 'causes' | 'place'>,
  source: string,
  { folder, file }: ChangePlaces,
): { readonly file: string; readonly line?: number } {
  const cause = causes.find(
    ({ kind, file: where, line }) => kind !== 'template' && where !== undefined && line !== undefined,
  );
  if (cause?.file !== undefined) return { file: cause.file, ...(cause.line === undefined ? {} : { line: cause.line }) };
  const inChart = (path: string): string => `${folder}${path.slice(path.indexOf('/'))}`;
  if (folder === '') return { file };
  if (place !== undefined) return { file: inChart(place.file), line: place.line };
  return source.includes('/templates/') ? { file: inChart(source) } : { file };
}
