// Functions for the Go type and kind of a value, and for its emptiness.
// Mirrors: Masterminds/sprig, reflect.go and defaults.go, v3.3.0.

import { deepEqual } from '../go/deep-equal.ts';
import { type FuncMap, func, isTrue, kindOf, typeOf, variadic } from '../go/value.ts';

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
