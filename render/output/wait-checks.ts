// Waits that match nothing: told before a script stands still for minutes.

import type { Issue } from '../errors.ts';
import type { GoValue } from '../go/value.ts';
import type { LabelSelector, WaitFlags } from '../order/order.ts';
import type { RenderedPackage } from '../plan.ts';
import type { KubeObject } from './objects.ts';
import { groupOf, member } from './scope.ts';

/** Is one package and all that it makes. */
export interface CheckedPackage {
  readonly item: RenderedPackage;
  /** The path of its chart selection in the Order. */
  readonly path: string;
  readonly crds: readonly KubeObject[];
  /** Hooks of the installation and resources. */
  readonly objects: readonly KubeObject[];
}

/** Gives a warning for each wait that no object of its package, or of one before it, can end. */
export function checkWaits(packages: readonly CheckedPackage[]): Issue[] {
  return packages.flatMap(({ item, path }, index) => {
    const known = packages.slice(0, index + 1).flatMap((other) => [...other.crds, ...other.objects]);
    const inReach = known.filter(({ namespace }) => namespace === '' || namespace === item.release.namespace);
    return item.selection.chart.waitFors.flatMap((wait, position): Issue[] => {
      if (wait.for === 'delete' || matches(wait, inReach)) return [];
      const target = `${wait.resource.group}${wait.resource.resource === '' ? '' : `/${wait.resource.resource}`}`;
      return [
        {
          path: `${path}.waitFors[${position}]`,
          message: `${target} matches nothing that the Order makes in namespace ${item.release.namespace}`,
          severity: 'warning',
          mend: 'Look at the type, the name and the labels; the script waits until its limit otherwise.',
        },
      ];
    });
  });
}

function matches(wait: WaitFlags, objects: readonly KubeObject[]): boolean {
  const crds = objects.filter((object) => object.kind === 'CustomResourceDefinition');
  const [head = '', ...rest] = wait.resource.group.toLowerCase().split('.');
  const group = rest.join('.');
  const isPods = group === '' && ['pod', 'pods', 'po'].includes(head);
  const isType = (object: KubeObject): boolean =>
    namesOf(object, crds).includes(head) &&
    (group === '' || groupOf(object.apiVersion) === group || versioned(group, object));
  const candidates = objects.filter(isType).map((object) => ({ name: object.name, labels: labelsAt(object.value) }));
  // Pods are mostly made by what controls them; their names begin with the controller's.
  const pods = isPods ? objects.flatMap(podsOf) : [];
  const { resource } = wait.resource;
  if (resource !== '') {
    return candidates.some(({ name }) => name === resource) || pods.some(({ name }) => resource.startsWith(`${name}-`));
  }
  return [...candidates, ...pods].some(({ labels }) => selects(wait.labels, labels));
}

// `deployments.v1.apps` names the version as well.
function versioned(suffix: string, { apiVersion }: KubeObject): boolean {
  const group = groupOf(apiVersion);
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

// The names under which kubectl knows a kind.
function namesOf({ apiVersion, kind }: KubeObject, crds: readonly KubeObject[]): string[] {
  const singular = kind.toLowerCase();
  const plural = /(?:s|x|ch)$/.test(singular)
    ? `${singular}es`
    : /[^aeiou]y$/.test(singular)
      ? `${singular.slice(0, -1)}ies`
      : `${singular}s`;
  const custom = crds.flatMap(({ value }) => {
    const spec = member(value, 'spec');
    const names = member(spec, 'names');
    if (member(spec, 'group') !== groupOf(apiVersion) || member(names, 'kind') !== kind) return [];
    const short = member(names, 'shortNames');
    return [member(names, 'plural'), ...(Array.isArray(short) ? short : [])].filter((name) => typeof name === 'string');
  });
  return [
    singular,
    plural,
    ...(shortNames[kind]?.split(' ') ?? []),
    ...(kind === 'Endpoints' ? [singular] : []),
    ...custom,
  ];
}

function podsOf(object: KubeObject): { name: string; labels: ReadonlyMap<string, GoValue> }[] {
  const template = member(member(object.value, 'spec'), 'template');
  return template instanceof Map ? [{ name: object.name, labels: labelsAt(template) }] : [];
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
