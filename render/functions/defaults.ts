// The functions that choose between values by their emptiness, which is the truth of a template's `if` turned around.
// Mirrors: Masterminds/sprig, defaults.go, v3.3.0.

import { type FuncMap, func, isTrue, variadic } from '../go/value.ts';

/** The functions that choose between values. Their arguments are all evaluated beforehand. */
export const defaultFuncs: FuncMap = new Map([
  ['default', variadic(['any'], 'any', (fallback, [given = null]) => (isTrue(given) ? given : fallback))],
  ['empty', func(['any'], (value) => !isTrue(value))],
  ['coalesce', variadic([], 'any', (values) => values.find(isTrue) ?? null)],
  ['all', variadic([], 'any', (values) => values.every(isTrue))],
  ['any', variadic([], 'any', (values) => values.some(isTrue))],
  ['ternary', func(['any', 'any', 'bool'], (whenTrue, whenFalse, condition) => (condition ? whenTrue : whenFalse))],
]);
