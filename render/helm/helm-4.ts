// Helm 4.2.3, as it differs from the others.
// Mirrors: helm.sh/helm/v4, v4.2.3.

import { quote } from '../go/number.ts';
import { semver35 } from '../go/semver.ts';
import { helmVersions } from '../helm-version.ts';
import { go126 } from '../template/rules.ts';
import { apiVersionList } from './api-versions.ts';
import type { Helm } from './helm.ts';
import { installOrder } from './kinds.ts';
import { parseGenericVersion } from './kube-version.ts';
import type { LogLines } from './log.ts';
import { slogLine } from './slog.ts';
import { formatTrace } from './traced-errors.ts';
import type { Wording } from './wording.ts';

const version = helmVersions[4];

// The versions that client-go 0.36 registers, groups by name and versions by preference, then those of CRDs.
const apiVersions = apiVersionList(`
v1
admissionregistration.k8s.io: v1 v1alpha1 v1beta1
internal.apiserver.k8s.io: v1alpha1
apps: v1 v1beta1 v1beta2
authentication.k8s.io: v1 v1alpha1 v1beta1
authorization.k8s.io: v1 v1beta1
autoscaling: v1 v2
batch: v1 v1beta1
certificates.k8s.io: v1 v1beta1 v1alpha1
coordination.k8s.io: v1alpha2 v1beta1 v1
discovery.k8s.io: v1 v1beta1
events.k8s.io: v1 v1beta1
extensions: v1beta1
flowcontrol.apiserver.k8s.io: v1 v1beta1 v1beta2 v1beta3
networking.k8s.io: v1 v1beta1
node.k8s.io: v1 v1alpha1 v1beta1
policy: v1 v1beta1
rbac.authorization.k8s.io: v1 v1beta1 v1alpha1
resource.k8s.io: v1 v1beta2 v1beta1 v1alpha3
scheduling.k8s.io: v1alpha2 v1beta1 v1
storage.k8s.io: v1beta1 v1 v1alpha1
storagemigration.k8s.io: v1beta1
apiextensions.k8s.io: v1beta1 v1
`);

// Go's plain log goes through the structured one.
const plain = (message: string): string => slogLine('INFO', message);

const log: LogLines = {
  deprecatedChart: slogLine('WARN', 'this chart is deprecated'),
  symbolicLink: (path, resolved) =>
    slogLine('INFO', 'found symbolic link in path. Contents of linked file included and used', { path, resolved }),
  brokenRule: (rule) => slogLine('ERROR', 'failed to compile', { rule, error: 'syntax error in pattern' }),
  oldRequirements: plain(
    'Warning: Dependencies are handled in Chart.yaml since apiVersion "v2". We recommend migrating dependencies to Chart.yaml.',
  ),
  oldLock: plain(
    'Warning: Dependency locking is handled in Chart.lock since apiVersion "v2". We recommend migrating to Chart.lock.',
  ),
  skippedValue: (path) => plain(`warning: skipped value for ${path}: Not a table.`),
  tableOverValue: (path, table) => plain(`warning: cannot overwrite table with non table for ${path} (${table})`),
  valueOverTable: (path, value) =>
    plain(`warning: destination for ${path} is a table. Ignoring non-table value (${value})`),
  childGlobalNoTable: plain('warning: skipping globals because destination global is not a table.'),
  parentGlobalNoTable: plain('warning: skipping globals because source global is not a table.'),
  globalIsTable: (key) => plain(`key ${key} is table. Skipping`),
  globalConflict: (key) => plain(`Conflict: cannot merge map onto non-map for ${quote(key)}. Skipping.`),
  tagNoBool: (tag, chart) => slogLine('WARN', 'returned non-bool value', { tag, chart }),
  conditionNoBool: (path, chart) => slogLine('WARN', 'returned non-bool value', { path, chart }),
  importMissing: (error) => slogLine('WARN', 'ImportValues missing table', { error }),
  importMissingFrom: (chart, error) => slogLine('WARN', 'ImportValues missing table from chart', { chart, error }),
  unresolvedUrn: (urn) => slogLine('WARN', 'unresolved URN reference ignored; using permissive schema', { urn }),
  unknownHook: (hookTypes) => slogLine('INFO', 'skipping unknown hooks', { hookTypes }),
  beforeReleaseName: (error) => [slogLine('ERROR', 'release name check failed', { error })],
  beforeDependencies: (error) => [slogLine('ERROR', 'chart dependencies processing failed', { error })],
};

const wording: Wording = {
  releaseName: (error) => `release name check failed: ${error}`,
  dependencies: (error) => `chart dependencies processing failed: ${error}`,
  dependencyCheck: (error) =>
    "an error occurred while checking for chart dependencies. You may need to run 'helm dependency build' to fetch " +
    `missing dependencies: ${error}`,
  valuesDocument: (error) => `cannot unmarshal yaml document: ${error}`,
  execution: formatTrace,
  setJsonObject: (text) => `failed parsing --set-json data JSON: ${text}`,
};

/** Helm 4.2.3. */
export const helm4: Helm = {
  major: 4,
  version,
  build: {
    version,
    gitCommit: '43e8b7feece8beb0fcba47059ec9b522fd929a64',
    goVersion: 'go1.26.5',
    kubeClientVersion: 'v1.36',
  },
  kubeVersion: { version: 'v1.36.0', normalized: 'v1.36.0', major: '1', minor: '36' },
  apiVersions,
  parseKubeVersion: parseGenericVersion,
  kindOrder: [...installOrder, 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
  keepsDocumentEnds: true,
  chart: 'map',
  types: {
    values: 'common.Values',
    capabilities: '*common.Capabilities',
    kubeVersion: 'common.KubeVersion',
    kubeVersionFields: ['Version', 'normalizedVersion', 'Major', 'Minor'],
    versionSet: 'common.VersionSet',
    manifestHead: 'util.SimpleHead',
  },
  values: {
    severalDocuments: true,
    dropsDefaultNulls: true,
    setJsonObjects: true,
    ignoresUnterminatedIndex: true,
    importsAnyPath: true,
  },
  charts: {
    detectsVersion: true,
    goPackage: 'v2',
    refusedNames: ['.', '..'],
    uninstallableVersion: 'v3',
    hidesArchiveErrors: true,
    ignoreSlash: 'once',
    copiesBelowAlias: true,
  },
  schema: 'santhosh-tekuri',
  go: go126,
  codec: { yamlKeys: 'loose', tomlExponents: true, toml11: true, tomlEnd: 'last line', tomlTopKey: 'the table' },
  semver: semver35,
  addedFunctions: ['mustToYaml', 'mustToToml'],
  wording,
  log,
};
