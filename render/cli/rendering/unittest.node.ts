// `drydock unittest`: runs the suites of helm-unittest as they are.

import { plainStyle } from '../../core/style.ts';
import { type ReportForm, reportForms } from '../../unittest/reports/reports.ts';
import { testCharts } from '../../unittest/runner.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../program.ts';
import { renderSettings, surroundings } from '../settings.ts';

/** Runs the suites of charts. Returns 0 if all pass, 1 otherwise. Throws UsageError. */
export async function unittestCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length === 0) throw new UsageError('requires at least 1 arg(s), only received 0: name a chart');
  const file = flags.text('output-file');
  const form = formOf(flags);
  const passed = await testCharts(flags.args, {
    ...surroundings(io),
    stdout: io.stdout,
    settings: renderSettings(flags),
    patterns: flags.list('file'),
    strict: flags.on('strict'),
    subcharts: !flags.has('with-subchart') || flags.on('with-subchart'),
    failFast: flags.on('failfast'),
    update: flags.on('update-snapshot'),
    color: flags.has('color') ? flags.on('color') : io.out !== plainStyle,
    report: file ? { form, file } : undefined,
  });
  return passed ? 0 : 1;
}

function formOf(flags: ParsedFlags): ReportForm {
  const name = (flags.text('output-type') ?? 'XUnit').toLowerCase();
  const form = reportForms.find((one) => one === name);
  if (form !== undefined) return form;
  throw new UsageError(`--output-type takes JUnit, NUnit, XUnit, Sonar, not "${flags.text('output-type')}"`);
}
