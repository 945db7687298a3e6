// `drydock vendor`: brings the charts that Orders name, and the dependencies of charts. The one command that opens connections
// to the outside.

import { relative, resolve } from 'node:path';
import { expandPatterns } from '../../core/paths.node.ts';
import { parseDuration } from '../../go/time/duration.ts';
import type { BroughtDependency } from '../../vendor/fetch/dependencies.node.ts';
import { VendorError } from '../../vendor/fetch/errors.ts';
import { helmHome } from '../../vendor/fetch/helm-home.node.ts';
import {
  checkVendored,
  readVendorInputs,
  type VendorInputs,
  type VendorRead,
  vendorInputs,
} from '../../vendor/fetch/inputs.node.ts';
import type { VendorEvent, VendorOptions } from '../../vendor/fetch/options.ts';
import type { SchemaReport } from '../../vendor/fetch/schemas.node.ts';
import type { VendorReport } from '../../vendor/fetch/vendor.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { printFailure, printIssues } from '../output.ts';
import type { CommandContext } from '../program.ts';

/** Brings charts. Returns 0, or 1 where an Order is at fault, a chart cannot be had, or something does not agree. Throws UsageError. */
export async function vendorCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const wanted = readOptions(flags, io);
  const paths = await expandPatterns(flags.args, io.cwd);
  if (paths.length === 0 || paths.includes(''))
    throw new UsageError('"drydock vendor" takes files of Orders, or - for standard input, and folders of charts');
  let isFine = true;
  const onRead = ({ file, text, warnings, error }: VendorRead): void => {
    if (error !== undefined) isFine = printFailure(error, text, io, file) === 0;
    else if (text !== undefined && !io.quiet) printIssues(warnings, text, io);
  };
  const inputs = await readVendorInputs(paths, { cwd: io.cwd, stdin: io.stdin, onRead });
  const { folders } = inputs;
  if (folders.length > 0) checkForCharts(folders, flags);
  if (!isFine) return 1;
  const progress = progressOf(io);
  const options: VendorOptions = {
    ...wanted,
    onEvent: progress.show,
    onRetry: (line) => {
      progress.clear();
      if (!io.quiet) io.stderr(`${io.err.yellow('again:')} ${line}\n`);
    },
  };
  try {
    if (flags.on('check')) return await check(inputs, wanted, io, flags.on('json'));
    const { report, dependencies, schemas } = await vendorInputs(inputs, options);
    progress.clear();
    if (flags.on('json')) {
      const brought = folders.length === 0 ? {} : { dependencies };
      const own = schemas.schemas.length === 0 ? {} : { schemas: schemas.schemas };
      io.stdout(`${JSON.stringify({ ...report, ...brought, ...own }, null, 2)}\n`);
    } else if (!io.quiet) {
      for (const { chart, brought } of dependencies) printBrought(chart, brought, io);
      if (report !== undefined) printReport(report, options, io);
      printSchemas(schemas, io);
    }
    return 0;
  } catch (error) {
    progress.clear();
    if (!(error instanceof VendorError)) return printFailure(error, undefined, io);
    for (const { message, hint } of error.failures.length === 0 ? [error] : error.failures) {
      io.stderr(`Error: ${message}\n${hint === undefined ? '' : `${hint}\n`}`);
    }
    if (error.code === 'LOCK_FROZEN' && error.hint !== undefined) io.stderr(`${error.hint}\n`);
    return 1;
  }
}

function readOptions(flags: ParsedFlags, io: CommandContext): VendorOptions {
  const update = flags.list('update');
  const isFrozen = flags.has('frozen') ? flags.on('frozen') : (io.env.CI ?? '') !== '' && io.env.CI !== 'false';
  const isUpdate = update.length > 0;
  if (isUpdate && flags.isGiven('frozen') && isFrozen)
    throw new UsageError('--update changes the lock file and cannot be used with --frozen');
  if (flags.on('check') && (isUpdate || flags.on('dry-run')))
    throw new UsageError('--check changes nothing and cannot be used with --update or --dry-run');
  if ((flags.text('cert-file') === undefined) !== (flags.text('key-file') === undefined)) {
    throw new UsageError('--cert-file and --key-file go together');
  }
  if (flags.text('keyring') !== undefined && !flags.on('verify')) throw new UsageError('--keyring goes with --verify');
  const path = (name: string): string | undefined => {
    const text = flags.text(name);
    return text === undefined ? undefined : resolve(io.cwd, text);
  };
  const timeout = Math.round(Number(parseDuration(flags.text('timeout') ?? '1m')) / 1e6);
  if (timeout < 1) throw new UsageError('--timeout takes a positive duration');
  return {
    dir: flags.text('dir') || 'charts',
    cwd: io.cwd,
    env: io.env,
    frozen: isFrozen && !isUpdate && !flags.on('dry-run'),
    update: update.includes('*') || update,
    prune: flags.on('prune'),
    dryRun: flags.on('dry-run'),
    repositories: Object.fromEntries(
      flags.list('repo').map((text) => /^([^=]*)=(.*)$/s.exec(text)?.slice(1) as [string, string]),
    ),
    passCredentials: flags.on('pass-credentials'),
    plainHttp: flags.on('plain-http'),
    tokenHosts: flags.list('token-host'),
    caFile: path('ca-file'),
    certFile: path('cert-file'),
    keyFile: path('key-file'),
    insecureSkipTlsVerify: flags.on('insecure-skip-tls-verify'),
    keyring: flags.on('verify') ? (path('keyring') ?? helmHome(io.env).keyring) : undefined,
    timeout: Math.min(timeout, 3_600_000),
    signal: io.signal,
  };
}

async function check(
  inputs: VendorInputs,
  { dir, cwd, prune = false }: VendorOptions,
  io: CommandContext,
  isJson: boolean,
): Promise<number> {
  const { faults, schemaFaults, unused, folders } = await checkVendored(inputs, { dir, cwd });
  const agrees = faults.length === 0 && schemaFaults.length === 0 && (!prune || unused.length === 0);
  const isFine = agrees && folders.length === 0;
  if (isJson) {
    const all = { agrees: isFine, faults: [...faults, ...schemaFaults], unused, folders };
    io.stdout(`${JSON.stringify(all, null, 2)}\n`);
    return isFine ? 0 : 1;
  }
  for (const fault of [...faults, ...schemaFaults]) io.stderr(`Error: ${fault}\n`);
  for (const chart of unused) io.stderr(`${io.err.yellow('unused:')} ${chart}\n`);
  if (!agrees) {
    const isUnused = faults.length + schemaFaults.length === 0;
    io.stderr(`Run \`drydock vendor${isUnused ? ' --prune' : ''}\` with these Orders and charts.\n`);
  }
  for (const { chart, faults: sentences } of folders) {
    for (const sentence of sentences) io.stderr(`Error: ${chart}: ${sentence}\n`);
    io.stderr(`Run \`drydock vendor ${chart}\`, or with --update if its lock file is out of sync.\n`);
  }
  if (isFine && !io.quiet) {
    if (inputs.orders.length > 0) io.stdout('Folder, lock and Orders agree.\n');
    for (const chart of inputs.folders) io.stdout(`${chart}: has its dependencies\n`);
  }
  return isFine ? 0 : 1;
}

function printSchemas({ schemas, removed }: SchemaReport, io: CommandContext): void {
  const lines = schemas.filter(({ status }) => status !== 'kept').map(({ status, url }) => ({ word: status, url }));
  for (const { word, url } of [...lines, ...removed.map(({ url }) => ({ word: 'removed', url }))])
    io.stdout(`${word.padEnd(8)} schema ${url}\n`);
}

function printReport(report: VendorReport, { dryRun }: VendorOptions, io: CommandContext): void {
  const brought = report.charts.flatMap(({ name, version, status, from, url = '', signedBy }): ChartLine[] => {
    const word = from === undefined ? status : 'moved';
    if (word === 'kept' && signedBy === undefined) return [];
    const before = from === undefined ? '' : `  (was ${from})`;
    const signed = signedBy === undefined ? '' : `  signed by ${signedBy}`;
    return [{ word, name, version, detail: `${url}${before}${signed}` }];
  });
  const removed = report.removed.map(
    ({ name, version }): ChartLine => ({ word: 'removed', name, version, detail: '' }),
  );
  io.stdout(chartLines([...brought, ...removed]));
  for (const { name, version, source } of report.unused) {
    io.stderr(
      `${io.err.yellow('unused:')} ${name} ${version} of ${source} is in the lock and in none of these Orders (--prune)\n`,
    );
  }
  const { length } = report.charts;
  const lock = !report.isChanged ? 'is as it was' : dryRun === true ? 'would change' : 'is written';
  io.stdout(`${length} ${length === 1 ? 'chart' : 'charts'}; ${report.lock} ${lock}\n`);
}

const barWidth = 24;

/** Returns the progress bar. It is shown on a terminal alone; elsewhere each downloaded chart is a line on standard error. */
function progressOf(io: CommandContext): { readonly show: (event: VendorEvent) => void; readonly clear: () => void } {
  const isDrawn = io.isTerminal?.stderr === true && !io.quiet;
  /** The downloaded share of each chart. */
  const charts = new Map<string, number>();
  return {
    clear: () => {
      if (isDrawn) io.stderr('\r\u001b[K');
    },
    show: ({ kind, chart, bytes = 0, total = 0, isCached }) => {
      if (!isDrawn) {
        if (kind === 'brought' && !io.quiet)
          io.stderr(`${isCached === true ? 'from the cache of Helm' : 'fetched'}: ${chart}\n`);
        return;
      }
      const share = total > 0 ? bytes / total : (charts.get(chart) ?? 0);
      charts.set(chart, kind === 'brought' ? 1 : Math.min(share, 1));
      const shares = [...charts.values()];
      const done = shares.filter((one) => one === 1).length;
      const filled = Math.round((shares.reduce((sum, one) => sum + one, 0) / shares.length) * barWidth);
      const bar = '='.repeat(filled).padEnd(barWidth);
      io.stderr(`\r\u001b[K${io.err.dim(`[${bar}] ${done}/${charts.size} ${chart}`)}`);
    },
  };
}

/** A chart, what happened to it, and what else there is to say of it. */
interface ChartLine {
  /** Such as `fetched`. */
  readonly word: string;
  readonly name: string;
  readonly version: string;
  readonly detail: string;
}

function chartLines(charts: readonly ChartLine[]): string {
  const width = Math.max(...charts.map(({ name, version }) => name.length + version.length + 1), 0);
  return charts
    .map(({ word, name, version, detail }) =>
      `${word.padEnd(8)} ${`${name} ${version}`.padEnd(width)}  ${detail}`.trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

// What `drydock vendor` prints of chart folders, whose dependencies go into their own charts/.

/** Refuses flags that speak of the lock of Orders. Throws UsageError. */
function checkForCharts([folder = '']: readonly string[], flags: ParsedFlags): void {
  const given = ['dir', 'frozen', 'prune'].find((name) => flags.isGiven(name));
  if (given === undefined) return;
  throw new UsageError(`--${given} is for Orders; ${folder} is a chart folder, whose Chart.lock pins versions`);
}

function printBrought(folder: string, brought: readonly BroughtDependency[], io: CommandContext): void {
  const lines = brought.map(({ name, version, status, from }): ChartLine => {
    return { word: status, name, version, detail: /^[a-z]+:\/\//.test(from) ? from : relative(io.cwd, from) };
  });
  io.stdout(chartLines(lines));
  const { length } = brought;
  const summary =
    length === 0 ? 'has its dependencies' : `${length} ${length === 1 ? 'dependency' : 'dependencies'} in charts/`;
  io.stdout(`${folder}: ${summary}\n`);
}
