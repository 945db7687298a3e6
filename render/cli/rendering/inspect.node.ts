// `drydock lint`, `show` and `dependency list`: what Helm's commands print.
// Mirrors: helm.sh/helm/v3/cmd/helm, lint.go, show.go and dependency.go, v3.17.3.

import { normalize } from 'node:path';
import { formatLint, listDependencies, showChart } from '../../api/inspect.node.ts';
import { loadChartPath } from '../../chart/directory.node.ts';
import { didYouMean } from '../../core/suggest.ts';
import { locateChart } from '../../inputs/files.node.ts';
import { lintCharts } from '../../inputs/lint.node.ts';
import { shownParts } from '../../inspect/show.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandIo } from '../program.ts';
import { renderSettings, surroundings } from '../settings.ts';
import { beginCommand, checkChartFlags, checkVerifiable, namespaceOf } from './helm-flags.node.ts';

/** Inspects charts like `helm lint`. Returns 1 if a chart fails. Throws UsageError and RenderError. */
export async function lintCommand(flags: ParsedFlags, io: CommandIo): Promise<number> {
  const { line } = beginCommand(flags, io);
  if (flags.args.length === 0 && line.lintRequiresPath) {
    throw new UsageError('"drydock lint" requires at least 1 argument\n\nUsage:  drydock lint PATH [flags]');
  }
  const charts = await lintCharts(flags.args.length === 0 ? ['.'] : flags.args, {
    ...surroundings(io),
    settings: { ...renderSettings(flags), namespace: namespaceOf(flags, io) },
    subcharts: flags.on('with-subcharts'),
  });
  const { text, failure } = formatLint(charts, { strict: flags.on('strict'), quiet: flags.on('quiet') });
  io.stdout(text);
  if (failure === undefined) return 0;
  io.stderr(`Error: ${failure}\n`);
  return 1;
}

/** Prints a part of a chart as `helm show` does. Throws UsageError and RenderError. */
export async function showCommand(flags: ParsedFlags, io: CommandIo): Promise<number> {
  const { version: helm, line } = beginCommand(flags, io);
  const [word = '', chart, ...more] = flags.args;
  const part = shownParts.find((name) => name === word);
  if (part === undefined) {
    throw new UsageError(`"drydock show" takes ${shownParts.join(', ')}, not "${word}"${didYouMean(word, shownParts)}`);
  }
  if (chart === undefined || more.length > 0) {
    throw new UsageError(`"drydock show ${part}" requires 1 argument\n\nUsage:  drydock show ${part} [CHART] [flags]`);
  }
  const onWarning = (line: string): void => io.stderr(`${line}\n`);
  checkChartFlags(flags, line, io.cwd);
  const path = locateChart(chart, io.cwd);
  checkVerifiable(flags, path);
  const loaded = await loadChartPath(path, { helm, onWarning, detectsVersion: false });
  io.stdout(showChart(loaded, part, { helm }));
  return 0;
}

/** Prints the dependencies of a chart as `helm dependency list` does. Throws UsageError and RenderError. */
export async function dependencyCommand(flags: ParsedFlags, io: CommandIo): Promise<number> {
  const { version: helm } = beginCommand(flags, io);
  const [word = '', chart = '.', ...more] = flags.args;
  if (['build', 'update', 'up'].includes(word)) {
    throw new UsageError(
      `drydock has no command "dependency ${word}"`,
      `To put the dependencies of a chart into its charts/ folder, use \`drydock vendor ${chart}${word === 'build' ? '' : ' --update'}\`.`,
    );
  }
  if (word !== 'list' && word !== 'ls') throw new UsageError('"drydock dependency" takes list and the path of a chart');
  if (more.length > 0) {
    throw new UsageError(
      '"drydock dependency list" accepts at most 1 argument\n\nUsage:  drydock dependency list CHART [flags]',
    );
  }
  const text = await listDependencies(normalize(chart).replace(/(?<=.)\/$/, ''), {
    helm,
    cwd: io.cwd,
    maxColumnWidth: Number(flags.text('max-col-width') ?? '80'),
    onWarning: (line) => io.stderr(`${line}\n`),
  });
  io.stdout(text);
  return 0;
}
