// Parses suites of tests.
// Mirrors: helm-unittest 1.1.0, pkg/unittest, test_suite.go and test_job.go.

import { catchGoError } from '../core/catch.ts';
import { compareVersions, parseVersion } from '../go/semver.ts';
import { GoError, type GoMap, type GoValue, Int } from '../go/value.ts';
import { type Assertion, type DocumentSelector, readAssertion, readSelector } from './assertions/assertion.ts';
import { SuiteFields } from './fields.ts';
import { parseSuiteYaml, splitSuiteDocuments } from './yaml.ts';

/** The supported version of helm-unittest. */
const unittestVersion = '1.1.0';

export interface SuitePostRenderer {
  /** Empty for none. */
  readonly cmd: string;
  readonly args: readonly string[];
}

/** The objects of a fake cluster, and how `lookup` finds them. */
export interface FakeCluster {
  /** By API version and kind, such as `apps/v1/Deployment`. */
  readonly scheme: ReadonlyMap<
    string,
    { readonly resource: string; readonly group: string; readonly version: string; readonly namespaced: boolean }
  >;
  readonly objects: readonly GoMap[];
}

/** The rendering settings of a suite and of each of its tests. */
export interface SuiteSettings {
  readonly values: readonly string[];
  readonly set: GoMap;
  readonly release: {
    readonly name: string;
    readonly namespace: string;
    readonly revision: number;
    readonly isUpgrade: boolean;
  };
  readonly chart: { readonly version: string; readonly appVersion: string };
  readonly capabilities: {
    readonly majorVersion: string;
    readonly minorVersion: string;
    /** Undefined if a test overrides it with nothing. */
    readonly apiVersions: readonly string[] | undefined;
  };
  readonly cluster: FakeCluster;
  readonly postRenderer: SuitePostRenderer;
  /** Empty for a test that runs. */
  readonly skipReason: string;
}

/** A test of a suite. The suite provides defaults. */
export interface TestJob extends SuiteSettings {
  readonly name: string;
  readonly templates: readonly string[];
  readonly documentIndex: number | undefined;
  readonly documentSelector: DocumentSelector | undefined;
  readonly assertions: readonly Assertion[];
}

export interface TestSuite extends SuiteSettings {
  readonly name: string;
  /** The path of its file relative to the working directory. */
  readonly file: string;
  /** The tested chart, such as `parent/charts/child`. */
  readonly chartRoute: string;
  readonly templates: readonly string[];
  readonly excludeTemplates: readonly string[];
  readonly includeCrds: boolean;
  /** The suffix of its snapshot file; empty for none. */
  readonly snapshotId: string;
  readonly tests: readonly TestJob[];
}

export interface SuiteSource {
  readonly file: string;
  readonly chartRoute: string;
  /** Whether an unknown field is an error. */
  readonly strict: boolean;
  /** The paths of values files for all suites. */
  readonly valuesFiles: readonly string[];
}

/** Parses the suites of a file. Throws GoError. */
export function readSuites(text: string, source: SuiteSource): TestSuite[] {
  return splitSuiteDocuments(text).flatMap((part) => readSuite(part, source) ?? []);
}

// Undefined for an empty text.
function readSuite(text: string, source: SuiteSource): TestSuite | undefined {
  if (text.trim() === '') return undefined;
  const [value, isRepaired] = readForgiving(text);
  // Nothing but comments.
  if (value === null && !isRepaired) return undefined;
  const suite = suiteOf(value, isRepaired ? { ...source, valuesFiles: [] } : source);
  if (!isRepaired) checkSuite(suite);
  return suite;
}

// Double-quoted patterns have escapes that are invalid in YAML: they are parsed again with all backslashes doubled.
function readForgiving(text: string): readonly [GoValue, boolean] {
  try {
    return [parseSuiteYaml(text), false];
  } catch (error) {
    if (!(error instanceof GoError) || error.kind !== 'unknown-escape') throw error;
    return [parseSuiteYaml(text.replace(/\\+/g, (marks) => (marks.length % 2 === 1 ? `${marks}\\` : marks))), true];
  }
}

const settingNames = 'values set release chart capabilities kubernetesProvider postRenderer skip'.split(' ');
const suiteNames = ['suite', 'templates', 'excludeTemplates', 'includeCrds', 'tests', 'snapshotId', ...settingNames];
const testNames = [
  ...['it', 'template', 'templates', 'documentIndex', 'documentindices', 'documentSelector', 'asserts'],
  ...settingNames,
];

function suiteOf(value: GoValue, source: SuiteSource): TestSuite {
  const { file, chartRoute, strict } = source;
  const fields = new SuiteFields(value, 'the suite', strict ? suiteNames : undefined);
  const own = settingsOf(fields, true);
  const read = fields.list('tests').map((test) => {
    if (test === null) throw new GoError('no asserts found');
    return jobOf(test, strict);
  });
  const minimum = fields.part('skip', ['reason', 'minimumVersion']).text('minimumVersion');
  const skipReason =
    minimum === '' || reaches(minimum)
      ? own.skipReason
      : `Test suite requires minimum unittest plugin version ${minimum}, but current version is ${unittestVersion}`;
  const suite = { ...own, values: [...own.values, ...source.valuesFiles], skipReason };
  return {
    ...suite,
    name: fields.text('suite'),
    file,
    chartRoute,
    templates: fields.texts('templates'),
    excludeTemplates: fields.texts('excludeTemplates'),
    includeCrds: fields.flag('includeCrds'),
    snapshotId: fields.text('snapshotId'),
    tests: read.map((test) => withSuite(test, suite)),
  };
}

function reaches(minimum: string): boolean {
  return catchGoError(
    () => compareVersions(parseVersion(unittestVersion), parseVersion(minimum)) >= 0,
    () => false,
  );
}

function checkSuite(suite: TestSuite): void {
  if (suite.tests.length === 0) throw new GoError('no tests found');
  if (suite.tests.some(({ assertions }) => assertions.length === 0)) throw new GoError('no asserts found');
}

function jobOf(value: GoValue, strict: boolean): TestJob {
  const fields = new SuiteFields(value, 'a test', strict ? testNames : undefined);
  const assertions = fields.list('asserts').flatMap((assertion) => {
    if (assertion === null) return [];
    if (!(assertion instanceof Map)) throw new GoError('an assertion must be a mapping');
    return [readAssertion(assertion)];
  });
  const template = fields.text('template');
  const templates = fields.texts('templates');
  const selectorNames = ['path', 'value', 'matchMany', 'skipEmptyTemplates'];
  const selector = fields.part('documentSelector', selectorNames);
  return {
    ...settingsOf(fields, false),
    name: fields.text('it'),
    templates: templates.length > 0 || template === '' ? templates : [template],
    documentIndex: fields.whole('documentIndex'),
    documentSelector: fields.get('documentSelector') === null ? undefined : readSelector(selector),
    assertions,
  };
}

function settingsOf(fields: SuiteFields, isSuite: boolean): SuiteSettings {
  const release = fields.part('release', ['name', 'namespace', 'revision', 'upgrade']);
  const chart = fields.part('chart', ['version', 'appVersion']);
  const capabilities = fields.part('capabilities', ['majorVersion', 'minorVersion', 'apiVersions']);
  const post = fields.part('postRenderer', ['cmd', 'args']);
  const skip = fields.part('skip', isSuite ? ['reason', 'minimumVersion'] : ['reason']);
  const versionOf = (name: string): string => (isSuite ? capabilities.text(name) : versionText(capabilities.get(name)));
  return {
    values: fields.texts('values'),
    set: fields.map('set'),
    release: {
      name: release.text('name'),
      namespace: release.text('namespace'),
      revision: release.whole('revision') ?? 0,
      isUpgrade: release.flag('upgrade'),
    },
    chart: { version: chart.text('version'), appVersion: chart.text('appVersion') },
    capabilities: {
      majorVersion: versionOf('majorVersion'),
      minorVersion: versionOf('minorVersion'),
      apiVersions: isSuite ? capabilities.texts('apiVersions') : apiVersionsOf(capabilities),
    },
    cluster: clusterOf(fields),
    postRenderer: { cmd: post.text('cmd'), args: post.texts('args') },
    skipReason: skip.text('reason'),
  };
}

function versionText(value: GoValue): string {
  if (typeof value === 'string') return value;
  return value instanceof Int ? String(value.value) : '';
}

// A test with an empty list means none, even if the suite has some.
function apiVersionsOf(capabilities: SuiteFields): readonly string[] | undefined {
  if (!capabilities.has('apiVersions')) return [];
  const value = capabilities.get('apiVersions');
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

function clusterOf(fields: SuiteFields): FakeCluster {
  const own = fields.part('kubernetesProvider', ['scheme', 'objects']);
  const kinds = own.parts('scheme', ['should_err', 'gvr', 'namespaced']);
  const scheme = kinds.map(([name, kind]) => {
    const gvr = kind.part('gvr', ['group', 'version', 'resource']);
    const [group, version, resource] = [gvr.text('group'), gvr.text('version'), gvr.text('resource')];
    return [name, { group, version, resource, namespaced: kind.flag('namespaced') }] as const;
  });
  const objects = own.list('objects').filter((object) => object instanceof Map);
  return { scheme: new Map(scheme), objects };
}

function withSuite(test: TestJob, suite: SuiteSettings): TestJob {
  const { release, chart, capabilities, cluster } = test;
  return {
    ...test,
    values: [...suite.values, ...test.values],
    release: {
      name: release.name || suite.release.name,
      namespace: release.namespace || suite.release.namespace,
      revision: release.revision || suite.release.revision,
      isUpgrade: release.isUpgrade || suite.release.isUpgrade,
    },
    chart: {
      version: chart.version || suite.chart.version,
      appVersion: chart.appVersion || suite.chart.appVersion,
    },
    capabilities: {
      majorVersion: capabilities.majorVersion || suite.capabilities.majorVersion,
      minorVersion: capabilities.minorVersion || suite.capabilities.minorVersion,
      apiVersions: capabilities.apiVersions && [...capabilities.apiVersions, ...(suite.capabilities.apiVersions ?? [])],
    },
    cluster: {
      scheme: new Map([...cluster.scheme, ...suite.cluster.scheme]),
      objects: [...cluster.objects, ...suite.cluster.objects],
    },
    postRenderer: test.postRenderer.cmd === '' ? suite.postRenderer : test.postRenderer,
    skipReason: suite.skipReason || test.skipReason,
  };
}
