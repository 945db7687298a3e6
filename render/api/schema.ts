// Derives a schema and a table of values from a chart.

import { CaseWatch } from '../cases/observe.ts';
import { inferredSchema, valuesTable } from '../cases/schema.ts';
import { failureOf } from '../cases/search.ts';
import type { Chart } from '../chart/chart.ts';
import { chartArgument } from '../chart/check.ts';
import { checkArguments, flag, optionsOf } from '../core/arguments.ts';
import { seededHost } from '../core/host.ts';
import type { JsonObject } from '../order/order.ts';
import { valueDescriber } from '../values/describe.ts';
import type { Steps } from '../values/paths.ts';
import { existingSettings, type GenerateCasesOptions, generateChecks, searchCases } from './cases.ts';
import { renderWith } from './chart.ts';

/** Options of `valuesSchema`. */
export interface ValuesSchemaOptions extends GenerateCasesOptions {
  /** Whether unknown keys are refused. Default false. */
  readonly strict?: boolean | undefined;
}

const schemaOptions = optionsOf<ValuesSchemaOptions>({ ...generateChecks, strict: flag });

/**
 * Returns a JSON Schema (draft 7) for a chart's `values.schema.json`: types from the defaults and from what the templates accept,
 * descriptions from the comments. It accepts the given cases and those of `generateCases`, and refuses types that make the templates fail.
 * Throws RenderError: ARGUMENT_INVALID.
 * @example
 * writeFileSync('values.schema.json', JSON.stringify(valuesSchema(chart), undefined, 2));
 */
export function valuesSchema(chart: Chart, options: ValuesSchemaOptions = {}): JsonObject {
  checkArguments('valuesSchema', ['chart', chart, chartArgument], ['options', options, schemaOptions]);
  const { strict = false, maxSeconds, ...search } = options;
  const started = performance.now();
  // An existing schema must not influence the new one.
  const release = { ...search.release, skipSchemaValidation: true };
  const existing = existingSettings(search.cases ?? [], release);
  // The search leaves time to try other types.
  const { cases } = searchCases(chart, { ...search, release, maxSeconds: maxSeconds && Math.ceil(maxSeconds / 2) });
  const missing = new Map<string, Steps>();
  const renders = (values: JsonObject): boolean => {
    // Types that there is no time to try are accepted.
    if (maxSeconds !== undefined && performance.now() - started > maxSeconds * 1000) return true;
    const { runs, reads, missing: own } = new CaseWatch();
    const failure = failureOf(() => renderWith(chart, { ...release, values, host: seededHost() }, { runs, reads }));
    for (const [key, path] of own) missing.set(key, path);
    return failure === undefined;
  };
  const samples = [...existing, ...cases].map(({ values }) => values);
  for (const sample of [{}, ...samples]) renders(sample);
  const describe = valueDescriber(chart);
  return inferredSchema({ chart, samples, missing: [...missing.values()], isStrict: strict, describe, renders });
}

/**
 * Returns the values of a chart as a Markdown table: key, type, default and description from comments or schema. Throws RenderError:
 * ARGUMENT_INVALID.
 */
export function formatValuesTable(chart: Chart): string {
  checkArguments('formatValuesTable', ['chart', chart, chartArgument]);
  return valuesTable(chart);
}
