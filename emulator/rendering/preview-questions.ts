// Questions about a rendered draft: why a line of its manifest is what it is, and what changes in meaning from another draft.

import type { Explanation, RenderedOrder, RenderedPackage } from '../../render/index.ts';
import type { Json, JsonObject } from '../store/json.ts';

type Engine = typeof import('../../render/index.ts');

/** What a line is explained with. */
export interface LineQuestion {
  /** Of the manifest, from 1. */
  readonly line: number;
  readonly placeOf: ReturnType<Engine['readOrder']>['placeOf'];
  readonly engine: Engine;
}

interface Block {
  /** Of its package in the Order. */
  readonly index: number;
  /** The template file that gave it. */
  readonly source: string;
  /** Its text, below the line that names the source. */
  readonly content: string;
  /** The line of the manifest where that begins. */
  readonly start: number;
}

/**
 * Gives why a line of a manifest is what it is, as JSON: the package, the object, and the parts of the line. Of lines that no
 * template wrote, `parts` is empty. What an Order sets is told with its line in the draft.
 */
export function explainedLine(rendered: RenderedOrder, question: LineQuestion): JsonObject {
  const { line, placeOf, engine } = question;
  const block = blockAt(rendered.manifest(), line);
  if (block === undefined || line < block.start) return { line, parts: [] };
  const { index, source, content, start } = block;
  const asked = outputLine(rendered, block, line - start + 1);
  const common = { line, package: index, source };
  const text = content.split('\n')[line - start];
  if (asked === undefined || text === undefined) return { ...common, parts: [] };
  const { object, lines } = engine.explain(rendered, { line: asked });
  const parts = lines[0]?.parts.map((part) => withPlaces(part, placeOf)) ?? [];
  return { ...common, object, text, parts: parts as unknown as Json };
}

// Every package begins with a line that names it, and every document with one that names its template.
function blockAt(manifest: string, line: number): Block | undefined {
  const lines = manifest.split('\n');
  let index = -1;
  let found: Block | undefined;
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] !== '---') continue;
    const [, source] = /^# Source: (.*)$/.exec(lines[at + 1] ?? '') ?? [];
    if (source === undefined) continue;
    if (at + 1 > line) break;
    const next = lines.indexOf('---', at + 2);
    const end = next < 0 ? lines.length - 1 : next;
    const content = lines.slice(at + 2, end).join('\n');
    if (content === '') index++;
    else found = { index, source, content, start: at + 3 };
  }
  return found;
}

// `explain` counts the lines of what `template` prints: two above each object, all packages behind one another.
function outputLine(rendered: RenderedOrder, block: Block, line: number): number | undefined {
  let before = 0;
  for (const [index, { documents }] of (rendered.traces ?? []).entries()) {
    for (const { path, content } of documents) {
      const isIt = index === block.index && path === block.source && content.trimEnd() === block.content.trimEnd();
      if (isIt) return before + 2 + line;
      before += content.split('\n').length + 2;
    }
  }
  return undefined;
}

type Part = Explanation['lines'][number]['parts'][number];

function withPlaces(part: Part, placeOf: LineQuestion['placeOf']): Part {
  return {
    ...part,
    values: part.values.map((value) => ({
      ...value,
      setBy: value.setBy.map((setter) => {
        const { line, column } = setter.where.startsWith('spec.') ? placeOf(setter.where) : {};
        return { ...setter, ...(line !== undefined && { line, column: column ?? 1 }) };
      }),
    })),
  };
}

// So many objects are told one by one.
const mostObjects = 500;

/** Gives what changes in meaning from one rendered Order to another, as JSON. */
export function differenceOf(before: RenderedOrder, after: RenderedOrder, engine: Engine): JsonObject {
  const sideOf = ({ packages }: RenderedOrder) => ({ documents: packages.flatMap(documentsOf) });
  const difference = engine.diffManifests(sideOf(before), sideOf(after));
  const { summary, objects, ignored } = difference;
  const told = objects.slice(0, mostObjects).map(({ documents: _, ...object }) => object);
  return {
    summary: { ...summary, risks: { ...summary.risks } },
    objects: told as unknown as Json,
    count: objects.length,
    ignored: ignored as unknown as Json,
    text: engine.formatDifference({ ...difference, objects: objects.slice(0, mostObjects) }),
  };
}

function documentsOf({ release }: RenderedPackage): { path: string; content: string; namespace: string }[] {
  const { namespace, crds, hooks, manifests } = release;
  return [...crds, ...hooks, ...manifests].map(({ path, content }) => ({ path, content, namespace }));
}
