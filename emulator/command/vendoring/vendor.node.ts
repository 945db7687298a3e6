// `drydock vendor`: brings the charts that Orders name. The one command that opens connections to the outside.

import { resolve } from 'node:path';
import { compareCharts } from '../../../render/fetch/agreement.node.ts';
import { demandOf, foldersOf, type VendorOrder } from '../../../render/fetch/demand.node.ts';
import { VendorError } from '../../../render/fetch/errors.ts';
import { helmHome } from '../../../render/fetch/helm-home.node.ts';
import { type VendorOptions, vendorNamed } from '../../../render/fetch/run.node.ts';
import type { VendorReport } from '../../../render/fetch/vendor.node.ts';
import { parseDuration } from '../../../render/go/time/duration.ts';
import { readOrder } from '../../../render/order/read.ts';
import { validateOrder } from '../../../render/order/validate.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import { expandPatterns } from '../inputs.node.ts';
import type { CommandContext } from '../io.ts';
import { tellFailure, tellIssues } from '../rendering/order-input.node.ts';
import { readTextFile } from '../rendering/read.node.ts';
import { barOf } from './bar.node.ts';

/** Brings charts. Gives 0, or 1 where an Order is at fault, a chart cannot be had, or something does not agree. Throws UsageError. */
export async function vendorCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const choice = readChoice(flags, io);
  const orders = await readOrders(flags, io);
  if (orders === undefined) return 1;
  if (flags.on('check')) return tellAgreement(orders, choice, io, flags.on('json'));
  const bar = barOf(io);
  try {
    const report = await vendorNamed(orders, {
      ...choice.options,
      onEvent: bar.hear,
      onRetry: (line) => {
        bar.clear();
        if (!io.quiet) io.stderr(`${io.err.yellow('again:')} ${line}\n`);
      },
    });
    bar.clear();
    if (flags.on('json')) io.stdout(`${JSON.stringify(report, null, 2)}\n`);
    else if (!io.quiet) tellReport(report, choice.options, io);
    return 0;
  } catch (error) {
    bar.clear();
    if (!(error instanceof VendorError)) return tellFailure(error, undefined, io);
    for (const { message, mend } of error.failures.length === 0 ? [error] : error.failures) {
      io.stderr(`${io.err.red('Error:')} ${message}\n${mend === undefined ? '' : `${mend}\n`}`);
    }
    if (error.code === 'LOCK_FROZEN' && error.mend !== undefined) io.stderr(`${error.mend}\n`);
    return 1;
  }
}

interface Choice {
  readonly options: VendorOptions;
  readonly folder: string;
  readonly prune: boolean;
}

function readChoice(flags: ParsedFlags, io: CommandContext): Choice {
  const update = flags.list('update');
  const isFrozen = flags.has('frozen') ? flags.on('frozen') : (io.env.CI ?? '') !== '' && io.env.CI !== 'false';
  const isUpdate = update.length > 0;
  if (isUpdate && flags.isGiven('frozen') && isFrozen)
    throw new UsageError('--update goes without --frozen: it is there to change the lock');
  if (flags.on('check') && (isUpdate || flags.on('dry-run')))
    throw new UsageError('--check only looks: it goes without --update and --dry-run');
  if ((flags.text('cert-file') === undefined) !== (flags.text('key-file') === undefined)) {
    throw new UsageError('--cert-file and --key-file go together');
  }
  if (flags.text('keyring') !== undefined && !flags.on('verify')) throw new UsageError('--keyring goes with --verify');
  const path = (name: string): string | undefined => {
    const text = flags.text(name);
    return text === undefined ? undefined : resolve(io.cwd, text);
  };
  const dir = flags.text('dir') || 'charts';
  const timeout = Math.round(Number(parseDuration(flags.text('timeout') ?? '1m')) / 1e6);
  if (timeout < 1) throw new UsageError('--timeout takes a duration above zero');
  return {
    folder: resolve(io.cwd, dir),
    prune: flags.on('prune'),
    options: {
      dir,
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
      caFile: path('ca-file'),
      certFile: path('cert-file'),
      keyFile: path('key-file'),
      insecureSkipTlsVerify: flags.on('insecure-skip-tls-verify'),
      keyring: flags.on('verify') ? (path('keyring') ?? helmHome(io.env).keyring) : undefined,
      timeout: Math.min(timeout, 3_600_000),
      signal: io.signal,
    },
  };
}

async function readOrders(flags: ParsedFlags, io: CommandContext): Promise<readonly VendorOrder[] | undefined> {
  const files = await expandPatterns(flags.args, io.cwd);
  if (files.length === 0 || files.includes(''))
    throw new UsageError('"drydock vendor" takes files of Orders, or - for standard input');
  const orders: VendorOrder[] = [];
  let isFine = true;
  for (const file of files) {
    const text = readOrder(
      file === '-' ? await io.stdin() : readTextFile(file, io.cwd),
      file === '-' ? '<stdin>' : file,
    );
    try {
      const { order, warnings } = validateOrder(text.value);
      if (!io.quiet) tellIssues(warnings, text, io);
      orders.push({ name: file, order, folders: file === '-' ? [io.cwd] : foldersOf(file, io.cwd) });
    } catch (error) {
      isFine = tellFailure(error, text, io, file) === 0;
    }
  }
  return isFine ? orders : undefined;
}

async function tellAgreement(
  orders: readonly VendorOrder[],
  { folder, prune }: Choice,
  io: CommandContext,
  isJson: boolean,
): Promise<number> {
  const { faults, unused } = compareCharts(await demandOf(orders), folder);
  const isFine = faults.length === 0 && (!prune || unused.length === 0);
  if (isJson) io.stdout(`${JSON.stringify({ agrees: isFine, faults, unused }, null, 2)}\n`);
  else {
    for (const fault of faults) io.stderr(`${io.err.red('Error:')} ${fault}\n`);
    for (const chart of unused) io.stderr(`${io.err.yellow('unused:')} ${chart}\n`);
    if (faults.length > 0) io.stderr('Run `drydock vendor` with these Orders.\n');
    else if (!isFine) io.stderr('Run `drydock vendor --prune` with these Orders.\n');
    else if (!io.quiet) io.stdout('Folder, lock and Orders agree.\n');
  }
  return isFine ? 0 : 1;
}

function tellReport(report: VendorReport, { dryRun }: VendorOptions, io: CommandContext): void {
  const width = Math.max(...report.charts.map(({ name, version }) => name.length + version.length + 1), 0);
  for (const { name, version, status, from, url = '', signedBy } of report.charts) {
    const word = from === undefined ? status : 'moved';
    if (word === 'kept' && signedBy === undefined) continue;
    const before = from === undefined ? '' : `  (was ${from})`;
    const signed = signedBy === undefined ? '' : `  signed by ${signedBy}`;
    io.stdout(`${word.padEnd(8)} ${`${name} ${version}`.padEnd(width)}  ${url}${before}${signed}\n`);
  }
  for (const { name, version } of report.removed) io.stdout(`${'removed'.padEnd(8)} ${name} ${version}\n`);
  for (const { name, version, source } of report.unused) {
    io.stderr(
      `${io.err.yellow('unused:')} ${name} ${version} of ${source} is in the lock and in none of these Orders (--prune)\n`,
    );
  }
  const { length } = report.charts;
  const lock = !report.isChanged ? 'is as it was' : dryRun === true ? 'would change' : 'is written';
  io.stdout(`${length} ${length === 1 ? 'chart' : 'charts'}; ${report.lock} ${lock}\n`);
}
