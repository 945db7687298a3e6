// Returns the archive of a chart from a folder registry: the original archive, or its folder packed with all dependencies.

import { readFileSync, statSync } from 'node:fs';
import type { Chart } from '../../chart/chart.ts';
import { readChartFiles } from '../../chart/directory.node.ts';
import { pathOfChart } from '../../chart/registry.node.ts';
import { RenderError } from '../../core/errors.ts';
import { packChart } from './pack.ts';

/**
 * Returns the bytes of a chart's archive. A folder is packed as Helm would read it, with dependencies from elsewhere in its charts/. Throws
 * CHART_INVALID for a chart without files.
 */
export function archiveOfChart(chart: Chart): Uint8Array {
  const path = pathOfChart(chart);
  const { name, version } = chart.metadata;
  if (path === undefined) {
    throw new RenderError('CHART_INVALID', `chart ${name} ${version} comes from no file that could be packed`, {
      hint: 'Take it from a folder or an archive.',
    });
  }
  if (!statSync(path).isDirectory()) return readFileSync(path);
  const files = new Map(readChartFiles(path));
  for (const child of chart.children) {
    // Files in the folder are already included; an added chart has its own path.
    if (pathOfChart(child) === undefined) continue;
    files.set(`charts/${child.metadata.name}-${child.metadata.version}.tgz`, archiveOfChart(child));
  }
  return packChart(name, files);
}
