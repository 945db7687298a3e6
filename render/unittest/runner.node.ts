// Runs the suites of helm-unittest as they are, and prints what helm-unittest prints.
// Mirrors: helm-unittest 1.1.0, cmd/helm-unittest and pkg/unittest, test_runner.go.

import { existsSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Chart } from '../chart/chart.ts';
import { loadChartPath } from '../chart/directory.node.ts';
import { realHost } from '../core/host.ts';
import { makeFolder } from '../core/make-folder.node.ts';
import { readTextFile, systemReason } from '../go/os.node.ts';
import { base, join } from '../go/path.ts';
import { encodeUtf8 } from '../go/utf8.ts';
import { GoError } from '../go/value.ts';
import type { RunIo } from '../inputs/settings.ts';
import { findProgram, PostRenderError, postRender } from '../output/post-renderer.node.ts';
import { schemasFor } from '../vendor/lock/registry.node.ts';
import { suiteFailure } from './render.ts';
import { formatSuiteReport, type ReportForm } from './reports/reports.ts';
import {
  addSuite,
  colors,
  noTotals,
  type Paint,
  plainPaint,
  printChart,
  printChartError,
  printSuite,
  printTotals,
  type SuiteResult,
  suiteError,
  type Totals,
} from './results.ts';
import { firstKube, runSuite, type SuiteRun } from './run.ts';
import { SnapshotCache } from './snapshot.ts';
import type { PostRenderer, TestSuite } from './suite.ts';
import { findSuites, snapshotFolder } from './suites.node.ts';

export interface UnittestOptions {
  /** Patterns of suite files, from the chart on. Empty: `tests/*_test.yaml`. */
  readonly patterns: readonly string[];
  readonly values: readonly string[];
  /** The folder of a chart that renders suites, from the chart on; empty for none. */
  readonly testsChart: string;
  readonly isStrict: boolean;
  readonly withSubcharts: boolean;
  readonly failFast: boolean;
  /** Whether snapshots are recorded instead of compared. */
  readonly isUpdate: boolean;
  /** Whether renderings are written into the folder `.debug`. */
  readonly writesRenderings: boolean;
  readonly isColored: boolean;
  /** Reports whether the schema of the chart at a path is not used. */
  readonly skipsSchema: (path: string) => boolean;
  /** A report to write. Default none. */
  readonly report?: { readonly form: ReportForm; readonly file: string } | undefined;
}

type UnittestIo = RunIo & { readonly stdout: (text: string) => void };

/** Runs the suites of charts, and prints the results to standard output. Returns whether all pass. */
export async function testCharts(paths: readonly string[], options: UnittestOptions, io: UnittestIo): Promise<boolean> {
  const runner = runnerOf(options, io);
  const start = runner.run.clock();
  let passed = true;
  for (const path of paths) {
    const chartPassed = await testChart(path, runner);
    passed &&= chartPassed ?? false;
    if (chartPassed === undefined && runner.run.failFast) break;
  }
  if (options.report !== undefined) passed = writeReport(options.report, runner) && passed;
  io.stdout(printTotals(runner.totals, runner.run.clock() - start, runner.paint));
  return passed;
}

interface Runner {
  readonly options: UnittestOptions;
  readonly io: UnittestIo;
  readonly paint: Paint;
  readonly run: SuiteRun;
  readonly totals: Totals;
  /** The results for a report. */
  readonly results: SuiteResult[];
}

function runnerOf(options: UnittestOptions, io: UnittestIo): Runner {
  const { cwd } = io;
  const onRendered = (files: ReadonlyMap<string, string>): void => {
    for (const [file, text] of files) writeText(join('.debug', file), text, cwd);
  };
  const run: SuiteRun = {
    host: realHost(io.env.TZ),
    read: (path) => readTextFile(path, cwd),
    postRender: (renderer, text) => runPostRenderer(renderer, text, io),
    onRendered: options.writesRenderings ? onRendered : undefined,
    clock: () => process.hrtime.bigint(),
    failFast: options.failFast,
    skipSchemaValidation: false,
    kube: firstKube(),
  };
  return { options, io, paint: options.isColored ? colors : plainPaint, run, totals: noTotals(), results: [] };
}

// Returns undefined for a chart that could not be tested at all.
async function testChart(path: string, all: Runner): Promise<boolean | undefined> {
  const { io, paint, totals } = all;
  const skipSchemaValidation = all.options.skipsSchema(path);
  const { source: schemas } = schemasFor([resolve(io.cwd, path), io.cwd]);
  const runner = { ...all, run: { ...all.run, skipSchemaValidation, schemas } };
  let chart: Chart;
  let suites: readonly TestSuite[];
  try {
    chart = await loadChart(path, io);
    suites = await suitesOf(path, chart, runner);
  } catch (error) {
    io.stdout(printChartError(suiteFailure(error), paint));
    totals.charts.failed++;
    totals.charts.errored++;
    return undefined;
  }
  io.stdout(printChart(chart.metadata.name, path, paint));
  const passed = runSuites(suites, chart, runner);
  if (passed) totals.charts.passed++;
  else totals.charts.failed++;
  return passed;
}

async function loadChart(path: string, io: UnittestIo): Promise<Chart> {
  if (!existsSync(resolve(io.cwd, path))) throw new GoError(`stat ${path}: no such file or directory`);
  return loadChartPath(resolve(io.cwd, path));
}

function suitesOf(path: string, chart: Chart, runner: Runner): Promise<readonly TestSuite[]> {
  const { options, io } = runner;
  const { patterns, values, testsChart, isStrict, withSubcharts } = options;
  return findSuites(path, chart, {
    cwd: io.cwd,
    patterns: patterns.length > 0 ? patterns : ['tests/*_test.yaml'],
    values,
    testsChart,
    strict: isStrict,
    withSubcharts,
    onBroken: (file, message) => reportSuite(suiteError(file, message), runner),
    onWarning: (line) => io.stderr(`Warning: ${line}\n`),
  });
}

function runSuites(suites: readonly TestSuite[], chart: Chart, runner: Runner): boolean {
  let passed = true;
  for (const suite of suites) {
    const file = snapshotFile(suite);
    let cache: SnapshotCache;
    try {
      cache = readSnapshots(file, runner);
    } catch (error) {
      reportSuite(suiteError(suite.file, suiteFailure(error)), runner);
      passed = false;
      continue;
    }
    const result = runSuite(suite, [chart, cache], runner.run);
    passed &&= result.passed;
    reportSuite(result, runner);
    runner.results.push(result);
    const text = cache.toWrite();
    const fault = text === undefined ? undefined : writeText(file, text, runner.io.cwd);
    if (fault !== undefined) {
      reportSuite(suiteError(file, fault), runner);
      passed = false;
    }
    if (!passed && result.failedFast) break;
  }
  return passed;
}

function reportSuite(result: SuiteResult, { io, paint, totals }: Runner): void {
  io.stdout(printSuite(result, paint));
  addSuite(totals, result);
}

function snapshotFile({ file, snapshotId }: TestSuite): string {
  return join(snapshotFolder(file), `${base(file)}${snapshotId === '' ? '' : `_${snapshotId}`}.snap`);
}

function readSnapshots(file: string, { options, io }: Runner): SnapshotCache {
  const text = existsSync(resolve(io.cwd, file)) ? readTextFile(file, io.cwd) : undefined;
  return new SnapshotCache(text, options.isUpdate);
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

function runPostRenderer({ cmd, args }: PostRenderer, text: string, io: UnittestIo): string {
  try {
    return postRender(findProgram(cmd, io), args, text, io);
  } catch (error) {
    if (error instanceof PostRenderError) throw new GoError(`post-render failed: ${error.reason}`);
    throw error;
  }
}

function writeReport({ form, file }: NonNullable<UnittestOptions['report']>, { io, paint, results }: Runner): boolean {
  const fault = writeText(file, formatSuiteReport(form, results, worldOf(io)), io.cwd);
  if (fault === undefined) return true;
  io.stdout(printChartError(fault, paint));
  return false;
}

function worldOf({ cwd, env }: UnittestIo): Parameters<typeof formatSuiteReport>[2] {
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return {
    hostname: hostname(),
    user: userName(env),
    cwd,
    platform: `node${process.versions.node}.${process.platform}-${process.arch}`,
    language: /^[a-z]{2}[_-][A-Z]{2}/.exec(env.LC_ALL || env.LANG || '')?.[0].replace('_', '-') ?? 'en-US',
    now: local.toISOString().slice(0, 19),
  };
}

// A container may run as a user that nobody has named.
function userName(env: RunIo['env']): string {
  try {
    return userInfo().username;
  } catch {
    return env.USER ?? '';
  }
}
