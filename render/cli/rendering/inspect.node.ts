// `drydock lint`, `show` and `dependency list`: what Helm's commands print.
// Mirrors: helm.sh/helm/v3/cmd/helm, lint.go, show.go and dependency.go, v3.17.3.

import { normalize } from 'node:path';
import { readChartPath } from '../../chart/directory.node.ts';
import { realHost } from '../../core/host.ts';
import { didYouMean } from '../../core/suggest.ts';
import { helmOf } from '../../helm/versions.ts';
import { locateChart } from '../../inputs/files.node.ts';
import { helmVersionOf } from '../../inputs/settings.ts';
import { capabilitiesOf, readUserValues } from '../../inputs/values.node.ts';
import { dependencyTable } from '../../inspect/dependency-list.node.ts';
import { lintChartPath, lintText, withSubcharts } from '../../inspect/lint.node.ts';
import { shownParts, showPart } from '../../inspect/show.ts';
import { mergeUserValues } from '../../values/user.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandIo } from '../program.ts';
import { renderSettings } from '../settings.ts';
import { checkChartFlags, checkVerifiable, helmFlags, namespaceOf } from './helm-flags.node.ts';

/** Inspects charts like `helm lint`. Returns 1 if a chart fails. Throws UsageError and RenderError. */
export async function lintCommand(flags: ParsedFlags, io: CommandIo): Promise<number> {
  const helm = helmOf(helmVersionOf(renderSettings(flags)));
  helmFlags[helm.major].begin(flags, io, helm.command);
  if (flags.args.length === 0 && helm.lint.requiresPath) {
    throw new UsageError('"drydock lint" requires at least 1 argument\n\nUsage:  drydock lint PATH [flags]');
  }
  const given = flags.args.length === 0 ? ['.'] : flags.args;
  const capabilities = capabilitiesOf(renderSettings(flags), helm);
  const paths = flags.on('with-subcharts') ? withSubcharts(given, io.cwd) : given;
  const options = {
    helm,
    cwd: io.cwd,
    namespace: namespaceOf(flags, io),
    values: mergeUserValues(await readUserValues(renderSettings(flags), io, helm), helm),
    capabilities,
    skipSchemaValidation: flags.on('skip-schema-validation'),
    host: realHost(io.env.TZ),
    onWarning: (line: string): void => io.stderr(`${line}\n`),
  };
  const charts = paths.map((path) => lintChartPath(path, options));
  const { text, failure } = lintText(charts, { strict: flags.on('strict'), quiet: flags.on('quiet') });
  io.stdout(text);
  if (failure === undefined) return 0;
  io.stderr(`Error: ${failure}\n`);
  return 1;
}

/** Prints a part of a chart as `helm show` does. Throws UsageError and RenderError. */
export async function showCommand(flags: ParsedFlags, io: CommandIo): Promise<number> {
  const helm = helmOf(helmVersionOf(renderSettings(flags)));
  helmFlags[helm.major].begin(flags, io, helm.command);
  const [word = '', chart, ...more] = flags.args;
  const part = shownParts.find((name) => name === word);
  if (part === undefined) {
    throw new UsageError(`"drydock show" takes ${shownParts.join(', ')}, not "${word}"${didYouMean(word, shownParts)}`);
  }
  if (chart === undefined || more.length > 0) {
    throw new UsageError(`"drydock show ${part}" requires 1 argument\n\nUsage:  drydock show ${part} [CHART] [flags]`);
  }
  const jsonPath = flags.text('jsonpath');
  if (jsonPath !== undefined && part !== 'values') throw new UsageError('unknown flag: --jsonpath');
  const onWarning = (line: string): void => io.stderr(`${line}\n`);
  checkChartFlags(flags, helm, io.cwd);
  const path = locateChart(chart, io.cwd);
  checkVerifiable(flags, path);
  const { load } = readChartPath(path, { helm: helm.name, onWarning, detectsVersion: false });
  io.stdout(showPart(load(), part, helm, jsonPath));
  return 0;
}

/** Prints the dependencies of a chart as `helm dependency list` does. Throws UsageError and RenderError. */
export async function dependencyCommand(flags: ParsedFlags, io: CommandIo): Promise<number> {
  const helm = helmOf(helmVersionOf(renderSettings(flags)));
  helmFlags[helm.major].begin(flags, io, helm.command);
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
  const text = dependencyTable(normalize(chart).replace(/(?<=.)\/$/, ''), {
    helm,
    cwd: io.cwd,
    maxColumnWidth: Number(flags.text('max-col-width') ?? '80'),
    onWarning: (line) => io.stderr(`${line}\n`),
  });
  io.stdout(text);
  return 0;
}
