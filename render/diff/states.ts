// Risky states of an object: a risk arises when a change leads to one.

import { isBytes } from '../go/realm.ts';
import type { GoMap, GoValue } from '../go/value.ts';
import { member, textMember } from '../manifest/objects.ts';
import { allContainers, type Container, listMember, type PodSpec, podSpecsOf } from './pods.ts';
import type { Risk } from './risk-rules.ts';
import type { DiffSteps } from './steps.ts';

/** A risky state. */
export interface RiskyState {
  readonly risk: Risk;
  /** Identifies the state among those of the object. */
  readonly key: string;
  /** The members that cause it. */
  readonly places: readonly DiffSteps[];
  /** Whether an object is in this state by default: then it is a risk only if the object has left another state. */
  readonly isDefault?: boolean;
  /** Whether a state with another key is at least as risky. Default: none is. */
  readonly isWithin?: ((other: RiskyState) => boolean) | undefined;
}

/** Returns the risky states that a change leads to. `before` is undefined for an added object. */
export function newStates(kind: string, before: GoMap | undefined, after: GoMap): RiskyState[] {
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
  return [...pods.flatMap(podStates), ...hostStates(object, pods), ...(byKind[kind]?.(object) ?? [])];
}

// ---- Pods

function keyIn({ steps }: PodSpec, { steps: own, name }: Container): string {
  return `${steps.join('.')}#${own[0]}/${name.replaceAll(' ', '')}`;
}

// Mirrors: k8s.io/pod-security-admission/policy, check_sysctls.go, v0.37.2.
const safeSysctls: ReadonlySet<string> = new Set([
  ...['kernel.shm_rmid_forced', 'net.ipv4.ip_local_port_range', 'net.ipv4.ip_unprivileged_port_start'],
  ...['net.ipv4.tcp_syncookies', 'net.ipv4.ping_group_range', 'net.ipv4.ip_local_reserved_ports'],
  ...['net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_fin_timeout', 'net.ipv4.tcp_keepalive_intvl'],
  ...['net.ipv4.tcp_keepalive_probes', 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'],
]);

function podStates(pod: PodSpec): RiskyState[] {
  const { spec, steps } = pod;
  const sysctls = listMember(member(spec, 'securityContext'), 'sysctls')
    .map((sysctl) => textMember(sysctl, 'name'))
    .filter((name) => !safeSysctls.has(name));
  return [
    ...sysctls.map(
      (name): RiskyState => ({
        risk: 'sandbox-weakened',
        key: `${steps.join('.')} sysctl ${name}`,
        places: [[...steps, 'securityContext', 'sysctls']],
      }),
    ),
    ...allContainers(spec).flatMap((container) => containerStates(pod, container)),
  ];
}

function containerStates(pod: PodSpec, own: Container): RiskyState[] {
  const key = keyIn(pod, own);
  const context = member(own.container, 'securityContext');
  const podContext = member(pod.spec, 'securityContext');
  const places = (...names: readonly string[]): DiffSteps[] => [
    ...names.map((name): DiffSteps => [...pod.steps, ...own.steps, 'securityContext', name]),
    ...names.map((name): DiffSteps => [...pod.steps, 'securityContext', name]),
  ];
  const effective = (name: string): GoValue => member(context, name) ?? member(podContext, name);
  const states: RiskyState[] = [];
  const add = (is: boolean, risk: Risk, state: string, at: readonly DiffSteps[], isDefault = false): void => {
    if (is) states.push({ risk, key: `${key} ${state}`, places: at, isDefault });
  };

  add(member(context, 'privileged') === true, 'privileged', 'privileged', places('privileged'));

  const user = quantityOf(effective('runAsUser'));
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

  const seccomp = textMember(effective('seccompProfile'), 'type');
  add(seccomp === 'Unconfined', 'sandbox-weakened', 'is unconfined', places('seccompProfile'));
  add(
    seccomp === '' || seccomp === 'Unconfined',
    'sandbox-weakened',
    'may be unconfined',
    places('seccompProfile'),
    true,
  );
  const appArmor = textMember(effective('appArmorProfile'), 'type');
  add(appArmor === 'Unconfined', 'sandbox-weakened', 'has no AppArmor', places('appArmorProfile'));
  add(member(context, 'procMount') === 'Unmasked', 'sandbox-weakened', 'sees all of /proc', places('procMount'));
  const isReadOnly = member(context, 'readOnlyRootFilesystem') === true;
  add(!isReadOnly, 'sandbox-weakened', 'writes its file system', places('readOnlyRootFilesystem'), true);

  listMember(own.container, 'ports').forEach((port, at) => {
    const number = quantityOf(member(port, 'hostPort')) ?? 0;
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
  const states: RiskyState[] = [];
  const open: { readonly steps: DiffSteps; readonly value: GoValue }[] = [{ steps: [], value: object }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { steps, value } = next;
    const name = String(steps.at(-1));
    const risk = Object.hasOwn(hostMembers, name) ? hostMembers[name] : undefined;
    const isInContainer = name === 'privileged' && pods.some((pod) => isBelow(steps, pod.steps));
    if (value === true && risk !== undefined && !isInContainer)
      states.push({ risk, key: steps.join('.'), places: [steps] });
    else if (value instanceof Map) {
      const path = name === 'hostPath' ? textMember(value, 'path') : '';
      if (path !== '') states.push(hostPathState(path, { steps, pods }));
      for (const [key, item] of value) open.push({ steps: [...steps, key], value: item });
    } else if (Array.isArray(value))
      value.forEach((item, at) => void open.push({ steps: [...steps, at], value: item }));
  }
  return states;
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

function isBelow(steps: DiffSteps, start: DiffSteps): boolean {
  return start.every((step, at) => steps[at] === step);
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
  PodDisruptionBudget: (object) => {
    const spec = member(object, 'spec');
    const [least, most] = [member(spec, 'minAvailable'), member(spec, 'maxUnavailable')];
    const isBlocking = least === '100%' || ['0', '0%'].includes(String(most));
    return isBlocking ? [{ risk: 'eviction-blocked', key: 'blocks', places: [['spec']] }] : [];
  },
  Deployment: (object) =>
    textMember(member(member(object, 'spec'), 'strategy'), 'type') === 'Recreate'
      ? [{ risk: 'downtime', key: 'recreates', places: [['spec', 'strategy']], isDefault: true }]
      : [],
  ValidatingWebhookConfiguration: webhookStates,
  MutatingWebhookConfiguration: webhookStates,
  ClusterRole: (object) => {
    const labels = member(member(object, 'metadata'), 'labels');
    const names =
      labels instanceof Map ? [...labels].filter(([, value]) => value === 'true').map(([name]) => name) : [];
    const own = names.filter((name) => name.includes('/aggregate-to-'));
    const chosen = listMember(member(object, 'aggregationRule'), 'clusterRoleSelectors');
    return [
      ...own.map((name): RiskyState => ({ risk: 'rbac-widened', key: name, places: [['metadata', 'labels', name]] })),
      ...chosen.map(
        (_, at): RiskyState => ({
          risk: 'rbac-widened',
          key: `selector ${at}`,
          places: [['aggregationRule']],
          isDefault: true,
        }),
      ),
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
  const isBalanced = type === 'LoadBalancer';
  const states: RiskyState[] = [];
  if (type === 'NodePort' || isBalanced) {
    states.push({
      risk: 'service-exposed',
      key: type,
      places: [['spec', 'type']],
      isWithin: ({ key }) => key === 'LoadBalancer',
    });
  }
  if (isBalanced && listMember(spec, 'loadBalancerSourceRanges').length === 0)
    states.push({
      risk: 'service-exposed',
      key: 'any source',
      places: [['spec', 'loadBalancerSourceRanges']],
      isDefault: true,
    });
  for (const range of isBalanced ? listMember(spec, 'loadBalancerSourceRanges') : [])
    states.push({
      risk: 'service-exposed',
      key: String(range),
      places: [['spec', 'loadBalancerSourceRanges']],
      isDefault: true,
      isWithin: ({ key }) => key === 'any source',
    });
  for (const address of listMember(spec, 'externalIPs'))
    states.push({ risk: 'service-exposed', key: String(address), places: [['spec', 'externalIPs']] });
  return states;
}

function webhookStates(object: GoMap): RiskyState[] {
  return listMember(object, 'webhooks').flatMap((webhook, at): RiskyState[] =>
    (textMember(webhook, 'failurePolicy') || 'Fail') === 'Fail'
      ? [
          {
            risk: 'webhook-fails-closed',
            key: textMember(webhook, 'name'),
            places: [['webhooks', at, 'failurePolicy']],
          },
        ]
      : [],
  );
}

function bindingStates(object: GoMap): RiskyState[] {
  const role = member(object, 'roleRef');
  const own = `${textMember(role, 'kind')} ${textMember(role, 'name')}`;
  return listMember(object, 'subjects').map((subject, at): RiskyState => {
    const names = ['kind', 'namespace', 'name'].map((name) => textMember(subject, name));
    return { risk: 'rbac-widened', key: [own, ...names].join(' '), places: [['subjects', at], ['roleRef']] };
  });
}

/** Returns a whole number of a manifest; undefined for other values. */
function quantityOf(value: GoValue): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ||
    value === null ||
    typeof value === 'boolean' ||
    Array.isArray(value) ||
    value instanceof Map ||
    isBytes(value)
    ? undefined
    : Number(String(value));
}
