// Changes of Helm's output by release, in order. A profile is the base with the changes of its version.

import { semver34, semver35 } from '../go/semver.ts';
import { type HelmRules, installOrder } from './base.ts';
import { kubernetes, parseGenericVersion, parseNumericVersion } from './kubernetes.ts';
import { plainDependencyLines, plainHookLine, plainTableLines, structuredLog } from './log.ts';
import { formatTrace } from './traced-errors.ts';

/** Rules that replace those of the profile; of a group, only the given ones. */
export type RuleChanges = { readonly [Name in keyof HelmRules]?: Partial<HelmRules[Name]> };

/** A change in a Helm release. */
export interface HelmChange {
  /** Names the change, in kebab case. */
  readonly name: string;
  /** The first release of each major version with the change; a major version without one does not have it. */
  readonly since: { readonly 3?: string; readonly 4?: string };
  /** What changed, as text after a version and a colon. */
  readonly summary: string;
  /** The source of the change: a pull request or commit of helm/helm, or the release of a library. */
  readonly reference: string;
  readonly rules: RuleChanges;
}

// By name, in an order in which they can be applied.
const changes: Readonly<Record<string, Omit<HelmChange, 'name'>>> = {
  // ---- 3.18 and 4.0
  'kubernetes-1.33': {
    since: { 3: '3.18.0', 4: '4.0.0' },
    summary: 'the default Kubernetes version is 1.33, with the API versions of its client',
    reference: 'k8s.io/client-go v0.33',
    rules: kubernetes(33),
  },
  'lint-null-maintainers': {
    since: { 3: '3.18.0', 4: '4.0.0' },
    summary: 'lint reports a null among the maintainers',
    reference: 'helm/helm@v3.18.0',
    rules: { lint: { reportsNullMaintainers: true } },
  },
  'lint-json-as-yaml': {
    since: { 3: '3.18.0', 4: '4.0.0' },
    summary: 'lint reads a document that starts like JSON and is not JSON as YAML',
    reference: 'k8s.io/apimachinery v0.33',
    rules: { lint: { readsJsonAsYaml: true } },
  },
  'go-1.24': {
    since: { 3: '3.18.0', 4: '4.0.0' },
    summary: 'built with Go 1.24: range counts up to an integer, and comments count in the lines of parse errors',
    reference: 'Go 1.24, text/template',
    rules: { go: { rangesOverNumbers: true, countsCommentLines: true } },
  },
  'toml-1.5': {
    since: { 3: '3.18.0', 4: '4.0.0' },
    summary: 'TOML is read with BurntSushi/toml 1.5, which reports some errors at other lines',
    reference: 'BurntSushi/toml v1.5.0',
    rules: { codec: { tomlEnd: 'last line', tomlTopKey: 'the table', tomlHex: 'hexadecimal' } },
  },
  'hook-log-line': {
    since: { 3: '3.18.0' },
    summary: 'the message about hooks of unknown events names another line of the source',
    reference: 'helm/helm#10309',
    rules: { log: { unknownHook: plainHookLine(199) } },
  },
  'import-values-any-path': {
    since: { 3: '3.18.5', 4: '4.0.0' },
    summary: 'import-values accept any value as a path',
    reference: 'helm/helm@7799b483f',
    rules: {
      values: { importsAnyPath: true },
      log: plainDependencyLines({ tag: 95, condition: 64, importFrom: 270, import: 287 }),
    },
  },
  'json-schema-2020': {
    since: { 3: '3.18.5', 4: '4.0.0' },
    summary: 'values.schema.json is read with santhosh-tekuri/jsonschema, up to draft 2020-12',
    reference: 'helm/helm@cb8595bc6',
    rules: { schema: { library: 'santhosh-tekuri' } },
  },
  // ---- 3.19
  'kubernetes-1.34': {
    since: { 3: '3.19.0', 4: '4.0.0' },
    summary: 'the default Kubernetes version is 1.34, with the API versions of its client',
    reference: 'k8s.io/client-go v0.34',
    rules: kubernetes(34),
  },
  'kube-version-numbers': {
    since: { 3: '3.19.0', 4: '4.0.0' },
    summary: 'of --kube-version, what follows the numbers is dropped',
    reference: 'helm/helm@807225ed6',
    rules: { parseKubeVersion: parseNumericVersion },
  },
  'semver-3.4': {
    since: { 3: '3.19.0', 4: '4.0.0' },
    summary: 'in semverCompare, one comparison with a pre-release admits pre-releases for its whole group',
    reference: 'Masterminds/semver v3.4.0',
    rules: { semver: semver34 },
  },
  'schema-urn': {
    since: { 3: '3.19.1', 4: '4.0.2' },
    summary: 'a schema at a urn: that cannot be resolved allows everything, with a warning',
    reference: 'helm/helm#31240',
    rules: {
      schema: { resolvesUrns: true },
      log: {
        unresolvedUrn: (urn) =>
          `jsonschema.go:192: WARNING: unresolved URN reference ignored; using permissive schema: ${urn}`,
      },
    },
  },
  'nested-nulls-removed': {
    since: { 3: '3.19.5', 4: '4.0.0' },
    summary: 'a null in a mapping of the given values removes its key even where the chart has no default for it',
    reference: 'helm/helm#30777',
    rules: { values: { nestedNulls: 'remove all' }, log: plainTableLines(303, 306) },
  },
  // ---- 4.0
  'go-types': {
    since: { 4: '4.0.0' },
    summary: 'types that templates print have other names',
    reference: 'helm/helm@v4.0.0',
    rules: {
      types: {
        values: 'common.Values',
        capabilities: '*common.Capabilities',
        kubeVersion: 'common.KubeVersion',
        kubeVersionFields: ['Version', 'normalizedVersion', 'Major', 'Minor'],
        versionSet: 'common.VersionSet',
        manifestHead: 'util.SimpleHead',
      },
    },
  },
  'lint-rules': {
    since: { 4: '4.0.0' },
    summary: 'lint needs a path, and checks unknown fields of Chart.yaml, templates/, .yml files and CRDs',
    reference: 'helm/helm@v4.0.0',
    rules: {
      lint: {
        requiresPath: true,
        isStrict: true,
        requiresTemplates: true,
        reportsHelm2: false,
        checksYml: true,
        checksCrds: true,
        skipsValuesSchema: true,
        documentType: 'k8sYamlStruct',
        listAnnotation: "annotation 'helm.sh/resource-policy' within List objects are ignored",
      },
    },
  },
  'show-crd-separators': {
    since: { 4: '4.0.0' },
    summary: 'show starts every CRD with ---',
    reference: 'helm/helm@f25e0d607',
    rules: { show: { separatesCrds: true } },
  },
  'chart-map': {
    since: { 4: '4.0.0' },
    summary: '.Chart is a map, which has no error for an unknown field',
    reference: 'helm/helm@v4.0.0',
    rules: { chart: 'map' },
  },
  'kube-client-version': {
    since: { 4: '4.0.0' },
    summary: '.Capabilities.HelmVersion has the version of the Kubernetes client',
    reference: 'helm/helm@b97452d0e',
    rules: { reportsKubeClient: true },
  },
  'kube-version-kept': {
    since: { 4: '4.0.0' },
    summary: '.Capabilities.KubeVersion.Version is the text of --kube-version',
    reference: 'helm/helm#31078',
    rules: { parseKubeVersion: parseGenericVersion },
  },
  'webhooks-last': {
    since: { 4: '4.0.0' },
    summary: 'webhook configurations are installed after all other known kinds',
    reference: 'helm/helm#30701',
    rules: { kindOrder: [...installOrder, 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] },
  },
  'values-documents': {
    since: { 4: '4.0.0' },
    summary: 'a values file may hold several documents, and its last line may be lost',
    reference: 'helm/helm#13655',
    rules: {
      values: { severalDocuments: true, losesLastLine: true },
      wording: { valuesDocument: (error) => `cannot unmarshal yaml document: ${error}` },
    },
  },
  'set-json-object': {
    since: { 4: '4.0.0' },
    summary: '--set-json accepts an object',
    reference: 'helm/helm#30294',
    rules: {
      values: { setJsonObjects: true },
      wording: { setJsonObject: (text) => `failed parsing --set-json data JSON: ${text}` },
    },
  },
  'set-unterminated-index': {
    since: { 4: '4.0.0' },
    summary: 'an index without its closing bracket ends a --set silently',
    reference: 'helm/helm@v4.0.0',
    rules: { values: { ignoresUnterminatedIndex: true } },
  },
  'chart-loading': {
    since: { 4: '4.0.0' },
    summary: 'the apiVersion of a chart is read first, and the error of an unreadable archive has no reason',
    reference: 'helm/helm@v4.0.0',
    rules: {
      charts: { detectsVersion: true, goPackage: 'v2', uninstallableVersion: 'v3', hidesArchiveErrors: true },
    },
  },
  'ignore-slash': {
    since: { 4: '4.0.0' },
    summary: 'of a .helmignore rule, only one leading slash is cut off',
    reference: 'helm/helm@v4.0.0',
    rules: { charts: { ignoreSlash: 'once' } },
  },
  'alias-copies': {
    since: { 4: '4.0.0' },
    summary: 'a dependency with an alias has subcharts of its own',
    reference: 'helm/helm@v4.0.0',
    rules: { charts: { copiesBelowAlias: true } },
  },
  'must-to-yaml': {
    since: { 4: '4.0.0' },
    summary: 'the function mustToYaml',
    reference: 'helm/helm#30553',
    rules: { functions: { mustToYaml: true } },
  },
  'error-trace': {
    since: { 4: '4.0.0' },
    summary: 'errors of templates have one place per line',
    reference: 'helm/helm#13586',
    rules: { wording: { execution: formatTrace } },
  },
  'structured-log': {
    since: { 4: '4.0.0' },
    summary: 'warnings are lines of a structured log, and errors name the step that failed',
    reference: 'helm/helm@v4.0.0',
    rules: {
      log: structuredLog,
      wording: {
        releaseName: (error) => `release name check failed: ${error}`,
        dependencies: (error) => `chart dependencies processing failed: ${error}`,
        dependencyCheck: (error) =>
          'an error occurred while checking for chart dependencies. You may need to run `helm dependency build` to fetch ' +
          `missing dependencies: ${error}`,
      },
    },
  },
  // ---- 3.20 and 4.1
  'kubernetes-1.35': {
    since: { 3: '3.20.0', 4: '4.1.0' },
    summary: 'the default Kubernetes version is 1.35, with the API versions of its client',
    reference: 'k8s.io/client-go v0.35',
    rules: kubernetes(35),
  },
  'go-1.25': {
    since: { 3: '3.20.0', 4: '4.1.0' },
    summary:
      'built with Go 1.25: a comparison that cannot be made names both types, and names of character classes may be loose',
    reference: 'Go 1.25, text/template and regexp/syntax',
    rules: { go: { namesComparedTypes: true, classNames: 'loose' } },
  },
  'toml-1.6': {
    since: { 3: '3.20.0', 4: '4.1.0' },
    summary: 'TOML is that of 1.1, and large and small floats have an exponent',
    reference: 'BurntSushi/toml v1.6.0',
    rules: { codec: { tomlExponents: true, toml11: true, tomlArraysAgain: false } },
  },
  'nested-nulls-kept': {
    since: { 3: '3.20.1', 4: '4.1.3' },
    summary: 'a null in a mapping of the given values stays where the chart has no default for its key, or a null',
    reference: 'helm/helm@417deb2b6',
    rules: { values: { nestedNulls: 'keep without default' } },
  },
  'coalesce-log-lines': {
    since: { 3: '3.20.1' },
    summary: 'the warnings about mappings in place of values name other lines of the source',
    reference: 'helm/helm@417deb2b6',
    rules: { log: plainTableLines(316, 319) },
  },
  'chart-name-dots': {
    since: { 3: '3.20.2', 4: '4.1.4' },
    summary: 'a chart cannot have the name . or .., which are paths',
    reference: 'helm/helm@8fb76d6ab',
    rules: { charts: { refusedNames: ['.', '..'] } },
  },
  // ---- 3.21 and 4.2
  'kubernetes-1.36': {
    since: { 3: '3.21.0', 4: '4.2.0' },
    summary: 'the default Kubernetes version is 1.36, with the API versions of its client',
    reference: 'k8s.io/client-go v0.36',
    rules: kubernetes(36),
  },
  'semver-3.5': {
    since: { 3: '3.21.0', 4: '4.2.0' },
    summary: 'versions and constraints have a maximum length, and errors quote the constraint',
    reference: 'Masterminds/semver v3.5.0',
    rules: { semver: semver35 },
  },
  'default-nulls-dropped': {
    since: { 4: '4.2.0' },
    summary: 'null defaults in values.yaml are dropped',
    reference: 'helm/helm#31979',
    rules: { values: { dropsDefaultNulls: true } },
  },
  'document-ends-kept': {
    since: { 4: '4.2.0' },
    summary: 'white space after a document stays',
    reference: 'helm/helm#31952',
    rules: { documents: 'ends kept' },
  },
  'must-to-toml': {
    since: { 4: '4.2.0' },
    summary: 'the function mustToToml',
    reference: 'helm/helm#31957',
    rules: { functions: { mustToToml: true } },
  },
  'dependency-check-quotes': {
    since: { 4: '4.2.0' },
    summary: 'the advice on missing dependencies has other quotes',
    reference: 'helm/helm@v4.2.0',
    rules: {
      wording: {
        dependencyCheck: (error) =>
          "an error occurred while checking for chart dependencies. You may need to run 'helm dependency build' to fetch " +
          `missing dependencies: ${error}`,
      },
    },
  },
  'notes-flags-deprecated': {
    since: { 4: '4.2.0' },
    summary: '--hide-notes and --render-subchart-notes are deprecated',
    reference: 'helm/helm@6d5f56fa6',
    rules: { command: { deprecatesNotes: true } },
  },
  // ---- 3.21.4 and 4.2.4
  'lines-of-empty-file': {
    since: { 3: '3.21.4', 4: '4.3.0' },
    summary: '.Files.Lines of an empty file is an empty list rather than an error',
    reference: 'helm/helm#32279',
    rules: { panicsOnEmptyLines: false },
  },
  'document-lines-kept': {
    since: { 4: '4.2.4' },
    summary: 'a separator of documents does not take the line breaks around it',
    reference: 'helm/helm@83a8b70ff',
    rules: { documents: 'lines kept' },
  },
  'debug-show-only': {
    since: { 4: '4.2.4' },
    summary: 'with --debug, a failed rendering is reported before a --show-only that matches nothing',
    reference: 'helm/helm@ecc9cd2f1',
    rules: { command: { reportsErrorFirst: true } },
  },
  // ---- 3.22 and 4.3
  'kubernetes-1.37': {
    since: { 3: '3.22.0', 4: '4.3.0' },
    summary: 'the default Kubernetes version is 1.37, with the API versions of its client',
    reference: 'k8s.io/client-go v0.37',
    rules: kubernetes(37),
  },
  'json-schema-6.0.3': {
    since: { 3: '3.22.0', 4: '4.3.0' },
    summary: 'violations of a schema name the right index of items behind prefixItems',
    reference: 'santhosh-tekuri/jsonschema v6.0.3',
    rules: { schema: { isLater: true } },
  },
  'duration-functions': {
    since: { 4: '4.3.0' },
    summary: 'functions for durations, such as durationSeconds',
    reference: 'helm/helm#31695',
    rules: { functions: { durations: true } },
  },
  'values-last-line': {
    since: { 4: '4.3.0' },
    summary: 'the last line of a values file is never lost',
    reference: 'helm/helm#32506',
    rules: { values: { losesLastLine: false } },
  },
  'chart-size': {
    since: { 4: '4.3.0' },
    summary: 'the size of a single file of a chart is not limited',
    reference: 'helm/helm#31748',
    rules: { charts: { limitsFiles: false } },
  },
  'go-1.27': {
    since: { 4: '4.3.0' },
    summary:
      'built with Go 1.27: errors about JSON have other texts and name the path, and invalid UTF-8 becomes U+FFFD itself',
    reference: 'Go 1.27, encoding/json',
    rules: { codec: { json: 'v2' } },
  },
};

/** All changes, in an order in which they can be applied. */
export const helmChanges: readonly HelmChange[] = Object.entries(changes).map(([name, change]) => ({
  name,
  ...change,
}));
