// Differences of many inputs for reviewers: grouped by cause, the riskiest first, as data and as text.

import { counted, pluralOf } from '../core/counted.ts';
import { type Group, groupBy } from '../core/group-by.ts';
import {
  countStatuses,
  type DiffCause,
  type DiffEntry,
  type DiffSummary,
  isInPodTemplate,
  type ObjectName,
  objectStatuses,
  type VersionChange,
} from './difference.ts';
import { type Risk, riskRules } from './risk-rules.ts';
import { formatEntries, formatHead, objectTitle, restartCount, restartsText, type ToldChange } from './text.ts';

export interface ReviewedChange extends ToldChange {
  /** The cases that show it, such as `default with Kubernetes 1.31`; empty if all do. */
  readonly cases?: readonly string[] | undefined;
  /** The files of the cases that show it. */
  readonly files?: readonly string[] | undefined;
}

export interface ReviewedInput {
  /** For example `charts/web`. */
  readonly title: string;
  /** The folder of the chart in the repository; empty if its files are elsewhere. */
  readonly folder: string;
  /** Whether only one side has the input. Default: both have it. */
  readonly status?: 'both' | 'new' | 'gone' | undefined;
  readonly changes: readonly ReviewedChange[];
  readonly summary: DiffSummary;
  /** Returns the names of the cases of files; empty if they are all there are. Default: empty. */
  readonly casesOf?: ((files: readonly string[]) => readonly string[]) | undefined;
  /** The files of the repository; places in other files are not shown. Default: all files. */
  readonly sources?: readonly string[] | undefined;
}

export interface ReviewPlace {
  readonly file: string;
  /** Line, from 1. */
  readonly line?: number | undefined;
}

/** A marker of a change: a risk, or that a cluster refuses it. */
export type ReviewMark = Risk | 'immutable';

/** Objects with the same entries from the same cause. */
export interface ReviewBlock {
  readonly objects: readonly { readonly input: string; readonly change: ReviewedChange }[];
}

/** All effects of one cause. */
export interface ReviewGroup {
  /** For example `redis 23.1.1 → 23.0.0`, `image.tag` or `Dependencies`; empty if the place says everything. */
  readonly title: string;
  /** Where a user edits it. */
  readonly place?: ReviewPlace | undefined;
  /** Further lines of the same file that count as the same cause. */
  readonly lines: readonly number[];
  readonly marks: readonly ReviewMark[];
  readonly inputs: readonly string[];
  readonly blocks: readonly ReviewBlock[];
  readonly objects: number;
  readonly restarts: readonly ObjectName[];
}

/** Number of objects by change over all inputs. */
export type ReviewSummary = Omit<DiffSummary, 'restarts'> & { readonly restarts: number };

export interface Review {
  readonly inputs: readonly string[];
  readonly summary: ReviewSummary;
  readonly groups: readonly ReviewGroup[];
}

const riskNames = Object.keys(riskRules) as Risk[];
const marks: readonly ReviewMark[] = ['immutable', ...riskNames];
// Markers of many harmless changes.
const minorMarks: ReadonlySet<ReviewMark> = new Set(['image-changed', 'secret-changed']);

/** Returns the differences of inputs by cause, the riskiest first. */
export function reviewOf(inputs: readonly ReviewedInput[]): Review {
  const drafts = new Map<string, Draft>();
  for (const input of inputs) addInput(input, drafts);
  const groups = [...drafts.values()].map(groupOf);
  const changed = inputs.filter(({ changes, summary }) => changes.length + summary.restarts.length > 0);
  return {
    inputs: changed.map(({ title }) => title),
    summary: sumOf(inputs.map(({ summary }) => summary)),
    groups: groups.sort(byRisk),
  };
}

function sumOf(summaries: readonly DiffSummary[]): ReviewSummary {
  const sum = (countOf: (summary: DiffSummary) => number): number =>
    summaries.reduce((all, summary) => all + countOf(summary), 0);
  const risks = riskNames.map((risk) => [risk, sum((summary) => summary.risks[risk] ?? 0)] as const);
  return {
    ...countStatuses((status) => sum((summary) => summary[status])),
    same: sum(({ same }) => same),
    risks: Object.fromEntries(risks.filter(([, count]) => count > 0)),
    restarts: sum(({ restarts }) => restarts.length),
  };
}

function byRisk(a: ReviewGroup, b: ReviewGroup): number {
  return rankOf(a) - rankOf(b) || b.restarts.length - a.restarts.length || b.objects - a.objects;
}

function rankOf({ marks: own }: ReviewGroup): number {
  return Math.min(
    marks.length * 2,
    ...own.map((mark) => marks.indexOf(mark) + (minorMarks.has(mark) ? marks.length : 0)),
  );
}

/** Reports whether a change needs more attention than most. */
export function isRisky({ marks: own }: Pick<ReviewGroup, 'marks'>): boolean {
  return own.some((mark) => !minorMarks.has(mark));
}

interface Draft {
  title: string;
  readonly place: ReviewPlace | undefined;
  readonly lines: Set<number>;
  readonly parts: Part[];
  readonly restarts: Map<string, ObjectName>;
}

interface Part {
  readonly input: ReviewedInput;
  readonly change: ReviewedChange;
}

/** Identifies a cause: by its title and the place where a user edits it. */
interface CauseMark extends Pick<Draft, 'title' | 'place'> {
  /** A line of a template that counts as the same cause as others of its file. */
  readonly line?: number | undefined;
  /** Identifies the cause among those of all inputs. */
  readonly key: string;
}

// Adds the changes of an input to the drafts of their causes.
function addInput(input: ReviewedInput, drafts: Map<string, Draft>): void {
  const own = new Set<Draft>();
  const draftOf = ({ key, title, place, line }: CauseMark): Draft => {
    const draft = drafts.get(key) ?? { title, place, lines: new Set(), parts: [], restarts: new Map() };
    drafts.set(key, draft);
    own.add(draft);
    if (draft.title !== title) draft.title = title.replace(/\[\d+\]/g, '[…]');
    if (line !== undefined) draft.lines.add(line);
    return draft;
  };
  const restarts = new Map(input.summary.restarts.map((name) => [nameOf(name), name]));
  const addRestart = (draft: Draft, name: ObjectName): void => {
    restarts.delete(nameOf(name));
    draft.restarts.set(`${input.title}\n${nameOf(name)}`, name);
  };
  const known = new Map(restarts);
  for (const change of input.changes) {
    for (const [draft, entries] of partsOf(change, input, draftOf)) {
      draft.parts.push({ input, change: { ...change, ...entries } });
      const restart = known.get(nameOf(change));
      const isRestart = entries.entries.some(({ steps }) => isInPodTemplate(steps.after ?? steps.before ?? []));
      if (restart !== undefined && isRestart) addRestart(draft, restart);
    }
  }
  if (restarts.size === 0) return;
  // A checksum or a version label restarts them: which of several causes is unknown.
  const title = 'labels and checksums of pod templates';
  const [only, ...more] = own;
  const draft = only !== undefined && more.length === 0 ? only : draftOf({ key: '', title, place: undefined });
  for (const name of [...restarts.values()]) addRestart(draft, name);
}

// The entries of a change by their causes, each with its risks.
function partsOf(
  change: ReviewedChange,
  input: ReviewedInput,
  draftOf: (mark: CauseMark) => Draft,
): readonly (readonly [Draft, Pick<ReviewedChange, 'entries' | 'risks'>])[] {
  const { entries, causes, status } = change;
  const isWhole = status === 'added' || status === 'removed' || status === 'renamed';
  const parts = new Map<Draft, DiffEntry[]>();
  if (isWhole || entries.length === 0) parts.set(draftOf(markOf(causes, change, input)), []);
  for (const entry of entries) {
    // Other changes of a renamed object without a cause of their own are grouped with the rename.
    const draft = draftOf(markOf(entry.causes ?? (isWhole ? causes : undefined), change, input));
    parts.set(draft, [...(parts.get(draft) ?? []), entry]);
  }
  const listed = new Set(entries.flatMap(({ risks }) => risks));
  const own = change.risks.filter((risk) => !listed.has(risk));
  return [...parts].map(([draft, some]) => {
    return [draft, { entries: some, risks: [...new Set([...some.flatMap(({ risks }) => risks), ...own])] }];
  });
}

function markOf(
  causes: readonly DiffCause[] | undefined,
  { source }: ReviewedChange,
  { title, status = 'both', folder, sources }: ReviewedInput,
): CauseMark {
  const isSource = (path: string): boolean => sources?.includes(path) !== false;
  // Causes name files starting with the chart, `web/templates/a.yaml`.
  const fileOf = (file: string): string | undefined => {
    const path = folder === '' || !file.includes('/') ? '' : sourcePath(file, folder);
    return path !== '' && isSource(path) ? path : undefined;
  };
  if (status !== 'both') {
    const place = folder === '' ? undefined : { file: `${folder}/Chart.yaml` };
    return { key: title, title: `${title} ${status === 'new' ? 'is new' : 'is removed'}`, place };
  }
  const cause = mainCause(causes ?? []);
  if (cause === undefined) {
    const file = fileOf(source);
    const place = file === undefined ? undefined : { file };
    return { key: `? ${source}`, title: place ? '' : source || 'unknown cause', place };
  }
  const { kind, text, file, line, version } = cause;
  if (version?.chart !== undefined) {
    const field = version.field === undefined ? '' : ` ${version.field}`;
    const words = `${version.chart.split('/').at(-1)}${field} ${version.from} → ${version.to}`;
    return { key: words, title: words, place: file === undefined ? undefined : { file, line } };
  }
  if (kind === 'template' || kind === 'file') {
    const own = file === undefined ? undefined : fileOf(file);
    if (own === undefined) return { key: text, title: text, place: undefined, line };
    const words = text.endsWith(', removed') ? 'removed' : '';
    return { key: `${own}${words}`, title: words, place: { file: own, line }, line };
  }
  if (file !== undefined && line !== undefined && isSource(file)) {
    const words = text.replace(/, set by .*$/s, '');
    return { key: `${file}:${line} ${words}`, title: words, place: { file, line } };
  }
  // Items removed from one list are one cause.
  return { key: ` ${text.replace(/\[\d+\]/g, '[…]')}`, title: text, place: undefined };
}

/** Returns the repository path of a file whose path starts with the chart, `web/templates/a.yaml`. */
export function sourcePath(file: string, folder: string): string {
  return `${folder}${file.slice(file.indexOf('/'))}`;
}

function nameOf({ kind, namespace, name, source }: ObjectName & { readonly source?: string }): string {
  return `${kind} ${namespace} ${name}${kind === '' ? source : ''}`;
}

// Another version of a dependency explains more than its own lines and defaults; that of the chart itself explains least.
function mainCause(causes: readonly DiffCause[]): DiffCause | undefined {
  const dependency = causes.find(({ version }) => isDependency(version));
  const [first] = causes;
  if (dependency !== undefined && (first?.kind === 'template' || first?.kind === 'chart' || isDefault(first)))
    return dependency;
  return causes.find(({ version }) => version?.chart === undefined) ?? first;
}

function isDependency(version: VersionChange | undefined): boolean {
  return version?.chart?.includes('/charts/') === true;
}

function isDefault(cause: DiffCause | undefined): boolean {
  return cause?.file?.endsWith('/values.yaml') === true && cause.file.includes('/charts/');
}

function groupOf({ title, place, lines, parts, restarts }: Draft): ReviewGroup {
  const found = new Set<ReviewMark>(
    parts.flatMap(({ change }) => [
      ...change.risks,
      ...change.entries.flatMap((entry): ReviewMark[] => (entry.isImmutable ? ['immutable'] : [])),
    ]),
  );
  const sorted = [...lines].sort((a, b) => a - b);
  return {
    title,
    place: place && (sorted.length === 0 ? place : { ...place, line: sorted[0] }),
    lines: sorted,
    marks: marks.filter((mark) => found.has(mark)),
    inputs: [
      ...new Set([...parts.map(({ input }) => input.title), ...[...restarts.keys()].map((key) => key.split('\n')[0]!)]),
    ],
    blocks: blocksOf(parts),
    objects: new Set(parts.map(titleOf)).size,
    restarts: [...restarts.values()],
  };
}

function titleOf({ input, change }: Part): string {
  return `${input.title}\n${nameOf(change)}`;
}

function blocksOf(parts: readonly Part[]): ReviewBlock[] {
  const blocks = groupBy(parts, ({ change }) => contentOf(change));
  return [...blocks.values()].map((block) => {
    const objects = groupBy(block, titleOf);
    return { objects: [...objects.values()].map(joined) };
  });
}

function contentOf({ status, entries, risks, from }: ReviewedChange): string {
  const content = entries.map(({ steps: _, place: __, causes: ___, ...entry }) => entry);
  // The names of added, removed or renamed objects are enough, each on its line.
  return JSON.stringify([status, content, risks, from === undefined ? '' : 'from']);
}

// The changes of an object in several cases, in addition to other changes, are one change of all of them.
function joined(parts: Group<Part>): ReviewBlock['objects'][number] {
  const [{ input, change }] = parts;
  const files = parts.flatMap((part) => part.change.files ?? []);
  return { input: input.title, change: { ...change, files, cases: input.casesOf?.(files) ?? [] } };
}

/** Limits for the text of a cause. */
export interface ReviewTextOptions {
  readonly lines: number;
  /** Maximum number of objects with the same change that are named. */
  readonly objects: number;
  /** Whether long values are truncated. */
  readonly isCut: boolean;
  /** Names what shows the rest. */
  readonly rest: string;
}

const mostGroups = 12;

const unlimited: ReviewTextOptions = {
  lines: Number.POSITIVE_INFINITY,
  objects: Number.POSITIVE_INFINITY,
  isCut: false,
  rest: '',
};

/** Formats the number of objects by change, such as `12 objects changed, 1 added; 4 workloads restart`. */
export function formatReviewCounts({ summary }: Pick<Review, 'summary'>): string {
  const counts = objectStatuses.filter((word) => summary[word] > 0).map((word) => ({ word, count: summary[word] }));
  const objects = counts.map(({ word, count }, at) => {
    return at === 0 ? `${counted(count, 'object')} ${word}` : `${count} ${word}`;
  });
  const restarts = summary.restarts === 0 ? '' : restartCount(summary.restarts);
  return [objects.join(', '), restarts].filter((part) => part !== '').join('; ');
}

/** Formats each cause with its changes: a few lines, or all of them. */
export function formatGroups({ groups }: Review, isFull: boolean): string[] {
  // One or two changes fit on a screen without scrolling.
  const lines = groups.length === 1 ? 10 : groups.length === 2 ? 5 : 6;
  const options = isFull ? unlimited : { lines, objects: 3, isCut: true, rest: ' (--verbose shows them)' };
  const shown = isFull || groups.length <= mostGroups ? groups : groups.slice(0, mostGroups - 1);
  const rest = groups.length - shown.length;
  return [
    ...shown.map((group) => `${formatGroupTitle(group)}${formatGroupBody(group, options)}`),
    ...(rest > 0 ? [`… and ${rest} more causes, the least risky${options.rest}\n`] : []),
  ];
}

export function formatGroupTitle({ title, place, lines }: ReviewGroup): string {
  const where = place === undefined ? '' : `${placeText(place)}${linesText(lines)}`;
  if (where === '') return title;
  return title === ''
    ? where
    : /→|^\S+ is (?:new|removed)$/.test(title)
      ? `${title}  (${where})`
      : `${where}  ${title}`;
}

function placeText({ file, line }: ReviewPlace): string {
  return line === undefined ? file : `${file}:${line}`;
}

// `:12` is the first of them.
function linesText(lines: readonly number[]): string {
  const rest = lines.slice(1);
  return rest.length === 0
    ? ''
    : `, ${rest.slice(0, 4).join(', ')}${rest.length > 4 ? ` and ${rest.length - 4} more lines` : ''}`;
}

/** Formats the changes of a cause: the rest of its line, and the lines below it. */
export function formatGroupBody(group: ReviewGroup, options: ReviewTextOptions): string {
  const { lines: most, rest: how } = options;
  const shared = sharedCases(group);
  const lines = group.blocks.flatMap((block) =>
    blockLines(group, block, { ...options, isShared: shared !== undefined }),
  );
  const changed = new Set(group.blocks.flatMap(({ objects }) => objects.map(({ change }) => objectTitle(change))));
  // A checksum restarts workloads that do not change otherwise.
  const others = group.restarts.filter((name) => !changed.has(objectTitle({ ...name, source: '' })));
  const restarts = options.isCut ? others : group.restarts;
  const all = [...lines, ...(restarts.length > 0 ? [`  ${restartsText(restarts)}`] : [])];
  const rest = all.length - most + 2;
  const shown = all.length < most ? all : [...all.slice(0, most - 2), `  … and ${rest} more lines${how}`];
  return [casesText(shared ?? [], !options.isCut), ...shown].map((line) => `${line}\n`).join('');
}

// The cases shared by all objects of a cause; undefined if they differ.
function sharedCases({ blocks }: ReviewGroup): readonly string[] | undefined {
  const all = blocks.flatMap(({ objects }) => objects.map(({ change }) => change.cases ?? []));
  const [first = []] = all;
  return all.every((cases) => cases.join('\n') === first.join('\n')) ? first : undefined;
}

const fewCases = 3;

/** Formats cases to follow a line, such as `  in default, prod with Kubernetes 1.31, 1.33`; empty for all of them. */
function casesText(cases: readonly string[], isFull: boolean): string {
  if (cases.length === 0) return '';
  return cases.length > fewCases && !isFull ? `  in ${cases.length} cases` : `  in ${cases.join(', ')}`;
}

interface BlockOptions extends ReviewTextOptions {
  /** Whether the cases are those of the whole cause. */
  readonly isShared: boolean;
}

function blockLines(
  { inputs, place }: ReviewGroup,
  { objects }: ReviewBlock,
  { isShared, isCut, objects: most }: BlockOptions,
): string[] {
  const headOf = ({ input, change }: ReviewBlock['objects'][number]): string => {
    const isNamed = inputs.length > 1 || place?.file.startsWith(`${input}/`) !== true;
    const cases = isShared ? '' : casesText(change.cases ?? [], !isCut);
    return `  ${formatHead(change, !isCut)}${isNamed ? `  (${input})` : ''}${cases}`;
  };
  const isFolded = objects.length > most;
  const [named, folded] = isFolded ? [objects.slice(0, most - 1), objects.slice(most - 1)] : [objects, []];
  const heads = named.map(headOf);
  const more = isFolded ? [`  ${signOf(objects[0]!.change)} and ${folded.length} more: ${kindsText(folded)}`] : [];
  const changes = objects.map(({ change }) => change);
  const entries = formatEntries(changes, { hasCauses: false, isCut });
  return [
    ...heads,
    ...more,
    ...entries
      .split('\n')
      .slice(0, -1)
      .map((line) => `  ${line}`),
  ];
}

function signOf(change: ToldChange): string {
  return formatHead(change).slice(0, 1);
}

/** Formats the number of objects by kind, such as `12 Services, 3 Deployments`. */
export function kindsText(objects: ReviewBlock['objects']): string {
  const names = objects.map(({ input, change }) => [`${input} ${objectTitle(change)}`, change.kind] as const);
  const kinds = groupBy(new Map(names).values(), (kind) => kind || 'document');
  const sorted = [...kinds].sort(([, a], [, b]) => b.length - a.length);
  const shown = sorted.slice(0, 4).map(([kind, { length }]) => `${length} ${length === 1 ? kind : pluralOf(kind)}`);
  const rest = sorted.slice(4).reduce((sum, [, { length }]) => sum + length, 0);
  return [...shown, ...(rest > 0 ? [`${rest} others`] : [])].join(', ');
}
