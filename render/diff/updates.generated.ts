// Made by npm run reference -- updates with Kubernetes 1.37.2, from fixtures/kubernetes/updates.yaml.

/** The changes of a kind that the API server refuses. */
export interface RefusedChanges {
  readonly kind: string;
  /** Members of the object, by path, and the values that this depends on. */
  readonly when: readonly (readonly [path: string, value: string | boolean])[];
  /** Fields with everything below them, or after operations (+ added, - removed, ~ changed, > increased, < decreased) for these only. */
  readonly refused: readonly string[];
}

/** By kind; the first entry whose conditions match applies. */
export const refusedChanges: readonly RefusedChanges[] = [
  {"kind":"CSIDriver","when":[],"refused":["spec attachRequired","spec volumeLifecycleModes"]},
  {"kind":"CSINode","when":[],"refused":["spec drivers * nodeID","spec drivers * topologyKeys"]},
  {"kind":"CSIStorageCapacity","when":[],"refused":["storageClassName","nodeTopology"]},
  {"kind":"ClusterRoleBinding","when":[],"refused":["roleRef"]},
  {"kind":"ConfigMap","when":[["immutable",true]],"refused":["immutable","data","binaryData"]},
  {"kind":"ConfigMap","when":[],"refused":[]},
  {"kind":"ControllerRevision","when":[],"refused":["data"]},
  {"kind":"CustomResourceDefinition","when":[],"refused":["spec scope","spec names kind","spec versions * name"]},
  {"kind":"DaemonSet","when":[],"refused":["spec selector"]},
  {"kind":"Deployment","when":[],"refused":["spec selector"]},
  {"kind":"EndpointSlice","when":[],"refused":["addressType"]},
  {"kind":"IPAddress","when":[],"refused":["spec"]},
  {"kind":"IngressClass","when":[],"refused":["spec controller"]},
  {"kind":"Job","when":[["spec.suspend",true]],"refused":["spec completions","spec completionMode","- spec template metadata","- spec template metadata labels","spec template spec restartPolicy","+ spec template spec containers *","spec template spec containers * name","spec template spec containers * image","spec template spec containers * command","spec template spec containers * args","spec template spec containers * imagePullPolicy","spec template spec containers * lifecycle","spec template spec containers * restartPolicy","spec template spec containers * securityContext","spec template spec containers * stdin","spec template spec containers * stdinOnce","spec template spec containers * terminationMessagePath","spec template spec containers * terminationMessagePolicy","spec template spec containers * tty","spec template spec containers * workingDir","spec template spec activeDeadlineSeconds","spec template spec automountServiceAccountToken","spec template spec dnsConfig","spec template spec dnsPolicy","spec template spec enableServiceLinks","spec template spec hostIPC","spec template spec hostNetwork","spec template spec hostPID","spec template spec hostUsers","spec template spec hostname","spec template spec hostnameOverride","spec template spec imagePullSecrets","spec template spec nodeName","spec template spec preemptionPolicy","spec template spec priority","spec template spec priorityClassName","spec template spec resources","spec template spec runtimeClassName","spec template spec schedulerName","spec template spec serviceAccount","spec template spec serviceAccountName","spec template spec setHostnameAsFQDN","spec template spec shareProcessNamespace","spec template spec subdomain","spec template spec terminationGracePeriodSeconds","spec backoffLimitPerIndex","spec managedBy","spec podFailurePolicy","spec selector","spec successPolicy"]},
  {"kind":"Job","when":[],"refused":["spec completions","spec completionMode","spec podFailurePolicy","spec template","spec backoffLimitPerIndex","spec managedBy","spec selector","spec successPolicy"]},
  {"kind":"LimitRange","when":[],"refused":["< spec limits * default cpu"]},
  {"kind":"PersistentVolume","when":[],"refused":["spec volumeMode","spec nfs","- spec nodeAffinity","spec nodeAffinity required","spec hostPath"]},
  {"kind":"PersistentVolumeClaim","when":[],"refused":["spec accessModes","-~ spec storageClassName","spec volumeMode","-~ spec volumeName","< spec resources requests storage","spec resources requests more","spec resources limits","spec selector","spec dataSource"]},
  {"kind":"Pod","when":[],"refused":["spec restartPolicy","spec terminationGracePeriodSeconds","spec dnsPolicy","spec serviceAccountName","spec automountServiceAccountToken","spec nodeSelector","spec hostname","spec subdomain","spec hostNetwork","spec enableServiceLinks","spec shareProcessNamespace","spec imagePullSecrets","spec securityContext","- spec tolerations","- spec tolerations *","spec tolerations * key","spec tolerations * operator","spec tolerations * effect","spec affinity","spec topologySpreadConstraints","spec hostAliases","spec dnsConfig","spec volumes","- spec initContainers","+- spec initContainers *","spec initContainers * name","spec initContainers * command","spec initContainers * args","spec initContainers * imagePullPolicy","spec initContainers * restartPolicy","spec initContainers * securityContext","spec initContainers * stdin","spec initContainers * stdinOnce","spec initContainers * terminationMessagePath","spec initContainers * terminationMessagePolicy","spec initContainers * tty","spec initContainers * workingDir","+ spec containers *","spec containers * name","spec containers * imagePullPolicy","spec containers * command","spec containers * args","spec containers * workingDir","spec containers * env","spec containers * envFrom","spec containers * ports","spec containers * resources","spec containers * volumeMounts","spec containers * livenessProbe","spec containers * readinessProbe","spec containers * lifecycle","spec containers * securityContext","spec containers * terminationMessagePath","spec containers * terminationMessagePolicy","spec containers * restartPolicy","spec containers * stdin","spec containers * stdinOnce","spec containers * tty","spec hostIPC","spec hostPID","spec hostUsers","spec hostnameOverride","spec nodeName","spec resources","spec schedulerName","spec schedulingGates","spec setHostnameAsFQDN","spec priorityClassName","spec runtimeClassName"]},
  {"kind":"PriorityClass","when":[],"refused":["value","preemptionPolicy"]},
  {"kind":"ReplicaSet","when":[],"refused":["spec selector"]},
  {"kind":"ResourceClaim","when":[],"refused":["spec"]},
  {"kind":"ResourceClaimTemplate","when":[],"refused":["spec"]},
  {"kind":"ResourceQuota","when":[],"refused":["- spec","spec scopes"]},
  {"kind":"RoleBinding","when":[],"refused":["roleRef"]},
  {"kind":"RuntimeClass","when":[],"refused":["handler"]},
  {"kind":"Secret","when":[["immutable",true]],"refused":["immutable","type","data"]},
  {"kind":"Secret","when":[],"refused":["type"]},
  {"kind":"Service","when":[["spec.clusterIP","None"]],"refused":["~ spec clusterIP"]},
  {"kind":"Service","when":[["spec.type","LoadBalancer"]],"refused":["spec loadBalancerClass","<> spec healthCheckNodePort","spec clusterIP"]},
  {"kind":"Service","when":[["spec.type","NodePort"]],"refused":["spec clusterIP"]},
  {"kind":"Service","when":[["spec.type","ExternalName"]],"refused":[]},
  {"kind":"Service","when":[],"refused":["+~ spec clusterIP"]},
  {"kind":"ServiceCIDR","when":[],"refused":["spec"]},
  {"kind":"StatefulSet","when":[],"refused":["spec serviceName","spec podManagementPolicy","spec selector","spec volumeClaimTemplates"]},
  {"kind":"StorageClass","when":[],"refused":["provisioner","parameters","reclaimPolicy","volumeBindingMode"]},
  {"kind":"VolumeAttachment","when":[],"refused":["spec"]},
  {"kind":"VolumeAttributesClass","when":[],"refused":["driverName","parameters"]},
];
