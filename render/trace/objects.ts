// What explanations need of a rendering that was traced: its documents, and where all that templates read was set.

import { joinPath } from '../arguments.ts';
import type { RenderedPackage } from '../plan.ts';
import type { RenderedRelease } from '../release.ts';
import type { Read, Trace } from '../template/trace.ts';
import type { TracedObjects } from './explanation.ts';
import { orderSetters } from './order-setters.ts';
import { type TraceSources, traceOf } from './release-trace.ts';
import { jsonOf, type Setter, type SettersOf } from './setters.ts';

/** Gives the objects of a chart's release. */
export function releaseObjects(
  release: RenderedRelease & { readonly trace: Trace },
  sources: Omit<TraceSources, 'objects'>,
): TracedObjects {
  const objects = (read: Read): Setter[] => optionSetters(read, (name) => name);
  return {
    namespace: release.namespace,
    documents: [...release.manifests, ...release.hooks],
    trace: traceOf(release, { ...sources, objects }),
  };
}

/** Gives the objects of each package of an Order that was traced. `placed` may tell the members of the Order otherwise. */
export function orderObjects(
  packages: readonly RenderedPackage[],
  placed: (setter: Setter) => Setter = (setter) => setter,
): TracedObjects[] {
  return packages.flatMap(({ release, selection, chart, trace }) => {
    if (trace === undefined) return [];
    const find = orderSetters(selection, chart);
    const isOrders = ({ kind }: Setter): boolean => kind !== 'values-file';
    const user: SettersOf = (steps) => find(steps).map((setter) => (isOrders(setter) ? placed(setter) : setter));
    const member = joinPath(selection.path, 'chart');
    const whereOf = (name: string): string => (name === 'kubeVersion' ? `spec.${name}` : joinPath(member, name));
    const objects = (read: Read): Setter[] => optionSetters(read, whereOf).map(placed);
    const documents = [...release.manifests, ...release.hooks];
    return [
      { namespace: release.namespace, documents, trace: traceOf({ ...release, trace }, { chart, user, objects }) },
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

// The options of a rendering; an Order has some of them as its members.
function optionSetters({ steps, value }: Read, whereOf: (name: string) => string): Setter[] {
  const path = steps.join('.');
  const name = steps[1] === 'KubeVersion' ? 'kubeVersion' : options[path];
  if (name === undefined) return [];
  return [{ kind: 'release', where: whereOf(name), path: `.${path}`, value: jsonOf(value ?? null) }];
}
