// The `kubeVersion` ranges of the charts that a command renders.

import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readChartPath } from '../chart/directory.node.ts';
import { parseYamlMap } from '../codec/yaml/parse.ts';
import { codeOf, RenderError } from '../core/errors.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { GoError } from '../go/value.ts';
import { validateOrder } from '../order/validate.ts';
import type { OrderInput } from './orders.node.ts';

/** Returns the `kubeVersion` of an input's chart; empty if it has none or cannot be read, which rendering reports. */
export function kubeRangeOf(input: string, cwd: string): string {
  const path = resolve(cwd, input);
  try {
    if (!statSync(path).isDirectory()) return readChartPath(path).load().metadata.kubeVersion;
    const text = decodeUtf8(readFileSync(join(path, 'Chart.yaml')));
    if (!text.includes('kubeVersion')) return '';
    const range = parseYamlMap(text).get('kubeVersion');
    return typeof range === 'string' ? range : '';
  } catch (error) {
    if (error instanceof RenderError || error instanceof GoError || codeOf(error) !== '') return '';
    throw error;
  }
}

/** The `kubeVersion` of a package's chart. */
interface PackageRange {
  /** Path of the package in its Order. */
  readonly path: string;
  readonly range: string;
}

/** Returns the `kubeVersion` of each package's chart, if the Order leaves the version to the command line; rendering reports errors. */
export async function kubeRangesOfOrder({ text, options }: OrderInput): Promise<readonly PackageRange[]> {
  try {
    const { spec } = validateOrder(text.value).order;
    if (spec.kubeVersion.trim() !== '') return [];
    const found: PackageRange[] = [];
    for (const { path, chart } of spec.packages) {
      const { name, version, sourceRef } = chart;
      const { metadata } = await options.registry.resolve({ name, version, sourceRef });
      found.push({ path, range: metadata.kubeVersion });
    }
    return found;
  } catch (error) {
    if (error instanceof RenderError) return [];
    throw error;
  }
}
