// Runs a suite: renders for each test, parses the documents, evaluates the assertions.
// Mirrors: helm-unittest 1.1.0, pkg/unittest, test_suite.go and test_job.go.

import type { Chart } from '../chart/chart.ts';
import type { Host } from '../core/host.ts';
import { listCrds } from '../engine/release.ts';
import { ext, join } from '../go/path.ts';
import { GoError } from '../go/value.ts';
import type { SchemaSource } from '../values/schema/refs.ts';
import {
  type AssertionResult,
  decideAssertion,
  type RenderedTest,
  type SelectedValues,
} from './assertions/assertion.ts';
import { helmOfUnittest, postRenderSuite, type RenderedFiles, renderTest, templatePath } from './render.ts';
import type { SuiteResult, TestResult } from './results.ts';
import type { SnapshotCache } from './snapshot.ts';
import type { SuitePostRenderer, TestJob, TestSuite } from './suite.ts';
import { valuesOfTest } from './values.ts';
import { readManifests, type TestManifest } from './yaml.ts';

export interface SuiteRun {
  readonly host: Host;
  /** Returns the text of a file by its path relative to the working directory. Throws GoError. */
  readonly read: (path: string) => string;
  /** Returns the output of a program for a text. Throws GoError. */
  readonly postRender: (renderer: SuitePostRenderer, text: string) => string;
  /** Returns a monotonic time in nanoseconds. */
  readonly clock: () => bigint;
  /** Whether a suite ends at its first failure. */
  readonly failFast: boolean;
  readonly skipSchemaValidation: boolean;
  /** The schemas that a values.schema.json can refer to by URL. Default none. */
  readonly schemas?: SchemaSource | undefined;
  /** The Kubernetes version of a test without one; tests change it for those that follow. */
  readonly kube: { major: string; minor: string };
}

/** Returns the Kubernetes version of the first test of a run. */
export function firstKube(): SuiteRun['kube'] {
  const { major, minor } = helmOfUnittest.kubeVersion;
  return { major, minor };
}

/** Runs a suite on its chart, or on a parent of that chart. */
export function runSuite(
  suite: TestSuite,
  [chart, cache]: readonly [Chart, SnapshotCache],
  run: SuiteRun,
): SuiteResult {
  const tests: TestResult[] = [];
  let [passed, failedFast, skipped] = [true, false, 0];
  for (const [index, job] of suite.tests.entries()) {
    let result: TestResult;
    if (job.skipReason === '') {
      result = runTest({ suite, job, chart, cache, run, index });
      passed &&= result.passed;
    } else {
      skipped++;
      result = { name: job.name, index, passed: false, skipped: true, error: undefined, assertions: [], duration: 0n };
    }
    tests.push(result);
    if (!passed && run.failFast) {
      failedFast = true;
      break;
    }
  }
  return {
    name: suite.name,
    file: suite.file,
    passed: passed && suite.tests.length > 0,
    skipped: skipped === suite.tests.length,
    failedFast,
    error: undefined,
    tests,
    snapshots: cache.counts,
  };
}

interface Running {
  readonly suite: TestSuite;
  readonly job: TestJob;
  readonly chart: Chart;
  readonly cache: SnapshotCache;
  readonly run: SuiteRun;
  readonly index: number;
}

function runTest(running: Running): TestResult {
  const { job, run, index } = running;
  const start = run.clock();
  const result = (decided: Pick<TestResult, 'passed' | 'error' | 'assertions'>): TestResult => {
    const { assertions } = decided;
    const skipped = assertions.length > 0 && assertions.every(({ skipReason }) => skipReason !== undefined);
    return { name: job.name, index, skipped, duration: run.clock() - start, ...decided };
  };
  try {
    return result(decide(running));
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    return result({ passed: false, error: error.message, assertions: [] });
  }
}

function decide({ suite, job, chart, cache, run }: Running): Pick<TestResult, 'passed' | 'error' | 'assertions'> {
  const values = valuesOfTest(job, suite, [run.read, helmOfUnittest]);
  const rendered = renderTest(suite, job, { ...run, chart, values });
  const didPostRender = job.postRenderer.cmd !== '';
  const files = didPostRender ? postRenderSuite(rendered.files, job.postRenderer, run.postRender) : rendered.files;
  const manifests = readFiles(files, rendered, suite);
  let counter = 0;
  const context: RenderedTest = {
    manifests,
    succeeded: rendered.succeeded,
    didPostRender,
    skipsEmpty: job.documentSelector?.skipEmptyTemplates ?? false,
    renderError: rendered.error,
    failFast: run.failFast,
    compare: (content, patterns) => cache.compare(job.name, ++counter, content, patterns),
  };
  const assertions: AssertionResult[] = [];
  for (const [i, assertion] of job.assertions.entries()) {
    const selection: SelectedValues = {
      templates: templatesOf(assertion.template, { suite, job, rendered }),
      documentIndex: job.documentIndex ?? assertion.documentIndex,
      documentSelector: assertion.documentSelector ?? job.documentSelector,
    };
    const decided = decideAssertion(assertion, i, selection, context);
    assertions.push(decided);
    if (!decided.passed && run.failFast) break;
  }
  const passed = assertions.length > 0 && assertions.every((assertion) => assertion.passed);
  return { passed, error: rendered.error, assertions };
}

function readFiles(
  files: ReadonlyMap<string, string>,
  rendered: RenderedFiles,
  suite: TestSuite,
): ReadonlyMap<string, readonly TestManifest[]> {
  const manifests = new Map<string, readonly TestManifest[]>();
  const { name } = rendered.chart.metadata;
  if (suite.includeCrds) {
    for (const { path, content } of listCrds(rendered.chart, name)) manifests.set(path, readManifests(content));
  }
  for (const [path, text] of files) {
    const file = path.startsWith(name) ? path : join(name, path);
    const kind = rendered.succeeded ? ext(file) : '.yaml';
    if (kind === '.txt') manifests.set(file, [new Map([['raw', text]])]);
    else if (['.yaml', '.yml', '.tpl'].includes(kind)) manifests.set(file, readManifests(text));
  }
  return manifests;
}

// The templates of the assertion, else of the test, else of the suite; a pattern of the suite selects everything that was rendered.
function templatesOf(
  own: string,
  { suite, job, rendered }: { readonly suite: TestSuite; readonly job: TestJob; readonly rendered: RenderedFiles },
): readonly string[] {
  let names = job.templates;
  if (own !== '') names = [own];
  else if (names.length === 0) {
    names = rendered.templates;
    if (names.some((name) => name.includes('*'))) {
      const crds = suite.includeCrds ? listCrds(rendered.chart, rendered.chart.metadata.name) : [];
      return [...rendered.files.keys(), ...crds.map(({ path }) => path)];
    }
  }
  return names.map((name) => join(suite.chartRoute, templatePath(name)));
}
