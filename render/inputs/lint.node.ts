// Inspects charts on disk with settings, like `helm lint`.

import { checkArguments, filled, flag, listOf, optionsOf } from '../core/arguments.ts';
import { realHost } from '../core/host.ts';
import { helmOf } from '../helm/versions.ts';
import { type LintedChart, lintChartPath, withSubcharts } from '../inspect/lint.node.ts';
import { mergeUserValues } from '../values/user.ts';
import { type RunOptions, runChecks, runContext } from './run-options.node.ts';
import { helmVersionOf } from './settings.ts';
import { capabilitiesOf, readUserValues } from './values.node.ts';

/** Options of `lintCharts`. */
export interface LintRunOptions extends RunOptions {
  /** Whether the charts in the charts/ folders are inspected too. Default false. */
  readonly subcharts?: boolean | undefined;
}

const lintOptions = optionsOf<LintRunOptions>({ ...runChecks, subcharts: flag });

/**
 * Inspects the charts at paths like `helm lint`, with values files and `set` texts from settings; `formatLint` formats the results. Rejects
 * with VALUES_INVALID, ARGUMENT_INVALID.
 * @example
 * const { text, failure } = formatLint(await lintCharts(['charts/web'], { settings: { values: ['prod.yaml'] } }));
 */
export async function lintCharts(paths: readonly string[], options: LintRunOptions = {}): Promise<LintedChart[]> {
  checkArguments('lintCharts', ['paths', paths, listOf(filled)], ['options', options, lintOptions]);
  const { settings, io } = runContext(options);
  const helm = helmOf(helmVersionOf(settings));
  const capabilities = capabilitiesOf(settings, helm);
  const wanted = options.subcharts === true ? withSubcharts(paths, io.cwd) : paths;
  const linting = {
    helm,
    cwd: io.cwd,
    namespace: settings.namespace,
    values: mergeUserValues(await readUserValues(settings, io, helm), helm),
    capabilities,
    skipSchemaValidation: settings.skipSchemaValidation,
    host: realHost(io.env.TZ),
    onWarning: (line: string): void => io.stderr(`${line}\n`),
  };
  return wanted.map((path) => lintChartPath(path, linting));
}
