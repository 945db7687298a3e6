// Charts written as text, and their composed values.

import type { Chart } from '../../../render/chart/chart.ts';
import { childPath } from '../../../render/chart/chart.ts';
import { loadChart } from '../../../render/chart/load.ts';
import { emitJson } from '../../../render/codec/json.ts';
import { parseYamlMap } from '../../../render/codec/yaml/parse.ts';
import { encodeUtf8 } from '../../../render/go/utf8.ts';
import type { GoMap } from '../../../render/go/value.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { composeValues } from '../../../render/values/compose.ts';
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

/** The result of composing: the values of every chart by its path, and the warnings without their prefix. */
export interface Composed {
  readonly values: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** Composes a chart with user values given as YAML. */
export function compose(chart: Chart, user = ''): Composed {
  const warnings: string[] = [];
  const composed = composeValues(chart, parseYamlMap(user), { helm, onWarning: (line) => warnings.push(line) });
  const values: Record<string, string> = {};
  collect(composed.chart, composed.values, 'c', values);
  return { values, warnings };
}

function collect(chart: Chart, values: GoMap, path: string, into: Record<string, string>): void {
  into[path] = emitJson(values);
  for (const child of chart.children) {
    collect(child, values.get(child.metadata.name) as GoMap, childPath(path, child), into);
  }
}
