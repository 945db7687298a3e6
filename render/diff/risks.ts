// The risks of a change: what a reviewer must not overlook, determined from manifests alone. Some arise when a change leads to a risky state.

import type { Steps } from '../core/paths.ts';
import { type GoMap, type GoValue, Int } from '../go/value.ts';
import { listMember, member, textMember, valuesIn } from '../manifest/objects.ts';
import type { RawEntry } from './compare.ts';
import { allContainers, type Container, isBelow, type PodSpec, podSpecsOf } from './relations.ts';
import type { Risk } from './risk-rules.ts';
import { quantityOf } from './value.ts';

export interface FoundRisk {
  readonly risk: Risk;
  /** The members that have it, in either version; empty for a risk of the whole object. */
  readonly places: readonly Steps[];
}

const selecting: ReadonlySet<string> = new Set([
  ...['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'Service', 'ReplicationController'],
]);

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
  if (!steps.includes('openAPIV3Schema')) return [];
  const isNarrower =
    (op === 'remove' && (holder === 'properties' || last === 'properties')) ||
    (op === 'add' && (holder === 'required' || last === 'required' || last === 'enum')) ||
    (op === 'remove' && holder === 'enum') ||
    (op === 'change' && last === 'type' && holder !== 'properties' && before !== after);
  return isNarrower ? ['crd-narrowed'] : [];
}

/** Whether an object is deleted, and how Helm treats it. */
interface Removal {
  readonly kind: string;
  readonly object: GoMap;
  /** Whether it is from a chart's `crds/`. */
  readonly isFromCrds: boolean;
  /** `recreated`: an object with the same name replaces it. */
  readonly fate: 'removed' | 'renamed' | 'recreated';
}

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

interface RiskyState {
  readonly risk: Risk;
  /** Identifies the state among those of the object. */
  readonly key: string;
  readonly places: readonly Steps[];
  /** Whether an object is in this state by default: then it is a risk only if the object has left another state. */
  readonly isDefault?: boolean;
  /** Whether a state with another key is at least as risky. Default: none is. */
  readonly isWithin?: ((other: RiskyState) => boolean) | undefined;
}

/** Returns the risky states that a change leads to. `before` is undefined for an added object. */
function newStates(kind: string, before: GoMap | undefined, after: GoMap): RiskyState[] {
  const states = statesOf(kind, after);
  if (before === undefined) return states.filter(({ isDefault }) => isDefault !== true);
  const known = statesOf(kind, before);
  const hadContainers = new Set(
    podSpecsOf(before).flatMap((pod) => allContainers(pod.spec).map((one) => keyIn(pod, one))),
  );
  return states.filter((state) => {
    if (known.some((other) => other.key === state.key || state.isWithin?.(other) === true)) return false;
    const [container = ''] = state.key.split(' ', 1);
    return state.isDefault !== true || !container.includes('#') || hadContainers.has(container);
  });
}

function statesOf(kind: string, object: GoMap): RiskyState[] {
  // A schema contains names of members with a meaning elsewhere.
  if (kind === 'CustomResourceDefinition') return [];
  const pods = podSpecsOf(object);
  return [
    ...pods.flatMap((pod) => allContainers(pod.spec).flatMap((container) => containerStates(pod, container))),
    ...hostStates(object, pods),
    ...(byKind[kind]?.(object) ?? []),
  ];
}

// ---- Pods

function keyIn({ steps }: PodSpec, { steps: own, name }: Container): string {
  return `${steps.join('.')}#${own[0]}/${name.replaceAll(' ', '')}`;
}

function containerStates(pod: PodSpec, own: Container): RiskyState[] {
  const key = keyIn(pod, own);
  const context = member(own.container, 'securityContext');
  const podContext = member(pod.spec, 'securityContext');
  const places = (...names: readonly string[]): Steps[] => [
    ...names.map((name): Steps => [...pod.steps, ...own.steps, 'securityContext', name]),
    ...names.map((name): Steps => [...pod.steps, 'securityContext', name]),
  ];
  const effective = (name: string): GoValue => member(context, name) ?? member(podContext, name);
  const states: RiskyState[] = [];
  const add = (is: boolean, risk: Risk, state: string, at: readonly Steps[], isDefault = false): void => {
    if (is) states.push({ risk, key: `${key} ${state}`, places: at, isDefault });
  };

  add(member(context, 'privileged') === true, 'privileged', 'privileged', places('privileged'));

  const user = numberOf(effective('runAsUser'));
  const isNonRoot = effective('runAsNonRoot') === true || (user !== undefined && user > 0);
  add(user === 0, 'runs-as-root', 'is root', places('runAsUser'));
  add(!isNonRoot, 'runs-as-root', 'may be root', places('runAsUser', 'runAsNonRoot'), true);

  const escalation = member(context, 'allowPrivilegeEscalation');
  const escalationAt = places('allowPrivilegeEscalation');
  add(escalation === true, 'privilege-escalation', 'escalates', escalationAt);
  add(escalation !== false, 'privilege-escalation', 'may escalate', escalationAt, true);

  const capabilities = member(context, 'capabilities');
  const namesIn = (list: string): string[] =>
    listMember(capabilities, list).map((name) => String(name).replace(/^CAP_/, ''));
  const capabilitiesAt = places('capabilities');
  for (const name of namesIn('add')) {
    states.push({
      risk: 'capabilities-added',
      key: `${key} capability ${name}`,
      places: capabilitiesAt,
      isWithin: (other) => other.key === `${key} capability ALL`,
    });
  }
  add(!namesIn('drop').includes('ALL'), 'capabilities-added', 'keeps capabilities', capabilitiesAt, true);

  listMember(own.container, 'ports').forEach((port, at) => {
    const number = numberOf(member(port, 'hostPort')) ?? 0;
    const state = `port ${number}/${textMember(port, 'protocol') || 'TCP'}`;
    add(number > 0, 'host-port', state, [[...pod.steps, ...own.steps, 'ports', at]]);
  });
  return states;
}

// ---- The node: in pod specifications, and in custom resources from which pods are made

const hostMembers: Readonly<Record<string, Risk>> = {
  hostNetwork: 'host-network',
  hostPID: 'host-access',
  hostIPC: 'host-access',
  privileged: 'privileged',
  hostProcess: 'privileged',
};

function hostStates(object: GoMap, pods: readonly PodSpec[]): RiskyState[] {
  const found = [...valuesIn(object)].flatMap(({ steps, value }): RiskyState[] => {
    const name = String(steps.at(-1));
    const path = name === 'hostPath' ? textMember(value, 'path') : '';
    if (path !== '') return [hostPathState(path, { steps, pods })];
    const risk = Object.hasOwn(hostMembers, name) ? hostMembers[name] : undefined;
    const isInContainer = name === 'privileged' && pods.some((pod) => isBelow(steps, pod.steps));
    if (value !== true || risk === undefined || isInContainer) return [];
    return [{ risk, key: steps.join('.'), places: [steps] }];
  });
  return found.reverse();
}

// A path below one that was mounted before adds no access, unless it is now writable.
function hostPathState(
  path: string,
  { steps, pods }: Pick<PodSpec, 'steps'> & { readonly pods: readonly PodSpec[] },
): RiskyState {
  const pod = pods.find((one) => isBelow(steps, one.steps));
  const volume = pod && listMember(pod.spec, 'volumes')[Number(steps.at(-2))];
  const name = volume === undefined ? '' : textMember(volume, 'name');
  const mounts = pod === undefined ? [] : allContainers(pod.spec).flatMap((one) => mountsOf(pod, one, name));
  const writable = mounts.filter(({ isReadOnly }) => !isReadOnly);
  const mode = mounts.length > 0 && writable.length === 0 ? 'reads' : 'writes';
  const clean = `${path.replace(/(?<!\/)\/+$/, '')}/`;
  const scope = pod === undefined ? '' : pod.steps.join('.');
  return {
    risk: 'host-access',
    key: `${scope} ${mode} ${clean}`,
    places: [steps, ...writable.map(({ steps: own }) => own)],
    isWithin: (other) => {
      const [, otherScope, otherMode, outer] = /^(\S*) (reads|writes) (.*)$/.exec(other.key) ?? [];
      return (
        otherScope === scope &&
        outer !== undefined &&
        clean.startsWith(outer) &&
        (mode === 'reads' || otherMode === mode)
      );
    },
  };
}

function mountsOf(pod: PodSpec, { steps, container }: Container, volume: string) {
  return listMember(container, 'volumeMounts').flatMap((mount, at) =>
    textMember(mount, 'name') === volume
      ? [{ steps: [...pod.steps, ...steps, 'volumeMounts', at], isReadOnly: member(mount, 'readOnly') === true }]
      : [],
  );
}

// ---- Other kinds

const byKind: Readonly<Record<string, (object: GoMap) => RiskyState[]>> = {
  PersistentVolume: (object) => deletesData(object, ['spec', 'persistentVolumeReclaimPolicy']),
  StorageClass: (object) => deletesData(object, ['reclaimPolicy']),
  StatefulSet: (object) =>
    ['whenDeleted', 'whenScaled'].flatMap((name) =>
      deletesData(object, ['spec', 'persistentVolumeClaimRetentionPolicy', name]),
    ),
  Service: serviceStates,
  ClusterRole: (object) => {
    const labels = member(member(object, 'metadata'), 'labels');
    const names =
      labels instanceof Map ? [...labels].filter(([, value]) => value === 'true').map(([name]) => name) : [];
    const own = names.filter((name) => name.includes('/aggregate-to-'));
    const chosen = listMember(member(object, 'aggregationRule'), 'clusterRoleSelectors');
    return [
      ...own.map((key): RiskyState => ({ risk: 'rbac-widened', key, places: [['metadata', 'labels', key]] })),
      ...chosen.map((_, at): RiskyState => {
        return { risk: 'rbac-widened', key: `selector ${at}`, places: [['aggregationRule']], isDefault: true };
      }),
    ];
  },
  RoleBinding: bindingStates,
  ClusterRoleBinding: bindingStates,
};

function deletesData(object: GoMap, place: readonly string[]): RiskyState[] {
  const value = place.reduce<GoValue>((at, name) => member(at, name), object);
  return value === 'Delete' ? [{ risk: 'data-deleted', key: place.join('.'), places: [place], isDefault: true }] : [];
}

function serviceStates(object: GoMap): RiskyState[] {
  const spec = member(object, 'spec');
  const type = textMember(spec, 'type');
  const ranges = type === 'LoadBalancer' ? listMember(spec, 'loadBalancerSourceRanges').map(String) : undefined;
  const exposed = (key: string, name: string, more: Partial<RiskyState> = {}): RiskyState => {
    return { risk: 'service-exposed', key, places: [['spec', name]], ...more };
  };
  const isWithin = ({ key }: RiskyState): boolean => key === 'LoadBalancer';
  const isFromAny = ({ key }: RiskyState): boolean => key === 'any source';
  const restricted = 'loadBalancerSourceRanges';
  return [
    ...(type === 'NodePort' || type === 'LoadBalancer' ? [exposed(type, 'type', { isWithin })] : []),
    ...(ranges?.length === 0 ? [exposed('any source', restricted, { isDefault: true })] : []),
    ...(ranges ?? []).map((range) => exposed(range, restricted, { isDefault: true, isWithin: isFromAny })),
    ...listMember(spec, 'externalIPs').map((address) => exposed(String(address), 'externalIPs')),
  ];
}

function bindingStates(object: GoMap): RiskyState[] {
  const role = member(object, 'roleRef');
  const own = `${textMember(role, 'kind')} ${textMember(role, 'name')}`;
  return listMember(object, 'subjects').map((subject, at): RiskyState => {
    const names = ['kind', 'namespace', 'name'].map((name) => textMember(subject, name));
    return { risk: 'rbac-widened', key: [own, ...names].join(' '), places: [['subjects', at], ['roleRef']] };
  });
}

function numberOf(value: GoValue): number | undefined {
  return value instanceof Int ? Number(value.value) : typeof value === 'number' ? value : undefined;
}
