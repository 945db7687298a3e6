// `drydock lint`: what `helm lint` prints.
// Mirrors: helm.sh/helm/v3/cmd/helm, lint.go, v3.17.3.

import { realHost } from '../../core/host.ts';
import { helmOf } from '../../helm/versions.ts';
import { formatLint, lintChartPath, withSubcharts } from '../../inspect/lint.node.ts';
import { mergeUserValues } from '../../values/user.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { capabilitiesOf, namespaceOf, readUserValues } from '../rendering/chart-flags.node.ts';
import { helmFlags } from '../rendering/helm-flags.node.ts';
import { helmVersionOf } from '../rendering/read.node.ts';

/** Inspects charts like `helm lint`. Returns 1 if a chart fails. Throws UsageError and RenderError. */
export async function lintCommand(flags: ParsedFlags, io: CommandIo): Promise<number> {
  const helm = helmOf(helmVersionOf(flags));
  helmFlags[helm.major].begin(flags, io, helm.command);
  if (flags.args.length === 0 && helm.lint.requiresPath) {
    throw new UsageError('"drydock lint" requires at least 1 argument\n\nUsage:  drydock lint PATH [flags]');
  }
  const given = flags.args.length === 0 ? ['.'] : flags.args;
  const capabilities = capabilitiesOf(flags, helm);
  const paths = flags.on('with-subcharts') ? withSubcharts(given, io.cwd) : given;
  const options = {
    helm,
    cwd: io.cwd,
    namespace: namespaceOf(flags, io),
    values: mergeUserValues(await readUserValues(flags, io, helm), helm),
    capabilities,
    skipSchemaValidation: flags.on('skip-schema-validation'),
    host: realHost(io.env.TZ),
    onWarning: (line: string): void => io.stderr(`${line}\n`),
  };
  const charts = paths.map((path) => lintChartPath(path, options));
  const { text, failure } = formatLint(charts, { strict: flags.on('strict'), quiet: flags.on('quiet') });
  io.stdout(text);
  if (failure === undefined) return 0;
  io.stderr(`Error: ${failure}\n`);
  return 1;
}
