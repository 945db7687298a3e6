// `drydock diff`: semantic differences between two Orders, charts, sets of values, versions or rendered manifests.

import { RenderError } from '../../core/errors.ts';
import { paintDifference } from '../../core/style.ts';
import { formatReport } from '../../report/format.ts';
import { diffInputs } from '../../snapshot/diff-inputs.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { printFailure } from '../output.ts';
import type { CommandContext } from '../program.ts';
import { hasLater, laterSettings, renderSettings, surroundings } from '../settings.ts';
import { requestedReports } from './reports.node.ts';

/**
 * Reports a difference; for two folders of charts, chart by chart. Returns 0 if nothing differs, 1 if something does, 2 if a side is
 * invalid. Throws UsageError.
 */
export async function diffCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const [first, second, ...more] = flags.args;
  if (first === undefined || more.length > 0) {
    throw new UsageError(
      '"drydock diff" takes two Orders, charts, manifests or folders of them; or one, and flags that begin with --new-',
    );
  }
  if (second === undefined && !hasLater(flags)) {
    throw new UsageError(
      `name what ${first} is compared with, or give it other values: --new-values, --new-set, --new-kube-version …`,
    );
  }
  if (first === '-' && second === '-') throw new UsageError('standard input can be one side alone');
  const reports = requestedReports(flags, io);
  try {
    const { report, unusedRules, ...found } = await diffInputs(first, second, {
      ...surroundings(io),
      settings: renderSettings(flags),
      later: (settings) => laterSettings(settings, flags),
      ignore: flags.list('ignore'),
      all: flags.on('all'),
      comparesNamespace: flags.has('namespace') || flags.has('new-namespace'),
      onSides: (before, after) => {
        if (before !== 'chart' && after !== 'chart') refuseChartFlags(flags);
      },
    });
    if (found.isFault && !found.isFolder) return 2;
    for (const rule of unusedRules) io.stderr(`Warning: --ignore ${JSON.stringify(rule)} matches nothing\n`);
    if (!reports.takesOutput) {
      if (flags.on('json')) io.stdout(formatReport(report, 'json'));
      else if (!io.quiet || found.isDifferent) io.stdout(paintDifference(formatReport(report, 'text'), io.out));
    }
    reports.write(report);
    if (found.isFault) return 2;
    return found.isDifferent ? 1 : 0;
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    printFailure(error, undefined, io, '');
    return 2;
  }
}

// An Order has its own values, and a manifest has none.
function refuseChartFlags(flags: ParsedFlags): void {
  const given = ['values', 'set', 'set-string', 'set-json', 'set-file', 'set-literal', 'namespace', 'release'];
  const flag = given.flatMap((name) => [name, `new-${name}`]).find((name) => flags.isGiven(name));
  if (flag !== undefined) throw new UsageError(`--${flag} is for charts, and neither side is one`);
}
