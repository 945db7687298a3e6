// Problems of an object according to its schema, in kubectl's words.

import { joinPath } from '../../core/paths.ts';
import { suggest } from '../../core/suggest.ts';

/** A path in an object, linked to its parent so that long paths share their common part. */
export interface FieldPath {
  readonly step: string | number;
  readonly before: FieldPath | undefined;
}

/** The kind of a problem: an unknown field, a wrong type or value, or a missing field. */
export type FaultKind = 'unknown' | 'invalid' | 'missing';

/** A problem of an object. */
export interface ObjectViolation {
  readonly kind: FaultKind;
  /** The field, such as `spec.replicas`. */
  readonly path: string;
  readonly steps: readonly (string | number)[];
  /** For example `unknown field "spec.replcas"`. */
  readonly message: string;
  /** How to fix it, as one sentence. */
  readonly hint: string;
}

/** Returns the path of a member. */
export function memberPath(before: FieldPath | undefined, step: string | number): FieldPath {
  return { step, before };
}

/** Returns the steps of a path. */
function pathSteps(path: FieldPath | undefined): (string | number)[] {
  const steps: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.before) steps.push(at.step);
  return steps.reverse();
}

/** Returns the problem of an unknown field. `known` are the names of its siblings. */
export function unknownField(path: FieldPath, known: Iterable<string>): ObjectViolation {
  const meant = suggest(String(path.step), known);
  const hint = meant === undefined ? 'Leave it out, or move it to where it belongs.' : `Did you mean "${meant}"?`;
  return fault('unknown', path, (text) => `unknown field "${text}"`, hint);
}

/** Returns the problem of a missing field. */
export function missingField(path: FieldPath): ObjectViolation {
  return fault('missing', path, (text) => `missing required field "${text}"`, 'Give it.');
}

/** Returns the problem of a value of a wrong type. */
export function wrongType(path: FieldPath | undefined, got: string, expected: string): ObjectViolation {
  const hint =
    expected === 'string' && (got === 'integer' || got === 'number' || got === 'boolean')
      ? 'Write it in quotes: the template may pipe it to quote.'
      : `Give ${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}.`;
  return fault('invalid', path, (text) => `invalid type for ${text}: got "${got}", expected "${expected}"`, hint);
}

/** Returns the problem of an invalid value. */
export function wrongValue(path: FieldPath | undefined, reason: string, hint: string): ObjectViolation {
  return fault('invalid', path, (text) => `invalid value for ${text}: ${reason}`, hint);
}

function fault(
  kind: FaultKind,
  at: FieldPath | undefined,
  message: (path: string) => string,
  hint: string,
): ObjectViolation {
  const steps = pathSteps(at);
  const path = steps.reduce<string>((text, step) => joinPath(text, step), '');
  return { kind, path, steps, message: message(path === '' ? 'the object' : path), hint };
}
