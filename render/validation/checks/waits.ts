// Waits that match nothing, reported before a script hangs for minutes.

import type { Issue } from '../../core/errors.ts';
import type { GoValue } from '../../go/value.ts';
import { member } from '../../manifest/objects.ts';
import type { LabelSelector, WaitFlags } from '../../order/order.ts';
import { isCrd, type KubeObject } from '../../output/objects.ts';
import { apiVersionGroup } from '../../output/scope.ts';
import type { CheckedPackage } from './package.ts';

/** Returns a warning for each wait that no object of its package or an earlier one can satisfy. */
export function checkWaits(packages: readonly CheckedPackage[]): Issue[] {
  const names = typeNames(packages);
  const known = new Map<string, Candidate[]>();
  return packages.flatMap(({ item, path, crds, objects }) => {
    for (const object of [...crds, ...objects]) {
      const there = known.get(object.namespace);
      const candidate = { object, names: names(object) };
      if (there === undefined) known.set(object.namespace, [candidate]);
      else there.push(candidate);
    }
    return item.selection.chart.waitFors.flatMap((wait, position): Issue[] => {
      const inReach = [...(known.get('') ?? []), ...(known.get(item.release.namespace) ?? [])];
      if (wait.for === 'delete' || matches(wait, inReach)) return [];
      const target = `${wait.resource.group}${wait.resource.resource === '' ? '' : `/${wait.resource.resource}`}`;
      return [
        {
          path: `${path}.waitFors[${position}]`,
          message: `${target} matches nothing that the Order makes in namespace ${item.release.namespace}`,
          severity: 'warning',
          hint: 'Look at the type, the name and the labels; the script waits until its limit otherwise.',
        },
      ];
    });
  });
}

interface Candidate {
  readonly object: KubeObject;
  /** The names of its kind in kubectl. */
  readonly names: ReadonlySet<string>;
}

function matches(wait: WaitFlags, inReach: readonly Candidate[]): boolean {
  const [head = '', ...rest] = wait.resource.group.toLowerCase().split('.');
  const group = rest.join('.');
  const isPods = group === '' && ['pod', 'pods', 'po'].includes(head);
  const isType = ({ object, names }: Candidate): boolean =>
    names.has(head) && (group === '' || apiVersionGroup(object.apiVersion) === group || versioned(group, object));
  const { resource } = wait.resource;
  return inReach.some((candidate) => {
    const { object } = candidate;
    const isIt =
      isType(candidate) && (resource === '' ? selects(wait.labels, labelsAt(object.value)) : object.name === resource);
    // Pods are usually created by controllers; their names start with the controller's.
    const template = isPods ? member(member(object.value, 'spec'), 'template') : null;
    if (isIt || !(template instanceof Map)) return isIt;
    return resource === '' ? selects(wait.labels, labelsAt(template)) : resource.startsWith(`${object.name}-`);
  });
}

// `deployments.v1.apps` also contains the version.
function versioned(suffix: string, { apiVersion }: KubeObject): boolean {
  const group = apiVersionGroup(apiVersion);
  return suffix === `${apiVersion.slice(group.length + 1)}.${group}`;
}

const shortNames: Readonly<Record<string, string>> = {
  ConfigMap: 'cm',
  CustomResourceDefinition: 'crd crds',
  DaemonSet: 'ds',
  Deployment: 'deploy',
  HorizontalPodAutoscaler: 'hpa',
  Ingress: 'ing',
  Namespace: 'ns',
  PersistentVolume: 'pv',
  PersistentVolumeClaim: 'pvc',
  Pod: 'po',
  PodDisruptionBudget: 'pdb',
  ReplicaSet: 'rs',
  Service: 'svc',
  ServiceAccount: 'sa',
  StatefulSet: 'sts',
};

/** Returns a function from an object to the names of its kind in kubectl. */
function typeNames(packages: readonly CheckedPackage[]): (object: KubeObject) => ReadonlySet<string> {
  const names = new Map<string, Set<string>>();
  const namesOf = ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): Set<string> => {
    const type = `${apiVersionGroup(apiVersion)}/${kind}`;
    const known = names.get(type) ?? new Set(regularNames(kind));
    names.set(type, known);
    return known;
  };
  for (const { value } of packages.flatMap(({ crds, objects }) => [...crds, ...objects].filter(isCrd))) {
    const spec = member(value, 'spec');
    const custom = member(spec, 'names');
    const short = member(custom, 'shortNames');
    const apiVersion = `${String(member(spec, 'group'))}/`;
    const known = namesOf({ apiVersion, kind: String(member(custom, 'kind')) });
    for (const name of [member(custom, 'plural'), ...(Array.isArray(short) ? short : [])]) known.add(String(name));
  }
  return namesOf;
}

function regularNames(kind: string): string[] {
  const singular = kind.toLowerCase();
  const plural = /(?:s|x|ch)$/.test(singular)
    ? `${singular}es`
    : /[^aeiou]y$/.test(singular)
      ? `${singular.slice(0, -1)}ies`
      : `${singular}s`;
  return [singular, plural, ...(Object.hasOwn(shortNames, kind) ? shortNames[kind]!.split(' ') : [])];
}

function labelsAt(value: GoValue): ReadonlyMap<string, GoValue> {
  const labels = member(member(value, 'metadata'), 'labels');
  return labels instanceof Map ? labels : new Map();
}

function selects(selector: LabelSelector | undefined, labels: ReadonlyMap<string, GoValue>): boolean {
  if (selector === undefined) return true;
  for (const [key, value] of selector.matchLabels) if (labels.get(key) !== value) return false;
  return selector.matchExpressions.every(({ key, operator, values }) => {
    const value = labels.get(key);
    if (operator === 'Exists') return value !== undefined;
    if (operator === 'DoesNotExist') return value === undefined;
    const isIn = typeof value === 'string' && values.includes(value);
    return operator === 'In' ? isIn : !isIn;
  });
}
