// Which kinds are namespaced: the built-in ones by table, custom ones by the CRDs of the same Order.

/** The scope of a kind; `unknown` for custom kinds without a CRD. */
export type Scope = 'cluster' | 'namespaced' | 'unknown';

/** The scopes of custom kinds, by `group/Kind`. */
export type CustomScopes = ReadonlyMap<string, Scope>;

// Kubernetes 1.31, group to kinds; versions do not matter.
const clusterKinds: Readonly<Record<string, string>> = {
  '': 'ComponentStatus Namespace Node PersistentVolume',
  'admissionregistration.k8s.io':
    'MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration',
  'apiextensions.k8s.io': 'CustomResourceDefinition',
  'apiregistration.k8s.io': 'APIService',
  'authentication.k8s.io': 'SelfSubjectReview TokenReview',
  'authorization.k8s.io': 'SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
  'certificates.k8s.io': 'CertificateSigningRequest ClusterTrustBundle',
  extensions: 'PodSecurityPolicy',
  'flowcontrol.apiserver.k8s.io': 'FlowSchema PriorityLevelConfiguration',
  'internal.apiserver.k8s.io': 'StorageVersion',
  'networking.k8s.io': 'IPAddress IngressClass ServiceCIDR',
  'node.k8s.io': 'RuntimeClass',
  policy: 'PodSecurityPolicy',
  'rbac.authorization.k8s.io': 'ClusterRole ClusterRoleBinding',
  'resource.k8s.io': 'DeviceClass ResourceSlice',
  'scheduling.k8s.io': 'PriorityClass',
  'storage.k8s.io': 'CSIDriver CSINode StorageClass VolumeAttachment VolumeAttributesClass',
  'storagemigration.k8s.io': 'StorageVersionMigration',
};

const namespacedKinds: Readonly<Record<string, string>> = {
  '': 'Binding ConfigMap Endpoints Event LimitRange PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount',
  apps: 'ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet',
  'authorization.k8s.io': 'LocalSubjectAccessReview',
  autoscaling: 'HorizontalPodAutoscaler',
  batch: 'CronJob Job',
  'coordination.k8s.io': 'Lease LeaseCandidate',
  'discovery.k8s.io': 'EndpointSlice',
  'events.k8s.io': 'Event',
  extensions: 'DaemonSet Deployment Ingress NetworkPolicy ReplicaSet',
  'networking.k8s.io': 'Ingress NetworkPolicy',
  policy: 'Eviction PodDisruptionBudget',
  'rbac.authorization.k8s.io': 'Role RoleBinding',
  'resource.k8s.io': 'PodSchedulingContext ResourceClaim ResourceClaimTemplate',
  'storage.k8s.io': 'CSIStorageCapacity',
};

const builtIn: ReadonlyMap<string, Scope> = new Map([
  ...entriesOf(namespacedKinds, 'namespaced'),
  ...entriesOf(clusterKinds, 'cluster'),
]);

function entriesOf(table: Readonly<Record<string, string>>, scope: Scope): [string, Scope][] {
  return Object.entries(table).flatMap(([group, kinds]) =>
    kinds.split(' ').map((kind): [string, Scope] => [`${group}/${kind}`, scope]),
  );
}

/** The namespaces that every cluster has. */
export const builtInNamespaces: ReadonlySet<string> = new Set([
  'default',
  'kube-system',
  'kube-public',
  'kube-node-lease',
]);

/** Returns the group of an apiVersion; empty for the core group. */
export function apiVersionGroup(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

export function isBuiltIn(apiVersion: string, kind: string): boolean {
  return builtIn.has(`${apiVersionGroup(apiVersion)}/${kind}`);
}

export function isBuiltInGroup(apiVersion: string): boolean {
  const group = apiVersionGroup(apiVersion);
  return Object.hasOwn(clusterKinds, group) || Object.hasOwn(namespacedKinds, group);
}

export function scopeOf(apiVersion: string, kind: string, custom: CustomScopes): Scope {
  const key = `${apiVersionGroup(apiVersion)}/${kind}`;
  return builtIn.get(key) ?? custom.get(key) ?? 'unknown';
}
