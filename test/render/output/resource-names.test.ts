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

// A resource of a release, its key and its file name; what is added beside another of its kind, and the group, which comes first beside one
// of another group. A core kind has no group.
const rows: readonly (readonly [resource: string, key: string, file: string, added: string, group: string])[] = [
  ['apps/v1 Deployment web of web', 'appsDeployment', 'deployment', '', 'apps'],
  ['v1 Service web-headless of web', 'service_headless', 'service', '_headless', ''],
  ['v1 ConfigMap web-nginx.conf of web', 'configMap_nginxconf', 'config_map', '_nginx_conf', ''],
  // The original program cut "web" out of "website" and "a" out of "api".
  ['v1 Secret website-tls of web', 'secret_website_tls', 'secret', '_website_tls', ''],
  ['v1 Service api of a', 'service_api', 'service', '_api', ''],
  [
    'rbac.authorization.k8s.io/v1 ClusterRoleBinding web:admin of web',
    'rbacAuthorizationClusterRoleBinding_admin',
    'cluster_role_binding',
    '_admin',
    'rbac_authorization',
  ],
  [
    'apiextensions.k8s.io/v1 CustomResourceDefinition certificates.cert-manager.io of web',
    'apiextensionsCustomResourceDefinition_certificatescert_managerio',
    'custom_resource_definition',
    '_certificates_cert_manager_io',
    'apiextensions',
  ],
  [
    'gateway.networking.k8s.io/v1 HTTPRoute web of web',
    'gatewayNetworkingHTTPRoute',
    'http_route',
    '',
    'gateway_networking',
  ],
  ['kubedb.com/v1alpha2 MongoDB mymongo of mymongo', 'kubedbComMongoDB', 'mongo_db', '', 'kubedb_com'],
  ['kafka.strimzi.io/v1beta2 Kafka web-0.id of web', 'kafkaStrimziIoKafka_0id', 'kafka', '0_id', 'kafka_strimzi_io'],
  ['x-k8s.io/v1 Foo web_1 of web', 'xk8sIoFoo_1', 'foo', '1', 'xk8s_io'],
];

for (const [resource, key, file, added, group] of rows) {
  test(resource, () => {
    const [apiVersion = '', kind = '', name = '', , release = ''] = resource.split(' ');
    const subject = named(apiVersion, kind, name);
    const nameBeside = (...others: ResourceIdentity[]): string | undefined =>
      nameResources([filler, subject, ...others], release)[1]?.filename;
    assert.equal(nameResources([filler, subject], release)[1]?.key, key);
    assert.equal(nameBeside(), file);
    assert.equal(nameBeside(named(apiVersion, kind, 'zebra')), `${file}${added}`);
    if (group === '') return;
    assert.equal(nameBeside(named('twin.example.com/v1', kind, name)), `${group}_${file}${added}`);
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
