// Made by scripts/kube/deprecations.ts. Do not edit.

/**
 * Deprecated APIs as declared by the releases of Kubernetes' Go types: deprecated since, removed in, replacement, and the minor versions
 * that declare this.
 */
export const deprecations = `
admission.k8s.io/v1beta1 AdmissionReview 1.19 1.22 admission.k8s.io/v1 AdmissionReview @24-37
admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicy 1.35 1.38 @32-37
admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicyBinding 1.35 1.38 @32-37
admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicyBindingList 1.35 1.38 @32-37
admissionregistration.k8s.io/v1alpha1 MutatingAdmissionPolicyList 1.35 1.38 @32-37
admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicy 1.29 1.32 @32-37
admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicyBinding 1.29 1.32 @32-37
admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicyBindingList 1.29 1.32 @32-37
admissionregistration.k8s.io/v1alpha1 ValidatingAdmissionPolicyList 1.29 1.32 @32-37
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicy 1.37 1.40 @34-35
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicy 1.37 1.40 admissionregistration.k8s.io/v1 MutatingAdmissionPolicy @36-37
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyBinding 1.37 1.40 @34-35
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyBinding 1.37 1.40 admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding @36-37
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyBindingList 1.37 1.40 @34-35
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyBindingList 1.37 1.40 admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBindingList @36-37
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyList 1.37 1.40 @34-35
admissionregistration.k8s.io/v1beta1 MutatingAdmissionPolicyList 1.37 1.40 admissionregistration.k8s.io/v1 MutatingAdmissionPolicyList @36-37
admissionregistration.k8s.io/v1beta1 MutatingWebhookConfiguration 1.16 1.22 admissionregistration.k8s.io/v1 MutatingWebhookConfiguration @24-37
admissionregistration.k8s.io/v1beta1 MutatingWebhookConfigurationList 1.16 1.22 admissionregistration.k8s.io/v1 MutatingWebhookConfigurationList @24-37
admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicy 1.31 1.34 @32-37
admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicyBinding 1.31 1.34 @32-37
admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicyBindingList 1.31 1.34 @32-37
admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicyList 1.31 1.34 @32-37
admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfiguration 1.16 1.22 admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration @24-37
admissionregistration.k8s.io/v1beta1 ValidatingWebhookConfigurationList 1.16 1.22 admissionregistration.k8s.io/v1 ValidatingWebhookConfigurationList @24-37
apidiscovery.k8s.io/v2beta1 APIGroupDiscovery 1.32 1.35 @32-37
apidiscovery.k8s.io/v2beta1 APIGroupDiscoveryList 1.32 1.35 @32-37
apiextensions.k8s.io/v1beta1 ConversionReview 1.19 1.22 apiextensions.k8s.io/v1 ConversionReview @24-24
apiextensions.k8s.io/v1beta1 CustomResourceDefinition 1.16 1.22 apiextensions.k8s.io/v1 CustomResourceDefinition @24-24
apiextensions.k8s.io/v1beta1 CustomResourceDefinitionList 1.16 1.22 apiextensions.k8s.io/v1 CustomResourceDefinitionList @24-24
apiregistration.k8s.io/v1beta1 APIService 1.19 1.22 apiregistration.k8s.io/v1 APIService @24-24
apiregistration.k8s.io/v1beta1 APIServiceList 1.19 1.22 apiregistration.k8s.io/v1 APIServiceList @24-24
apps/v1beta1 ControllerRevision 1.8 1.16 apps/v1 ControllerRevision @24-37
apps/v1beta1 ControllerRevisionList 1.8 1.16 apps/v1 ControllerRevisionList @24-37
apps/v1beta1 Deployment 1.8 1.16 apps/v1 Deployment @24-37
apps/v1beta1 DeploymentList 1.8 1.16 apps/v1 DeploymentList @24-37
apps/v1beta1 DeploymentRollback 1.8 1.16 apps/v1 DeploymentRollback @24-37
apps/v1beta1 Scale 1.8 1.16 autoscaling/v1 Scale @24-37
apps/v1beta1 StatefulSet 1.8 1.16 apps/v1 StatefulSet @24-37
apps/v1beta1 StatefulSetList 1.8 1.16 apps/v1 StatefulSetList @24-37
apps/v1beta2 ControllerRevision 1.9 1.16 apps/v1 ControllerRevision @24-37
apps/v1beta2 ControllerRevisionList 1.9 1.16 apps/v1 ControllerRevisionList @24-37
apps/v1beta2 DaemonSet 1.9 1.16 apps/v1 DaemonSet @24-37
apps/v1beta2 DaemonSetList 1.9 1.16 apps/v1 DaemonSetList @24-37
apps/v1beta2 Deployment 1.9 1.16 apps/v1 Deployment @24-37
apps/v1beta2 DeploymentList 1.9 1.16 apps/v1 DeploymentList @24-37
apps/v1beta2 ReplicaSet 1.9 1.16 apps/v1 ReplicaSet @24-37
apps/v1beta2 ReplicaSetList 1.9 1.16 apps/v1 ReplicaSetList @24-37
apps/v1beta2 Scale 1.9 1.16 autoscaling/v1 Scale @24-37
apps/v1beta2 StatefulSet 1.9 1.16 apps/v1 StatefulSet @24-37
apps/v1beta2 StatefulSetList 1.9 1.16 apps/v1 StatefulSetList @24-37
authentication.k8s.io/v1alpha1 SelfSubjectReview 1.29 1.32 @32-37
authentication.k8s.io/v1beta1 SelfSubjectReview 1.30 1.33 @32-37
authentication.k8s.io/v1beta1 TokenReview 1.19 1.22 authentication.k8s.io/v1 TokenReview @24-37
authorization.k8s.io/v1beta1 LocalSubjectAccessReview 1.19 1.22 authorization.k8s.io/v1 LocalSubjectAccessReview @24-37
authorization.k8s.io/v1beta1 SelfSubjectAccessReview 1.19 1.22 authorization.k8s.io/v1 SelfSubjectAccessReview @24-37
authorization.k8s.io/v1beta1 SelfSubjectRulesReview 1.19 1.22 authorization.k8s.io/v1 SelfSubjectRulesReview @24-37
authorization.k8s.io/v1beta1 SubjectAccessReview 1.19 1.22 authorization.k8s.io/v1 SubjectAccessReview @24-37
autoscaling/v2beta1 HorizontalPodAutoscaler 1.22 1.25 autoscaling/v2 HorizontalPodAutoscaler @24-35
autoscaling/v2beta1 HorizontalPodAutoscalerList 1.22 1.25 autoscaling/v2beta2 HorizontalPodAutoscalerList @24-35
autoscaling/v2beta2 HorizontalPodAutoscaler 1.23 1.26 autoscaling/v2 HorizontalPodAutoscaler @24-35
autoscaling/v2beta2 HorizontalPodAutoscalerList 1.22 1.25 @24-35
batch/v1beta1 CronJob 1.21 1.25 batch/v1 CronJob @24-37
batch/v1beta1 CronJobList 1.21 1.25 batch/v1 CronJobList @24-37
batch/v1beta1 JobTemplate 1.22 1.25 @24-24
certificates.k8s.io/v1alpha1 ClusterTrustBundle 1.34 1.37 @32-37
certificates.k8s.io/v1alpha1 ClusterTrustBundleList 1.34 1.37 @32-37
certificates.k8s.io/v1alpha1 PodCertificateRequest 1.37 1.40 @34-34
certificates.k8s.io/v1alpha1 PodCertificateRequestList 1.37 1.40 @34-34
certificates.k8s.io/v1beta1 CertificateSigningRequest 1.19 1.22 certificates.k8s.io/v1 CertificateSigningRequest @24-37
certificates.k8s.io/v1beta1 CertificateSigningRequestList 1.19 1.22 certificates.k8s.io/v1 CertificateSigningRequestList @24-37
certificates.k8s.io/v1beta1 ClusterTrustBundle 1.36 1.39 @33-35
certificates.k8s.io/v1beta1 ClusterTrustBundle 1.37 1.40 @36-36
certificates.k8s.io/v1beta1 ClusterTrustBundle 1.37 1.40 certificates.k8s.io/v1 ClusterTrustBundle @37-37
certificates.k8s.io/v1beta1 ClusterTrustBundleList 1.36 1.39 @33-35
certificates.k8s.io/v1beta1 ClusterTrustBundleList 1.37 1.40 @36-36
certificates.k8s.io/v1beta1 ClusterTrustBundleList 1.37 1.40 certificates.k8s.io/v1 ClusterTrustBundleList @37-37
certificates.k8s.io/v1beta1 PodCertificateRequest 1.37 1.40 certificates.k8s.io/v1 PodCertificateRequest @37-37
certificates.k8s.io/v1beta1 PodCertificateRequest 1.38 1.41 @35-36
certificates.k8s.io/v1beta1 PodCertificateRequestList 1.37 1.40 certificates.k8s.io/v1 PodCertificateRequestList @37-37
certificates.k8s.io/v1beta1 PodCertificateRequestList 1.38 1.41 @35-36
coordination.k8s.io/v1alpha2 LeaseCandidate 1.35 1.38 @32-37
coordination.k8s.io/v1alpha2 LeaseCandidateList 1.35 1.38 @32-37
coordination.k8s.io/v1beta1 Lease 1.19 1.22 coordination.k8s.io/v1 Lease @24-37
coordination.k8s.io/v1beta1 LeaseCandidate 1.36 1.39 @33-37
coordination.k8s.io/v1beta1 LeaseCandidateList 1.36 1.39 @33-37
coordination.k8s.io/v1beta1 LeaseList 1.19 1.22 coordination.k8s.io/v1 LeaseList @24-37
discovery.k8s.io/v1beta1 EndpointSlice 1.21 1.25 discovery.k8s.io/v1 EndpointSlice @24-37
discovery.k8s.io/v1beta1 EndpointSliceList 1.21 1.25 discovery.k8s.io/v1 EndpointSlice @24-37
events.k8s.io/v1beta1 Event 1.22 1.25 @24-37
events.k8s.io/v1beta1 EventList 1.22 1.25 @24-37
extensions/v1beta1 DaemonSet 1.8 1.16 apps/v1 DaemonSet @24-37
extensions/v1beta1 DaemonSetList 1.8 1.16 apps/v1 DaemonSetList @24-37
extensions/v1beta1 Deployment 1.8 1.16 apps/v1 Deployment @24-37
extensions/v1beta1 DeploymentList 1.8 1.16 apps/v1 DeploymentList @24-37
extensions/v1beta1 DeploymentRollback 1.8 1.16 @24-37
extensions/v1beta1 Ingress 1.14 1.22 networking.k8s.io/v1 Ingress @24-37
extensions/v1beta1 IngressList 1.14 1.22 networking.k8s.io/v1 IngressList @24-37
extensions/v1beta1 NetworkPolicy 1.9 1.16 networking.k8s.io/v1 NetworkPolicy @24-37
extensions/v1beta1 NetworkPolicyList 1.9 1.16 networking.k8s.io/v1 NetworkPolicyList @24-37
extensions/v1beta1 PodSecurityPolicy 1.11 1.16 policy/v1beta1 PodSecurityPolicy @24-24
extensions/v1beta1 PodSecurityPolicyList 1.11 1.16 policy/v1beta1 PodSecurityPolicyList @24-24
extensions/v1beta1 ReplicaSet 1.8 1.16 apps/v1 ReplicaSet @24-37
extensions/v1beta1 ReplicaSetList 1.8 1.16 apps/v1 ReplicaSetList @24-37
extensions/v1beta1 Scale 1.2 1.16 @24-37
flowcontrol.apiserver.k8s.io/v1alpha1 FlowSchema 1.20 1.21 flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema @24-24
flowcontrol.apiserver.k8s.io/v1alpha1 FlowSchemaList 1.20 1.21 flowcontrol.apiserver.k8s.io/v1beta2 FlowSchemaList @24-24
flowcontrol.apiserver.k8s.io/v1alpha1 PriorityLevelConfiguration 1.20 1.21 flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration @24-24
flowcontrol.apiserver.k8s.io/v1alpha1 PriorityLevelConfigurationList 1.20 1.21 flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfigurationList @24-24
flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema 1.23 1.26 flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema @24-24
flowcontrol.apiserver.k8s.io/v1beta1 FlowSchema 1.23 1.26 flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema @32-37
flowcontrol.apiserver.k8s.io/v1beta1 FlowSchemaList 1.23 1.26 flowcontrol.apiserver.k8s.io/v1beta2 FlowSchemaList @24-24
flowcontrol.apiserver.k8s.io/v1beta1 FlowSchemaList 1.23 1.26 flowcontrol.apiserver.k8s.io/v1beta3 FlowSchemaList @32-37
flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfiguration 1.23 1.26 flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration @24-24
flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfiguration 1.23 1.26 flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration @32-37
flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfigurationList 1.23 1.26 flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfigurationList @24-24
flowcontrol.apiserver.k8s.io/v1beta1 PriorityLevelConfigurationList 1.23 1.26 flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfigurationList @32-37
flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema 1.26 1.29 @24-24
flowcontrol.apiserver.k8s.io/v1beta2 FlowSchema 1.26 1.29 flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema @32-37
flowcontrol.apiserver.k8s.io/v1beta2 FlowSchemaList 1.26 1.29 @24-24
flowcontrol.apiserver.k8s.io/v1beta2 FlowSchemaList 1.26 1.29 flowcontrol.apiserver.k8s.io/v1beta3 FlowSchemaList @32-37
flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration 1.26 1.29 @24-24
flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfiguration 1.26 1.29 flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration @32-37
flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfigurationList 1.26 1.29 @24-24
flowcontrol.apiserver.k8s.io/v1beta2 PriorityLevelConfigurationList 1.26 1.29 flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfigurationList @32-37
flowcontrol.apiserver.k8s.io/v1beta3 FlowSchema 1.29 1.32 flowcontrol.apiserver.k8s.io/v1 FlowSchema @32-37
flowcontrol.apiserver.k8s.io/v1beta3 FlowSchemaList 1.29 1.32 flowcontrol.apiserver.k8s.io/v1 FlowSchemaList @32-37
flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfiguration 1.29 1.32 flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfiguration @32-37
flowcontrol.apiserver.k8s.io/v1beta3 PriorityLevelConfigurationList 1.29 1.32 flowcontrol.apiserver.k8s.io/v1 PriorityLevelConfigurationList @32-37
lifecycle.k8s.io/v1alpha1 Eviction 1.40 1.43 @37-37
lifecycle.k8s.io/v1alpha1 EvictionList 1.40 1.43 @37-37
lifecycle.k8s.io/v1alpha1 EvictionRequest 1.40 1.43 @37-37
lifecycle.k8s.io/v1alpha1 EvictionRequestList 1.40 1.43 @37-37
networking.k8s.io/v1alpha1 IPAddress 1.30 1.33 @32-33
networking.k8s.io/v1alpha1 IPAddressList 1.30 1.33 @32-33
networking.k8s.io/v1alpha1 ServiceCIDR 1.30 1.33 @32-33
networking.k8s.io/v1alpha1 ServiceCIDRList 1.30 1.33 @32-33
networking.k8s.io/v1beta1 IPAddress 1.34 1.37 @32-37
networking.k8s.io/v1beta1 IPAddressList 1.34 1.37 @32-37
networking.k8s.io/v1beta1 Ingress 1.19 1.22 networking.k8s.io/v1 Ingress @24-37
networking.k8s.io/v1beta1 IngressClass 1.19 1.22 networking.k8s.io/v1 IngressClassList @24-37
networking.k8s.io/v1beta1 IngressClassList 1.19 1.22 networking.k8s.io/v1 IngressClassList @24-37
networking.k8s.io/v1beta1 IngressList 1.19 1.22 networking.k8s.io/v1 IngressList @24-37
networking.k8s.io/v1beta1 ServiceCIDR 1.34 1.37 @32-37
networking.k8s.io/v1beta1 ServiceCIDRList 1.34 1.37 @32-37
node.k8s.io/v1beta1 RuntimeClass 1.22 1.25 @24-37
node.k8s.io/v1beta1 RuntimeClassList 1.22 1.25 @24-37
policy/v1beta1 Eviction 1.22 1.25 @24-37
policy/v1beta1 PodDisruptionBudget 1.21 1.25 policy/v1 PodDisruptionBudget @24-37
policy/v1beta1 PodDisruptionBudgetList 1.21 1.25 policy/v1 PodDisruptionBudgetList @24-37
policy/v1beta1 PodSecurityPolicy 1.21 1.25 @24-24
policy/v1beta1 PodSecurityPolicyList 1.21 1.25 @24-24
rbac.authorization.k8s.io/v1beta1 ClusterRole 1.17 1.22 rbac.authorization.k8s.io/v1 ClusterRole @24-37
rbac.authorization.k8s.io/v1beta1 ClusterRoleBinding 1.17 1.22 rbac.authorization.k8s.io/v1 ClusterRoleBinding @24-37
rbac.authorization.k8s.io/v1beta1 ClusterRoleBindingList 1.17 1.22 rbac.authorization.k8s.io/v1 ClusterRoleBindingList @24-37
rbac.authorization.k8s.io/v1beta1 ClusterRoleList 1.17 1.22 rbac.authorization.k8s.io/v1 ClusterRoleList @24-37
rbac.authorization.k8s.io/v1beta1 Role 1.17 1.22 rbac.authorization.k8s.io/v1 Role @24-37
rbac.authorization.k8s.io/v1beta1 RoleBinding 1.17 1.22 rbac.authorization.k8s.io/v1 RoleBinding @24-37
rbac.authorization.k8s.io/v1beta1 RoleBindingList 1.17 1.22 rbac.authorization.k8s.io/v1 RoleBindingList @24-37
rbac.authorization.k8s.io/v1beta1 RoleList 1.17 1.22 rbac.authorization.k8s.io/v1 RoleList @24-37
resource.k8s.io/v1alpha3 DeviceClass 1.34 1.37 resource.k8s.io/v1beta1 DeviceClass @32-33
resource.k8s.io/v1alpha3 DeviceClassList 1.34 1.37 resource.k8s.io/v1beta1 DeviceClassList @32-33
resource.k8s.io/v1alpha3 DeviceTaintRule 1.36 1.39 @33-37
resource.k8s.io/v1alpha3 DeviceTaintRuleList 1.36 1.39 @33-37
resource.k8s.io/v1alpha3 ResourceClaim 1.34 1.37 resource.k8s.io/v1beta1 ResourceClaim @32-33
resource.k8s.io/v1alpha3 ResourceClaimList 1.34 1.37 resource.k8s.io/v1beta1 ResourceClaimList @32-33
resource.k8s.io/v1alpha3 ResourceClaimTemplate 1.34 1.37 resource.k8s.io/v1beta1 ResourceClaimTemplate @32-33
resource.k8s.io/v1alpha3 ResourceClaimTemplateList 1.34 1.37 resource.k8s.io/v1beta1 ResourceClaimTemplateList @32-33
resource.k8s.io/v1alpha3 ResourcePoolStatusRequest 1.39 1.42 @36-37
resource.k8s.io/v1alpha3 ResourcePoolStatusRequestList 1.39 1.42 @36-37
resource.k8s.io/v1alpha3 ResourceSlice 1.34 1.37 resource.k8s.io/v1beta1 ResourceSlice @32-33
resource.k8s.io/v1alpha3 ResourceSliceList 1.34 1.37 resource.k8s.io/v1beta1 ResourceSliceList @32-33
resource.k8s.io/v1beta1 DeviceClass 1.35 1.38 @32-37
resource.k8s.io/v1beta1 DeviceClassList 1.35 1.38 @32-37
resource.k8s.io/v1beta1 ResourceClaim 1.35 1.38 @32-37
resource.k8s.io/v1beta1 ResourceClaimList 1.35 1.38 @32-37
resource.k8s.io/v1beta1 ResourceClaimTemplate 1.35 1.38 @32-37
resource.k8s.io/v1beta1 ResourceClaimTemplateList 1.35 1.38 @32-37
resource.k8s.io/v1beta1 ResourceSlice 1.35 1.38 @32-37
resource.k8s.io/v1beta1 ResourceSliceList 1.35 1.38 @32-37
resource.k8s.io/v1beta2 DeviceClass 1.36 1.39 @33-37
resource.k8s.io/v1beta2 DeviceClassList 1.36 1.39 @33-37
resource.k8s.io/v1beta2 DeviceTaintRule 1.39 1.42 @36-37
resource.k8s.io/v1beta2 DeviceTaintRuleList 1.39 1.42 @36-37
resource.k8s.io/v1beta2 ResourceClaim 1.36 1.39 @33-37
resource.k8s.io/v1beta2 ResourceClaimList 1.36 1.39 @33-37
resource.k8s.io/v1beta2 ResourceClaimTemplate 1.36 1.39 @33-37
resource.k8s.io/v1beta2 ResourceClaimTemplateList 1.36 1.39 @33-37
resource.k8s.io/v1beta2 ResourceSlice 1.36 1.39 @33-37
resource.k8s.io/v1beta2 ResourceSliceList 1.36 1.39 @33-37
scheduling.k8s.io/v1beta1 PodGroup 1.40 1.43 @37-37
scheduling.k8s.io/v1beta1 PodGroupList 1.40 1.43 @37-37
scheduling.k8s.io/v1beta1 PriorityClass 1.14 1.22 scheduling.k8s.io/v1 PriorityClass @24-37
scheduling.k8s.io/v1beta1 PriorityClassList 1.14 1.22 scheduling.k8s.io/v1 PriorityClassList @24-37
scheduling.k8s.io/v1beta1 Workload 1.40 1.43 @37-37
scheduling.k8s.io/v1beta1 WorkloadList 1.40 1.43 @37-37
storage.k8s.io/v1alpha1 CSIStorageCapacity 1.21 1.24 storage.k8s.io/v1beta1 CSIStorageCapacity @24-37
storage.k8s.io/v1alpha1 CSIStorageCapacityList 1.21 1.24 storage.k8s.io/v1beta1 CSIStorageCapacityList @24-37
storage.k8s.io/v1alpha1 VolumeAttachment 1.21 1.24 storage.k8s.io/v1 VolumeAttachment @24-37
storage.k8s.io/v1alpha1 VolumeAttachmentList 1.21 1.24 storage.k8s.io/v1 VolumeAttachmentList @24-37
storage.k8s.io/v1alpha1 VolumeAttributesClass 1.32 1.35 @32-33
storage.k8s.io/v1alpha1 VolumeAttributesClass 1.32 1.35 storage.k8s.io/v1 VolumeAttributesClass @34-37
storage.k8s.io/v1alpha1 VolumeAttributesClassList 1.32 1.35 @32-33
storage.k8s.io/v1alpha1 VolumeAttributesClassList 1.32 1.35 storage.k8s.io/v1 VolumeAttributesClassList @34-37
storage.k8s.io/v1beta1 CSIDriver 1.19 1.22 storage.k8s.io/v1 CSIDriver @24-37
storage.k8s.io/v1beta1 CSIDriverList 1.19 1.22 storage.k8s.io/v1 CSIDriverList @24-37
storage.k8s.io/v1beta1 CSINode 1.17 1.22 storage.k8s.io/v1 CSINode @24-37
storage.k8s.io/v1beta1 CSINodeList 1.17 1.22 storage.k8s.io/v1 CSINode @24-37
storage.k8s.io/v1beta1 CSIStorageCapacity 1.24 1.27 storage.k8s.io/v1 CSIStorageCapacity @24-37
storage.k8s.io/v1beta1 CSIStorageCapacityList 1.24 1.27 storage.k8s.io/v1 CSIStorageCapacityList @24-37
storage.k8s.io/v1beta1 StorageClass 1.19 1.22 storage.k8s.io/v1 StorageClass @24-37
storage.k8s.io/v1beta1 StorageClassList 1.19 1.22 storage.k8s.io/v1 StorageClassList @24-37
storage.k8s.io/v1beta1 VolumeAttachment 1.19 1.22 storage.k8s.io/v1 VolumeAttachment @24-37
storage.k8s.io/v1beta1 VolumeAttachmentList 1.19 1.22 storage.k8s.io/v1 VolumeAttachmentList @24-37
storage.k8s.io/v1beta1 VolumeAttributesClass 1.34 1.37 @32-33
storage.k8s.io/v1beta1 VolumeAttributesClass 1.34 1.37 storage.k8s.io/v1 VolumeAttributesClass @34-37
storage.k8s.io/v1beta1 VolumeAttributesClassList 1.34 1.37 @32-33
storage.k8s.io/v1beta1 VolumeAttributesClassList 1.34 1.37 storage.k8s.io/v1 VolumeAttributesClassList @34-37
storagemigration.k8s.io/v1alpha1 StorageVersionMigration 1.33 1.36 @32-34
storagemigration.k8s.io/v1alpha1 StorageVersionMigrationList 1.33 1.36 @32-34
storagemigration.k8s.io/v1beta1 StorageVersionMigration 1.37 1.40 storagemigration.k8s.io/v1 StorageVersionMigration @37-37
storagemigration.k8s.io/v1beta1 StorageVersionMigration 1.38 1.41 @35-36
storagemigration.k8s.io/v1beta1 StorageVersionMigrationList 1.37 1.40 storagemigration.k8s.io/v1 StorageVersionMigrationList @37-37
storagemigration.k8s.io/v1beta1 StorageVersionMigrationList 1.38 1.41 @35-36
v1 ComponentStatus 1.19 - @24-37
v1 ComponentStatusList 1.19 - @24-37
v1 Endpoints 1.33 - discovery.k8s.io/v1 EndpointSlice @33-37
v1 EndpointsList 1.33 - discovery.k8s.io/v1 EndpointSliceList @33-37
`;
