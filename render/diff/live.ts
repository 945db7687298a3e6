// What a cluster adds to an object: its own bookkeeping, and what it fills in where a manifest says nothing.
// Mirrors: Kubernetes 1.32, pkg/apis/*/v1/defaults.go.

import type { GoMap, GoValue } from '../go/value.ts';
import { member } from '../manifest/objects.ts';
import type { RawEntry } from './compare.ts';
import { canonical } from './value.ts';

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

/** Gives an object without the bookkeeping of the cluster that it was in, and without its status. */
export function withoutBookkeeping(object: GoMap): GoMap {
  const metadata = member(object, 'metadata');
  const rest = [...object].filter(([key]) => key !== 'status');
  if (!(metadata instanceof Map)) return new Map(rest);
  const kept = [...metadata].filter(([key]) => !bookkeeping.includes(key));
  const plain = kept.map(([key, value]): [string, GoValue] => [
    key,
    key === 'annotations' ? ownAnnotations(value) : value,
  ]);
  return new Map(rest.map(([key, value]) => [key, key === 'metadata' ? new Map(plain) : value]));
}

function ownAnnotations(value: GoValue): GoValue {
  return value instanceof Map ? new Map([...value].filter(([key]) => !annotations.test(key))) : value;
}

// By the name of the member, what it is where a manifest does not say. `*` is whatever the cluster chose.
const defaults: Readonly<Record<string, readonly string[]>> = {
  terminationMessagePath: ['"/dev/termination-log"'],
  terminationMessagePolicy: ['"File"'],
  imagePullPolicy: ['"IfNotPresent"', '"Always"'],
  restartPolicy: ['"Always"'],
  dnsPolicy: ['"ClusterFirst"'],
  schedulerName: ['"default-scheduler"'],
  securityContext: ['{}'],
  terminationGracePeriodSeconds: ['30'],
  serviceAccount: ['*'],
  progressDeadlineSeconds: ['600'],
  revisionHistoryLimit: ['10'],
  replicas: ['1'],
  strategy: ['{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":"25%"},"type":"RollingUpdate"}'],
  updateStrategy: [
    '{"rollingUpdate":{"partition":0},"type":"RollingUpdate"}',
    '{"rollingUpdate":{"maxSurge":0,"maxUnavailable":1},"type":"RollingUpdate"}',
  ],
  podManagementPolicy: ['"OrderedReady"'],
  persistentVolumeClaimRetentionPolicy: ['{"whenDeleted":"Retain","whenScaled":"Retain"}'],
  protocol: ['"TCP"'],
  type: ['"ClusterIP"', '"Opaque"', '"RollingUpdate"'],
  rollingUpdate: ['*'],
  sessionAffinity: ['"None"'],
  internalTrafficPolicy: ['"Cluster"'],
  externalTrafficPolicy: ['"Cluster"'],
  allocateLoadBalancerNodePorts: ['true'],
  ipFamilies: ['*'],
  ipFamilyPolicy: ['*'],
  clusterIP: ['*'],
  clusterIPs: ['*'],
  nodePort: ['*'],
  targetPort: ['*'],
  healthCheckNodePort: ['*'],
  failureThreshold: ['3'],
  periodSeconds: ['10'],
  successThreshold: ['1'],
  timeoutSeconds: ['1'],
  scheme: ['"HTTP"'],
  defaultMode: ['420'],
  apiVersion: ['"v1"'],
  volumeName: ['*'],
  volumeMode: ['"Filesystem"'],
  storageClassName: ['*'],
  divisor: ['"0"'],
  completionMode: ['"NonIndexed"'],
  completions: ['1'],
  parallelism: ['1'],
  backoffLimit: ['6'],
  suspend: ['false'],
  podReplacementPolicy: ['*'],
  concurrencyPolicy: ['"Allow"'],
  successfulJobsHistoryLimit: ['3'],
  failedJobsHistoryLimit: ['1'],
  policyTypes: ['*'],
  apiGroup: ['*'],
  secrets: ['*'],
  finalizers: ['*'],
  hostPID: ['false'],
  hostIPC: ['false'],
  hostNetwork: ['false'],
  conversion: ['{"strategy":"None"}'],
  listKind: ['*'],
  singular: ['*'],
  'kubernetes.io/metadata.name': ['*'],
  'app.kubernetes.io/managed-by': ['"Helm"'],
};

/** Tells whether an entry says no more than that one side has been in a cluster. */
export function isFilledIn({ op, steps, inside, before, after }: RawEntry, live: 'before' | 'after'): boolean {
  const value = live === 'before' ? before : after;
  if (op !== (live === 'before' ? 'remove' : 'add') || value === undefined || inside !== undefined) return false;
  const name = steps.at(-1);
  const known = typeof name === 'string' && Object.hasOwn(defaults, name) ? (defaults[name] ?? []) : [];
  return known.includes('*') || known.includes(canonical(value));
}
