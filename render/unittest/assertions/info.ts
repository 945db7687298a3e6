// The lines that explain a failed assertion.
// Mirrors: helm-unittest 1.1.0, pkg/unittest/validators, common.go.

import { formatValue } from '../../go/format.ts';
import type { GoValue } from '../../go/value.ts';

/** Whether an assertion holds, and the lines that explain why not. */
export interface Verdict {
  readonly passed: boolean;
  readonly info: readonly string[];
}

/** The place of a failure; -1 omits a part. */
export interface AssertionPlace {
  readonly document: number;
  readonly value: number;
}

/** Nowhere in particular. */
export const nowhere: AssertionPlace = { document: -1, value: -1 };

/** The parts of a failure, in the order in which they are reported. */
export interface FailureParts {
  readonly path?: string;
  readonly actual?: string;
  readonly diff?: string;
}

/** Returns the verdict for a mismatch, such as `Expected to equal:` and what follows. */
export function failure(
  [isNot, what, expected]: readonly [isNot: boolean, what: string, expected: string],
  parts: FailureParts,
  where: AssertionPlace,
): Verdict {
  const lines: string[] = [];
  if (parts.path !== undefined) lines.push(`Path:${indented(parts.path)}`);
  lines.push(`Expected${isNot ? ' NOT' : ''}${what}:`, indented(expected));
  if (parts.actual !== undefined) lines.push('Actual:', indented(parts.actual));
  if (parts.diff !== undefined) lines.push('Diff:', indented(parts.diff));
  return { passed: false, info: [...placeLines(where), ...lines.join('\n').split('\n')] };
}

/** Returns the verdict for an assertion that cannot be evaluated. */
export function failVerdict(message: string, where: AssertionPlace = nowhere): Verdict {
  return { passed: false, info: [...placeLines(where), 'Error:', ...indented(message).split('\n')] };
}

/** Returns the lines for the place of a failure. */
export function placeLines({ document, value }: AssertionPlace): readonly string[] {
  return [...(document < 0 ? [] : [`DocumentIndex:\t${document}`]), ...(value < 0 ? [] : [`ValuesIndex:\t${value}`])];
}

/** Indents each line with a tab. */
function indented(text: string): string {
  return `\t${text.replaceAll('\n', '\n\t').replace(/^[\n\t ]+|(?<![\n\t ])[\n\t ]+$/g, '')}`;
}

/** The verdict of what holds. */
export const holds: Verdict = { passed: true, info: [] };

/** Formats a value without trailing spaces and leading line breaks. */
export function uniform(value: GoValue | undefined): string {
  const text = value === undefined ? '<nil>' : formatValue(value);
  return text.replace(/(?<! ) +\r?\n/g, '\n').replace(/^\n+/, '');
}
