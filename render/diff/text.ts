// Formats a difference for people: the summary first, then each object with its entries.

import { emitYaml } from '../codec/yaml/emit.ts';
import { catchGoError } from '../core/catch.ts';
import { counted } from '../core/counted.ts';
import { groupBy } from '../core/group-by.ts';
import type { JsonValue } from '../order/order.ts';
import { valueOfJson } from '../values/patch.ts';
import {
  type DiffCause,
  type DiffEntry,
  type Difference,
  type DiffPlace,
  type DiffSummary,
  type ObjectChange,
  type ObjectName,
  type ObjectStatus,
  objectStatuses,
} from './difference.ts';

export type ToldChange = Omit<ObjectChange, 'documents'>;

export interface DifferenceTextOptions {
  /** Whether the cause of each entry is included. Default true. */
  readonly hasCauses?: boolean | undefined;
  /** Whether long values are truncated. Default false. */
  readonly isCut?: boolean | undefined;
}

const signs: Readonly<Record<ObjectStatus, string>> = {
  added: '+',
  removed: '-',
  changed: '~',
  replaced: '!',
  renamed: '>',
};
/**
 * Formats a difference. Lines of objects begin with `+`, `-`, `~`, `!` (recreated) or `>` (renamed), those of entries are indented. Objects
 * with the same entries are grouped.
 */
export function differenceText(difference: Difference, options: DifferenceTextOptions = {}): string {
  return [formatSummary(difference), ...formatBlocks(difference.objects, options)].join('\n');
}

/** Formats each group of objects with the same entries, in order. */
export function formatBlocks(objects: readonly ToldChange[], options: DifferenceTextOptions = {}): string[] {
  return groupsOf(objects).map((group) => formatObjects(group, options));
}

/** Formats the first lines of a difference: the number of objects by change, the risks, what was ignored. */
export function formatSummary({ summary, ignored }: Pick<Difference, 'summary' | 'ignored'>): string {
  const counts = objectStatuses.filter((word) => summary[word] > 0).map((word) => `${summary[word]} ${word}`);
  const same = summary.same === 0 ? [] : [`${summary.same} the same`];
  const lines = [[...counts, ...same].join(', ') || 'nothing to compare'];
  const risks = risksText(summary);
  if (risks !== '') lines.push(`risks: ${risks}`);
  if (summary.restarts.length > 0) lines.push(restartsText(summary.restarts));
  for (const { reason, count } of ignored)
    lines.push(`left out: ${count} ${count === 1 ? 'entry' : 'entries'}: ${reason}`);
  return lines.map((line) => `${line}\n`).join('');
}

/** Formats risks with the number of objects, such as `pvc-removed, image-changed (3)`; empty for none. */
export function risksText({ risks }: Pick<DiffSummary, 'risks'>): string {
  return Object.entries(risks)
    .map(([risk, count]) => (count === 1 ? risk : `${risk} (${count})`))
    .join(', ');
}

/** Formats a number of workloads, such as `2 workloads restart`. */
export function restartCount(count: number): string {
  return `${counted(count, 'workload')} ${count === 1 ? 'restarts' : 'restart'}`;
}

const namedRestarts = 5;

/** Formats a line such as `2 workloads restart: Deployment shop/web, StatefulSet shop/db`. */
export function restartsText(restarts: DiffSummary['restarts']): string {
  const names = restarts.slice(0, namedRestarts).map((object) => objectTitle({ ...object, source: '' }));
  const rest = restarts.length - names.length;
  return `${restartCount(restarts.length)}: ${[...names, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ')}`;
}

/** Formats the name of an object: `Deployment shop/web`. */
export function objectTitle({ kind, namespace, name, source }: ObjectName & Pick<ToldChange, 'source'>): string {
  const title = namespace === '' ? name : `${namespace}/${name}`;
  return kind === '' ? `a document of ${source}` : `${kind} ${title}`;
}

function groupsOf(objects: readonly ToldChange[]): ToldChange[][] {
  const groups = groupBy(objects, ({ status, entries, risks, from, causes }) => {
    const content = entries.map(({ steps: _, place: __, ...entry }) => entry);
    return JSON.stringify([status, content, risks, from, causes]);
  });
  return [...groups.values()];
}

function formatObjects(objects: readonly ToldChange[], options: DifferenceTextOptions): string {
  const { hasCauses = true } = options;
  const heads = objects.map((object) => `${formatHead(object)}\n`);
  const causes = hasCauses ? (objects[0]!.causes ?? []).map((cause) => causeText(cause, '    ')) : [];
  return [...heads, ...causes, formatEntries(objects, options)].join('');
}

/** Formats the lines of entries that objects share. */
export function formatEntries(
  objects: readonly ToldChange[],
  { hasCauses = true, isCut = false }: DifferenceTextOptions = {},
): string {
  const first = objects[0]!;
  const entries = first.entries.flatMap((entry, at): string[] => {
    if (isCut && isDescription(first, entry)) return [];
    const isShared = hasCauses && objects.every((object) => isSamePlace(object.entries[at]?.place, entry.place));
    return [formatEntry(hasCauses ? entry : { ...entry, causes: [] }, isShared ? entry.place : undefined, isCut)];
  });
  const descriptions = isCut ? first.entries.filter((entry) => isDescription(first, entry)).length : 0;
  return entries.join('') + (descriptions === 0 ? '' : `  ~ ${counted(descriptions, 'description')}\n`);
}

// The effect on the schema of a definition, for people.
function isDescription({ kind }: ToldChange, { path, risks }: DiffEntry): boolean {
  return kind === 'CustomResourceDefinition' && path.endsWith('.description') && risks.length === 0;
}

function isSamePlace(a: DiffPlace | undefined, b: DiffPlace | undefined): boolean {
  return a?.file === b?.file && a?.line === b?.line;
}

/** Formats the line of an object: its change, its name, and the risks that none of its entries has. */
export function formatHead(object: ToldChange, hasSource = true): string {
  const { status, from, source, risks, entries } = object;
  const was = from === undefined ? '' : `, was ${objectTitle({ ...object, ...from })}`;
  const anew = status === 'replaced' ? ', must be recreated' : '';
  const listed = new Set(entries.flatMap((entry) => entry.risks));
  const own = risks.filter((risk) => !listed.has(risk));
  const place = source === '' || object.kind === '' || !hasSource ? '' : `  (${source})`;
  return `${signs[status]} ${objectTitle(object)}${was}${anew}${place}${marksText(own)}`;
}

/** Formats risks to follow a line. */
function marksText(marks: readonly string[]): string {
  return marks.map((mark) => `  [${mark}]`).join('');
}

const lineSigns = { add: '+', remove: '-', change: '~', move: '~' } as const;
const longest = 72;

function formatEntry(entry: DiffEntry, place: DiffPlace | undefined, isCut: boolean): string {
  const { op, path, inside, isImmutable, risks, lines } = entry;
  const where = inside === undefined ? path : `${path} > ${inside.path || 'the whole'} (${inside.format})`;
  const marks = marksText([...(isImmutable ? ['immutable'] : []), ...risks]);
  const head = `  ${lineSigns[op]} ${where}`;
  const written = place === undefined ? '' : `      written by ${place.file}:${place.line}\n`;
  const causes = written + (entry.causes ?? []).map((cause) => causeText(cause, '      ')).join('');
  if (op === 'move') return `${head}: reordered${marks}\n${causes}`;
  const long = isCut ? cutLines : (text: string): string => text;
  const short = isCut ? cutValue : shortText;
  if (lines !== undefined) return `${head}:${marks}\n${long(indented(lines))}${causes}`;
  const { before, after } = entry;
  if (op === 'change' && isShort(before) && isShort(after)) {
    const [was, is] = isCut ? cutPair(before, after) : [shortText(before), shortText(after)];
    return `${head}: ${was} -> ${is}${marks}\n${causes}`;
  }
  if (op === 'change') return `${head}:${marks}\n${long(block('-', before))}${long(block('+', after))}${causes}`;
  const value = op === 'add' ? after : before;
  if (isShort(value)) return `${head}: ${short(value)}${marks}\n${causes}`;
  return `${head}:${marks}\n${long(block(lineSigns[op], value))}${causes}`;
}

const mostShown = 100;
const mostLines = 12;

/** Formats a value on one line, with its length if it is truncated. */
function cutValue(value: unknown): string {
  return cutAt(shortText(value), mostShown);
}

function cutAt(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 20).replace(/[\ud800-\udbff]$/, '')}… (${text.length.toLocaleString('en')} characters)`;
}

// Long values with a common beginning are shown from their difference.
function cutPair(before: unknown, after: unknown): readonly [string, string] {
  const [was, is] = [shortText(before), shortText(after)];
  if (was.length <= mostShown && is.length <= mostShown) return [was, is];
  let shared = 0;
  while (shared < was.length && was[shared] === is[shared]) shared++;
  const from = Math.max(0, shared - 20);
  const part = (text: string): string => cutAt(from === 0 ? text : `…${text.slice(from)}`, mostShown);
  return [part(was), part(is)];
}

function cutLines(text: string): string {
  const lines = text.split('\n').slice(0, -1);
  const shown = lines.map((line) => cutAt(line, 160));
  if (lines.length <= mostLines) return shown.map((line) => `${line}\n`).join('');
  const rest = lines.length - mostLines + 1;
  return [...shown.slice(0, mostLines - 1), `      … and ${rest} more lines`].map((line) => `${line}\n`).join('');
}

function causeText({ text }: DiffCause, indent: string): string {
  return `${indent}because of ${text}\n`;
}

function indented(text: string): string {
  return text.replace(/\n$/, '').replace(/^/gm, '      ').concat('\n');
}

function isShort(value: unknown): boolean {
  const text = shortText(value);
  return text.length <= longest || (typeof value === 'string' && !value.includes('\n'));
}

function shortText(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

function block(sign: string, value: unknown): string {
  return yamlText(value).replace(/\n$/, '').replace(/^/gm, `      ${sign} `).concat('\n');
}

function yamlText(value: unknown): string {
  if (typeof value === 'string') return value;
  return catchGoError(
    () => emitYaml(valueOfJson(value as JsonValue)),
    () => `${JSON.stringify(value, null, 2)}\n`,
  );
}
