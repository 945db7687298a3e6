// Finds the Helm changes that cause differences between the renderings of two versions, by applying the changes between them one after the
// other.

import { counted } from '../../core/counted.ts';
import { type Difference, diffObjects, isDifference } from '../../diff/difference.ts';
import { formatBlocks, formatSummary } from '../../diff/text.ts';
import type { HelmChange } from '../../helm/changes.ts';
import { changesBetween, hasChange, majorOf, profileBetween } from '../../helm/versions.ts';

/** The result of a Helm version for an input: the text of its documents, or the error. */
export interface HelmRendering {
  readonly text: string;
  readonly error?: string | undefined;
}

/** Renders the input with a version, which may be between two releases. */
export type RenderWith = (version: string) => Promise<HelmRendering>;

export interface HelmCause {
  /** A sentence such as `since 4.2.0: null defaults in values.yaml are dropped (helm/helm#31979)`. */
  readonly text: string;
  /** The semantic differences; undefined if one side is an error. */
  readonly difference?: Difference | undefined;
  /** Number of documents that differ only in formatting. */
  readonly reformatted: number;
  /** The error on the side of the newer set of changes. */
  readonly error?: string | undefined;
}

export interface HelmComparison {
  /** For people; the first line is a summary. */
  readonly text: string;
  /** Whether an object differs in meaning, or one version reports an error. */
  readonly isMeant: boolean;
  readonly causes: readonly HelmCause[];
}

/** Compares the renderings of two versions; `renderWith` is also called for versions between them. */
export async function compareHelms(
  versions: readonly [string, string],
  [before, after]: readonly [HelmRendering, HelmRendering],
  renderWith: RenderWith,
): Promise<HelmComparison> {
  const [from, to] = versions;
  const title = `Helm ${from} to Helm ${to}`;
  if (isSame(before, after)) return { text: `${title}: the same bytes\n`, isMeant: false, causes: [] };
  const changes = changesBetween(from, to);
  const points = [
    { count: 0, rendering: before },
    { count: changes.length, rendering: after },
  ] as const;
  const steps = await stepsBetween(...points, { versions, changes, renderWith });
  const causes = steps.map((step) => causeOf(step, versions));
  if (after.error !== undefined || before.error !== undefined) return refusal(versions, [before, after], causes);
  const difference = differenceOf(before.text, after.text);
  if (!isDifference(difference)) {
    return {
      text: `${title}: other bytes, the same meaning\n${causes.map(formatCause).join('')}`,
      isMeant: false,
      causes,
    };
  }
  return {
    text: `${title}: ${[formatSummary(difference), ...causes.map(formatCause)].join('\n')}`,
    isMeant: true,
    causes,
  };
}

function isSame(a: HelmRendering, b: HelmRendering): boolean {
  return a.text === b.text && a.error === b.error;
}

/** A rendering with the first changes applied. */
interface Point {
  readonly count: number;
  readonly rendering: HelmRendering;
}

interface Step {
  readonly change: HelmChange;
  readonly before: HelmRendering;
  readonly after: HelmRendering;
}

interface Search {
  readonly versions: readonly [string, string];
  readonly changes: readonly HelmChange[];
  readonly renderWith: RenderWith;
}

// The changes between two points that affect the rendering, each with the renderings before and after it.
async function stepsBetween(low: Point, high: Point, search: Search): Promise<Step[]> {
  if (isSame(low.rendering, high.rendering)) return [];
  if (high.count - low.count < 2) {
    return [{ change: search.changes[low.count]!, before: low.rendering, after: high.rendering }];
  }
  const count = Math.floor((low.count + high.count) / 2);
  const rendering = await search.renderWith(profileBetween(...search.versions, count));
  const middle = { count, rendering };
  return [...(await stepsBetween(low, middle, search)), ...(await stepsBetween(middle, high, search))];
}

function causeOf({ change, before, after }: Step, versions: readonly [string, string]): HelmCause {
  const text = sentenceOf(change, versions);
  if (before.error !== undefined || after.error !== undefined) return { text, reformatted: 0, error: after.error };
  const difference = differenceOf(before.text, after.text);
  return { text, difference, reformatted: isDifference(difference) ? 0 : reformatted(before.text, after.text) };
}

function sentenceOf(change: HelmChange, [, to]: readonly [string, string]): string {
  const since = change.since[majorOf(to)];
  const when = hasChange(to, change)
    ? `since ${since}`
    : since === undefined
      ? `not in Helm ${majorOf(to)}`
      : `not before ${since}`;
  return `${when}: ${change.summary} (${change.reference})`;
}

function differenceOf(before: string, after: string): Difference {
  return diffObjects({ documents: before, name: 'before' }, { documents: after, name: 'after' }, { all: true });
}

// Documents of the later text that are not byte for byte in the earlier one.
function reformatted(before: string, after: string): number {
  const known = new Set(documentsOf(before));
  return documentsOf(after).filter((document) => !known.has(document)).length;
}

function documentsOf(text: string): string[] {
  return text.split(/^---$/m).filter((document) => document.trim() !== '');
}

function formatCause({ text, difference, reformatted: count, error }: HelmCause): string {
  if (error !== undefined) return `${text}:\n  ${error.trimEnd().replaceAll('\n', '\n  ')}\n`;
  if (difference === undefined) return `${text}\n`;
  if (!isDifference(difference)) {
    return `${text}: ${counted(count, 'document')}, formatting only\n`;
  }
  return [`${text}\n`, ...formatBlocks(difference.objects)].join('\n');
}

function refusal(
  [from, to]: readonly [string, string],
  [before, after]: readonly [HelmRendering, HelmRendering],
  causes: readonly HelmCause[],
): HelmComparison {
  const title =
    before.error === undefined
      ? `Helm ${from} renders it, Helm ${to} refuses it`
      : after.error === undefined
        ? `Helm ${to} renders it, Helm ${from} refuses it`
        : `Helm ${from} and Helm ${to} refuse it with different errors`;
  const errors = [before.error, after.error].filter((error) => error !== undefined);
  const indented = errors.map((error) => `  ${error.trimEnd().replaceAll('\n', '\n  ')}\n`).join('');
  const reasons = causes.map(({ text }) => `${text}\n`).join('');
  return { text: `${title}:\n${indented}${reasons}`, isMeant: true, causes };
}
