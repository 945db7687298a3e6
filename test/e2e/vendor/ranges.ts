// Generates ranges, and compares the versions that drydock and real Helm select.

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { VendorError, vendorOrders } from '../../../render/vendor.node.ts';
import { Dice } from '../../support/dice.ts';
import { pull, type Sandbox } from './helm.ts';

/** Returns valid and invalid ranges around versions, the same in every run. */
export function generatedRanges(versions: readonly string[], count: number): readonly string[] {
  const dice = new Dice(1);
  const operators = ['', '', '=', '!=', '>', '<', '>=', '=>', '<=', '=<', '~', '~>', '^', '^', '>= '];
  const joins = [', ', ' ', ' || ', ' - ', ',', '||'];
  const term = (): string => {
    const version = dice.pick(versions);
    const [core = ''] = version.split(/[-+]/);
    const [major = '', minor = ''] = core.split('.');
    const two = `${major}.${minor}`;
    const shapes = [
      version,
      version,
      core,
      two,
      major,
      `${two}.x`,
      `${major}.*`,
      `${core}-0`,
      `${two}.${dice.below(9)}`,
    ];
    return `${dice.pick(operators)}${dice.pick(shapes)}`;
  };
  const range = (): string => {
    if (dice.chance(0.5)) return term();
    const separator = dice.pick(joins);
    const side = (): string => (separator === ' - ' ? dice.pick(versions) : term());
    return `${side()}${separator}${side()}`;
  };
  const ranges = new Set(['*', '>0.0.0-0']);
  while (ranges.size < count) ranges.add(range());
  return [...ranges];
}

/** Returns an Order with a package for each requested chart. */
export function orderOf(
  packages: readonly { readonly name: string; readonly version: string; readonly source: string }[],
): string {
  const list = packages.map(({ name, version, source }, index) => ({
    chart: {
      name,
      version,
      sourceRef: { name: source },
      releaseName: `r${index}`,
      namespace: 'test',
      ...(name === 'schema' && { values: { port: 80 } }),
    },
  }));
  return JSON.stringify({ apiVersion: 'releases.x-helm.dev/v1alpha1', kind: 'Order', spec: { packages: list } });
}

/** The differences, and the number of ranges that resolve to a version. */
export interface Comparison {
  readonly found: number;
  readonly differing: readonly string[];
}

/** Compares the archives that drydock, in one run, and `helm pull --version` download for ranges of the chart web. */
export async function compareRanges(
  sandbox: Sandbox,
  helm: string,
  { source, ranges }: { readonly source: string; readonly ranges: readonly string[] },
): Promise<Comparison> {
  const ours = await vendorRanges(sandbox, source, ranges);
  const words = source.startsWith('oci:') ? [`${source}/web`, '--plain-http'] : ['web', '--repo', source];
  const differing: string[] = [];
  let found = 0;
  for (const range of ranges) {
    const theirs = await pull(sandbox, helm, [...words, '--version', range]);
    if (theirs !== undefined) found++;
    if (theirs !== ours.get(range)) differing.push(`${range}: Helm pulls ${theirs}, drydock ${ours.get(range)}`);
  }
  return { found, differing };
}

/** Returns the digest of drydock's archive for each range that resolves. */
async function vendorRanges(
  sandbox: Sandbox,
  source: string,
  ranges: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const cwd = mkdtempSync(join(sandbox.root, 'ranges-'));
  const vendor = async (ranges: readonly string[]): Promise<ReadonlyMap<string, string>> => {
    const order: unknown = JSON.parse(orderOf(ranges.map((version) => ({ name: 'web', version, source }))));
    const { charts } = await vendorOrders([order], { cwd, env: sandbox.env, plainHttp: source.startsWith('oci:') });
    return new Map(charts.map(({ asked, digest }) => [asked, digest]));
  };
  return vendor(ranges).catch((error: unknown) => {
    if (!(error instanceof VendorError) || error.code !== 'VERSION_UNKNOWN') throw error;
    const failed = new Set(error.failures.map(({ message }) => Number(/packages\[(\d+)\]/.exec(message)?.[1])));
    return vendor(ranges.filter((_, index) => !failed.has(index)));
  });
}
