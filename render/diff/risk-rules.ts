// The risks of a change and their rules. Documentation and code share this table.

interface RiskRule {
  readonly meaning: string;
  readonly rule: string;
}

/** All risks. The documentation lists them from here. */
export const riskRules = {
  'crd-removed': {
    meaning: 'A custom resource definition is deleted, and all objects of its kind with it.',
    rule: 'A CustomResourceDefinition is removed, renamed, must be recreated, or moves from `templates/` to `crds/`. Not one from `crds/`, which Helm never deletes.',
  },
  'crd-version-removed': {
    meaning: 'Clients of a version of a custom resource fail.',
    rule: 'A version is removed from a CustomResourceDefinition, or is no longer served.',
  },
  'crd-narrowed': {
    meaning: 'Existing custom resources lose fields or are refused.',
    rule: 'A schema loses a property, requires another one, allows fewer values or changes a type.',
  },
  'crd-not-updated': {
    meaning: 'The change has no effect: Helm installs `crds/` once and never updates it.',
    rule: 'A CustomResourceDefinition changes that is from `crds/` before and after.',
  },
  'namespace-removed': {
    meaning: 'A namespace is deleted with everything in it.',
    rule: 'A Namespace is removed or renamed.',
  },
  'pvc-removed': {
    meaning: 'A claim is deleted, and usually its data with it.',
    rule: 'A PersistentVolumeClaim is removed, renamed or must be recreated.',
  },
  'pvc-shrunk': {
    meaning: 'The API server refuses a smaller claim.',
    rule: 'The storage that a PersistentVolumeClaim or a claim template requests decreases.',
  },
  'statefulset-removed': {
    meaning: 'The volumes of a stateful application are deleted or left behind; its successor starts without data.',
    rule: 'A StatefulSet is removed or renamed.',
  },
  'data-deleted': {
    meaning: 'Volumes are deleted that were kept before.',
    rule: 'The reclaim policy of a PersistentVolume or StorageClass, or the claim retention policy of a StatefulSet, becomes `Delete`.',
  },
  'selector-changed': {
    meaning: 'Other pods belong to a workload or receive the traffic of a Service.',
    rule: '`spec.selector` of a Service or a workload changes.',
  },
  'selects-no-pods': {
    meaning: 'A Service has no endpoints; a PodDisruptionBudget or NetworkPolicy protects nothing.',
    rule: 'A selector matched pods of the rendering before the change and matches none after it. The risk is reported for the object with the selector, or for the workloads that it matched if that object is the same.',
  },
  'service-port-removed': {
    meaning: 'Clients of the port fail.',
    rule: 'A port is removed from a Service, or its number changes.',
  },
  'service-exposed': {
    meaning: 'A Service is reachable from outside the cluster, or from more addresses.',
    rule: 'The type of a Service becomes `NodePort` or `LoadBalancer`, an external IP is added, or source ranges are added or no longer restrict it.',
  },
  'network-policy-removed': {
    meaning: 'Pods accept or open connections that were denied.',
    rule: 'A NetworkPolicy is removed.',
  },
  'replicas-zero': {
    meaning: 'Nothing runs any more.',
    rule: '`spec.replicas` becomes 0.',
  },
  'image-changed': {
    meaning: 'Other code runs.',
    rule: 'An `image` changes.',
  },
  'secret-changed': {
    meaning: 'Credentials change or are deleted.',
    rule: 'The data or the type of a Secret changes, or a Secret is removed.',
  },
  'rbac-widened': {
    meaning: 'Somebody may do more.',
    rule: 'A Role or ClusterRole allows what it did not; a binding is added or gains a subject or another role; a ClusterRole is aggregated to another one.',
  },
  'host-network': {
    meaning: "Pods use the node's network.",
    rule: '`hostNetwork` becomes true.',
  },
  'host-port': {
    meaning: 'A port of the node leads to a container.',
    rule: 'A container port gains a `hostPort`.',
  },
  'host-access': {
    meaning: "Pods see the node's processes or files.",
    rule: '`hostPID` or `hostIPC` becomes true; a `hostPath` volume is added, leads to a directory outside the earlier ones, or becomes writable.',
  },
  privileged: {
    meaning: 'A container may do what the node may.',
    rule: '`privileged` or `hostProcess` becomes true.',
  },
  'capabilities-added': {
    meaning: 'A container has more Linux capabilities.',
    rule: '`capabilities.add` gains one, or `capabilities.drop` no longer has `ALL`.',
  },
  'privilege-escalation': {
    meaning: 'A process may gain more privileges than its parent.',
    rule: '`allowPrivilegeEscalation` becomes true, or is no longer false.',
  },
  'runs-as-root': {
    meaning: 'A container runs as root, or may do so.',
    rule: '`runAsUser` becomes 0, or neither `runAsNonRoot` nor `runAsUser` excludes root any more.',
  },
} as const satisfies Readonly<Record<string, RiskRule>>;

/** A risk. */
export type Risk = keyof typeof riskRules;
