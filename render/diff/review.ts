// Differences of many inputs for reviewers: grouped by cause, the riskiest first.

import type { DiffCause, DiffEntry, DiffSummary, ObjectName, VersionChange } from './difference.ts';
import { isInPodTemplate } from './restarts.ts';
import { type Risk, riskRules } from './risk-rules.ts';
import type { ToldChange } from './text.ts';

/** A changed object of an input. */
export interface ReviewedChange extends ToldChange {
  /** The cases that show it, such as `default with Kubernetes 1.31`; empty if all do. */
  readonly cases?: readonly string[] | undefined;
  /** The files of the cases that show it. */
  readonly files?: readonly string[] | undefined;
}

/** The differences of one input. */
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

/** A place in a file of the repository. */
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
  /** The affected inputs. */
  readonly inputs: readonly string[];
  readonly blocks: readonly ReviewBlock[];
  /** Number of changed objects. */
  readonly objects: number;
  /** The workloads that it restarts. */
  readonly restarts: readonly ObjectName[];
}

/** Number of objects by change over all inputs. */
export type ReviewSummary = Omit<DiffSummary, 'restarts'> & { readonly restarts: number };

/** Grouped differences of inputs. */
export interface Review {
  /** The inputs that differ. */
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
  for (const input of inputs) new InputReader(input, drafts).read();
  const groups = withoutRepeats([...drafts.values()]).map(groupOf);
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
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
    changed: sum(({ changed }) => changed),
    replaced: sum(({ replaced }) => replaced),
    renamed: sum(({ renamed }) => renamed),
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

/** Groups the differences of one input. */
class InputReader {
  readonly #input: ReviewedInput;
  readonly #drafts: Map<string, Draft>;
  readonly #own = new Set<Draft>();
  readonly #restarts: Map<string, ObjectName>;

  constructor(input: ReviewedInput, drafts: Map<string, Draft>) {
    this.#input = input;
    this.#drafts = drafts;
    this.#restarts = new Map(input.summary.restarts.map((name) => [nameOf(name), name]));
  }

  read(): void {
    for (const change of this.#input.changes) this.#readChange(change);
    this.#readOtherRestarts();
  }

  #readChange(change: ReviewedChange): void {
    const { entries, causes } = change;
    const isWhole = change.status === 'added' || change.status === 'removed' || change.status === 'renamed';
    const parts = new Map<Draft, DiffEntry[]>();
    if (isWhole || entries.length === 0) parts.set(this.#draftOf(causes, change), []);
    for (const entry of entries) {
      // Other changes of a renamed object without a cause of their own are grouped with the rename.
      const draft = this.#draftOf(entry.causes ?? (isWhole ? causes : undefined), change);
      const known = parts.get(draft);
      if (known === undefined) parts.set(draft, [entry]);
      else known.push(entry);
    }
    const listed = new Set(entries.flatMap(({ risks }) => risks));
    const own = change.risks.filter((risk) => !listed.has(risk));
    for (const [draft, some] of parts) {
      const risks = [...new Set([...some.flatMap((entry) => entry.risks), ...own])];
      draft.parts.push({ input: this.#input, change: { ...change, entries: some, risks } });
      const restart = this.#restarts.get(nameOf(change));
      const isRestart = some.some(({ steps }) => isInPodTemplate(steps.after ?? steps.before ?? []));
      if (restart !== undefined && isRestart) draft.restarts.set(this.#keyOf(restart), restart);
    }
  }

  // A checksum or a version label restarts them: which of several causes is unknown.
  #readOtherRestarts(): void {
    const known = new Set([...this.#own].flatMap(({ restarts }) => [...restarts.keys()]));
    const rest = [...this.#restarts.values()].filter((name) => !known.has(this.#keyOf(name)));
    if (rest.length === 0) return;
    const [only, ...more] = this.#own;
    const draft =
      only !== undefined && more.length === 0
        ? only
        : this.#draft('', 'labels and checksums of pod templates', undefined);
    for (const name of rest) draft.restarts.set(this.#keyOf(name), name);
  }

  #keyOf(name: ObjectName): string {
    return `${this.#input.title}\n${nameOf(name)}`;
  }

  #draftOf(causes: readonly DiffCause[] | undefined, change: ReviewedChange): Draft {
    const { title, status = 'both', folder } = this.#input;
    if (status !== 'both') {
      const words = status === 'new' ? 'is new' : 'is removed';
      return this.#draft(title, `${title} ${words}`, folder === '' ? undefined : { file: `${folder}/Chart.yaml` });
    }
    const cause = mainCause(causes ?? []);
    if (cause === undefined) {
      const file = this.#fileOf(change.source);
      return this.#draft(
        `? ${change.source}`,
        file === undefined ? change.source || 'unknown cause' : '',
        file === undefined ? undefined : { file },
      );
    }
    const { kind, text, file, line, version } = cause;
    if (version?.chart !== undefined) {
      const name = version.chart.split('/').at(-1) ?? '';
      const field = version.field === undefined ? '' : ` ${version.field}`;
      const words = `${name}${field} ${version.from} → ${version.to}`;
      return this.#draft(words, words, file === undefined ? undefined : { file, line });
    }
    if (kind === 'template' || kind === 'file') {
      const own = file === undefined ? undefined : this.#fileOf(file);
      const words = own === undefined ? text : text.endsWith(', which is gone') ? 'removed lines' : '';
      const draft = this.#draft(`${own ?? text}${words}`, words, own === undefined ? undefined : { file: own, line });
      if (line !== undefined) draft.lines.add(line);
      return draft;
    }
    const isPlaced = file !== undefined && line !== undefined && this.#isSource(file);
    const words = isPlaced ? text.replace(/, set by .*$/s, '') : text;
    // Items removed from one list are one cause.
    const shared = isPlaced ? words : words.replace(/\[\d+\]/g, '[…]');
    const draft = this.#draft(
      `${isPlaced ? `${file}:${line}` : ''} ${shared}`,
      words,
      isPlaced ? { file, line } : undefined,
    );
    if (draft.title !== words) draft.title = shared;
    return draft;
  }

  #draft(key: string, title: string, place: ReviewPlace | undefined): Draft {
    const known = this.#drafts.get(key);
    const draft = known ?? { title, place, lines: new Set<number>(), parts: [], restarts: new Map() };
    this.#drafts.set(key, draft);
    this.#own.add(draft);
    return draft;
  }

  // Causes name files starting with the chart, `web/templates/a.yaml`.
  #fileOf(file: string): string | undefined {
    const { folder } = this.#input;
    if (folder === '' || !file.includes('/')) return undefined;
    const path = sourcePath(file, folder);
    return this.#isSource(path) ? path : undefined;
  }

  #isSource(path: string): boolean {
    return this.#input.sources?.includes(path) !== false;
  }
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

// The same change in many templates, such as an annotation in every CRD, is shown once.
function withoutRepeats(drafts: readonly Draft[]): Draft[] {
  const groups = new Map<string, Draft[]>();
  for (const draft of drafts) {
    const isTemplate = draft.title === '' && draft.place !== undefined;
    const isSame = draft.parts.length > 0 && draft.parts.every(({ change }) => change.status === 'changed');
    const contents = [...new Set(draft.parts.map(({ change }) => contentOf(change)))].sort();
    const key = isTemplate && isSame ? JSON.stringify(contents) : `draft ${groups.size}`;
    groups.set(key, [...(groups.get(key) ?? []), draft]);
  }
  return [...groups.values()].map((alike) => {
    const [first] = alike as [Draft, ...Draft[]];
    if (alike.length === 1) return first;
    return {
      title: `the same change in ${alike.length} files`,
      place: first.place,
      lines: first.lines,
      parts: alike.flatMap(({ parts }) => parts),
      restarts: new Map(alike.flatMap(({ restarts }) => [...restarts])),
    };
  });
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
    objects: new Set(parts.map(({ input, change }) => `${input.title}\n${nameOf(change)}`)).size,
    restarts: [...restarts.values()],
  };
}

function blocksOf(parts: readonly Part[]): ReviewBlock[] {
  const blocks = new Map<string, Map<string, Part[]>>();
  for (const part of parts) {
    const { input, change } = part;
    const key = contentOf(change);
    const block = blocks.get(key) ?? new Map<string, Part[]>();
    blocks.set(key, block);
    const name = `${input.title}\n${nameOf(change)}`;
    block.set(name, [...(block.get(name) ?? []), part]);
  }
  return [...blocks.values()].map((block) => ({ objects: [...block.values()].map(joined) }));
}

function contentOf({ status, entries, risks, from }: ReviewedChange): string {
  const content = entries.map(({ steps: _, place: __, causes: ___, ...entry }) => entry);
  // The names of added, removed or renamed objects are enough, each on its line.
  return JSON.stringify([status, content, risks, from === undefined ? '' : 'from']);
}

// The changes of an object in several cases, in addition to other changes, are one change of all of them.
function joined(parts: readonly Part[]): ReviewBlock['objects'][number] {
  const { input, change } = parts[0]!;
  const files = parts.flatMap((part) => part.change.files ?? []);
  return { input: input.title, change: { ...change, files, cases: input.casesOf?.(files) ?? [] } };
}
