// Queries about a rendered draft: the explanation of a line of its manifest, and the differences from another draft.

import type { Explanation, RenderedOrder, RenderedPackage, RenderOrderOptions, Setter } from '../../render/index.ts';
import type { Json, JsonObject } from '../store/json.ts';

type Engine = typeof import('../../render/index.ts');

/** Inputs of an explanation. */
export interface LineQuestion {
  /** The line of the manifest, from 1. */
  readonly line: number;
  readonly index: LineIndex;
  readonly placeOf: ReturnType<Engine['readOrder']>['placeOf'];
  readonly engine: Engine;
}

interface Block {
  /** The package's index in the Order. */
  readonly index: number;
  /** The template file. */
  readonly source: string;
  /** The lines of the manifest, from 1, at which its text starts, below the line with the source, and ends. */
  readonly start: number;
  readonly end: number;
}

/** A document as `explain` identifies it. */
interface Counted {
  readonly content: string;
  /** Number of preceding lines: two above each object, all packages in sequence. */
  readonly before: number;
}

/** A manifest whose lines are queried repeatedly. */
export interface LineIndex {
  readonly lines: readonly string[];
  readonly blocks: readonly Block[];
  /** By package and template file. */
  readonly documents: ReadonlyMap<string, readonly Counted[]>;
}

/** Indexes the manifest of a traced Order for `explainedLine`. */
export function indexLines(rendered: RenderedOrder): LineIndex {
  const lines = rendered.manifest().split('\n');
  return { lines, blocks: blocksOf(lines), documents: countedOf(rendered) };
}

/**
 * Explains a line of a manifest as JSON: the package, the object, and the parts of the line. For lines that no template wrote, `parts` is
 * empty. What an Order sets is reported with its line in the draft.
 */
export function explainedLine(rendered: RenderedOrder, question: LineQuestion): JsonObject {
  const {
    line,
    index: { lines, blocks, documents },
    placeOf,
    engine,
  } = question;
  const block = blocks.findLast(({ start }) => start - 2 <= line);
  if (block === undefined || line < block.start) return { line, parts: [] };
  const { index, source, start, end } = block;
  const common = { line, package: index, source };
  const content = lines
    .slice(start - 1, end)
    .join('\n')
    .trimEnd();
  const counted = documents.get(keyOf(index, source))?.find((one) => one.content === content);
  // A definition with several documents continues below the first one.
  const text = line > end ? undefined : lines[line - 1];
  if (counted === undefined || text === undefined) return { ...common, parts: [] };
  const explained = engine.explain(rendered, { line: counted.before + 2 + line - start + 1 });
  const parts = explained.lines[0]?.parts.map((part) => withPlaces(part, placeOf)) ?? [];
  return { ...common, object: explained.object, text, parts: parts as unknown as Json };
}

// Every package starts with a line that names it, and every document with one that names its template.
function blocksOf(lines: readonly string[]): readonly Block[] {
  const marks = lines.flatMap((line, at) => (line === '---' ? [at] : []));
  const blocks: Block[] = [];
  let index = -1;
  for (const [number, at] of marks.entries()) {
    const [, source] = /^# Source: (.*)$/.exec(lines[at + 1] ?? '') ?? [];
    if (source === undefined) continue;
    const end = marks[number + 1] ?? lines.length - 1;
    if (end <= at + 2) index++;
    else blocks.push({ index, source, start: at + 3, end });
  }
  return blocks;
}

function countedOf(rendered: RenderedOrder): LineIndex['documents'] {
  const documents = new Map<string, Counted[]>();
  let before = 0;
  for (const [index, { documents: traced }] of (rendered.traces ?? []).entries()) {
    for (const { path, content } of traced) {
      const key = keyOf(index, path);
      const known = documents.get(key) ?? [];
      known.push({ content: content.trimEnd(), before });
      documents.set(key, known);
      before += content.split('\n').length + 2;
    }
  }
  return documents;
}

function keyOf(index: number, source: string): string {
  return `${index} ${source}`;
}

type Part = Explanation['lines'][number]['parts'][number];

function withPlaces(part: Part, placeOf: LineQuestion['placeOf']): Part {
  const values = part.values.map((value) => ({
    ...value,
    setBy: value.setBy.map((setter) => placed(setter, placeOf)),
  }));
  return { ...part, values };
}

function placed(setter: Setter, placeOf: LineQuestion['placeOf']): Setter {
  const { line, column } = setter.where.startsWith('spec.') ? placeOf(setter.where) : {};
  return { ...setter, ...(line !== undefined && { line, column: column ?? 1 }) };
}

/** Returns as JSON the values that the templates of a traced Order received, by package, each with what sets it. */
export function valuesOf(
  rendered: RenderedOrder,
  { engine, placeOf }: Pick<LineQuestion, 'engine' | 'placeOf'>,
): JsonObject[] {
  return engine.listOrderValues(rendered).map(({ package: name, values }) => ({
    package: name,
    values: values.map((one) => ({
      path: one.path,
      steps: [...one.steps],
      value: one.value as Json,
      isGiven: one.isGiven,
      isChanged: one.isChanged,
      setBy: one.setBy.map((setter) => placed(setter, placeOf)) as unknown as Json,
    })),
  }));
}

/** Returns as JSON the effects of another version of the chart of a package (index from 0) on its values. */
export async function upgradeOf(
  [before, after]: readonly [unknown, unknown],
  index: number,
  { engine, options }: { readonly engine: Engine; readonly options: RenderOrderOptions },
): Promise<JsonObject> {
  const { packages } = engine.validateOrder(before).order.spec;
  const item = packages[index];
  if (item === undefined) {
    throw new engine.RenderError('ORDER_INVALID', `the Order has no package ${index}`, {
      hint: `The first of its ${packages.length} packages is 0.`,
    });
  }
  const { namespace, releaseName } = item.chart;
  const releases = [`${namespace}/${releaseName}`];
  const [upgrade] = (await engine.checkOrderUpgrade(before, after, { ...options, releases })).packages;
  const { values = [], defaults = [], failureBefore, failureAfter } = upgrade ?? {};
  return {
    values: values as unknown as Json,
    defaults: defaults as unknown as Json,
    ...(failureBefore && { failureBefore: failureBefore.message }),
    ...(failureAfter && { failureAfter: failureAfter.message }),
  };
}

// Maximum number of objects that are reported individually.
const mostObjects = 500;

/** Returns as JSON the semantic changes between two rendered Orders. */
export function differenceOf(
  before: RenderedOrder,
  after: RenderedOrder,
  { engine, all }: { readonly engine: Engine; readonly all: boolean },
): JsonObject {
  const sideOf = ({ packages }: RenderedOrder) => ({ documents: packages.flatMap(documentsOf) });
  const difference = engine.diffManifests(sideOf(before), sideOf(after), { all });
  const { summary, objects, ignored } = difference;
  const shown = objects.slice(0, mostObjects).map(({ documents: _, ...object }) => object);
  return {
    summary: summary as unknown as Json,
    objects: shown as unknown as Json,
    count: objects.length,
    ignored: ignored as unknown as Json,
    text: engine.formatDifference({ ...difference, objects: objects.slice(0, mostObjects) }),
  };
}

function documentsOf({ release }: RenderedPackage): { path: string; content: string; namespace: string }[] {
  const { namespace, crds, hooks, manifests } = release;
  return [...crds, ...hooks, ...manifests].map(({ path, content }) => ({ path, content, namespace }));
}
