// The inputs of explanations from a traced rendering: its documents, and where everything that templates read was set.

import type { Chart } from '../../chart/chart.ts';
import { joinPath, type Steps } from '../../core/paths.ts';
import type { RenderedPackage } from '../../engine/packages.ts';
import type { RenderedRelease } from '../../engine/release.ts';
import { deepEqual } from '../../go/deep-equal.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import type { GoMap } from '../../go/value.ts';
import type { PackageSelection, PatchOperation } from '../../order/order.ts';
import type { Read } from '../../template/origin.ts';
import type { Trace } from '../../template/trace.ts';
import { effectiveValues } from '../../values/effective.ts';
import { valueOfJson } from '../../values/patch.ts';
import { pathText, valueAtSteps } from '../../values/paths.ts';
import type { UserValues } from '../../values/user.ts';
import type { TracedObjects } from './explanation.ts';
import { traceOf } from './release-trace.ts';
import { fileSetters, type Setter, type SettersOf, toJsonValue, userSetters } from './setters.ts';
import type { TraceSources } from './values.ts';

/** A chart, and the user's input for it. */
export interface ChartWithValues {
  readonly chart: Chart;
  /** The prefix of the chart's files in reports. Default: its name. */
  readonly folder?: string | undefined;
  readonly given: UserValues;
}

/** Returns where a chart's values and options are set. */
export function chartSources({ chart, folder, given }: ChartWithValues): TraceSources {
  return { chart, folder, user: userSetters(given), objects: (read) => optionSetters(read, (name) => name) };
}

export function releaseObjects(
  release: RenderedRelease & { readonly trace: Trace },
  input: ChartWithValues,
): TracedObjects {
  return {
    namespace: release.namespace,
    documents: [...release.manifests, ...release.hooks],
    trace: traceOf(release, chartSources(input)),
  };
}

/** The names of the files of an Order. */
export interface OrderNames {
  /** Returns a setter with the place of a member in the Order's file. Default: its JSON path. */
  readonly placed?: ((setter: Setter) => Setter) | undefined;
  /** Returns the folder of a package's chart. Default: the name of the chart. */
  readonly folderOf?: ((item: OrderPackage) => string | undefined) | undefined;
}

type OrderPackage = Pick<RenderedPackage, 'selection' | 'chart'>;

/** Returns where the values and options of a package of an Order are set. */
export function orderSources(
  { selection, chart }: OrderPackage,
  { placed = (setter) => setter, folderOf }: OrderNames = {},
): TraceSources {
  const find = orderSetters(selection, chart);
  const isOrders = ({ kind }: Setter): boolean => kind !== 'values-file';
  const user: SettersOf = (steps) => find(steps).map((setter) => (isOrders(setter) ? placed(setter) : setter));
  const member = joinPath(selection.path, 'chart');
  const whereOf = (name: string): string => (name === 'kubeVersion' ? `spec.${name}` : joinPath(member, name));
  const folder = folderOf?.({ selection, chart });
  return { chart, folder, user, objects: (read) => optionSetters(read, whereOf).map(placed) };
}

export function orderObjects(packages: readonly RenderedPackage[], names?: OrderNames): TracedObjects[] {
  return packages.flatMap((item) => {
    const { release, trace } = item;
    if (trace === undefined) return [];
    const documents = [...release.manifests, ...release.hooks];
    return [
      { namespace: release.namespace, documents, trace: traceOf({ ...release, trace }, orderSources(item, names)) },
    ];
  });
}

const options: Readonly<Record<string, string>> = {
  'Release.Name': 'releaseName',
  'Release.Namespace': 'namespace',
  'Release.IsUpgrade': 'isUpgrade',
  'Release.IsInstall': 'isUpgrade',
  'Capabilities.APIVersions': 'apiVersions',
};

// The options of a rendering that an Order has as members.
function optionSetters({ steps, value }: Read, whereOf: (name: string) => string): Setter[] {
  const path = steps.join('.');
  const name = steps[1] === 'KubeVersion' ? 'kubeVersion' : options[path];
  if (name === undefined) return [];
  return [{ kind: 'release', where: whereOf(name), path: `.${path}`, value: toJsonValue(value ?? null) }];
}

// Finds where an Order sets a value: the operations of its patch, its values, and its values file.

/**
 * Returns a function that finds the places of a package's selection that set a value, the winning one first. `where` is a path in the
 * Order.
 */
function orderSetters({ chart: chosen, path: at }: PackageSelection, chart: Chart): SettersOf {
  const member = joinPath(at, 'chart');
  const values = valueOfJson(chosen.values) as GoMap;
  const file = chart.files.find(({ name }) => name === chosen.valuesFile);
  const name = `${chart.metadata.name}/${chosen.valuesFile}`;
  const inFile = file === undefined ? undefined : fileSetters({ name, text: decodeUtf8(file.data) }, 'values-file');
  const states = new Map<number, GoMap>();
  // The values after a number of operations.
  const stateAfter = (count: number): GoMap => {
    const valuesPatch = chosen.valuesPatch.slice(0, count);
    const state = states.get(count) ?? effectiveValues(chart, { ...chosen, valuesPatch }).values;
    states.set(count, state);
    return state;
  };
  return (steps) => {
    const path = pathText(steps);
    const patches = chosen.valuesPatch.flatMap((operation, index): Setter[] => {
      if (operation.op === 'test') return [];
      const after = valueAtSteps(stateAfter(index + 1), steps);
      const before = valueAtSteps(stateAfter(index), steps);
      const isSame = after === before || (after !== undefined && before !== undefined && deepEqual(after, before));
      if (isSame && (after === undefined || !leadsTo(operation, steps))) return [];
      const where = joinPath(joinPath(member, 'valuesPatch'), index);
      return [{ kind: 'patch', where, path, value: toJsonValue(after ?? null) }];
    });
    const given = valueAtSteps(values, steps);
    const where = steps.reduce<string>(joinPath, joinPath(member, 'values'));
    const own: Setter[] = given === undefined ? [] : [{ kind: 'order', where, path, value: toJsonValue(given) }];
    return [...patches.reverse(), ...own, ...(inFile?.(steps) ?? []).map((setter) => ({ ...setter, path }))];
  };
}

function leadsTo({ op, path: pointer }: PatchOperation, steps: Steps): boolean {
  if (op === 'remove') return false;
  const tokens = pointer.split('/').slice(1);
  return tokens.every((token, at) => token.replaceAll('~1', '/').replaceAll('~0', '~') === String(steps[at]));
}
