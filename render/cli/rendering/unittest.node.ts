// `drydock unittest`: runs the suites of helm-unittest as they are.

import { plainStyle } from '../../core/style.ts';
import { settingsForChart } from '../../inputs/chart-settings.node.ts';
import { isReportForm, type ReportForm } from '../../unittest/reports/reports.ts';
import { testCharts } from '../../unittest/runner.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../program.ts';
import { renderSettings } from '../settings.ts';

/** Runs the suites of charts. Returns 0 if all pass, 1 otherwise. Throws UsageError. */
export async function unittestCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length === 0) throw new UsageError('requires at least 1 arg(s), only received 0: name a chart');
  const file = flags.text('output-file');
  const form = formOf(flags);
  const settings = renderSettings(flags);
  const passed = await testCharts(
    flags.args,
    {
      patterns: flags.list('file'),
      values: settings.values,
      testsChart: flags.text('chart-tests-path') ?? '',
      isStrict: flags.on('strict'),
      withSubcharts: !flags.has('with-subchart') || flags.on('with-subchart'),
      failFast: flags.on('failfast'),
      isUpdate: flags.on('update-snapshot'),
      writesRenderings: flags.on('debugPlugin'),
      isColored: flags.has('color') ? flags.on('color') : io.out !== plainStyle,
      skipsSchema: (path) => settingsForChart(settings, path, io.cwd).skipSchemaValidation,
      report: file ? { form, file } : undefined,
    },
    io,
  );
  return passed ? 0 : 1;
}

function formOf(flags: ParsedFlags): ReportForm {
  const form = (flags.text('output-type') ?? 'XUnit').toLowerCase();
  if (isReportForm(form)) return form;
  throw new UsageError(`--output-type takes JUnit, NUnit, XUnit, Sonar, not "${flags.text('output-type')}"`);
}
