// The rules of Helm 3.17.3, to which `changes.ts` adds the changes of later releases.
// Mirrors: helm.sh/helm/v3, v3.17.3.

import { semver33 } from '../go/semver.ts';
import { go123 } from '../template/rules.ts';
import type { Helm } from './helm.ts';
import { kubernetes, parseSemanticVersion } from './kubernetes.ts';
import { plainLog } from './log.ts';

/**
 * The kinds in installation order, which is the order of Helm's output.
 * Mirrors: pkg/releaseutil, kind_sorter.go.
 */
export const installOrder: readonly string[] = [
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

/** The part of a profile that releases change: everything but its name. */
export type HelmRules = Omit<Helm, 'name' | 'major' | 'version' | 'build'>;

/** The rules of Helm 3.17.3. */
export const baseRules: HelmRules = {
  ...kubernetes(32),
  reportsKubeClient: false,
  parseKubeVersion: parseSemanticVersion,
  kindOrder: installOrder,
  documents: 'trimmed',
  chart: 'struct',
  panicsOnEmptyLines: true,
  types: {
    values: 'chartutil.Values',
    capabilities: '*chartutil.Capabilities',
    kubeVersion: 'chartutil.KubeVersion',
    kubeVersionFields: ['Version', 'Major', 'Minor'],
    versionSet: 'chartutil.VersionSet',
    manifestHead: 'releaseutil.SimpleHead',
  },
  values: {
    severalDocuments: false,
    losesLastLine: false,
    nestedNulls: 'remove defaults',
    dropsDefaultNulls: false,
    setJsonObjects: false,
    ignoresUnterminatedIndex: false,
    importsAnyPath: false,
  },
  charts: {
    detectsVersion: false,
    goPackage: 'chart',
    refusedNames: [],
    uninstallableVersion: undefined,
    hidesArchiveErrors: false,
    limitsFiles: true,
    ignoreSlash: 'each comparison',
    copiesBelowAlias: false,
  },
  schema: { library: 'gojsonschema', resolvesUrns: false, isLater: false },
  go: go123,
  codec: {
    json: 'v1',
    yamlKeys: 'loose',
    tomlExponents: false,
    toml11: false,
    tomlEnd: 'line before',
    tomlTopKey: 'the key',
    tomlHex: 'hexidecimal',
    tomlArraysAgain: true,
  },
  semver: semver33,
  functions: { mustToYaml: false, mustToToml: false, durations: false },
  lint: {
    requiresPath: false,
    isStrict: false,
    reportsNullMaintainers: false,
    requiresTemplates: false,
    reportsHelm2: true,
    checksYml: false,
    checksCrds: false,
    skipsValuesSchema: false,
    readsJsonAsYaml: false,
    documentType: 'K8sYamlStruct',
    listAnnotation: "Annotation 'helm.sh/resource-policy' within List objects are ignored",
  },
  show: { separatesCrds: false },
  command: { deprecatesNotes: false, reportsErrorFirst: false },
  wording: {
    releaseName: (error) => error,
    dependencies: (error) => error,
    dependencyCheck: (error) =>
      'An error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch ' +
      `missing dependencies: ${error}`,
    valuesDocument: (error) => error,
    execution: ([text]) => text,
    setJsonObject: (text) => `failed parsing --set-json data ${text}`,
  },
  log: plainLog,
};
