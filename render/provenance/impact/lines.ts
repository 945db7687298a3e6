// The lines of rendered objects with their fields and explanations.

import { stepsByLine } from '../../codec/yaml/members.ts';
import { GoError } from '../../go/value.ts';
import type { Manifest } from '../../manifest/sort.ts';
import type { Steps } from '../../values/paths.ts';
import type { ExplainedPart } from '../trace/explain.ts';
import type { TracedObjects } from '../trace/explanation.ts';
import { documentTitle } from '../trace/explanation.ts';
import { documentLine } from '../trace/object.ts';
import type { TracedFile } from '../trace/release-trace.ts';

/** A line of an object. */
export interface FieldLine {
  /** The line in the object, from 1. */
  readonly line: number;
  readonly text: string;
  /** The field that starts or continues on the line. */
  readonly steps: Steps;
  readonly parts: readonly ExplainedPart[];
}

/** An object, line by line. */
export interface ObjectLines {
  /** `KIND/NAMESPACE/NAME`. */
  readonly title: string;
  /** The template file. */
  readonly source: string;
  readonly lines: readonly FieldLine[];
}

/** Returns the lines of all objects of releases, in output order. */
export function* objectLines(releases: readonly TracedObjects[]): Generator<ObjectLines> {
  for (const release of releases) {
    for (const document of release.documents) {
      yield { title: documentTitle(document, release), source: document.path, lines: impactedLines(document, release) };
    }
  }
}

/** Returns the lines of one object of a release. */
export function impactedLines(
  { path, content }: Pick<Manifest, 'path' | 'content'>,
  { trace }: Pick<TracedObjects, 'trace'>,
): readonly FieldLine[] {
  const parts = partsByLine({ path, content }, { trace });
  if (parts.length === 0) return [];
  const steps = stepsOf(content);
  return content.split('\n').map((text, at) => {
    return { line: at + 1, text, steps: steps[at] ?? [], parts: parts[at] ?? [] };
  });
}

/**
 * Returns what wrote each line of an object of a release; empty if its template was not traced. `last` caches the answer, because one
 * document is queried many times in a row, once for each of its entries.
 */
export function partsByLine(
  { path, content }: Pick<Manifest, 'path' | 'content'>,
  { trace }: Pick<TracedObjects, 'trace'>,
  last: { document?: DocumentParts } = {},
): LineParts {
  const file = trace.files.find((one) => one.path === path);
  if (file === undefined) return [];
  const known = last.document;
  if (known?.file === file && known.content === content) return known.parts;
  const start = documentLine(file, content) - 1;
  const parts = content.split('\n').map((_, at) => file.lines[start + at]?.parts ?? []);
  last.document = { file, content, parts };
  return parts;
}

/** What wrote each line. */
export type LineParts = readonly (readonly ExplainedPart[])[];

/** What wrote the lines of a document. */
export interface DocumentParts {
  readonly file: TracedFile;
  readonly content: string;
  readonly parts: LineParts;
}

function stepsOf(content: string): readonly Steps[] {
  try {
    return stepsByLine(content);
  } catch (error) {
    if (error instanceof GoError) return [];
    throw error;
  }
}
