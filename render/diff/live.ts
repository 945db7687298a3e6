// What a cluster adds to an object: its own bookkeeping, and defaults; and the changes that it refuses.
// Mirrors: Kubernetes 1.32, pkg/apis/*/v1/defaults.go.

import type { GoMap, GoValue } from '../go/value.ts';
import { member } from '../manifest/objects.ts';
import { valueAtSteps } from '../values/paths.ts';
import { type RawEntry, textMaps } from './compare.ts';
import { type DiffStep, fitsSteps } from './steps.ts';
import { type RefusedChanges, refusedChanges } from './updates.generated.ts';
import { canonical, quantityOf } from './value.ts';

const bookkeeping = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
  'selfLink',
  'ownerReferences',
];
const annotations =
  /^(?:kubectl\.kubernetes\.io\/last-applied-configuration|meta\.helm\.sh\/.*|deployment\.kubernetes\.io\/revision|deprecated\.daemonset\.template\.generation|pv\.kubernetes\.io\/.*|volume\.(?:beta\.)?kubernetes\.io\/.*|control-plane\.alpha\.kubernetes\.io\/.*|batch\.kubernetes\.io\/.*)$/;

/** Returns an object without the cluster's bookkeeping and without its status. */
export function withoutBookkeeping(object: GoMap): GoMap {
  const metadata = member(object, 'metadata');
  const rest = [...object].filter(([key]) => key !== 'status');
  if (!(metadata instanceof Map)) return new Map(rest);
  const own = new Map([...metadata].filter(([key]) => !bookkeeping.includes(key)));
  const all = own.get('annotations');
  const kept = all instanceof Map ? new Map([...all].filter(([key]) => !annotations.test(key))) : undefined;
  if (kept?.size === 0) own.delete('annotations');
  else if (kept !== undefined) own.set('annotations', kept);
  return new Map([...rest, ['metadata', own]]);
}

type Filled = readonly (readonly [name: string, value: GoValue])[];

function pullPolicy(map: GoMap): Filled {
  const image = map.get('image');
  if (typeof image !== 'string' || map.get('imagePullPolicy')) return [];
  return [['imagePullPolicy', /(?:^|\/)[^/:@]+(?::latest)?$/.test(image) ? 'Always' : 'IfNotPresent']];
}

// Defaults of the API server that depend on other members: an image's tag, a port, limits. The key is the name of the map, or the kind of the
// object and that name. Both sides are normalized, because a manifest may specify the defaults too.
const filled: Readonly<Record<string, (map: GoMap) => Filled>> = {
  resources: (map) => {
    const [limits, requests] = [map.get('limits'), map.get('requests')];
    if (!(limits instanceof Map)) return [];
    return [['requests', new Map([...limits, ...(requests instanceof Map ? requests : [])])]];
  },
  containers: pullPolicy,
  initContainers: pullPolicy,
  'Service ports': (map) => (map.get('targetPort') || !map.get('port') ? [] : [['targetPort', map.get('port')!]]),
  'Service spec': (map) => {
    const address = map.get('clusterIP');
    return address && !map.get('clusterIPs') ? [['clusterIPs', [address]]] : [];
  },
  'NetworkPolicy spec': (map) =>
    map.get('policyTypes') ? [] : [['policyTypes', map.get('egress') ? ['Ingress', 'Egress'] : ['Ingress']]],
};

/** Returns an object of a built-in kind with defaults that depend on the rest of the object. */
export function withServerDefaults(object: GoMap): GoMap {
  const kind = member(object, 'kind');
  const walk = (value: GoValue, name: string): GoValue => {
    if (Array.isArray(value)) return value.map((item) => walk(item, name));
    if (!(value instanceof Map)) return value;
    const walked = new Map([...value].map(([key, inner]): [string, GoValue] => [key, walk(inner, key)]));
    const found = [`${String(kind)} ${name}`, name].find((key) => Object.hasOwn(filled, key));
    for (const [key, inner] of found === undefined ? [] : filled[found]!(walked)) walked.set(key, inner);
    return walked;
  };
  const spec = object.get('spec');
  return spec instanceof Map ? new Map([...object, ['spec', walk(spec, 'spec')]]) : object;
}

const anything = [/^/];
const any = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, anything]));
const each = (names: readonly string[], ...values: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, values]));

// The default of a member, as JSON; a pattern stands for a value that the cluster selects. A member is looked up with its kind and parent,
// with its kind, with its parent, and alone.
const defaults: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  // Pods.
  terminationMessagePath: ['"/dev/termination-log"'],
  terminationMessagePolicy: ['"File"'],
  restartPolicy: ['"Always"'],
  dnsPolicy: ['"ClusterFirst"'],
  schedulerName: ['"default-scheduler"'],
  securityContext: ['{}'],
  terminationGracePeriodSeconds: ['30'],
  enableServiceLinks: ['true'],
  serviceAccount: anything,
  protocol: ['"TCP"'],
  failureThreshold: ['3'],
  periodSeconds: ['10'],
  successThreshold: ['1'],
  timeoutSeconds: ['1'],
  scheme: ['"HTTP"'],
  'httpGet.path': ['"/"'],
  defaultMode: ['420'],
  apiVersion: ['"v1"'],
  divisor: ['"0"'],
  'volumes.emptyDir': ['{}'],
  'serviceAccountToken.expirationSeconds': ['3600'],
  'Pod spec.preemptionPolicy': ['"PreemptLowerPriority"'],
  'Pod spec.serviceAccountName': ['"default"'],
  ...any('Pod spec.nodeName', 'Pod spec.priority'),
  // Workloads.
  replicas: ['1'],
  progressDeadlineSeconds: ['600'],
  revisionHistoryLimit: ['10'],
  ...each(['strategy.type', 'updateStrategy.type'], '"RollingUpdate"'),
  ...each(['Deployment rollingUpdate.maxSurge', 'Deployment rollingUpdate.maxUnavailable'], '"25%"'),
  'DaemonSet rollingUpdate.maxSurge': ['0'],
  'DaemonSet rollingUpdate.maxUnavailable': ['1'],
  'StatefulSet rollingUpdate.maxUnavailable': ['1'],
  'rollingUpdate.partition': ['0'],
  podManagementPolicy: ['"OrderedReady"'],
  ...each(['whenDeleted', 'whenScaled'], '"Retain"'),
  'volumeClaimTemplates.kind': ['"PersistentVolumeClaim"'],
  'volumeClaimTemplates.status': anything,
  completionMode: ['"NonIndexed"'],
  completions: ['1'],
  parallelism: ['1'],
  backoffLimit: ['6'],
  concurrencyPolicy: ['"Allow"'],
  successfulJobsHistoryLimit: ['3'],
  failedJobsHistoryLimit: ['1'],
  ...any('podReplacementPolicy', 'Job spec.selector', 'Job labels.controller-uid', 'Job labels.job-name'),
  ...any('Job labels.batch.kubernetes.io/controller-uid', 'Job labels.batch.kubernetes.io/job-name'),
  minReplicas: ['1'],
  selectPolicy: ['"Max"'],
  'scaleUp.stabilizationWindowSeconds': ['0'],
  'scaleUp.policies': [
    '[{"periodSeconds":15,"type":"Pods","value":4},{"periodSeconds":15,"type":"Percent","value":100}]',
  ],
  'scaleDown.policies': ['[{"periodSeconds":15,"type":"Percent","value":100}]'],
  // Services and related kinds.
  'Service type': ['"ClusterIP"'],
  sessionAffinity: ['"None"'],
  'clientIP.timeoutSeconds': ['10800'],
  internalTrafficPolicy: ['"Cluster"'],
  externalTrafficPolicy: ['"Cluster"'],
  allocateLoadBalancerNodePorts: ['true'],
  // A Service without a cluster IP gets none.
  clusterIP: [/^"(?!None)/],
  clusterIPs: [/^\["(?!None)/],
  ...any('ipFamilies', 'ipFamilyPolicy', 'nodePort', 'healthCheckNodePort', 'Ingress spec.ingressClassName'),
  'parameters.scope': ['"Cluster"'],
  'service.port': ['443'],
  // Volumes.
  volumeMode: ['"Filesystem"'],
  reclaimPolicy: ['"Delete"'],
  volumeBindingMode: ['"Immediate"'],
  persistentVolumeReclaimPolicy: ['"Retain"'],
  ...any('volumeName', 'storageClassName', 'claimRef'),
  'CSIDriver attachRequired': ['true'],
  'CSIDriver fsGroupPolicy': ['"ReadWriteOnceWithFSType"'],
  'CSIDriver volumeLifecycleModes': ['["Persistent"]'],
  // RBAC, admission, definitions.
  'Secret type': ['"Opaque"'],
  ...each(['roleRef.apiGroup', 'subjects.apiGroup'], '"rbac.authorization.k8s.io"'),
  'ServiceAccount secrets': anything,
  'webhooks.timeoutSeconds': ['10'],
  ...each(['webhooks.namespaceSelector', 'webhooks.objectSelector', 'spec.podSelector'], '{}'),
  'webhooks.matchPolicy': ['"Equivalent"'],
  'webhooks.failurePolicy': ['"Fail"'],
  reinvocationPolicy: ['"Never"'],
  'rules.scope': ['"*"'],
  preemptionPolicy: ['"PreemptLowerPriority"'],
  conversion: ['{"strategy":"None"}'],
  ...any('names.listKind', 'names.singular', 'metadata.finalizers', 'Namespace spec'),
  'labels.kubernetes.io/metadata.name': anything,
  'labels.app.kubernetes.io/managed-by': ['"Helm"'],
  // What the install script for kubectl adds.
  ...any('labels.releases.x-helm.dev/order', 'labels.releases.x-helm.dev/package'),
};

// A server drops a member with this value: it is the same as a missing one.
const nothingSaid: ReadonlySet<string> = new Set([
  ...['hostNetwork', 'hostPID', 'hostIPC', 'readOnly', 'tty', 'stdin', 'stdinOnce', 'paused', 'globalDefault'],
  ...['suspend', 'publishNotReadyAddresses', 'optional', 'shareProcessNamespace', 'manualSelector', 'unschedulable'],
  ...['immutable', 'setHostnameAsFQDN', 'preserveUnknownFields', 'allowVolumeExpansion', 'initialDelaySeconds'],
  ...['minReadySeconds', 'hostPort', 'nodePort', 'priority', 'podInfoOnMount', 'storageCapacity', 'matchLabels'],
  ...['requiresRepublish', 'seLinuxMount', 'lifecycle', 'dnsConfig', 'nodeAffinity', 'podAffinity', 'sysctls'],
  ...['podAntiAffinity', 'capabilities', 'behavior', 'options', 'selector', 'metadata'],
]);
const nothings: ReadonlySet<string> = new Set(['false', '0', '{}', '[]', '""']);

/** Reports whether an entry is only what a cluster added to an applied object. */
export function isFilledIn(
  { op, steps, inside, before, after }: RawEntry,
  { live, kind, isBuiltin }: { readonly live: 'before' | 'after'; readonly kind: string; readonly isBuiltin: boolean },
): boolean {
  if (inside !== undefined) return false;
  const [applied, found] = live === 'before' ? [after, before] : [before, after];
  // In a map of texts such as a ConfigMap's data, server-side apply drops a null, and other ways of applying store "".
  if (applied === null && isBuiltin) return found === undefined || found === '';
  // An empty text counts as missing in a built-in kind, unless it is in a map of texts such as a ConfigMap's data.
  const isUnsaid = applied === '' && isBuiltin && !textMaps.has(String(steps.at(-2)));
  const value = isUnsaid ? found : op === 'remove' ? before : op === 'add' ? after : undefined;
  if (value === undefined || value === null) return false;
  const isLiveSide = isUnsaid || (op === 'remove') === (live === 'before');
  return isDefault(value, steps, { kind, isBuiltin, isLiveSide });
}

/** Reports whether a value of a member of a built-in kind is the API server's default. */
function isServerDefault(kind: string, steps: readonly DiffStep[], value: GoValue): boolean {
  return isDefault(value, steps, { kind, isBuiltin: true, isLiveSide: false });
}

interface Whose {
  readonly kind: string;
  readonly isBuiltin: boolean;
  readonly isLiveSide: boolean;
}

function isDefault(value: GoValue, steps: readonly DiffStep[], whose: Whose): boolean {
  const [name, holder] = steps.filter((step) => typeof step === 'string').reverse();
  if (typeof steps.at(-1) !== 'string' || name === undefined) return false;
  const { kind, isBuiltin, isLiveSide } = whose;
  const text = canonical(value);
  if (isBuiltin && nothings.has(text) && !textMaps.has(holder ?? '')) {
    // Texts and lists have no other empty value; but an empty storage class is not the cluster's default.
    if (nothingSaid.has(name) || ((text === '""' || text === '[]') && name !== 'storageClassName')) return true;
  }
  const keys = [`${kind} ${holder}.${name}`, `${kind} ${name}`, `${holder}.${name}`, name];
  const known = keys.find((key) => Object.hasOwn(defaults, key));
  const fits = (wanted: string | RegExp): boolean => {
    if (typeof wanted === 'string') return wanted === text;
    // What a controller selected for a custom resource is unknown here, except in its metadata.
    return isLiveSide && (isBuiltin || steps[0] === 'metadata') && wanted.test(text);
  };
  if (known !== undefined && defaults[known]!.some(fits)) return true;
  const isKnown = isBuiltin || steps[0] === 'metadata';
  if (!isKnown || !(value instanceof Map) || value.size === 0) return false;
  return [...value].every(([key, inner]) => inner === null || isDefault(inner, [...steps, key], whose));
}

/** Reports whether the API server refuses the change of a member of a built-in kind. */
export function isImmutable(kind: string, before: GoMap, entry: RawEntry): boolean {
  // Helm recreates a hook each time.
  if (isHookObject(before)) return false;
  const refused = refusedChanges.find((row) => row.kind === kind && holds(row, before))?.refused ?? [];
  if (!refused.some((pattern) => isRefused(pattern, entry))) return false;
  // Adding or removing a default value changes nothing.
  const { op, steps } = entry;
  const value = op === 'add' ? entry.after : op === 'remove' ? entry.before : undefined;
  return value === undefined || !isServerDefault(kind, steps, value);
}

function holds({ when }: RefusedChanges, object: GoMap): boolean {
  return when.every(([path, value]) => (valueAtSteps(object, path.split('.')) ?? null) === value);
}

function isRefused(pattern: string, entry: RawEntry): boolean {
  const [first = '', ...rest] = pattern.split(' ');
  if (!/^[-+~<>]+$/.test(first)) return fitsSteps(entry.steps, [first, ...rest, '**']);
  return fitsSteps(entry.steps, rest) && operationsOf(entry).some((operation) => first.includes(operation));
}

function operationsOf({ op, before, after }: RawEntry): string[] {
  if (op === 'add') return ['+'];
  if (op === 'remove') return ['-'];
  const [was, is] = [quantityOf(before ?? null), quantityOf(after ?? null)];
  return was === undefined || is === undefined ? ['~'] : ['~', is > was ? '>' : '<'];
}

/** Reports whether an object is a hook: it has the annotation, with any value. */
export function isHookObject(object: GoMap): boolean {
  const annotations = member(member(object, 'metadata'), 'annotations');
  return annotations instanceof Map && annotations.has('helm.sh/hook');
}
