// Evaluates a template without a chart, for tests of functions.

import { seededHost } from '../../render/core/host.ts';
import { createFuncMap } from '../../render/functions/table.ts';
import { type FuncMap, func, type GoMap, NamedMap } from '../../render/go/value.ts';
import type { JsonObject } from '../../render/order/order.ts';
import { TemplateExecError } from '../../render/template/failures.ts';
import { TemplateSet } from '../../render/template/template.ts';
import { valueOfJson } from '../../render/values/patch.ts';

/** The functions of templates, without those that need a template set. */
const allFuncs: FuncMap = createFuncMap(seededHost());

/** Returns a set with all functions, `include` and a template `id` that prints `.x`. */
export function createSet(): TemplateSet {
  const set = new TemplateSet({ funcs: allFuncs });
  set.setFuncs(includeOf(set));
  set.parse('lib', '{{ define "id" }}{{ .x }}{{ end }}');
  return set;
}

/** Returns `include`, which runs a template of the set. */
export function includeOf(set: TemplateSet): FuncMap {
  return new Map([['include', func(['string', 'any'], (name, data) => set.execute(name, data))]]);
}

/** Returns a template's output, or `ERR ` and the error; `values` are its `.Values`. */
export function evaluate(template: string, funcs: FuncMap, values: JsonObject = {}): string {
  const set = new TemplateSet({ funcs });
  const named = new NamedMap(valueOfJson(values) as GoMap, 'chartutil.Values');
  try {
    set.parse('row', template);
    return set.execute('row', new Map([['Values', named]]));
  } catch (error) {
    if (error instanceof TemplateExecError) return `ERR ${error.reason}`;
    throw error;
  }
}
