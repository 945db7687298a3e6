// Evaluates one template with some functions, for tests of a function without a chart.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FuncMap, type GoMap, type GoValue, NamedMap } from '../../render/go/value.ts';
import { TemplateExecError } from '../../render/template/failures.ts';
import { TemplateSet } from '../../render/template/template.ts';

/** A template and its output; an output that starts with `ERR ` is the error. */
export type EvaluationRow = readonly [template: string, want: string];

/** Returns plain JSON data as Go values: numbers are float64, as from a values file. */
export function goValue(data: unknown): GoValue {
  if (Array.isArray(data)) return data.map(goValue);
  if (typeof data === 'object' && data !== null && !(data instanceof Map)) {
    return new Map(Object.entries(data).map(([key, value]) => [key, goValue(value)]));
  }
  return data as GoValue;
}

/** Returns a template's output, or `ERR ` and the error; `values` are its `.Values`. */
export function evaluate(template: string, funcs: FuncMap, values: Record<string, unknown> = {}): string {
  const set = new TemplateSet({ funcs });
  const named = new NamedMap(goValue(values) as GoMap, 'chartutil.Values');
  try {
    set.parse('row', template);
    return set.execute('row', new Map([['Values', named]]));
  } catch (error) {
    if (error instanceof TemplateExecError) return `ERR ${error.reason}`;
    throw error;
  }
}

/** Declares one test that evaluates every row. */
export function testRows(name: string, funcs: FuncMap, rows: readonly EvaluationRow[], values = {}): void {
  test(name, () => {
    for (const [template, want] of rows) assert.equal(evaluate(template, funcs, values), want, template);
  });
}
