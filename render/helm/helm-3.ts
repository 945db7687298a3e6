// Helm 3.17.3, as it differs from the others.
// Mirrors: helm.sh/helm/v3, v3.17.3.

import { quote } from '../go/number.ts';
import { parseVersion, semver33 } from '../go/semver.ts';
import { helmVersions } from '../helm-version.ts';
import { go123 } from '../template/rules.ts';
import { apiVersionList } from './api-versions.ts';
import type { Helm, KubeVersion } from './helm.ts';
import { installOrder } from './kinds.ts';
import type { LogLines } from './log.ts';
import type { Wording } from './wording.ts';

const version = helmVersions[3];

// The versions that client-go 0.32 registers, groups by name and versions by preference, then those of CRDs.
const apiVersions = apiVersionList(`
v1
admissionregistration.k8s.io: v1 v1alpha1 v1beta1
internal.apiserver.k8s.io: v1alpha1
apps: v1 v1beta1 v1beta2
authentication.k8s.io: v1 v1alpha1 v1beta1
authorization.k8s.io: v1 v1beta1
autoscaling: v1 v2 v2beta1 v2beta2
batch: v1 v1beta1
certificates.k8s.io: v1 v1beta1 v1alpha1
coordination.k8s.io: v1alpha2 v1beta1 v1
discovery.k8s.io: v1 v1beta1
events.k8s.io: v1 v1beta1
extensions: v1beta1
flowcontrol.apiserver.k8s.io: v1 v1beta1 v1beta2 v1beta3
networking.k8s.io: v1 v1alpha1 v1beta1
node.k8s.io: v1 v1alpha1 v1beta1
policy: v1 v1beta1
rbac.authorization.k8s.io: v1 v1beta1 v1alpha1
resource.k8s.io: v1beta1 v1alpha3
scheduling.k8s.io: v1alpha1 v1beta1 v1
storage.k8s.io: v1beta1 v1 v1alpha1
storagemigration.k8s.io: v1alpha1
apiextensions.k8s.io: v1beta1 v1
`);

// Mirrors: pkg/chartutil, capabilities.go, `ParseKubeVersion`.
function parseKubeVersion(text: string): KubeVersion {
  const parsed = parseVersion(text);
  const full = `v${parsed.string()}`;
  return { version: full, normalized: full, major: String(parsed.major), minor: String(parsed.minor) };
}

const log: LogLines = {
  deprecatedChart: 'WARNING: This chart is deprecated',
  symbolicLink: (path, target) =>
    `walk.go:75: found symbolic link in path: ${path} resolves to ${target}. Contents of linked file included and used`,
  brokenRule: (rule, form) =>
    `rules.go:${{ rooted: 180, path: 190, name: 202 }[form]}: Failed to compile ${quote(rule)}: syntax error in pattern`,
  oldRequirements:
    'load.go:120: Warning: Dependencies are handled in Chart.yaml since apiVersion "v2". We recommend migrating dependencies to Chart.yaml.',
  oldLock:
    'load.go:138: Warning: Dependency locking is handled in Chart.lock since apiVersion "v2". We recommend migrating to Chart.lock.',
  skippedValue: (path) => `coalesce.go:237: warning: skipped value for ${path}: Not a table.`,
  tableOverValue: (path, table) =>
    `coalesce.go:298: warning: cannot overwrite table with non table for ${path} (${table})`,
  valueOverTable: (path, value) =>
    `coalesce.go:301: warning: destination for ${path} is a table. Ignoring non-table value (${value})`,
  childGlobalNoTable: 'coalesce.go:138: warning: skipping globals because destination global is not a table.',
  parentGlobalNoTable: 'coalesce.go:145: warning: skipping globals because source global is not a table.',
  globalIsTable: (key) => `coalesce.go:175: key ${key} is table. Skipping`,
  globalConflict: (key) => `coalesce.go:161: Conflict: cannot merge map onto non-map for ${quote(key)}. Skipping.`,
  tagNoBool: (tag, chart) => `dependencies.go:94: Warning: Tag '${tag}' for chart ${chart} returned non-bool value`,
  conditionNoBool: (path, chart) =>
    `dependencies.go:63: Warning: Condition path '${path}' for chart ${chart} returned non-bool value`,
  importMissing: (error) => `dependencies.go:286: Warning: ImportValues missing table: ${error}`,
  importMissingFrom: (chart, error) =>
    `dependencies.go:269: Warning: ImportValues missing table from chart ${chart}: ${error}`,
  unresolvedUrn: () => '',
  unknownHook: (events) => `manifest_sorter.go:190: info: skipping unknown hook: ${quote(events)}`,
  beforeReleaseName: () => [],
  beforeDependencies: () => [],
};

const wording: Wording = {
  releaseName: (error) => error,
  dependencies: (error) => error,
  dependencyCheck: (error) =>
    'An error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch ' +
    `missing dependencies: ${error}`,
  valuesDocument: (error) => error,
  execution: ([text]) => text,
  setJsonObject: (text) => `failed parsing --set-json data ${text}`,
};

/** Helm 3.17.3. */
export const helm3: Helm = {
  major: 3,
  version,
  build: { version, gitCommit: 'e4da49785aa6e6ee2b86efd5dd9e43400318262b', goVersion: 'go1.23.7' },
  kubeVersion: { version: 'v1.32.0', normalized: 'v1.32.0', major: '1', minor: '32' },
  apiVersions,
  parseKubeVersion,
  kindOrder: installOrder,
  keepsDocumentEnds: false,
  chart: 'struct',
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
    ignoreSlash: 'each comparison',
    copiesBelowAlias: false,
  },
  schema: 'gojsonschema',
  go: go123,
  codec: { yamlKeys: 'loose', tomlExponents: false, tomlEnd: 'line before', tomlTopKey: 'the key' },
  semver: semver33,
  addedFunctions: [],
  wording,
  log,
};
