// Shows how a chart upgrade affects a user's values.

import { parseDocument } from 'yaml';
import { CaseWatch } from '../cases/observe.ts';
import { failureOf } from '../cases/search.ts';
import type { Chart } from '../chart/chart.ts';
import { chartArgument } from '../chart/check.ts';
import { type Registry, registryArgument } from '../chart/registry.ts';
import { plainValue } from '../codec/plain.ts';
import { editedText, helmYaml } from '../codec/yaml/document-options.ts';
import {
  anything,
  checkArguments,
  filled,
  having,
  jsonObject,
  listOf,
  membersOf,
  optionsOf,
  text,
} from '../core/arguments.ts';
import { messageOf, RenderError } from '../core/errors.ts';
import { seededHost } from '../core/host.ts';
import { LruCache } from '../core/lru-cache.ts';
import { splitPath } from '../core/paths.ts';
import { type Difference, diffObjects } from '../diff/difference.ts';
import { type OrderOptions, orderChecks } from '../engine/packages.ts';
import type { RenderedRelease } from '../engine/release.ts';
import type { GoMap } from '../go/value.ts';
import { helmOf } from '../helm/versions.ts';
import type { ChartSelection, JsonObject, PackageSelection } from '../order/order.ts';
import { validateOrder } from '../order/validate.ts';
import { compareUserValues, fieldsOf, type UpgradeSide, type ValuesReport } from '../upgrade/check.ts';
import { unreadPaths } from '../validation/checks/unread.ts';
import { effectiveValues } from '../values/effective.ts';
import { valueOfJson } from '../values/patch.ts';
import { mergeUserValues } from '../values/user.ts';
import { objectOf, type ReleaseOptions, releaseChecks, renderWith, userValuesOf } from './chart.ts';

/** The effects of an upgrade. */
export interface UpgradeReport extends ValuesReport {
  /** Why the old version does not render with the values, or undefined. */
  readonly failureBefore: RenderError | undefined;
  /** Why the new version does not render with the patched values, or undefined. */
  readonly failureAfter: RenderError | undefined;
  /** The changed objects, from the old version with the values to the new one with the patched values, if both render. */
  readonly difference: Difference | undefined;
}

const upgradeOptions = optionsOf<ReleaseOptions>(releaseChecks);

/**
 * Compares how two versions of a chart use a user's values: values that moved, values that nothing reads any more, changed defaults, the
 * values adapted to the new version, and the resulting object changes. A value has moved if changing another value in the new version has
 * the effect that changing it had in the old one. Throws RenderError: ARGUMENT_INVALID, VALUES_INVALID.
 * @example
 * const { values, patched } = checkUpgrade(oldChart, newChart, { valuesFiles: [readFileSync('prod.yaml', 'utf8')] });
 * for (const { path, kind, to } of values) console.log(kind, path, to);
 */
export function checkUpgrade(before: Chart, after: Chart, options: ReleaseOptions = {}): UpgradeReport {
  checkArguments(
    'checkUpgrade',
    ['before', before, chartArgument],
    ['after', after, chartArgument],
    ['options', options, upgradeOptions],
  );
  const { valuesFiles, values, set, setString, setJson, setLiteral, setFile, ...release } = options;
  const given = plainValue(mergeUserValues(userValuesOf(options), helmOf(options.helm))) as JsonObject;
  const [oldSide, newSide] = [before, after].map((chart) => openSide(chart, release)) as [Side, Side];
  const report = compareUserValues(oldSide, newSide, given);
  const [first, second] = [oldSide.attempt(given), newSide.attempt(report.patched)];
  return {
    ...report,
    failureBefore: first.failure,
    failureAfter: second.failure,
    difference: first.release && second.release && diffObjects(sideOf(first.release), sideOf(second.release)),
  };
}

/** Options of `checkOrderUpgrade`. */
export interface OrderUpgradeOptions extends OrderOptions {
  /** The registry of the old Order. Default `registry`. */
  readonly oldRegistry?: Registry | undefined;
  /** The packages to compare, as `namespace/release`. Default: all packages in both. */
  readonly releases?: readonly string[] | undefined;
}

/** The effects of an upgrade on a package of an Order. */
export interface PackageUpgrade extends UpgradeReport {
  /** Namespace and release, such as `shop/web`. */
  readonly name: string;
  /** The path of the package in the new Order. */
  readonly path: string;
  readonly before: Chart;
  readonly after: Chart;
  /** Whether both Orders set the same values for it. */
  readonly hasOldValues: boolean;
}

/** The effects of an upgrade on an Order. */
export interface OrderUpgrade {
  /** Packages in both versions, in the order of the new one. */
  readonly packages: readonly PackageUpgrade[];
  /** Packages in only one of the versions, as `namespace/release`. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const orderUpgradeOptions = membersOf<OrderUpgradeOptions>(
  { ...orderChecks, oldRegistry: registryArgument, releases: listOf(text) },
  ['registry'],
);

/**
 * Compares each package of two versions of an Order as `checkUpgrade` does, with the values of the old Order. Packages are matched by
 * namespace and release. Rejects with RenderError: ORDER_INVALID, CHART_NOT_FOUND, ARGUMENT_INVALID, VALUES_INVALID.
 * @example
 * const { packages } = await checkOrderUpgrade(oldOrder, newOrder, { registry: directoryRegistry(['charts']) });
 * for (const { name, values } of packages) console.log(name, values);
 */
export async function checkOrderUpgrade(
  before: unknown,
  after: unknown,
  options: OrderUpgradeOptions,
): Promise<OrderUpgrade> {
  checkArguments('checkOrderUpgrade', ['options', options, orderUpgradeOptions]);
  const { registry, oldRegistry = registry, releases, helm, kubeVersion, apiVersions, schemas } = options;
  const { skipSchemaValidation: skips } = options;
  const [oldOrder, newOrder] = [validateOrder(before).order, validateOrder(after).order];
  const known = new Map(oldOrder.spec.packages.map((item) => [nameOf(item), item]));
  const packages: PackageUpgrade[] = [];
  for (const item of newOrder.spec.packages) {
    const name = nameOf(item);
    const first = known.get(name);
    if (first === undefined || releases?.includes(name) === false) continue;
    const [chart, next] = await Promise.all([oldRegistry.resolve(first.chart), registry.resolve(item.chart)]);
    const report = checkUpgrade(chart, next, {
      helm,
      values: givenValues(chart, first.chart, helm),
      releaseName: item.chart.releaseName,
      namespace: item.chart.namespace,
      kubeVersion: newOrder.spec.kubeVersion || kubeVersion || undefined,
      apiVersions,
      skipSchemaValidation: typeof skips === 'function' ? skips(next) : skips,
      schemas,
    });
    const hasOldValues = valuesText(first.chart) === valuesText(item.chart);
    packages.push({ name, path: item.path, before: chart, after: next, hasOldValues, ...report });
  }
  const names = new Set(newOrder.spec.packages.map(nameOf));
  return {
    packages,
    added: [...names].filter((name) => !known.has(name)),
    removed: [...known.keys()].filter((name) => !names.has(name)),
  };
}

const upgradedPackages = having<Pick<OrderUpgrade, 'packages'>>('what checkOrderUpgrade gave', {
  packages: listOf(
    having<PackageUpgrade>('a package', { path: filled, patched: jsonObject, values: listOf(anything) }),
  ),
});

/**
 * Returns the text of the new Order with the values adapted to its charts, for packages whose values it has not changed, including those of
 * a patch and of a values file of the chart. Comments outside of the values stay. Throws RenderError: ARGUMENT_INVALID, also if `source` is
 * not the text of that Order, or repeats the values elsewhere with a YAML alias.
 * @example
 * const upgrade = await checkOrderUpgrade(readOrder(before, 'old.yaml').value, readOrder(after, 'new.yaml').value, { registry });
 * writeFileSync('new.yaml', patchOrder(after, upgrade));
 */
export function patchOrder(source: string, upgrade: Pick<OrderUpgrade, 'packages'>): string {
  checkArguments('patchOrder', ['source', source, text], ['upgrade', upgrade, upgradedPackages]);
  const document = parseDocument(source, helmYaml);
  for (const { path, patched, hasOldValues, values } of upgrade.packages) {
    const isEmpty = Object.keys(patched).length === 0;
    if (!hasOldValues || (isEmpty && values.length === 0)) continue;
    const chart = [...splitPath(path), 'chart'];
    if (!document.hasIn(chart)) throw patchFailure(`it has no ${path}`);
    for (const name of ['valuesPatch', 'valuesFile']) document.deleteIn([...chart, name]);
    if (isEmpty) document.deleteIn([...chart, 'values']);
    else document.setIn([...chart, 'values'], document.createNode(patched));
  }
  try {
    return editedText(document, source);
  } catch (error) {
    throw patchFailure(messageOf(error), error);
  }
}

function patchFailure(reason: string, cause?: unknown): RenderError {
  return new RenderError('ARGUMENT_INVALID', `patchOrder: source cannot be changed: ${reason}`, {
    cause,
    hint: 'Give the text of the new Order, without aliases for its values.',
  });
}

function nameOf({ chart: { namespace, releaseName } }: PackageSelection): string {
  return `${namespace}/${releaseName}`;
}

function valuesText({ values, valuesPatch, valuesFile }: ChartSelection): string {
  return JSON.stringify([values, valuesPatch, valuesFile]);
}

// Including those of a patch and of a values file of the chart.
function givenValues(chart: Chart, selection: ChartSelection, helm: OrderOptions['helm']): JsonObject {
  if (selection.valuesFile === '' && selection.valuesPatch.length === 0) return selection.values;
  return plainValue(effectiveValues(chart, selection, helmOf(helm)).overlay) as JsonObject;
}

/** A rendering, or why it failed. */
interface Attempt {
  readonly release: RenderedRelease | undefined;
  readonly failure: RenderError | undefined;
  /** Missing values that were read, by path. */
  readonly missing: CaseWatch['missing'];
}

interface Side extends UpgradeSide {
  readonly attempt: (values: JsonObject) => Attempt;
}

// Caches the latest renderings by their values; keeping all would take too much memory.
function openSide(chart: Chart, options: ReleaseOptions): Side {
  const attempts = new LruCache<Attempt>({ total: 1_000_000, each: 1_000_000 });
  const attempt = (values: JsonObject): Attempt =>
    attempts.get(JSON.stringify(values), () => {
      const { runs, reads, missing } = new CaseWatch();
      let release: RenderedRelease | undefined;
      const failure = failureOf(() => {
        release = renderWith(chart, { ...options, values, host: seededHost() }, { runs, reads });
      });
      return { release, failure, missing };
    });
  return {
    chart,
    attempt,
    fields: (values) => {
      const { release } = attempt(values);
      return release && fieldsOf([...release.manifests, ...release.hooks].map(objectOf));
    },
    unread: (values, among = values) => {
      const { release } = attempt(values);
      return release && unreadPaths(chart, release, valueOfJson(among) as GoMap);
    },
    missing: (values) => [...attempt(values).missing.values()],
  };
}

function sideOf({ crds, manifests, hooks, namespace }: RenderedRelease): Parameters<typeof diffObjects>[0] {
  const documents = [
    ...crds.map(({ path, content }) => ({ path, content, isFromCrds: true })),
    ...[...manifests, ...hooks].map(({ path, content }) => ({ path, content })),
  ];
  return { documents, namespace };
}
