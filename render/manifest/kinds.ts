// The order in which Helm installs kinds, which is the order of its output.
// Mirrors: helm.sh/helm/v3/pkg/releaseutil, kind_sorter.go, v3.17.3.

import { compareStrings } from '../go/value.ts';

/** The order of installation; a kind that is not listed comes after all of these. */
const installOrder: readonly string[] = [
  'PriorityClass',
  'Namespace',
  'NetworkPolicy',
  'ResourceQuota',
  'LimitRange',
  'PodSecurityPolicy',
  'PodDisruptionBudget',
  'ServiceAccount',
  'Secret',
  'SecretList',
  'ConfigMap',
  'StorageClass',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleList',
  'ClusterRoleBinding',
  'ClusterRoleBindingList',
  'Role',
  'RoleList',
  'RoleBinding',
  'RoleBindingList',
  'Service',
  'DaemonSet',
  'Pod',
  'ReplicationController',
  'ReplicaSet',
  'Deployment',
  'HorizontalPodAutoscaler',
  'StatefulSet',
  'Job',
  'CronJob',
  'IngressClass',
  'Ingress',
  'APIService',
];

const ranks: ReadonlyMap<string, number> = new Map(installOrder.map((kind, rank) => [kind, rank]));

/**
 * Compares two kinds by the order of installation: negative, zero or positive.
 * Kinds that are not listed come last, by name; the empty kind comes first among them.
 */
export function compareKinds(a: string, b: string): number {
  const first = ranks.get(a);
  const second = ranks.get(b);
  if (first === undefined && second === undefined) return compareStrings(a, b);
  return (first ?? ranks.size) - (second ?? ranks.size);
}
