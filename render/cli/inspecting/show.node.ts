// `drydock show`: what `helm show` prints.
// Mirrors: helm.sh/helm/v3/cmd/helm, show.go, v3.17.3.

import { readChartPath } from '../../chart/directory.node.ts';
import { didYouMean } from '../../core/did-you-mean.ts';
import { helmOf } from '../../helm/versions.ts';
import { shownParts, showPart } from '../../inspect/show.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { helmFlags } from '../rendering/helm-flags.node.ts';
import { checkChartFlags, checkVerifiable, helmVersionOf, locateChart } from '../rendering/read.node.ts';

/** Prints a part of a chart as `helm show` does. Throws UsageError and RenderError. */
export async function showCommand(flags: ParsedFlags, io: CommandIo): Promise<number> {
  const helm = helmOf(helmVersionOf(flags));
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
