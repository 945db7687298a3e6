// Formats a review for people: the summary, then each cause with the objects that it changes.

import type { Review, ReviewBlock, ReviewGroup, ReviewPlace } from './review.ts';
import type { ToldChange } from './text.ts';
import { formatEntries, formatHead, objectTitle, restartsText } from './text.ts';

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

const words = ['added', 'removed', 'changed', 'replaced', 'renamed'] as const;

/** Formats the number of objects by change, such as `12 objects changed, 1 added; 4 workloads restart`. */
export function formatReviewCounts({ summary }: Pick<Review, 'summary'>): string {
  const counts = words.filter((word) => summary[word] > 0).map((word) => ({ word, count: summary[word] }));
  const objects = counts.map(({ word, count }, at) => {
    return at === 0 ? `${count} ${count === 1 ? 'object' : 'objects'} ${word}` : `${count} ${word}`;
  });
  const { restarts } = summary;
  const parts = [
    ...(objects.length === 0 ? [] : [objects.join(', ')]),
    ...(restarts === 0 ? [] : [`${restarts} ${restarts === 1 ? 'workload restarts' : 'workloads restart'}`]),
  ];
  return parts.join('; ');
}

/** Formats the risks of a review with the number of objects, such as `pvc-removed, image-changed (3)`; empty for none. */
export function formatReviewRisks({ summary }: Pick<Review, 'summary'>): string {
  return Object.entries(summary.risks)
    .map(([risk, count]) => (count === 1 ? risk : `${risk} (${count})`))
    .join(', ');
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

/** Formats the line of a cause. */
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

function plural(kind: string): string {
  if (/[^aeiou]y$/.test(kind)) return `${kind.slice(0, -1)}ies`;
  return /(?:s|x|ch)$/.test(kind) ? `${kind}es` : `${kind}s`;
}

/** Formats the number of objects by kind, such as `12 Services, 3 Deployments`. */
export function kindsText(objects: ReviewBlock['objects']): string {
  const counts = new Map<string, number>();
  const names = objects.map(({ input, change }) => [`${input} ${objectTitle(change)}`, change.kind] as const);
  for (const kind of new Map(names).values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  const shown = sorted
    .slice(0, 4)
    .map(([kind, count]) => `${count} ${count === 1 ? kind || 'document' : plural(kind || 'document')}`);
  const rest = sorted.slice(4).reduce((sum, [, count]) => sum + count, 0);
  return [...shown, ...(rest > 0 ? [`${rest} others`] : [])].join(', ');
}
