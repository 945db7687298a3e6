// Functions that select values by emptiness, the negation of a template's `if`.
// Mirrors: Masterminds/sprig, defaults.go, v3.3.0.

import { type FuncMap, func, isTrue, variadic } from '../go/value.ts';

/** Functions that select values. All arguments are evaluated before the call. */
export const defaultFuncs: FuncMap = new Map([
  ['default', variadic(['any'], 'any', (fallback, [given = null]) => (isTrue(given) ? given : fallback))],
  ['empty', func(['any'], (value) => !isTrue(value))],
  ['coalesce', variadic([], 'any', (values) => values.find(isTrue) ?? null)],
  ['all', variadic([], 'any', (values) => values.every(isTrue))],
  ['any', variadic([], 'any', (values) => values.some(isTrue))],
  ['ternary', func(['any', 'any', 'bool'], (whenTrue, whenFalse, condition) => (condition ? whenTrue : whenFalse))],
]);
