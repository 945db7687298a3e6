// Renders cases with and without a trace, in this process, and reports where the bytes differ.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Chart } from '../../render/chart/chart.ts';
import { loadChartPath } from '../../render/chart/directory.node.ts';
import { RenderError } from '../../render/core/errors.ts';
import type { HelmVersion } from '../../render/core/helm-version.ts';
import { runInstall } from '../../render/engine/release.ts';
import { helmOf } from '../../render/helm/versions.ts';
import { formatTemplate } from '../../render/output/template.ts';
import { createTrace } from '../../render/provenance/origins/create.ts';
import type { Trace } from '../../render/template/trace.ts';
import { mergeUserValues, type ValuesFile } from '../../render/values/user.ts';
import { proofHost } from '../support/proofs/host.ts';
import type { ConformanceCase } from './charts.ts';

/** Number of equal results, by whether they rendered, and the different ones. */
export interface TracedOutcome {
  readonly rendered: number;
  readonly refused: number;
  readonly different: readonly string[];
}

/** Renders every case twice with the same Helm version: without a trace and with one. */
export async function compareTraced(cases: readonly ConformanceCase[], version: HelmVersion): Promise<TracedOutcome> {
  const helm = helmOf(version);
  const sums = { rendered: 0, refused: 0 };
  const different: string[] = [];
  let known: { readonly path: string; readonly chart: Chart | RenderError } | undefined;
  for (const { id, chart: path, valuesFile } of cases) {
    // The cases of one chart are adjacent.
    if (known?.path !== path) known = { path, chart: await loadOr(path, version) };
    const { chart } = known;
    // A chart that does not load is not rendered.
    if (chart instanceof RenderError) continue;
    const file = valuesFile === undefined ? [] : [await valuesAt(path, valuesFile)];
    const outcomeOf = (trace: Trace | undefined): string => {
      try {
        const values = mergeUserValues({ valuesFiles: file }, helm);
        const release = runInstall(chart, { helm, name: 'release-name', values, host: proofHost(), trace });
        sums.rendered++;
        return `${formatTemplate(release, {})}\0${release.notes}`;
      } catch (error) {
        if (!(error instanceof RenderError)) throw error;
        sums.refused++;
        return error.message;
      }
    };
    if (outcomeOf(undefined) !== outcomeOf(createTrace())) different.push(id);
  }
  return { rendered: sums.rendered / 2, refused: sums.refused / 2, different };
}

async function loadOr(path: string, helm: HelmVersion): Promise<Chart | RenderError> {
  try {
    return await loadChartPath(path, { helm, onWarning: () => {} });
  } catch (error) {
    if (error instanceof RenderError) return error;
    throw error;
  }
}

async function valuesAt(folder: string, name: string): Promise<ValuesFile> {
  return { name, text: await readFile(join(folder, name), 'utf8') };
}
