// Generates versions and ranges, and compares the versions that drydock and real Helm select.

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isVersion } from '../../../render/go/semver.ts';
import { VendorError, vendorOrders } from '../../../render/vendor.node.ts';
import { wordList } from '../../support/dice.ts';
import { type Pulled, pull, type Sandbox, updateDependencies } from './helm.ts';

/** Returns a random integer below a size, always the same for a name and part, so that failures are reproducible. */
type Draw = (part: string, size: number) => number;

function drawOf(name: string): Draw {
  return (part, size) => createHash('sha256').update(`${name} ${part}`).digest().readUInt32BE(0) % size;
}

/** Returns other versions of a chart: with prereleases, with build metadata, and versions that only differ in build metadata. */
export function generatedVersions(name: string, own: string, count: number): readonly string[] {
  const draw = drawOf(name);
  const [major = 0, minor = 0, patch = 0] = own
    .replace(/^v/, '')
    .split(/[.+-]/)
    .map((part) => Number(part) || 0);
  const prefix = own.startsWith('v') ? 'v' : '';
  const tails = [...wordList`-0 -alpha.1 -alpha.beta -rc.1 -rc.10 +build.1 +build.2 -rc.1+x +0`, '', '', ''];
  const versions = new Set([own]);
  for (let index = 0; versions.size < count; index++) {
    const step = (part: string, from: number): number => Math.max(0, from + draw(`${index} ${part}`, 4) - 1);
    const core = [step('major', major), step('minor', minor), step('patch', patch % 50)].join('.');
    const tail = tails[draw(`${index} tail`, tails.length)] as string;
    versions.add(`${prefix}${core}${tail}`);
    if (tail.startsWith('+') && versions.size < count) versions.add(`${prefix}${core}+other.${index}`);
  }
  return [...versions];
}

/** Returns valid and invalid ranges around the versions of a chart. */
export function generatedRanges(name: string, versions: readonly string[], count: number): readonly string[] {
  const draw = drawOf(`ranges of ${name}`);
  const operators = ['', '', '=', '!=', '>', '<', '>=', '=>', '<=', '=<', '~', '~>', '^', '^', '>= '];
  const term = (part: string): string => {
    const version = versions[draw(`${part} version`, versions.length)] as string;
    const [core = ''] = version.split(/[-+]/);
    const numbers = core.split('.');
    const shapes = [
      version,
      version,
      core,
      numbers.slice(0, 2).join('.'),
      numbers[0] as string,
      `${numbers.slice(0, 2).join('.')}.x`,
      `${numbers[0]}.*`,
      `${core}-0`,
      `${numbers.slice(0, 2).join('.')}.${draw(`${part} patch`, 9)}`,
    ];
    const shape = shapes[draw(`${part} shape`, shapes.length)] as string;
    return `${operators[draw(`${part} operator`, operators.length)]}${shape}`;
  };
  const ranges = new Set<string>(['*', '>0.0.0-0']);
  for (let index = 0; ranges.size < count; index++) {
    const separator = [', ', ' ', ' || ', ' - ', ',', '||'][draw(`${index} join`, 12)];
    const isHyphen = separator === ' - ';
    const side = (part: string): string => (isHyphen ? (versions[draw(part, versions.length)] as string) : term(part));
    ranges.add(separator === undefined ? term(`${index} a`) : `${side(`${index} a`)}${separator}${side(`${index} b`)}`);
  }
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

/** A chart in a repository or registry, in several versions. */
export interface RangeSubject {
  readonly name: string;
  /** `http://…` or `oci://…`. */
  readonly source: string;
  readonly versions: readonly string[];
}

/** The number of comparisons, and the differences. */
export interface Comparison {
  readonly compared: number;
  /** Number of ranges that resolved to a chart. */
  readonly found: number;
  readonly differing: readonly string[];
}

/**
 * Compares ranges: all in one run of drydock, and in one process of real Helm (`helm dependency update`), or with `helm pull --version` if
 * that is not possible, which also pulls some samples of the others.
 */
export async function compareRanges(
  sandbox: Sandbox,
  helm: string,
  {
    subject,
    ranges,
    samples,
  }: { readonly subject: RangeSubject; readonly ranges: readonly string[]; readonly samples: number },
): Promise<Comparison> {
  const ours = await vendorRanges(sandbox, subject, ranges);
  const isOci = subject.source.startsWith('oci:');
  // Pulled separately: a dependency on an exact version may resolve to any of its builds, and an unresolved one in a registry fails all others.
  const isAlone = (range: string): boolean => isVersion(range) || (isOci && !ours.has(range));
  const together = ranges.filter((range) => !isAlone(range));
  const alone = ranges.filter(isAlone);
  const { versions, digests } = await updateDependencies(sandbox, helm, {
    name: subject.name,
    repository: subject.source,
    ranges: together,
  });
  const differing: string[] = [];
  let found = 0;
  for (const [index, range] of together.entries()) {
    const [mine, theirs] = [ours.get(range), versions[index]];
    if (theirs !== undefined) found++;
    if (mine?.version !== theirs) differing.push(`${range}: Helm selects ${theirs}, drydock ${mine?.version}`);
    // Helm may download another build of the same version.
    else if (theirs !== undefined && !hasOtherBuild(theirs, subject.versions) && digests.get(theirs) !== mine?.digest)
      differing.push(
        `${range}: ${theirs} has the digest ${digests.get(theirs)} with Helm, ${mine?.digest} with drydock`,
      );
  }
  const step = Math.ceil(together.length / samples);
  for (const range of [...alone, ...together.filter((_, index) => index % step === 0)]) {
    const words = isOci
      ? [`${subject.source}/${subject.name}`, '--plain-http']
      : [subject.name, '--repo', subject.source];
    const theirs = await pull(sandbox, helm, [...words, '--version', range]);
    const mine = ours.get(range);
    if (theirs !== undefined && isAlone(range)) found++;
    if (theirs?.digest !== mine?.digest)
      differing.push(`${range}: Helm pulls ${theirs?.version}, drydock ${mine?.version}`);
  }
  return { compared: ranges.length, found, differing };
}

function hasOtherBuild(version: string, versions: readonly string[]): boolean {
  const core = (text: string): string => text.replace(/\+.*$/, '');
  return versions.filter((other) => core(other) === core(version)).length > 1;
}

/** Returns drydock's version for each range, if any. */
async function vendorRanges(
  sandbox: Sandbox,
  { name, source }: RangeSubject,
  ranges: readonly string[],
): Promise<ReadonlyMap<string, Pulled>> {
  const cwd = mkdtempSync(join(sandbox.root, 'ranges-'));
  const vendor = async (ranges: readonly string[]): Promise<ReadonlyMap<string, Pulled>> => {
    const order: unknown = JSON.parse(orderOf(ranges.map((version) => ({ name, version, source }))));
    const plainHttp = source.startsWith('oci:');
    const { charts } = await vendorOrders([order], { cwd, env: sandbox.env, plainHttp });
    return new Map(charts.map((chart) => [chart.asked, chart]));
  };
  try {
    return await vendor(ranges).catch(async (error: unknown) => {
      if (!(error instanceof VendorError) || error.code !== 'VERSION_UNKNOWN') throw error;
      const failed = new Set(error.failures.map(({ message }) => Number(/packages\[(\d+)\]/.exec(message)?.[1])));
      const rest = ranges.filter((_, index) => !failed.has(index));
      return rest.length === 0 ? new Map<string, Pulled>() : vendor(rest);
    });
  } finally {
    rmSync(cwd, { recursive: true });
  }
}
