import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameResources, type ResourceIdentity } from '../../../render/output/resource-names.ts';

const named = (apiVersion: string, kind: string, name: string, namespace = ''): ResourceIdentity => ({
  apiVersion,
  kind,
  name,
  namespace,
});
const filler = named('example.com/v1', 'Other', 'other');

// apiVersion, kind, release, name, key, file name alone, file name beside another of its kind, and beside one of another group.
const rows: readonly (readonly string[])[] = [
  ['apps/v1', 'Deployment', 'web', 'web', 'appsDeployment', 'deployment', 'deployment', 'apps_deployment'],
  ['v1', 'Service', 'web', 'web-headless', 'service_headless', 'service', 'service_headless', 'service_headless'],
  ['v1', 'ServiceAccount', 'web', 'web', 'serviceAccount', 'service_account', 'service_account', 'service_account'],
  [
    'v1',
    'ConfigMap',
    'web',
    'web-nginx.conf',
    'configMap_nginxconf',
    'config_map',
    'config_map_nginx_conf',
    'config_map_nginx_conf',
  ],
  [
    'v1',
    'ConfigMap',
    'web',
    'web-nginx-conf',
    'configMap_nginx_conf',
    'config_map',
    'config_map_nginx_conf',
    'config_map_nginx_conf',
  ],
  // The original program cut "web" out of "website" and "a" out of "api".
  ['v1', 'Secret', 'web', 'website-tls', 'secret_website_tls', 'secret', 'secret_website_tls', 'secret_website_tls'],
  ['v1', 'Service', 'a', 'api', 'service_api', 'service', 'service_api', 'service_api'],
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    'web',
    'web:admin',
    'rbacAuthorizationClusterRoleBinding_admin',
    'cluster_role_binding',
    'cluster_role_binding_admin',
    'rbac_authorization_cluster_role_binding_admin',
  ],
  ['networking.k8s.io/v1', 'Ingress', 'web', 'web', 'networkingIngress', 'ingress', 'ingress', 'networking_ingress'],
  [
    'policy/v1',
    'PodDisruptionBudget',
    'web',
    'web',
    'policyPodDisruptionBudget',
    'pod_disruption_budget',
    'pod_disruption_budget',
    'policy_pod_disruption_budget',
  ],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'web',
    'web',
    'autoscalingHorizontalPodAutoscaler',
    'horizontal_pod_autoscaler',
    'horizontal_pod_autoscaler',
    'autoscaling_horizontal_pod_autoscaler',
  ],
  [
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'web',
    'certificates.cert-manager.io',
    'apiextensionsCustomResourceDefinition_certificatescert_managerio',
    'custom_resource_definition',
    'custom_resource_definition_certificates_cert_manager_io',
    'apiextensions_custom_resource_definition_certificates_cert_manager_io',
  ],
  [
    'cert-manager.io/v1',
    'Certificate',
    'web',
    'web-tls',
    'certManagerIoCertificate_tls',
    'certificate',
    'certificate_tls',
    'cert_manager_io_certificate_tls',
  ],
  [
    'monitoring.coreos.com/v1',
    'ServiceMonitor',
    'web',
    'web-api',
    'monitoringCoreosComServiceMonitor_api',
    'service_monitor',
    'service_monitor_api',
    'monitoring_coreos_com_service_monitor_api',
  ],
  [
    'gateway.networking.k8s.io/v1',
    'HTTPRoute',
    'web',
    'web',
    'gatewayNetworkingHTTPRoute',
    'http_route',
    'http_route',
    'gateway_networking_http_route',
  ],
  [
    'storage.k8s.io/v1',
    'CSIDriver',
    'web',
    'csi.example.com',
    'storageCSIDriver_csiexamplecom',
    'csidriver',
    'csidriver_csi_example_com',
    'storage_csidriver_csi_example_com',
  ],
  [
    'kubedb.com/v1alpha2',
    'MongoDB',
    'mymongo',
    'mymongo',
    'kubedbComMongoDB',
    'mongo_db',
    'mongo_db',
    'kubedb_com_mongo_db',
  ],
  [
    'kafka.strimzi.io/v1beta2',
    'Kafka',
    'web',
    'web-0.id',
    'kafkaStrimziIoKafka_0id',
    'kafka',
    'kafka0_id',
    'kafka_strimzi_io_kafka0_id',
  ],
  ['x-k8s.io/v1', 'Foo', 'web', 'web_1', 'xk8sIoFoo_1', 'foo', 'foo1', 'xk8s_io_foo1'],
  ['v1', 'Namespace', 'web', 'demo', 'namespace_demo', 'namespace', 'namespace_demo', 'namespace_demo'],
];

for (const [apiVersion = '', kind = '', release = '', name = '', key, alone, beside, apart] of rows) {
  test(`${apiVersion} ${kind} ${name} of ${release}`, () => {
    const subject = named(apiVersion, kind, name);
    const nameBeside = (...others: ResourceIdentity[]): string | undefined =>
      nameResources([filler, subject, ...others], release)[1]?.filename;
    assert.equal(nameResources([filler, subject], release)[1]?.key, key);
    assert.equal(nameBeside(), alone);
    assert.equal(nameBeside(named(apiVersion, kind, 'zebra')), beside);
    if (apart === beside) return; // a core kind has no group to be reported apart by
    assert.equal(nameBeside(named('twin.example.com/v1', kind, name)), apart);
  });
}

test('conflicting names are distinguished by namespace, then by hash, then by number', () => {
  const twins = nameResources([named('v1', 'Secret', 'web', 'a'), named('v1', 'Secret', 'web', 'b')], 'web');
  assert.deepEqual(twins, [
    { key: 'secret_a', filename: 'secret_a' },
    { key: 'secret_b', filename: 'secret_b' },
  ]);
  const clash = nameResources(
    [named('v1', 'ConfigMap', 'web-nginx.conf', 'a'), named('v1', 'ConfigMap', 'web-nginx-conf', 'a')],
    'web',
  );
  assert.match(clash[0]?.filename ?? '', /^config_map_nginx_conf_a_[0-9a-f]{8}$/);
  assert.equal(new Set(clash.map((name) => name.filename)).size, 2);
  assert.deepEqual(
    clash.map((name) => name.key),
    ['configMap_nginxconf', 'configMap_nginx_conf'],
  );
  const same = nameResources([named('v1', 'Pod', 'x'), named('v1', 'Pod', 'x'), named('v1', 'Pod', 'x')], '');
  assert.equal(new Set(same.map((name) => name.key)).size, 3);
});

test('an unrelated resource changes no other name', () => {
  const before = [named('v1', 'ConfigMap', 'web-a.b', 'n'), named('v1', 'ConfigMap', 'web-a-b', 'n'), filler];
  const after = [named('v1', 'Secret', 'web-x', 'n'), ...before];
  assert.deepEqual(nameResources(after, 'web').slice(1), nameResources(before, 'web'));
});
