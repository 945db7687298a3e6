// Functions for the Go type and kind of a value, its emptiness, and versions.
// Mirrors: Masterminds/sprig, reflect.go, defaults.go and semver.go, v3.3.0.

import { LruCache } from '../core/lru-cache.ts';
import { deepEqual } from '../go/deep-equal.ts';
import { parseConstraint, parseVersion, satisfies } from '../go/semver.ts';
import { type FuncMap, func, isTrue, kindOf, typeOf, variadic } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';

/** Functions for types and kinds, and deep comparison. */
export const typeFuncs: FuncMap = new Map([
  ['typeOf', func(['any'], typeOf)],
  ['typeIs', func(['string', 'any'], (type, value) => type === typeOf(value))],
  ['typeIsLike', func(['string', 'any'], (type, value) => [type, `*${type}`].includes(typeOf(value)))],
  ['kindOf', func(['any'], kindOf)],
  ['kindIs', func(['string', 'any'], (kind, value) => kind === kindOf(value))],
  ['deepEqual', func(['any', 'any'], deepEqual)],
]);

/** Functions that select values. All arguments are evaluated before the call. */
export const defaultFuncs: FuncMap = new Map([
  ['default', variadic(['any'], 'any', (fallback, [given = null]) => (isTrue(given) ? given : fallback))],
  ['empty', func(['any'], (value) => !isTrue(value))],
  ['coalesce', variadic([], 'any', (values) => values.find(isTrue) ?? null)],
  ['all', variadic([], 'any', (values) => values.every(isTrue))],
  ['any', variadic([], 'any', (values) => values.some(isTrue))],
  ['ternary', func(['any', 'any', 'bool'], (whenTrue, whenFalse, condition) => (condition ? whenTrue : whenFalse))],
]);

/** Returns the version functions with the semver library of a Helm version. */
export function createSemverFuncs({ semver }: Helm): FuncMap {
  // Charts compare one Kubernetes version with the same few constraints hundreds of times.
  const answers = new LruCache<boolean>({ total: 100_000, each: 200 });
  const semverCompare = (constraint: string, version: string): boolean =>
    answers.get(`${constraint.length} ${constraint} ${version}`, () => {
      const parsed = parseConstraint(constraint, semver);
      return satisfies(parseVersion(version, semver), parsed);
    });
  return new Map([
    ['semver', func(['string'], (text) => parseVersion(text, semver))],
    ['semverCompare', func(['string', 'string'], semverCompare)],
  ]);
}
