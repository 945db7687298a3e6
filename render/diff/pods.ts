// What the pods of a manifest can do on their node, and what they refer to.

import type { GoMap, GoValue } from '../go/value.ts';
import { member, textMember } from '../manifest/objects.ts';
import type { DiffSteps } from './steps.ts';

/** A pod specification within an object, and the labels of its pods. */
export interface PodSpec {
  /** The path of the specification; empty if it is the object itself. */
  readonly steps: DiffSteps;
  readonly spec: GoMap;
  readonly labels: GoMap;
}

/** Returns all pod specifications in an object: of a Pod, of a workload, and those in custom resources. */
export function podSpecsOf(object: GoMap): PodSpec[] {
  const found: PodSpec[] = [];
  const open: { readonly steps: DiffSteps; readonly value: GoValue; readonly parent: GoMap }[] = [
    { steps: [], value: object, parent: new Map() },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { steps, value, parent } = next;
    if (value instanceof Map) {
      if (containersOf(value, 'containers').length > 0) {
        const labels = member(member(parent, 'metadata'), 'labels');
        found.push({ steps, spec: value, labels: labels instanceof Map ? labels : new Map() });
      } else for (const [key, item] of value) open.push({ steps: [...steps, key], value: item, parent: value });
    } else if (Array.isArray(value))
      value.forEach((item, at) => void open.push({ steps: [...steps, at], value: item, parent: new Map() }));
  }
  return found.reverse();
}

/** A container of a pod, and its path in the pod specification. */
export interface Container {
  readonly steps: DiffSteps;
  readonly name: string;
  readonly container: GoMap;
}

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Returns the containers of a pod, init containers first. */
export function allContainers(spec: GoMap): Container[] {
  return containerLists.flatMap((list) => containersOf(spec, list));
}

function containersOf(spec: GoMap, list: string): Container[] {
  const items = spec.get(list);
  if (!Array.isArray(items)) return [];
  return items.flatMap((container, at) =>
    container instanceof Map ? [{ steps: [list, at], name: textMember(container, 'name'), container }] : [],
  );
}

/** An object without which pods cannot start. */
export interface PodReference {
  readonly kind: 'ConfigMap' | 'Secret' | 'PersistentVolumeClaim' | 'ServiceAccount';
  readonly name: string;
}

/** Returns the objects without which pods cannot start, by the fields that refer to them. */
export function podReferences(spec: GoMap): PodReference[] {
  const account = textMember(spec, 'serviceAccountName');
  const found: PodReference[] = account === '' ? [] : [{ kind: 'ServiceAccount', name: account }];
  const add = (kind: PodReference['kind'], reference: GoValue, key = 'name'): void => {
    const name = textMember(reference, key);
    if (name !== '' && member(reference, 'optional') !== true) found.push({ kind, name });
  };
  for (const volume of listMember(spec, 'volumes')) {
    add('ConfigMap', member(volume, 'configMap'));
    add('Secret', member(volume, 'secret'), 'secretName');
    add('PersistentVolumeClaim', member(volume, 'persistentVolumeClaim'), 'claimName');
    for (const source of listMember(member(volume, 'projected'), 'sources')) {
      add('ConfigMap', member(source, 'configMap'));
      add('Secret', member(source, 'secret'));
    }
  }
  for (const { container } of allContainers(spec)) {
    for (const source of listMember(container, 'envFrom')) {
      add('ConfigMap', member(source, 'configMapRef'));
      add('Secret', member(source, 'secretRef'));
    }
    for (const variable of listMember(container, 'env')) {
      add('ConfigMap', member(member(variable, 'valueFrom'), 'configMapKeyRef'));
      add('Secret', member(member(variable, 'valueFrom'), 'secretKeyRef'));
    }
  }
  return found;
}

/** Returns the list under a key of a map; empty if there is none. */
export function listMember(value: GoValue, name: string): readonly GoValue[] {
  const list = member(value, name);
  return Array.isArray(list) ? list : [];
}
