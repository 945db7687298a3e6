// The steps of `drydock vendor`: what is required, what the lock file has, what must be downloaded; then folder and lock file are written
// at once.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { digestBytes } from '../../chart/digest.ts';
import { pickCandidate } from '../../chart/registry.ts';
import { andMore } from '../../core/counted.ts';
import { uniqueBy } from '../../core/unique-by.ts';
import { writeWhole } from '../lock/folder-dependencies.node.ts';
import {
  compareLocked,
  distinctCharts,
  formatLock,
  type Lock,
  type LockedChart,
  lockName,
  ofSource,
  sourceKey,
} from '../lock/lock.ts';
import { readLockFile } from '../lock/registry.node.ts';
import { type ChartDemand, type Demand, demandOf, type VendorOrder } from './demand.node.ts';
import { Staging } from './download.node.ts';
import { VendorError } from './errors.ts';
import { isMoving, type VendorOptions } from './options.ts';
import { createVerifier } from './provenance.node.ts';
import { lockedOf, type Resolved, Sources } from './sources.node.ts';
import { Transport } from './transport.node.ts';

interface Run {
  readonly options: VendorOptions;
  /** The folder of archives, with the lock file beside it. */
  readonly folder: string;
  /** The lock file before the run. */
  readonly lock: Lock;
  readonly sources: Sources;
  readonly staging: Staging;
  /** Verifies the signature of an archive and returns the signer. Undefined for no verification. */
  readonly verify: Awaited<ReturnType<typeof createVerifier>> | undefined;
}

/** A chart after a run. */
export interface VendoredChart extends LockedChart {
  /** What happened: it existed, was in Helm's cache, was fetched, or would be. */
  readonly status: 'kept' | 'cached' | 'fetched' | 'wanted';
  /** The previous version in the lock file, if it has changed. */
  readonly from?: string;
  /** The signer, if verified. */
  readonly signedBy?: string;
}

/** The result of a run. */
export interface VendorReport {
  /** The path of the lock. */
  readonly lock: string;
  /** The required charts, sorted. */
  readonly charts: readonly VendoredChart[];
  /** Charts in the lock file that nothing needs. */
  readonly unused: readonly LockedChart[];
  /** Charts removed from the lock file. */
  readonly removed: readonly LockedChart[];
  /** Whether the lock file has changed, or would have. */
  readonly isChanged: boolean;
}

const width = 6;

/** Downloads the charts that Orders need. Rejects with VendorError. */
export async function vendorNamed(orders: readonly VendorOrder[], options: VendorOptions): Promise<VendorReport> {
  const { requests, failures } = await demandOf(orders);
  if (failures.length > 0) throw gathered(failures);
  return vendorRequests(requests, options);
}

/**
 * Downloads the requested charts, and writes folder and lock file when all are complete. Rejects with VendorError, which leaves everything
 * unchanged.
 */
export async function vendorRequests(requests: readonly ChartDemand[], options: VendorOptions): Promise<VendorReport> {
  const cwd = resolve(options.cwd ?? '.');
  const folder = resolve(cwd, options.dir ?? 'charts');
  const transport = new Transport(options);
  const staging = new Staging(folder);
  try {
    const sources = new Sources(transport);
    const verify = options.keyring === undefined ? undefined : await createVerifier(resolve(cwd, options.keyring));
    const file = join(dirname(folder), lockName);
    const lock = readLockFile(file) ?? { folder: basename(folder), charts: [] };
    checkFolder(lock, folder, file);
    if (options.frozen === true) refuseChange(requests, { lock, file, prune: options.prune === true });
    const run: Run = { options, folder, lock, sources, staging, verify };
    return write(requests, await each(requests, (request) => vendorOne(request, run)), run);
  } finally {
    staging.clear();
    await transport.close();
  }
}

function write(
  requests: readonly ChartDemand[],
  charts: VendoredChart[],
  { options, folder, lock, staging }: Run,
): VendorReport {
  const file = join(dirname(folder), lockName);
  const unused = options.prune === true ? [] : unusedOf(lock, requests);
  const locked = charts.map(({ status: _status, from: _from, signedBy: _signedBy, ...chart }): LockedChart => chart);
  const next = distinctCharts([...locked, ...unused]).sort(compareLocked);
  const removed = lock.charts.filter((chart) => next.every((other) => compareLocked(chart, other) !== 0));
  const text = formatLock({ ...lock, charts: next });
  const isChanged = !existsSync(file) || readFileSync(file, 'utf8') !== text;
  if (options.dryRun !== true) {
    const brought = uniqueBy(
      charts.filter(({ status }) => status !== 'kept'),
      (chart) => chart.archive,
    );
    for (const { archive, digest } of brought) staging.place(digest, join(folder, archive));
    for (const { digest } of brought) staging.drop(digest);
    if (isChanged && options.frozen !== true) writeWhole(file, text);
    const used = new Set(next.map(({ archive }) => archive));
    for (const { archive } of lock.charts) if (!used.has(archive)) rmSync(join(folder, archive), { force: true });
  }
  return { lock: file, charts: charts.sort(compareLocked), unused, removed, isChanged };
}

function checkFolder(lock: Lock, folder: string, file: string): void {
  if (lock.folder === basename(folder)) return;
  throw new VendorError('FILE_FAILED', `${file} is for the folder ${lock.folder}, not for ${basename(folder)}`, {
    hint: `Use --dir ${join(dirname(folder), lock.folder)}, or move the lock file.`,
  });
}

function refuseChange(
  requests: readonly ChartDemand[],
  { lock, file, prune }: { readonly lock: Lock; readonly file: string; readonly prune: boolean },
): void {
  const missing = requests.filter(({ ref }) => lockedFor(lock, ref) === undefined);
  const unused = prune ? unusedOf(lock, requests) : [];
  const failures = [
    ...missing.map(({ ref, by }) => `${by}: ${file} has no ${nameAndVersion(ref)} of ${sourceKey(ref.sourceRef.name)}`),
    ...unused.map(({ name, version, source }) => `${file} has ${name} ${version} of ${source}, which nothing needs`),
  ].map((message) => new VendorError('LOCK_FROZEN', message));
  if (failures.length === 0) return;
  throw gathered(
    failures,
    'Run `drydock vendor` without --frozen where the Orders are written, and keep the lock it writes.',
  );
}

function nameAndVersion({ name, version }: ChartDemand['ref']): string {
  return version === '' ? name : `${name} ${JSON.stringify(version)}`;
}

function lockedFor(lock: Lock, ref: ChartDemand['ref']): LockedChart | undefined {
  return ofSource(lock, ref).find(({ asked }) => asked === ref.version);
}

async function each(
  requests: readonly ChartDemand[],
  work: (request: ChartDemand) => Promise<VendoredChart>,
): Promise<VendoredChart[]> {
  const charts: VendoredChart[] = [];
  const failures: VendorError[] = [];
  const queue = [...requests];
  const next = async (): Promise<void> => {
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
      try {
        charts.push(await work(request));
      } catch (error) {
        if (!(error instanceof VendorError)) throw error;
        failures.push(
          new VendorError(error.code, `${request.by}: ${error.message}`, { ...error, cause: error, hint: error.hint }),
        );
      }
    }
  };
  await Promise.all(Array.from({ length: width }, next));
  if (failures.length > 0) throw gathered(failures);
  return charts;
}

/** Combines several errors: the first determines the code, and all are in `failures`. */
export function gathered(failures: readonly VendorError[], hint?: string): VendorError {
  const [first] = failures as readonly [VendorError, ...VendorError[]];
  const more = andMore(failures.length - 1);
  return new VendorError(first.code, `${first.message}${more}`, { cause: first, hint: hint ?? first.hint, failures });
}

async function vendorOne({ ref }: ChartDemand, run: Run): Promise<VendoredChart> {
  const { folder, lock, sources, staging } = run;
  const { dryRun, onEvent } = run.options;
  const moves = isMoving(run.options, ref.name);
  const candidates = ofSource(lock, ref);
  const exact = lockedFor(lock, ref);
  const pinned = moves ? undefined : (exact ?? pickCandidate(candidates, ref.version));
  const found =
    pinned === undefined ? await sources.resolve(ref, moves, exact ?? candidates[0]) : sources.pinned(ref, pinned);
  const label = `${ref.name} ${found.version}`;
  onEvent?.({ kind: 'resolved', chart: label });
  const moved = exact !== undefined && exact.version !== found.version ? { from: exact.version } : {};
  const same = pinned ?? candidates.find((chart) => chart.version === found.version && chart.digest === found.digest);
  const there = same === undefined ? undefined : readArchive(folder, same);
  if (same !== undefined && there !== undefined) {
    const chart = { ...same, asked: ref.version };
    return { ...chart, ...moved, ...(await verified(found, { chart, data: there }, run)), status: 'kept' };
  }
  if (dryRun === true) {
    const wanted = lockedOf(ref, found, { digest: found.digest ?? '', url: found.urls[0] ?? '' });
    return { ...wanted, ...moved, status: 'wanted' };
  }
  const onBytes = (bytes: number, total: number | undefined): void =>
    onEvent?.({ kind: 'bytes', chart: label, bytes, total });
  const { data, isCached, ...brought } = await sources.bring(found, { name: ref.name, staging, onBytes });
  const chart =
    pinned === undefined ? besideOthers(lockedOf(ref, found, brought), lock) : { ...pinned, asked: ref.version };
  const signed = await verified(found, { chart, data }, run);
  staging.keep(brought.digest, data);
  onEvent?.({ kind: 'brought', chart: label, isCached });
  return { ...chart, ...signed, ...moved, status: isCached ? 'cached' : 'fetched' };
}

// An archive in an earlier lock file is not replaced before the new lock file is written.
function besideOthers(chart: LockedChart, lock: Lock): LockedChart {
  const taken = lock.charts.find(({ archive, digest }) => archive === chart.archive && digest !== chart.digest);
  if (taken === undefined) return chart;
  const mark = chart.digest.slice('sha256:'.length, 'sha256:'.length + 8);
  return { ...chart, archive: chart.archive.replace(/\.tgz$/, `-${mark}.tgz`) };
}

async function verified(
  found: Resolved,
  { chart, data }: { readonly chart: LockedChart; readonly data: Uint8Array },
  { options, sources, staging, verify }: Run,
): Promise<{ readonly signedBy?: string }> {
  if (verify === undefined || options.dryRun === true) return {};
  const provenance = await sources.bringProvenance(found, { name: chart.name, staging }).catch((error: unknown) => {
    if (!(error instanceof VendorError) || error.code === 'NOT_VERIFIED') throw error;
    throw new VendorError(
      'NOT_VERIFIED',
      `${chart.name} ${chart.version}: its provenance file is not available: ${error.message}`,
      { cause: error, hint: error.hint },
    );
  });
  const ownName = `${chart.name}-${chart.version}.tgz`;
  const name = found.repository === undefined ? ownName : basename(chart.url ?? ownName);
  return { signedBy: await verify({ data, name }, provenance) };
}

/** Returns the bytes of an archive if it exists and has its digest. */
function readArchive(folder: string, { archive, digest }: LockedChart): Uint8Array | undefined {
  const path = join(folder, archive);
  if (!existsSync(path)) return undefined;
  const data = readFileSync(path);
  return digestBytes(data) === digest ? data : undefined;
}

function unusedOf(lock: Lock, requests: readonly ChartDemand[]): readonly LockedChart[] {
  const used = new Set(requests.map(({ ref }) => lockedFor(lock, ref)));
  return lock.charts.filter((chart) => !used.has(chart));
}

interface Agreement {
  /** Problems that prevent an Order from being rendered according to the lock file. */
  readonly faults: readonly string[];
  /** Charts in the lock file that no Order needs. */
  readonly unused: readonly string[];
}

/** Compares the required charts with the lock file and with the folder's content. Throws CHART_INVALID for an invalid lock file. */
export function compareCharts({ requests: asks, failures }: Demand, folder: string): Agreement {
  const file = join(dirname(folder), lockName);
  const lock = readLockFile(file) ?? { folder: '', charts: [] };
  const faults = failures.map(({ message }) => message);
  if (asks.length > 0 && !existsSync(file)) faults.push(`${file} is not there`);
  for (const { ref, by } of existsSync(file) ? asks : []) {
    if (lockedFor(lock, ref) === undefined)
      faults.push(`${by}: ${nameAndVersion(ref)} of ${sourceKey(ref.sourceRef.name)} is not in ${lockName}`);
  }
  for (const { archive, digest, name, version } of uniqueBy(lock.charts, (chart) => chart.archive)) {
    const path = join(folder, archive);
    if (!existsSync(path)) faults.push(`${path} of ${name} ${version} is not there`);
    else if (digestBytes(readFileSync(path)) !== digest)
      faults.push(`${path} of ${name} ${version} does not have the digest of ${lockName}`);
  }
  return { faults, unused: unusedOf(lock, asks).map(({ name, version, source }) => `${name} ${version} of ${source}`) };
}
