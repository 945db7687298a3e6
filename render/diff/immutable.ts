// The members of objects that a cluster refuses to change: the object must be made anew. A table.
// Mirrors: Kubernetes 1.32, pkg/apis/*/validation, the `Validate…Update` functions.

import type { GoMap } from '../go/value.ts';
import { member } from '../manifest/objects.ts';
import { fitsSteps, type Step } from './steps.ts';

interface FixedMembers {
  /** What cannot be changed; `**` stands for all below. */
  readonly fixed: readonly string[];
  /** What still can. */
  readonly free?: readonly string[];
}

// By kind; of the groups that are Kubernetes' own.
const table: Readonly<Record<string, FixedMembers>> = {
  Deployment: { fixed: ['spec selector **'] },
  ReplicaSet: { fixed: ['spec selector **'] },
  DaemonSet: { fixed: ['spec selector **'] },
  StatefulSet: {
    fixed: ['spec **'],
    free: [
      ...['spec replicas', 'spec ordinals **', 'spec template **', 'spec updateStrategy **', 'spec minReadySeconds'],
      ...['spec persistentVolumeClaimRetentionPolicy **', 'spec revisionHistoryLimit'],
    ],
  },
  Job: {
    fixed: [
      ...[
        'spec selector **',
        'spec template **',
        'spec completions',
        'spec completionMode',
        'spec podFailurePolicy **',
      ],
      ...['spec backoffLimitPerIndex', 'spec managedBy', 'spec successPolicy **', 'spec podReplacementPolicy'],
    ],
  },
  Pod: {
    fixed: ['spec **'],
    free: [
      ...[
        'spec containers * image',
        'spec initContainers * image',
        'spec activeDeadlineSeconds',
        'spec tolerations **',
      ],
      ...['spec containers * resources **', 'spec schedulingGates **'],
    ],
  },
  Service: { fixed: ['spec clusterIP', 'spec clusterIPs **', 'spec loadBalancerClass'] },
  PersistentVolumeClaim: {
    fixed: ['spec **'],
    free: ['spec resources requests storage', 'spec volumeAttributesClassName'],
  },
  RoleBinding: { fixed: ['roleRef **'] },
  ClusterRoleBinding: { fixed: ['roleRef **'] },
  Secret: { fixed: ['type'] },
  StorageClass: { fixed: ['provisioner', 'parameters **', 'reclaimPolicy', 'volumeBindingMode'] },
  PriorityClass: { fixed: ['value', 'preemptionPolicy'] },
  IngressClass: { fixed: ['spec controller'] },
  RuntimeClass: { fixed: ['handler'] },
  VolumeAttributesClass: { fixed: ['driverName', 'parameters **'] },
  EndpointSlice: { fixed: ['addressType'] },
  CSIDriver: { fixed: ['spec attachRequired', 'spec volumeLifecycleModes **'] },
  CustomResourceDefinition: {
    fixed: ['spec group', 'spec scope', 'spec names kind', 'spec names plural'],
  },
};

/** Tells whether a member of one of Kubernetes' own kinds cannot be changed. `before` is the object as it was. */
export function isImmutable(kind: string, before: GoMap, steps: readonly Step[]): boolean {
  // Helm makes a hook anew each time.
  if (isHook(before)) return false;
  if ((kind === 'ConfigMap' || kind === 'Secret') && before.get('immutable') === true) {
    if (steps[0] === 'data' || steps[0] === 'binaryData' || steps[0] === 'immutable') return true;
  }
  const members = Object.hasOwn(table, kind) ? table[kind] : undefined;
  if (members === undefined) return false;
  const fits = (pattern: string): boolean => fitsSteps(steps, pattern.split(' '));
  return members.fixed.some(fits) && members.free?.some(fits) !== true;
}

function isHook(object: GoMap): boolean {
  const annotations = member(member(object, 'metadata'), 'annotations');
  return annotations instanceof Map && annotations.has('helm.sh/hook');
}
