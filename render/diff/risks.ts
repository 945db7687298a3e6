// What of a difference a reviewer must not miss, as marks: a closed list.

import type { GoMap, GoValue } from '../go/value.ts';
import { member, textMember } from '../manifest/objects.ts';
import type { RawEntry } from './compare.ts';
import { canonical } from './value.ts';

/** Every mark, with what it says. */
export const riskWords = {
  'crd-removed': 'a custom resource definition goes, and all objects of its kind with it',
  'crd-version-removed': 'a version of a custom resource is served no longer',
  'pvc-removed': 'a claim to a volume goes, and its data may go with it',
  'namespace-removed': 'a namespace goes, and all that is in it',
  'selector-changed': 'a selector finds other pods',
  'rbac-widened': 'somebody may do more',
  'image-changed': 'another image runs',
  'replicas-zero': 'nothing runs any more',
  'host-network': "pods see the node's network",
  'host-access': "pods see the node's processes or files",
  privileged: 'a container may do what the node may',
  'secret-changed': 'a secret is another, or gone',
} as const;

/** A mark. */
export type Risk = keyof typeof riskWords;

const workloads = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'Service',
  'ReplicationController',
]);

/** Gives the marks of an entry in an object of a kind. */
export function entryRisks(kind: string, entry: RawEntry): Risk[] {
  const { op, steps, before, after, inside } = entry;
  if (inside !== undefined) return kind === 'Secret' ? ['secret-changed'] : [];
  const last = steps.at(-1);
  const risks: Risk[] = [];
  if (workloads.has(kind) && steps[0] === 'spec' && steps[1] === 'selector') risks.push('selector-changed');
  if (op === 'change' && last === 'image' && typeof after === 'string') risks.push('image-changed');
  if (steps.length === 2 && steps[0] === 'spec' && last === 'replicas' && after === 0 && before !== 0)
    risks.push('replicas-zero');
  if (kind === 'Secret' && ['data', 'type', 'immutable'].includes(String(steps[0]))) risks.push('secret-changed');
  if (after !== undefined && op !== 'move') risks.push(...podRisks(after, typeof last === 'string' ? last : ''));
  return risks;
}

/** Gives the marks of an object that comes. */
export function addedRisks(kind: string, object: GoMap): Risk[] {
  const risks = podRisks(object.get('spec') ?? null, 'spec');
  return isBinding(kind) ? [...risks, 'rbac-widened'] : risks;
}

/** Gives the marks of an object that goes, or that is made anew. */
export function removedRisks(kind: string, object: GoMap): Risk[] {
  const policy = textMember(member(member(object, 'metadata'), 'annotations'), 'helm.sh/resource-policy');
  // Helm leaves it alone.
  if (policy === 'keep') return [];
  if (kind === 'CustomResourceDefinition') return ['crd-removed'];
  if (kind === 'PersistentVolumeClaim') return ['pvc-removed'];
  if (kind === 'Namespace') return ['namespace-removed'];
  return kind === 'Secret' ? ['secret-changed'] : [];
}

/** Gives the marks that only both forms of an object tell. */
export function changedRisks(kind: string, before: GoMap, after: GoMap): Risk[] {
  if (kind === 'CustomResourceDefinition') {
    const now = servedVersions(after);
    return servedVersions(before).some((version) => !now.includes(version)) ? ['crd-version-removed'] : [];
  }
  if (isBinding(kind)) {
    const old = new Set(listOf(before, 'subjects').map(canonical));
    const isWider = listOf(after, 'subjects').some((subject) => !old.has(canonical(subject)));
    return isWider || canonical(member(before, 'roleRef')) !== canonical(member(after, 'roleRef'))
      ? ['rbac-widened']
      : [];
  }
  if (kind !== 'Role' && kind !== 'ClusterRole') return [];
  return isCovered(listOf(after, 'rules'), listOf(before, 'rules')) ? [] : ['rbac-widened'];
}

function isBinding(kind: string): boolean {
  return kind === 'RoleBinding' || kind === 'ClusterRoleBinding';
}

function listOf(value: GoValue, name: string): readonly GoValue[] {
  const list = member(value, name);
  return Array.isArray(list) ? list : [];
}

function servedVersions(object: GoMap): string[] {
  return listOf(member(object, 'spec'), 'versions')
    .filter((version) => member(version, 'served') !== false)
    .map((version) => textMember(version, 'name'));
}

// What a pod may see of its node. Of a value that comes all of it counts.
function podRisks(value: GoValue, name: string): Risk[] {
  const found = new Set<Risk>();
  const open: (readonly [name: string, value: GoValue])[] = [[name, value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [key, item] = next;
    if (item === true) {
      if (key === 'hostNetwork') found.add('host-network');
      if (key === 'hostPID' || key === 'hostIPC') found.add('host-access');
      if (key === 'privileged') found.add('privileged');
    } else if (item instanceof Map) {
      if (key === 'hostPath') found.add('host-access');
      for (const [inner, member] of item) open.push([inner, member]);
    } else if (Array.isArray(item)) for (const inner of item) open.push(['', inner]);
  }
  return [...found];
}

/** Tells whether rules allow no more than others do. Mirrors: k8s.io/component-helpers/auth/rbac/validation, `Covers`. */
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
  const texts = (name: string): string[] => listOf(rule, name).map(String);
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
    const texts = listOf(rule, list).map(String);
    return texts.includes('*') || texts.includes(text);
  };
  if (!has('verbs', verb)) return false;
  if (url !== '') {
    return listOf(rule, 'nonResourceURLs')
      .map(String)
      .some((own) => own === url || (own.endsWith('*') && url.startsWith(own.slice(0, -1))));
  }
  const names = listOf(rule, 'resourceNames');
  const [, below = ''] = resource.split('/');
  const hasResource = has('resources', resource) || (below !== '' && listOf(rule, 'resources').includes(`*/${below}`));
  return has('apiGroups', group) && hasResource && (names.length === 0 || (name !== '' && names.includes(name)));
}
