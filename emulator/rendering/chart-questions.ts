// Slow queries about a chart: branch coverage with values that reach more, and a schema for its values.

import type { Chart, CoverageCase } from '../../render/index.ts';
import type { Json, JsonObject } from '../store/json.ts';

type Engine = typeof import('../../render/index.ts');

/** Inputs of a query about a chart. */
export interface ChartQuestion {
  readonly engine: Engine;
  /** Maximum time of the search for values, in seconds. */
  readonly maxSeconds: number;
}

/** Maximum number of listed unreached outcomes. */
const mostUnreached = 500;

/**
 * Returns as JSON which outcomes of a chart's branches its own cases reach, values files that reach more, and why the rest is not reached.
 * The cases are the files `ci/*values.yaml` in the chart, or else its defaults.
 */
export function coverageAnswer(chart: Chart, { engine, maxSeconds }: ChartQuestion): JsonObject {
  const cases = casesOf(chart);
  const found = engine.generateCases(chart, { cases, maxSeconds });
  const { before, after, reachable, isCut, failures, rejections, failedCases } = found;
  return {
    cases: cases.map(({ name }) => name),
    before: before.covered,
    after: after.covered,
    total: after.total,
    reachable,
    isCut,
    generated: found.cases.map((one) => ({ text: engine.formatCase(one), reaches: one.reaches.length })),
    unreached: found.unreached.slice(0, mostUnreached) as unknown as Json,
    unreachedCount: found.unreached.length,
    failures: failures.map(({ values, error }) => ({ values: values as JsonObject, message: error.message })),
    rejections: rejections.map(({ values, issue, others }) => {
      const { file, line = 1 } = issue.writtenAt ?? { file: issue.source, line: issue.line };
      const more = others.length === 0 ? '' : ` and ${others.length} more`;
      const message = `${issue.object}${more}: ${issue.message}`;
      return { values: values as JsonObject, message, path: file.slice(file.indexOf('/') + 1), line };
    }),
    failedCases: failedCases.map(({ at, error }) => ({ name: cases[at]?.name ?? '', message: error.message })),
  };
}

/** Returns as JSON a schema for a chart's values, derived from defaults, comments and templates, and their table in Markdown. */
export function schemaAnswer(chart: Chart, { engine, maxSeconds }: ChartQuestion): JsonObject {
  return {
    schema: engine.valuesSchema(chart, { cases: casesOf(chart), maxSeconds }) as JsonObject,
    table: engine.formatValuesTable(chart),
  };
}

function casesOf({ files }: Chart): CoverageCase[] {
  const cases = files.flatMap(({ name, data }): CoverageCase[] => {
    const [, file] = /^ci\/([^/]*values)\.ya?ml$/.exec(name) ?? [];
    return file === undefined ? [] : [{ name: file, valuesFiles: [new TextDecoder().decode(data)] }];
  });
  return cases.length > 0 ? cases : [{ name: 'defaults' }];
}
