// Runs the suites of helm-unittest as they are, and prints what helm-unittest prints.
// Mirrors: helm-unittest 1.1.0, cmd/helm-unittest and pkg/unittest, test_runner.go.

import { existsSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Chart } from '../chart/chart.ts';
import { loadChartPath } from '../chart/directory.node.ts';
import {
  callback,
  checkArguments,
  filled,
  flag,
  listOf,
  membersOf,
  oneOf,
  optionsOf,
  text,
} from '../core/arguments.ts';
import { realHost } from '../core/host.ts';
import { makeFolder } from '../core/make-folder.node.ts';
import { withFewPrimes } from '../engine/randomness.ts';
import { readTextFile, systemReason } from '../go/os.node.ts';
import { base, dir, join } from '../go/path.ts';
import { encodeUtf8 } from '../go/utf8.ts';
import { GoError } from '../go/value.ts';
import { settingsForChart } from '../inputs/chart-settings.node.ts';
import { type RunOptions, runChecks, runContext } from '../inputs/run-options.node.ts';
import type { RenderSettings, RunIo } from '../inputs/settings.ts';
import { findProgram, PostRenderError, postRender } from '../output/post-renderer.node.ts';
import { schemasFor } from '../vendor/lock/registry.node.ts';
import { suiteFailure } from './render.ts';
import { formatSuiteReport, type ReportForm, reportForms } from './reports/reports.ts';
import {
  createPaint,
  type Paint,
  printChart,
  printChartError,
  printSuite,
  printTotals,
  type SuiteResult,
  suiteError,
} from './results.ts';
import { firstKube, runSuite, type SuiteRun } from './run.ts';
import { SnapshotCache } from './snapshot.ts';
import type { SuitePostRenderer, TestSuite } from './suite.ts';
import { findSuites } from './suites.node.ts';

/** Options of `testCharts`, in addition to the surroundings of the run. */
export interface UnittestOptions extends RunOptions {
  /** Patterns of suite files, from the chart on. Default `tests/*_test.yaml`. */
  readonly patterns?: readonly string[] | undefined;
  /** Whether unknown members of a suite are errors. Default false. */
  readonly strict?: boolean | undefined;
  /** Whether the suites of subcharts run. Default true. */
  readonly subcharts?: boolean | undefined;
  /** Whether a failed test ends its suite. Default false. */
  readonly failFast?: boolean | undefined;
  /** Whether snapshots are recorded instead of compared. Default false. */
  readonly update?: boolean | undefined;
  /** Whether the output has colors. Default false. */
  readonly color?: boolean | undefined;
  /** A report to write. Default none. */
  readonly report?: UnittestReport | undefined;
  /** Called with each part of the output. Default: it is discarded. */
  readonly stdout?: ((text: string) => void) | undefined;
}

/** A report of a run. */
export interface UnittestReport {
  readonly form: ReportForm;
  /** The path of the file. */
  readonly file: string;
}

const unittestOptions = optionsOf<UnittestOptions>({
  ...runChecks,
  patterns: listOf(text),
  strict: flag,
  subcharts: flag,
  failFast: flag,
  update: flag,
  color: flag,
  report: membersOf<UnittestReport>({ form: oneOf(reportForms), file: filled }, ['form', 'file']),
  stdout: callback,
});

type UnittestIo = RunIo & { readonly stdout: (text: string) => void };

/**
 * Runs the suites of helm-unittest in charts, and prints the results as helm-unittest does. Values files of the settings are given to all
 * suites. Returns whether all pass. Rejects with ARGUMENT_INVALID.
 * @example
 * const passed = await testCharts(['charts/web'], { stdout: (text) => process.stdout.write(text) });
 */
export async function testCharts(paths: readonly string[], options: UnittestOptions = {}): Promise<boolean> {
  checkArguments('testCharts', ['paths', paths, listOf(text)], ['options', options, unittestOptions]);
  const { settings, io } = runContext(options);
  const { stdout = (): void => {} } = options;
  const runner = runnerOf(options, settings, { ...io, stdout });
  const start = runner.run.clock();
  let passed = true;
  for (const path of paths) {
    const chartPassed = await testChart(path, runner);
    passed &&= chartPassed ?? false;
    if (chartPassed === undefined && runner.run.failFast) break;
  }
  if (options.report !== undefined) passed = writeReport(options.report, runner) && passed;
  stdout(printTotals(runner.charts, runner.reported, [runner.run.clock() - start, runner.paint]));
  return passed;
}

interface Runner {
  readonly options: UnittestOptions;
  readonly settings: RenderSettings;
  readonly io: UnittestIo;
  readonly paint: Paint;
  readonly run: SuiteRun;
  /** How many charts passed, failed, and could not be tested. */
  readonly charts: { passed: number; failed: number; errored: number };
  /** All suites, including those that could not be run. */
  readonly reported: SuiteResult[];
  /** The results for a report. */
  readonly results: SuiteResult[];
}

function runnerOf(options: UnittestOptions, settings: RenderSettings, io: UnittestIo): Runner {
  const { cwd } = io;
  const run: SuiteRun = {
    host: withFewPrimes(realHost(io.env.TZ)),
    read: (path) => readTextFile(path, cwd),
    postRender: (renderer, text) => runPostRenderer(renderer, text, io),
    clock: () => process.hrtime.bigint(),
    failFast: options.failFast ?? false,
    skipSchemaValidation: false,
    kube: firstKube(),
  };
  const paint = createPaint(options.color === true);
  return { options, settings, io, paint, run, charts: { passed: 0, failed: 0, errored: 0 }, reported: [], results: [] };
}

// Returns undefined for a chart that could not be tested at all.
async function testChart(path: string, all: Runner): Promise<boolean | undefined> {
  const { io, paint, settings, charts } = all;
  const { skipSchemaValidation } = settingsForChart(settings, path, io.cwd);
  const { source: schemas } = schemasFor([resolve(io.cwd, path), io.cwd]);
  const runner = { ...all, run: { ...all.run, skipSchemaValidation, schemas } };
  let chart: Chart;
  let suites: readonly TestSuite[];
  try {
    chart = await loadChart(path, io);
    suites = await suitesOf(path, chart, runner);
  } catch (error) {
    io.stdout(printChartError(suiteFailure(error), paint));
    charts.failed++;
    charts.errored++;
    return undefined;
  }
  io.stdout(printChart(chart.metadata.name, path, paint));
  const passed = runSuites(suites, chart, runner);
  if (passed) charts.passed++;
  else charts.failed++;
  return passed;
}

async function loadChart(path: string, io: UnittestIo): Promise<Chart> {
  if (!existsSync(resolve(io.cwd, path))) throw new GoError(`stat ${path}: no such file or directory`);
  return loadChartPath(resolve(io.cwd, path));
}

function suitesOf(path: string, chart: Chart, runner: Runner): Promise<readonly TestSuite[]> {
  const { options, settings, io } = runner;
  const { patterns = [], strict = false, subcharts = true } = options;
  return findSuites(path, chart, {
    cwd: io.cwd,
    patterns: patterns.length > 0 ? patterns : ['tests/*_test.yaml'],
    values: settings.values,
    strict,
    withSubcharts: subcharts,
    onBroken: (file, message) => reportSuite(suiteError(file, message), runner),
    onWarning: (line) => io.stderr(`Warning: ${line}\n`),
  });
}

function runSuites(suites: readonly TestSuite[], chart: Chart, runner: Runner): boolean {
  const { io, options, run, results } = runner;
  let passed = true;
  for (const suite of suites) {
    const suffix = suite.snapshotId === '' ? '' : `_${suite.snapshotId}`;
    const file = join(dir(suite.file), '__snapshot__', `${base(suite.file)}${suffix}.snap`);
    let cache: SnapshotCache;
    try {
      const recorded = existsSync(resolve(io.cwd, file)) ? readTextFile(file, io.cwd) : undefined;
      cache = new SnapshotCache(recorded, options.update ?? false);
    } catch (error) {
      reportSuite(suiteError(suite.file, suiteFailure(error)), runner);
      passed = false;
      continue;
    }
    const result = runSuite(suite, [chart, cache], run);
    passed &&= result.passed;
    reportSuite(result, runner);
    results.push(result);
    const text = cache.toWrite();
    const fault = text === undefined ? undefined : writeText(file, text, io.cwd);
    if (fault !== undefined) {
      reportSuite(suiteError(file, fault), runner);
      passed = false;
    }
    if (!passed && result.failedFast) break;
  }
  return passed;
}

function reportSuite(result: SuiteResult, { io, paint, reported }: Runner): void {
  io.stdout(printSuite(result, paint));
  reported.push(result);
}

// Returns why it could not be written.
function writeText(path: string, text: string, cwd: string): string | undefined {
  const absolute = resolve(cwd, path);
  try {
    makeFolder(dirname(absolute));
    writeFileSync(absolute, encodeUtf8(text));
    return undefined;
  } catch (error) {
    return `open ${path}: ${systemReason(error)}`;
  }
}

function runPostRenderer({ cmd, args }: SuitePostRenderer, text: string, io: UnittestIo): string {
  try {
    return postRender(findProgram(cmd, io), args, text, io);
  } catch (error) {
    if (error instanceof PostRenderError) throw new GoError(`post-render failed: ${error.reason}`);
    throw error;
  }
}

function writeReport({ form, file }: UnittestReport, { io, paint, results }: Runner): boolean {
  const fault = writeText(file, formatSuiteReport(form, results, worldOf(io)), io.cwd);
  if (fault === undefined) return true;
  io.stdout(printChartError(fault, paint));
  return false;
}

function worldOf({ cwd, env }: UnittestIo): Parameters<typeof formatSuiteReport>[2] {
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  const platform = `node${process.versions.node}.${process.platform}-${process.arch}`;
  return { hostname: hostname(), user: env.USER ?? '', cwd, platform, now: local.toISOString().slice(0, 19) };
}
