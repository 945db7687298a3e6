// The settings of single charts.

import { relative, resolve, sep } from 'node:path';
import { isPattern } from '../core/paths.ts';
import { compileGlob } from '../go/glob.ts';
import type { ChartSettings, RenderSettings } from './settings.ts';

export function settingsForChart<Settings extends RenderSettings>(
  settings: Settings,
  chart: string,
  cwd: string,
): Settings {
  return settings.forCharts.length === 0 ? settings : { ...settings, ...chartSettings(settings, chart, cwd) };
}

/** Returns the settings that only the chart at a path has. */
export function chartSettings(
  { forCharts }: Pick<RenderSettings, 'forCharts'>,
  chart: string,
  cwd: string,
): ChartSettings['settings'] {
  const path = resolve(cwd, chart);
  const shown = relative(cwd, path).split(sep).join('/') || '.';
  const own = forCharts.filter(({ charts }) => {
    return resolve(cwd, charts) === path || (isPattern(charts) && compileGlob(charts)(shown));
  });
  return Object.assign({}, ...own.map(({ settings }) => settings));
}
