// Risks that depend on several objects: selectors without matches; and the pods in objects.

import type { Steps } from '../core/paths.ts';
import type { GoMap, GoValue } from '../go/value.ts';
import { listMember, member, textMember, valuesIn } from '../manifest/objects.ts';
import { valueAtSteps } from '../values/paths.ts';
import type { ObjectPair } from './match.ts';
import { isBuiltinGroup, type SideObject } from './objects.ts';
import { canonical } from './value.ts';

interface Relations {
  readonly before: readonly SideObject[];
  readonly after: readonly SideObject[];
  readonly pairs: readonly ObjectPair[];
}

/**
 * Returns the objects whose selectors matched pods before a change and match none after it: by their later versions, or the workloads that
 * they matched. `pairs` are the objects that differ, `same` returns the others, which are read only if necessary.
 */
export function emptySelectors(
  same: () => readonly SideObject[],
  pairs: readonly ObjectPair[],
): ReadonlySet<SideObject> {
  if (!pairs.some(mayMatter)) return new Set();
  const shared = same();
  return new Set(
    withoutMatches({
      before: [...shared, ...pairs.flatMap(({ before }) => before ?? [])],
      after: [...shared, ...pairs.flatMap(({ after }) => after ?? [])],
      pairs,
    }),
  );
}

// An added object takes nothing from others, and most changes do not affect other objects.
function mayMatter({ before, after }: ObjectPair): boolean {
  if (before === undefined) return false;
  const labels = (object: SideObject | undefined): string =>
    object === undefined ? '' : canonical(podsOf([object]).map((pods) => pods.labels));
  return (after !== undefined && selectorText(before) !== selectorText(after)) || labels(before) !== labels(after);
}

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

function withoutMatches({ before, after, pairs }: Relations): SideObject[] {
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
    return owners.map((pair) => (pair.after ?? pair.before)!);
  });
}

/** A pod specification within an object, and the labels of its pods. */
export interface PodSpec {
  /** The path of the specification; empty if it is the object itself. */
  readonly steps: Steps;
  readonly spec: GoMap;
  readonly labels: GoMap;
}

/** Returns all pod specifications in an object: of a Pod, of a workload, and those in custom resources. */
export function podSpecsOf(object: GoMap): PodSpec[] {
  const found: PodSpec[] = [];
  for (const { steps, value } of valuesIn(object)) {
    if (!(value instanceof Map) || containersOf(value, 'containers').length === 0) continue;
    // What is within a specification follows it directly.
    const last = found.at(-1);
    if (last !== undefined && isBelow(steps, last.steps)) continue;
    const parent = steps.length === 0 ? null : (valueAtSteps(object, steps.slice(0, -1)) ?? null);
    const labels = member(member(parent, 'metadata'), 'labels');
    found.push({ steps, spec: value, labels: labels instanceof Map ? labels : new Map() });
  }
  return found;
}

/** Reports whether a path leads to the value at another path, or into it. */
export function isBelow(steps: Steps, start: Steps): boolean {
  return start.every((step, at) => steps[at] === step);
}

export interface Container {
  readonly steps: Steps;
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
