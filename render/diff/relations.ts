// Risks that depend on several objects: selectors without matches, names that are still referenced, hosts without a backend; and what pods
// can do on their node and refer to.

import type { GoMap, GoValue } from '../go/value.ts';
import { member, textMember } from '../manifest/objects.ts';
import type { ObjectPair } from './match.ts';
import { isBuiltinGroup, type SideObject } from './objects.ts';
import type { Risk } from './risk-rules.ts';
import type { DiffSteps } from './steps.ts';
import { canonical } from './value.ts';

interface Relations {
  readonly before: readonly SideObject[];
  readonly after: readonly SideObject[];
  readonly pairs: readonly ObjectPair[];
}

/** Risks by object: by its later version, or the earlier one of a removed object. */
export type RelatedRisks = ReadonlyMap<SideObject, readonly Risk[]>;

/**
 * Returns the risks that follow from relations between objects. `pairs` are the objects that differ, `same` returns the others, which are
 * read only if necessary.
 */
export function relatedRisks(same: () => readonly SideObject[], pairs: readonly ObjectPair[]): RelatedRisks {
  if (!pairs.some(mayMatter)) return new Map();
  const shared = same();
  const relations: Relations = {
    before: [...shared, ...pairs.flatMap(({ before }) => before ?? [])],
    after: [...shared, ...pairs.flatMap(({ after }) => after ?? [])],
    pairs,
  };
  const found = new Map<SideObject, Risk[]>();
  const add = (object: SideObject, risk: Risk): void => {
    const risks = found.get(object) ?? [];
    if (!risks.includes(risk)) found.set(object, [...risks, risk]);
  };
  for (const object of emptySelectors(relations)) add(object, 'selects-no-pods');
  for (const object of missingReferences(relations)) add(object, 'still-referenced');
  for (const object of lostHosts(relations)) add(object, 'host-removed');
  return found;
}

// An added object takes nothing from others, and most changes do not affect other objects.
function mayMatter({ before, after }: ObjectPair): boolean {
  if (before === undefined) return false;
  const labels = (object: SideObject | undefined): string =>
    object === undefined ? '' : canonical(podsOf([object]).map((pods) => pods.labels));
  const hosts = after === undefined ? [] : hostsOf(after);
  return (
    (isNamed(before) && before.name !== after?.name) ||
    (after !== undefined && selectorText(before) !== selectorText(after)) ||
    hostsOf(before).some((host) => !hosts.includes(host)) ||
    labels(before) !== labels(after)
  );
}

function latest({ before, after }: ObjectPair): SideObject {
  return (after ?? before)!;
}

// ---- Selectors

interface Pods {
  readonly owner: SideObject;
  readonly labels: GoMap;
}

function podsOf(objects: readonly SideObject[]): Pods[] {
  return objects.flatMap((owner) => {
    if (!isBuiltinGroup(owner.group) || owner.kind === 'Pod') {
      const labels = member(member(owner.object, 'metadata'), 'labels');
      return owner.kind === 'Pod' && labels instanceof Map ? [{ owner, labels }] : [];
    }
    return podSpecsOf(owner.object).map(({ labels }) => ({ owner, labels }));
  });
}

// Undefined for an object that selects no pods, or all pods.
function selectorOf({ group, kind, object }: SideObject): GoMap | undefined {
  const spec = member(object, 'spec');
  const isService = kind === 'Service' && group === '';
  const own = isService || kind === 'PodDisruptionBudget' ? member(spec, 'selector') : member(spec, 'podSelector');
  if (!isBuiltinGroup(group) || !(own instanceof Map) || own.size === 0) return undefined;
  return isService ? new Map([['matchLabels', own]]) : own;
}

function selectorText(object: SideObject): string {
  return canonical(selectorOf(object) ?? null);
}

function matches(selector: GoMap, labels: GoMap): boolean {
  const wanted = selector.get('matchLabels');
  const isEqual = (name: string, value: GoValue): boolean =>
    labels.has(name) && String(labels.get(name)) === String(value);
  if (wanted instanceof Map && ![...wanted].every(([name, value]) => isEqual(name, value))) return false;
  return listMember(selector, 'matchExpressions').every((expression) => {
    const name = textMember(expression, 'key');
    const values = listMember(expression, 'values');
    const isIn = values.some((value) => isEqual(name, value));
    const operator = textMember(expression, 'operator');
    if (operator === 'In') return isIn;
    if (operator === 'NotIn') return !isIn;
    return labels.has(name) === (operator === 'Exists');
  });
}

function emptySelectors({ before, after, pairs }: Relations): SideObject[] {
  const selecting = after.filter((object) => selectorOf(object) !== undefined);
  if (selecting.length === 0) return [];
  const pairOf = new Map(pairs.map((pair) => [pair.after, pair]));
  const changedFrom = new Map(pairs.map((pair) => [pair.before, pair]));
  const [oldPods, newPods] = [podsOf(before), podsOf(after)];
  const selected = (object: SideObject, pods: readonly Pods[]): Pods[] => {
    const selector = selectorOf(object);
    return selector === undefined
      ? []
      : pods.filter(({ owner, labels }) => owner.namespace === object.namespace && matches(selector, labels));
  };
  return selecting.flatMap((object) => {
    const pair = pairOf.get(object);
    const old = pair === undefined ? object : pair.before;
    const was = old === undefined ? [] : selected(old, oldPods);
    if (was.length === 0 || selected(object, newPods).length > 0) return [];
    if (old !== undefined && selectorText(old) !== selectorText(object)) return [object];
    const owners = was.flatMap(({ owner }) => changedFrom.get(owner) ?? []);
    return owners.map(latest);
  });
}

// ---- Names

const named: ReadonlySet<string> = new Set(['ConfigMap', 'Secret', 'PersistentVolumeClaim', 'ServiceAccount']);

function isNamed({ group, kind }: SideObject): boolean {
  return group === '' && named.has(kind);
}

function missingReferences({ after, pairs }: Relations): SideObject[] {
  const gone = pairs.filter(
    ({ before, after: now }) => before !== undefined && isNamed(before) && before.name !== now?.name,
  );
  if (gone.length === 0) return [];
  const keyOf = ({ kind, namespace, name }: Pick<SideObject, 'kind' | 'namespace' | 'name'>): string =>
    [kind, namespace, name].join('\n');
  const present = new Set(after.filter(isNamed).map(keyOf));
  const required = new Set(
    after
      .filter(({ group }) => isBuiltinGroup(group))
      .flatMap(({ namespace, object }) =>
        podSpecsOf(object).flatMap(({ spec }) => podReferences(spec).map((one) => keyOf({ ...one, namespace }))),
      ),
  );
  return gone
    .filter(
      ({ before }) => required.has(keyOf(before!)) && !present.has(keyOf(before!)) && !isMadeByOther(before!, after),
    )
    .map(latest);
}

// A controller may create the object, for example for a SealedSecret, an ExternalSecret or a Certificate.
function isMadeByOther({ name }: SideObject, after: readonly SideObject[]): boolean {
  return after.some(({ group, name: own, object }) => {
    if (isBuiltinGroup(group)) return false;
    const spec = member(object, 'spec');
    return [own, textMember(spec, 'secretName'), textMember(member(spec, 'target'), 'name')].includes(name);
  });
}

// ---- Hosts

function hostsOf({ kind, object }: SideObject): string[] {
  const spec = member(object, 'spec');
  if (kind === 'Ingress')
    return listMember(spec, 'rules')
      .map((rule) => textMember(rule, 'host'))
      .filter((host) => host !== '');
  return kind.endsWith('Route') ? listMember(spec, 'hostnames').map(String) : [];
}

function lostHosts({ after, pairs }: Relations): SideObject[] {
  const losing = pairs.filter(({ before }) => before !== undefined && hostsOf(before).length > 0);
  if (losing.length === 0) return [];
  const served = new Set(after.flatMap(hostsOf));
  return losing.filter(({ before }) => hostsOf(before!).some((host) => !served.has(host))).map(latest);
}

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
function podReferences(spec: GoMap): PodReference[] {
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
