// Charts written as text.

import type { Chart } from '../../../render/chart/chart.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { encodeUtf8 } from '../../../render/go/utf8.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { recordedHelms } from '../../support/rows.ts';

/** The version of Helm of the expectations that name none. */
export const helm = helmOf(recordedHelms[3]);

/** Loads a chart from texts. A missing Chart.yaml is generated with the name of its folder, the root as `c`. */
export function chartOf(files: Readonly<Record<string, string>>): Chart {
  const all = new Map<string, Uint8Array>();
  for (const path of ['', ...Object.keys(files)]) {
    for (
      let folder = /^(?:charts\/[^/]+\/)*/.exec(path)?.[0] ?? '';
      ;
      folder = folder.replace(/charts\/[^/]+\/$/, '')
    ) {
      const name = folder.split('/').at(-2) ?? 'c';
      all.set(`${folder}Chart.yaml`, encodeUtf8(`apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`));
      if (folder === '') break;
    }
  }
  for (const [path, text] of Object.entries(files)) {
    const head = path.endsWith('Chart.yaml') && text.startsWith('dependencies') ? all.get(path) : undefined;
    all.set(path, encodeUtf8((head === undefined ? '' : new TextDecoder().decode(head)) + text));
  }
  return loadChart(all, { helm: helm.name });
}
