// The risks of a change: what a reviewer must not overlook, determined from manifests alone.

import type { GoMap, GoValue } from '../go/value.ts';
import { member, textMember } from '../manifest/objects.ts';
import type { RawEntry } from './compare.ts';
import { listMember } from './pods.ts';
import type { Risk } from './risk-rules.ts';
import { newStates } from './states.ts';
import type { DiffSteps } from './steps.ts';
import { quantityOf } from './value.ts';

/** A risk of a change. */
export interface FoundRisk {
  readonly risk: Risk;
  /** The members that have it, in either version; empty for a risk of the whole object. */
  readonly places: readonly DiffSteps[];
}

const selecting: ReadonlySet<string> = new Set([
  ...['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'Service', 'ReplicationController'],
]);

/** Returns the risks of a single entry in an object of a kind. */
export function entryRisks(kind: string, entry: RawEntry): Risk[] {
  const { op, steps, before, after, inside } = entry;
  if (inside !== undefined) return kind === 'Secret' ? ['secret-changed'] : [];
  const [first, second] = steps;
  const last = steps.at(-1);
  const isSpec = first === 'spec';
  const risks: Risk[] = [];
  if (selecting.has(kind) && isSpec && second === 'selector') risks.push('selector-changed');
  if (op === 'change' && last === 'image' && typeof after === 'string') risks.push('image-changed');
  if (steps.length === 2 && isSpec && last === 'replicas' && isZero(after) && !isZero(before))
    risks.push('replicas-zero');
  if (kind === 'Secret' && ['data', 'type', 'immutable'].includes(String(first))) risks.push('secret-changed');
  if (last === 'storage' && steps.at(-2) === 'requests' && isLess(after, before)) risks.push('pvc-shrunk');
  if (kind === 'Service' && isSpec && second === 'ports' && isPortGone(entry)) risks.push('service-port-removed');
  if (kind === 'CustomResourceDefinition' && isSpec) risks.push(...definitionRisks(entry));
  return risks;
}

function isZero(value: GoValue | undefined): boolean {
  return String(value) === '0';
}

function isLess(after: GoValue | undefined, before: GoValue | undefined): boolean {
  const [now, was] = [quantityOf(after ?? null), quantityOf(before ?? null)];
  return now !== undefined && was !== undefined && now < was;
}

function isPortGone({ op, steps }: RawEntry): boolean {
  return op === 'remove' ? steps.length <= 3 : op === 'change' && steps.at(-1) === 'port';
}

function definitionRisks({ op, steps, before, after }: RawEntry): Risk[] {
  const last = steps.at(-1);
  const holder = steps.at(-2);
  if (steps[1] === 'conversion' || (steps[1] === 'versions' && last === 'storage' && steps.length === 4))
    return ['crd-converted'];
  if (!steps.includes('openAPIV3Schema')) return [];
  const isNarrower =
    (op === 'remove' && (holder === 'properties' || last === 'properties')) ||
    (op === 'add' && (holder === 'required' || last === 'required' || last === 'enum')) ||
    (op === 'remove' && holder === 'enum') ||
    (op === 'change' && last === 'type' && holder !== 'properties' && before !== after);
  return isNarrower ? ['crd-narrowed'] : [];
}

/** Whether an object is deleted, and how Helm treats it. */
export interface Removal {
  readonly kind: string;
  readonly object: GoMap;
  /** Whether it is from a chart's `crds/`. */
  readonly isFromCrds: boolean;
  /** `recreated`: an object with the same name replaces it. */
  readonly fate: 'removed' | 'renamed' | 'recreated';
}

/** Returns the risks of a deleted object. */
export function removedRisks({ kind, object, isFromCrds, fate }: Removal): Risk[] {
  const policy = textMember(member(member(object, 'metadata'), 'annotations'), 'helm.sh/resource-policy');
  if (policy === 'keep' || isFromCrds) return [];
  if (kind === 'CustomResourceDefinition') return ['crd-removed'];
  if (kind === 'PersistentVolumeClaim') return ['pvc-removed'];
  if (kind === 'Namespace') return ['namespace-removed'];
  if (kind === 'StatefulSet' && fate !== 'recreated') return ['statefulset-removed'];
  if (kind === 'NetworkPolicy' && fate === 'removed') return ['network-policy-removed'];
  return kind === 'Secret' ? ['secret-changed'] : [];
}

/** Returns the risks of an object that is added, or that both sides have. */
export function objectRisks(kind: string, before: GoMap | undefined, after: GoMap): FoundRisk[] {
  const found: FoundRisk[] = newStates(kind, before, after).map(({ risk, places }) => ({ risk, places }));
  if (before === undefined) return found;
  if (kind === 'CustomResourceDefinition') {
    const now = servedVersions(after);
    if (servedVersions(before).some((version) => !now.includes(version)))
      found.push({ risk: 'crd-version-removed', places: [] });
  }
  if (
    (kind === 'Role' || kind === 'ClusterRole') &&
    !isCovered(listMember(after, 'rules'), listMember(before, 'rules'))
  )
    found.push({ risk: 'rbac-widened', places: [] });
  return found;
}

function servedVersions(object: GoMap): string[] {
  return listMember(member(object, 'spec'), 'versions')
    .filter((version) => member(version, 'served') !== false)
    .map((version) => textMember(version, 'name'));
}

/**
 * Reports whether rules allow no more than others.
 * Mirrors: k8s.io/component-helpers/auth/rbac/validation, `Covers`.
 */
function isCovered(rules: readonly GoValue[], others: readonly GoValue[]): boolean {
  return rules.every((rule) => singleRules(rule).every((single) => others.some((other) => covers(other, single))));
}

interface SingleRule {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** Empty for any. */
  readonly name: string;
  readonly url: string;
}

function singleRules(rule: GoValue): SingleRule[] {
  const texts = (name: string): string[] => listMember(rule, name).map(String);
  const names = texts('resourceNames');
  const verbs = texts('verbs');
  const urls = texts('nonResourceURLs');
  const ofResources = texts('apiGroups').flatMap((group) =>
    texts('resources').flatMap((resource) =>
      (names.length === 0 ? [''] : names).map((name) => ({ group, resource, name, url: '' })),
    ),
  );
  const ofUrls = urls.map((url) => ({ group: '', resource: '', name: '', url }));
  return [...ofResources, ...ofUrls].flatMap((single) => verbs.map((verb) => ({ ...single, verb })));
}

function covers(rule: GoValue, { verb, group, resource, name, url }: SingleRule): boolean {
  const has = (list: string, text: string): boolean => {
    const texts = listMember(rule, list).map(String);
    return texts.includes('*') || texts.includes(text);
  };
  if (!has('verbs', verb)) return false;
  if (url !== '') {
    return listMember(rule, 'nonResourceURLs')
      .map(String)
      .some((own) => own === url || (own.endsWith('*') && url.startsWith(own.slice(0, -1))));
  }
  const names = listMember(rule, 'resourceNames');
  const [, below = ''] = resource.split('/');
  const hasResource =
    has('resources', resource) || (below !== '' && listMember(rule, 'resources').includes(`*/${below}`));
  return has('apiGroups', group) && hasResource && (names.length === 0 || (name !== '' && names.includes(name)));
}
