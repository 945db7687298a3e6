// The comparisons of a pair of sides: one for each configured case and each Kubernetes version.

import { UsageError } from '../core/usage-error.ts';
import { acceptsVersion, chooseVersions, skippedNote } from '../engine/kube-versions.ts';
import { helmOf } from '../helm/versions.ts';
import { casesOf } from '../inputs/cases.node.ts';
import { chartSettings, settingsForChart } from '../inputs/chart-settings.node.ts';
import { listKubeVersions } from '../inputs/kube-versions.ts';
import { helmVersionOf, type RenderSettings, type RunIo } from '../inputs/settings.ts';
import { kubeRangesOf, type OpenSide } from './diff-sides.node.ts';

export interface DiffMatrixEntry {
  /** For example `small, Kubernetes 1.31`; empty for a single one. */
  readonly name: string;
  readonly before: RenderSettings;
  readonly after: RenderSettings;
}

export interface DiffMatrix {
  readonly cells: readonly DiffMatrixEntry[];
  /** The skipped versions, and why. */
  readonly notes: readonly string[];
  /** Whether one side renders for a version that the other refuses. */
  readonly isOneSided: boolean;
}

interface SideOptions {
  readonly settings: RenderSettings;
  readonly later: (settings: RenderSettings) => RenderSettings;
  readonly io: RunIo;
}

/** Returns the comparisons of a pair of sides, one of which may not exist. Throws UsageError. */
export async function matrixOfPair(
  before: OpenSide | undefined,
  after: OpenSide | undefined,
  { settings, later, io }: SideOptions,
): Promise<DiffMatrix> {
  const { word, place } = (after ?? before)!;
  const own = settingsForChart(settings, place, io.cwd);
  const pairs = versionPairs(listKubeVersions(own), listKubeVersions(later(own)));
  const sides = [await readSide(before, own, io), await readSide(after, later(own), io)] as const;
  const { chosen, notes, isOneSided } = chooseVersionPairs(pairs, sides);
  const { values } = chartSettings(settings, place, io.cwd);
  const cases = values === undefined ? [undefined] : casesOf(place, values);
  const cells = cases.flatMap((item) =>
    chosen.map(([one, two]): DiffMatrixEntry => {
      const withCase = item === undefined ? own : { ...own, values: item.valuesFiles };
      const laterCase = later(withCase);
      const names = [
        ...(item !== undefined && cases.length > 1 ? [item.name] : []),
        ...(pairs.length > 1 ? [`Kubernetes ${two}`] : []),
      ];
      return {
        name: names.join(', '),
        before: one === undefined ? withCase : { ...withCase, kubeVersions: [one] },
        after: two === undefined ? laterCase : { ...laterCase, kubeVersions: [two] },
      };
    }),
  );
  return { cells, notes: notes.map((note) => `${word}: ${note}`), isOneSided };
}

type Version = string | undefined;
type VersionPair = readonly [before: Version, after: Version];

function versionPairs(before: readonly string[], after: readonly string[]): readonly VersionPair[] {
  const length = Math.max(before.length, after.length, 1);
  if ([before, after].some((list) => list.length > 1 && list.length !== length)) {
    throw new UsageError(
      '--new-kube-version takes one version, or as many as --kube-version: they are compared in pairs',
    );
  }
  const at = (list: readonly string[], index: number): Version => (list.length === 1 ? list[0] : list[index]);
  return Array.from({ length }, (_, index) => [at(before, index), at(after, index)] as const);
}

interface VersionedSide {
  /** The `kubeVersion` of its charts. */
  readonly ranges: readonly string[];
  readonly accepts: (version: Version) => boolean;
  readonly nearest: () => Version;
}

async function readSide(side: OpenSide | undefined, settings: RenderSettings, io: RunIo): Promise<VersionedSide> {
  const helm = helmOf(helmVersionOf(settings));
  const ranges = side === undefined ? [] : (await kubeRangesOf(side, settings, io)).filter((range) => range !== '');
  return {
    ranges,
    accepts: (version) => acceptsVersion(ranges, version, helm),
    nearest: () => chooseVersions(ranges, [], helm).accepted[0],
  };
}

interface ChosenPairs extends Omit<DiffMatrix, 'cells'> {
  readonly chosen: readonly VersionPair[];
}

function chooseVersionPairs(
  pairs: readonly VersionPair[],
  [before, after]: readonly [VersionedSide, VersionedSide],
): ChosenPairs {
  const [[first, second] = [], ...more] = pairs;
  if (more.length === 0 && first === undefined && second === undefined) {
    const both = [before.nearest(), after.nearest()].find(
      (version) => before.accepts(version) && after.accepts(version),
    );
    return { chosen: [[both ?? before.nearest(), both ?? after.nearest()]], notes: [], isOneSided: false };
  }
  const chosen = pairs.filter(([one, two]) => before.accepts(one) && after.accepts(two));
  // If none is left, rendering reports the error.
  if (chosen.length === 0) return { chosen: pairs.slice(0, 1), notes: [], isOneSided: false };
  const common = pairs.filter(([one, two]) => !before.accepts(one) && !after.accepts(two));
  const onlyBefore = pairs.filter(([one, two]) => before.accepts(one) && !after.accepts(two)).map(([, two]) => two);
  const onlyAfter = pairs.filter(([one, two]) => !before.accepts(one) && after.accepts(two)).map(([one]) => one);
  const note = (versions: readonly Version[], { ranges }: VersionedSide, which = ''): string[] =>
    versions.length === 0 ? [] : [`${skippedNote(ranges.join(' and '), versions.map(String))}${which}`];
  return {
    chosen,
    notes: [
      ...note(
        common.map(([, two]) => two),
        after,
      ),
      ...note(onlyBefore, after, ', which the earlier side does not'),
      ...note(onlyAfter, before, ', which the later side does not'),
    ],
    isOneSided: onlyBefore.length + onlyAfter.length > 0,
  };
}
