// The coverage of a chart on disk by its cases.

import { type CoverageOptions, coverChart } from '../api/coverage.ts';
import { loadChartPath } from '../chart/directory.node.ts';
import { checkArguments, flag, optionsOf, text } from '../core/arguments.ts';
import { seededHost } from '../core/host.ts';
import { folderPrefix } from '../core/paths.node.ts';
import type { PlacedCoverage } from '../coverage/formats.ts';
import { chooseVersions, skippedNote } from '../engine/kube-versions.ts';
import { withFewPrimes } from '../engine/randomness.ts';
import { helmOf } from '../helm/versions.ts';
import { readCases } from './cases.node.ts';
import { settingsForChart } from './chart-settings.node.ts';
import { locateChart } from './files.node.ts';
import { type RunOptions, runChecks, runContext } from './run-options.node.ts';
import { helmVersionOf } from './settings.ts';

/** Options of `coverChartPath`. */
export interface ChartCoverageOptions extends RunOptions, Pick<CoverageOptions, 'subcharts'> {
  /** Whether each case is also rendered as an upgrade. Default false. */
  readonly upgrade?: boolean | undefined;
}

const coverageOptions = optionsOf<ChartCoverageOptions>({ ...runChecks, subcharts: flag, upgrade: flag });

/**
 * Renders every case of the chart at a path, a folder or a .tgz archive, and returns its coverage, as `drydock coverage` does. The cases
 * are the setting `values`, else the values files in the chart's ci/ folder, else the defaults; each is rendered for every Kubernetes
 * version that the chart accepts. A case that fails is part of the result. Rejects with UsageError; with CHART_NOT_FOUND, CHART_INVALID,
 * VALUES_INVALID, ARGUMENT_INVALID.
 * @example
 * const covered = await coverChartPath('charts/web', { settings: { kubeVersions: ['1.29', '1.33'] } });
 * console.log(formatCoverageReport([covered], 'text'));
 */
export async function coverChartPath(path: string, options: ChartCoverageOptions = {}): Promise<PlacedCoverage> {
  checkArguments('coverChartPath', ['path', path, text], ['options', options, coverageOptions]);
  const { subcharts, upgrade = false, ...run } = options;
  const { settings: common, io } = runContext(run);
  const folder = locateChart(path, io.cwd);
  const settings = settingsForChart(common, folder, io.cwd);
  const helm = helmOf(helmVersionOf(settings));
  const chart = await loadChartPath(folder, { helm: helm.name, onWarning: () => {} });
  const { kubeVersion: range } = chart.metadata;
  const { kubeVersions: flagged, apiVersions } = settings;
  const { accepted, refused } = chooseVersions([range], flagged, helm);
  if (accepted.length > 0 && refused.length > 0) io.stderr(`Note: ${path}: ${skippedNote(range, refused)}\n`);
  const versions = accepted.length > 0 ? accepted : flagged;
  const targets = versions.flatMap((kubeVersion = '') =>
    (upgrade ? [false, true] : [false]).map((isUpgrade) => ({
      kubeVersion,
      apiVersions,
      isUpgrade,
      suffix: [flagged.length === 0 ? '' : kubeVersion, isUpgrade ? 'upgrade' : '']
        .filter((word) => word !== '')
        .join(' '),
    })),
  );
  const found = await readCases(folder, settings, targets, io);
  const cases = found.map((one) => ({
    ...one,
    set: settings.set,
    subchartNotes: true,
    host: withFewPrimes(seededHost()),
  }));
  return { coverage: coverChart(chart, { cases, subcharts }), folder: folderPrefix(folder, io.cwd) };
}
