// `drydock unittest`: runs the suites of helm-unittest as they are.
// Mirrors: helm-unittest 1.1.0, cmd/helm-unittest and pkg/unittest, test_runner.go.

import { existsSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Chart } from '../../chart/chart.ts';
import { loadChartPath, systemReason } from '../../chart/directory.node.ts';
import { realHost } from '../../core/host.ts';
import { makeFolder } from '../../core/make-folder.node.ts';
import { plainStyle } from '../../core/style.ts';
import { base, join } from '../../go/path.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import { GoError } from '../../go/value.ts';
import { settingsForChart } from '../../inputs/chart-settings.node.ts';
import { readTextFile } from '../../inputs/files.node.ts';
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
  type Totals,
} from '../../unittest/print.ts';
import { failureText } from '../../unittest/render.ts';
import { formatSuiteReport, isReportForm, type ReportForm } from '../../unittest/reports/reports.ts';
import { type SuiteResult, suiteError } from '../../unittest/results.ts';
import { firstKube, runSuite, type SuiteRun } from '../../unittest/run.ts';
import { SnapshotCache } from '../../unittest/snapshot.ts';
import type { PostRenderer, TestSuite } from '../../unittest/suite.ts';
import { schemasFor } from '../../vendor/lock/schemas.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../io.ts';
import { findProgram, PostRenderError, postRender } from '../rendering/post-renderer.node.ts';
import { settingsOf } from '../settings.ts';
import { snapshotFolder } from './glob.node.ts';
import { findSuites } from './suites.node.ts';

/** Runs the suites of charts. Returns 0 where all pass, 1 where something fails. Throws UsageError. */
export async function unittestCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  if (flags.args.length === 0) throw new UsageError('requires at least 1 arg(s), only received 0: name a chart');
  const form = formOf(flags);
  const runner = runnerOf(flags, io);
  const start = runner.run.clock();
  let passed = true;
  for (const path of flags.args) {
    const chartPassed = await testChart(path, runner);
    passed &&= chartPassed ?? false;
    if (chartPassed === undefined && runner.run.failFast) break;
  }
  if (form !== undefined) passed = writeReport(form, runner) && passed;
  io.stdout(printTotals(runner.totals, runner.run.clock() - start, runner.paint));
  return passed ? 0 : 1;
}

interface Runner {
  readonly flags: ParsedFlags;
  readonly io: CommandContext;
  readonly paint: Paint;
  readonly run: SuiteRun;
  readonly totals: Totals;
  /** The results for a report. */
  readonly results: SuiteResult[];
}

function formOf(flags: ParsedFlags): ReportForm | undefined {
  const form = (flags.text('output-type') ?? 'XUnit').toLowerCase();
  if (isReportForm(form)) return flags.text('output-file') ? form : undefined;
  throw new UsageError(`--output-type takes JUnit, NUnit, XUnit, Sonar, not "${flags.text('output-type')}"`);
}

function runnerOf(flags: ParsedFlags, io: CommandContext): Runner {
  const { cwd } = io;
  const isColored = flags.has('color') ? flags.on('color') : io.out !== plainStyle;
  const onRendered = (files: ReadonlyMap<string, string>): void => {
    for (const [file, text] of files) writeText(join('.debug', file), text, cwd);
  };
  const run: SuiteRun = {
    host: realHost(io.env.TZ),
    read: (path) => readTextFile(path, cwd),
    postRender: (renderer, text) => runPostRenderer(renderer, text, io),
    onRendered: flags.on('debugPlugin') ? onRendered : undefined,
    clock: () => process.hrtime.bigint(),
    failFast: flags.on('failfast'),
    skipSchemaValidation: flags.on('skip-schema-validation'),
    kube: firstKube(),
  };
  return { flags, io, paint: isColored ? colors : plainPaint, run, totals: noTotals(), results: [] };
}

// Gives undefined for a chart that could not be tested at all.
async function testChart(path: string, all: Runner): Promise<boolean | undefined> {
  const { io, paint, totals } = all;
  const skipSchemaValidation = settingsForChart(settingsOf(all.flags), path, io.cwd).skipSchemaValidation;
  const { source: schemas } = schemasFor([resolve(io.cwd, path), io.cwd]);
  const runner = { ...all, run: { ...all.run, skipSchemaValidation, schemas } };
  let chart: Chart;
  let suites: readonly TestSuite[];
  try {
    chart = await loadChart(path, io);
    suites = await suitesOf(path, chart, runner);
  } catch (error) {
    io.stdout(printChartError(failureText(error), paint));
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

async function loadChart(path: string, io: CommandContext): Promise<Chart> {
  if (!existsSync(resolve(io.cwd, path))) throw new GoError(`stat ${path}: no such file or directory`);
  return loadChartPath(resolve(io.cwd, path));
}

function suitesOf(path: string, chart: Chart, runner: Runner): Promise<readonly TestSuite[]> {
  const { flags, io } = runner;
  const patterns = flags.list('file');
  return findSuites(path, chart, {
    cwd: io.cwd,
    patterns: patterns.length > 0 ? patterns : ['tests/*_test.yaml'],
    values: flags.list('values'),
    testsChart: flags.text('chart-tests-path') ?? '',
    strict: flags.on('strict'),
    withSubcharts: !flags.has('with-subchart') || flags.on('with-subchart'),
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
      reportSuite(suiteError(suite.file, failureText(error)), runner);
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

function readSnapshots(file: string, { flags, io }: Runner): SnapshotCache {
  const text = existsSync(resolve(io.cwd, file)) ? readTextFile(file, io.cwd) : undefined;
  return new SnapshotCache(text, flags.on('update-snapshot'));
}

// Gives what went wrong.
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

function runPostRenderer({ cmd, args }: PostRenderer, text: string, io: CommandContext): string {
  try {
    return postRender(findProgram(cmd, io), args, text, io);
  } catch (error) {
    if (error instanceof PostRenderError) throw new GoError(`post-render failed: ${error.reason}`);
    throw error;
  }
}

function writeReport(form: ReportForm, { flags, io, paint, results }: Runner): boolean {
  const file = flags.text('output-file') ?? '';
  const fault = writeText(file, formatSuiteReport(form, results, worldOf(io)), io.cwd);
  if (fault === undefined) return true;
  io.stdout(printChartError(fault, paint));
  return false;
}

function worldOf({ cwd, env }: CommandContext): Parameters<typeof formatSuiteReport>[2] {
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
function userName(env: CommandContext['env']): string {
  try {
    return userInfo().username;
  } catch {
    return env.USER ?? '';
  }
}
