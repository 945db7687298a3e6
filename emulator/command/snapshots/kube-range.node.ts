// Which versions of Kubernetes a chart is rendered for: those that its `kubeVersion` accepts.

import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isCompatibleRange } from '../../../render/chart/compatible.ts';
import { readChartPath } from '../../../render/chart/directory.node.ts';
import { parseYamlMap } from '../../../render/codec/yaml/parse.ts';
import { codeOf, RenderError } from '../../../render/errors.ts';
import { decodeUtf8 } from '../../../render/go/utf8.ts';
import { GoError } from '../../../render/go/value.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { knownVersions } from '../../../render/kube/lifecycles.ts';
import { createCapabilities } from '../../../render/values/capabilities.ts';
import type { ParsedFlags } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { majorOf } from '../rendering/read.node.ts';
import type { CellName } from './cells.node.ts';

/**
 * Returns the cells of a chart, that of a version which the chart accepts first. Another version is still rendered, once: that the
 * chart refuses it is reported and recorded. Without a version, the default is the nearest one that the chart accepts.
 */
export function cellsForChart(
  cells: readonly [CellName, ...CellName[]],
  input: string,
  { flags, io }: { readonly flags: ParsedFlags; readonly io: CommandContext },
): readonly [CellName, ...CellName[]] {
  const range = kubeRangeOf(resolve(io.cwd, input));
  if (range === '') return cells;
  const { semver } = helmOf(majorOf(flags));
  const accepts = ({ version = '' }: Pick<CellName, 'version'>): boolean => {
    const { normalized } = createCapabilities({ kubeVersion: version }).kubeVersion;
    return isCompatibleRange(range, normalized, semver);
  };
  if (cells[0].version === undefined) {
    if (accepts({ version: undefined })) return cells;
    const version = nearestAccepted((one) => accepts({ version: one }));
    const [first, ...others] = cells;
    return [{ ...first, version }, ...others.map((cell) => ({ ...cell, version }))];
  }
  const [first, ...others] = cells.filter(accepts);
  if (first === undefined) return cells;
  const refused = cells.filter((cell) => !accepts(cell) && cell.apis.length + cell.values.length === 0);
  return [first, ...others, ...refused];
}

// The known minor version nearest to the default: a chart keeps it when a newer Kubernetes becomes known.
function nearestAccepted(accepts: (version: string) => boolean): string | undefined {
  const [oldest, newest] = knownVersions;
  const { minor } = createCapabilities({}).kubeVersion;
  const minors = Array.from({ length: newest - oldest + 1 }, (_, at) => oldest + at);
  minors.sort((a, b) => Math.abs(a - Number(minor)) - Math.abs(b - Number(minor)));
  return minors.map((one) => `1.${one}.0`).find(accepts);
}

// A chart that cannot be read has none here: rendering it reports why.
function kubeRangeOf(path: string): string {
  try {
    if (!statSync(path).isDirectory()) return readChartPath(path).load().metadata.kubeVersion;
    const range = parseYamlMap(decodeUtf8(readFileSync(join(path, 'Chart.yaml')))).get('kubeVersion');
    return typeof range === 'string' ? range : '';
  } catch (error) {
    if (error instanceof RenderError || error instanceof GoError || codeOf(error) !== '') return '';
    throw error;
  }
}
