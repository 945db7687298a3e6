// Finds the Helm changes that cause differences between the renderings of two versions, by applying the changes between them one after the
// other.

import {
  type Check,
  callback,
  checkArguments,
  having,
  listOf,
  optional,
  text,
  wrongKind,
} from '../../core/arguments.ts';
import { counted } from '../../core/counted.ts';
import { type Difference, diffObjects, isDifference } from '../../diff/difference.ts';
import { formatBlocks, formatSummary } from '../../diff/text.ts';
import type { HelmChange } from '../../helm/changes.ts';
import { changesBetween, hasChange, helmArgument, majorOf, profileBetween } from '../../helm/versions.ts';

/** What a Helm version renders: the text of its documents, or the error. */
export interface HelmRendering {
  readonly text: string;
  readonly error?: string | undefined;
}

/** Renders the input with a version, which may be between two releases. */
export type RenderWith = (version: string) => Promise<HelmRendering>;

export interface HelmComparison {
  /** For people; the first line is a summary. */
  readonly text: string;
  /** Whether an object differs in meaning, or one version reports an error. */
  readonly isMeant: boolean;
  /** Sentences such as `since 4.2.0: null defaults in values.yaml are dropped (helm/helm#31979)`. */
  readonly causes: readonly string[];
}

function pairOf(check: Check): Check {
  const each = listOf(check);
  return (value, path) =>
    Array.isArray(value) && value.length === 2 ? each(value, path) : wrongKind(value, path, 'a list of two');
}

const rendering = having<HelmRendering>('a rendering', { text, error: optional(text) });

/**
 * Compares the renderings of an input by two Helm versions, and finds the changes of Helm that cause the differences. `renderWith` renders
 * the input again; its argument is a version, or a name between two versions that the option `helm` accepts. Rejects with ARGUMENT_INVALID.
 * @example
 * const renderWith = async (helm: string) => ({ text: template(chart, { helm, host: seededHost() }) });
 * const renderings = [await renderWith('3.22.0'), await renderWith('4.3.1')] as const;
 * const { text, isMeant } = await compareHelms(['3.22.0', '4.3.1'], renderings, renderWith);
 */
export async function compareHelms(
  versions: readonly [string, string],
  renderings: readonly [HelmRendering, HelmRendering],
  renderWith: RenderWith,
): Promise<HelmComparison> {
  checkArguments(
    'compareHelms',
    ['versions', versions, pairOf(helmArgument)],
    ['renderings', renderings, pairOf(rendering)],
    ['renderWith', renderWith, callback],
  );
  const [from, to] = versions;
  const [before, after] = renderings;
  const renderAgain: RenderWith = async (version) => {
    const found = await renderWith(version);
    checkArguments('compareHelms', ['renderWith()', found, rendering]);
    return found;
  };
  const title = `Helm ${from} to Helm ${to}`;
  if (isSame(before, after)) return { text: `${title}: the same bytes\n`, isMeant: false, causes: [] };
  const changes = changesBetween(from, to);
  const ends = [
    { count: 0, rendering: before },
    { count: changes.length, rendering: after },
  ] as const;
  const steps = await stepsBetween(...ends, { versions, changes, renderWith: renderAgain });
  const causes = steps.map(({ change }) => sentenceOf(change, to));
  const effects = steps.map((step, at) => effectOf(step, causes[at]!));
  if (after.error !== undefined || before.error !== undefined) {
    const errors = [before.error, after.error].filter((error) => error !== undefined).map(indentedError);
    const reasons = causes.map((text) => `${text}\n`);
    return {
      text: `${refusalTitle(versions, before, after)}:\n${[...errors, ...reasons].join('')}`,
      isMeant: true,
      causes,
    };
  }
  const difference = differenceOf(before.text, after.text);
  if (isDifference(difference))
    return { text: `${title}: ${[formatSummary(difference), ...effects].join('\n')}`, isMeant: true, causes };
  return { text: `${title}: other bytes, the same meaning\n${effects.join('')}`, isMeant: false, causes };
}

function isSame(a: HelmRendering, b: HelmRendering): boolean {
  return a.text === b.text && a.error === b.error;
}

function refusalTitle([from, to]: readonly [string, string], before: HelmRendering, after: HelmRendering): string {
  if (before.error === undefined) return `Helm ${from} renders it, Helm ${to} refuses it`;
  if (after.error === undefined) return `Helm ${to} renders it, Helm ${from} refuses it`;
  return `Helm ${from} and Helm ${to} refuse it with different errors`;
}

function indentedError(error: string): string {
  return `  ${error.trimEnd().replaceAll('\n', '\n  ')}\n`;
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

function sentenceOf(change: HelmChange, to: string): string {
  const since = change.since[majorOf(to)];
  const when = hasChange(to, change)
    ? `since ${since}`
    : since === undefined
      ? `not in Helm ${majorOf(to)}`
      : `not before ${since}`;
  return `${when}: ${change.summary} (${change.reference})`;
}

// The sentence of a change with its error, or with what it changes.
function effectOf({ before, after }: Step, sentence: string): string {
  if (after.error !== undefined) return `${sentence}:\n${indentedError(after.error)}`;
  if (before.error !== undefined) return `${sentence}\n`;
  const difference = differenceOf(before.text, after.text);
  if (isDifference(difference)) return [`${sentence}\n`, ...formatBlocks(difference.objects)].join('\n');
  const known = new Set(documentsOf(before.text));
  const reformatted = documentsOf(after.text).filter((document) => !known.has(document)).length;
  return `${sentence}: ${counted(reformatted, 'document')}, formatting only\n`;
}

function differenceOf(before: string, after: string): Difference {
  return diffObjects({ documents: before, name: 'before' }, { documents: after, name: 'after' }, { all: true });
}

function documentsOf(text: string): string[] {
  return text.split(/^---$/m).filter((document) => document.trim() !== '');
}
