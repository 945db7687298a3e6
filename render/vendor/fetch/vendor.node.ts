// The steps of `drydock vendor`: what is required, what the lock file has, what must be downloaded; then folder and lock file are written
// at once.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pickCandidate } from '../../chart/registry.ts';
import { andMore } from '../../core/counted.ts';
import { archiveDigest } from '../lock/bundle.ts';
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
import type { VendorOptions } from './options.ts';
import { createVerifier } from './provenance.node.ts';
import { lockedOf, type Resolved, Sources } from './sources.node.ts';
import { Transport } from './transport.node.ts';

interface VendorPlan extends VendorOptions {
  /** The folder of archives, with the lock file beside it. */
  readonly folder: string;
  readonly sources: Sources;
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

/** Downloads charts, and writes folder and lock file when all are complete. Rejects with VendorError, which leaves everything unchanged. */
async function vendorCharts(requests: readonly ChartDemand[], plan: VendorPlan): Promise<VendorReport> {
  const file = join(dirname(plan.folder), lockName);
  const before = readLockFile(file);
  checkFolder(before, plan.folder, file);
  const old: Lock = before ?? { folder: basename(plan.folder), charts: [] };
  if (plan.frozen === true) refuseChange(requests, old, file);
  const staging = new Staging(plan.folder);
  try {
    const charts = await each(requests, (request) => vendorOne(request, old, { ...plan, staging }));
    const unused = plan.prune === true ? [] : unusedOf(old, requests);
    const lock: Lock = {
      ...old,
      charts: distinctCharts([...charts.map(withoutStatus), ...unused]).sort(compareLocked),
    };
    const removed = old.charts.filter((chart) => !lock.charts.some((other) => isSame(chart, other)));
    const text = formatLock(lock);
    const isChanged = !existsSync(file) || readFileSync(file, 'utf8') !== text;
    const report = { lock: file, charts: charts.sort(compareLocked), unused, removed, isChanged };
    if (plan.dryRun === true) return report;
    settle(charts, staging, plan.folder);
    if (isChanged && plan.frozen !== true) writeWhole(file, text);
    sweep(old, lock, plan.folder);
    return report;
  } finally {
    staging.clear();
  }
}

function checkFolder(lock: Lock | undefined, folder: string, file: string): void {
  if (lock === undefined || lock.folder === basename(folder)) return;
  throw new VendorError('FILE_FAILED', `${file} speaks of the folder ${lock.folder}, and not of ${basename(folder)}`, {
    hint: `Give --dir ${join(dirname(folder), lock.folder)}, or move the lock.`,
  });
}

function refuseChange(requests: readonly ChartDemand[], lock: Lock, file: string): void {
  const missing = requests.filter(({ ref }) => lockedFor(lock, ref) === undefined);
  if (missing.length === 0) return;
  const failures = missing.map(
    ({ ref, by }) =>
      new VendorError(
        'LOCK_FROZEN',
        `${by}: ${file} has no ${nameAndVersion(ref)} of ${sourceKey(ref.sourceRef.name)}`,
      ),
  );
  throw gathered(
    failures,
    'Run `drydock vendor` without --frozen where the Orders are written, and keep the lock it writes.',
  );
}

function nameAndVersion({ name, version }: ChartDemand['ref']): string {
  return version === '' ? name : `${name} ${JSON.stringify(version)}`;
}

/** Returns the lock entry for exactly this request. */
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

type Work = VendorPlan & { readonly staging: Staging };

async function vendorOne({ ref }: ChartDemand, lock: Lock, plan: Work): Promise<VendoredChart> {
  const isMoving = plan.update === true || (Array.isArray(plan.update) && plan.update.includes(ref.name));
  const candidates = ofSource(lock, ref);
  const exact = lockedFor(lock, ref);
  const pinned = isMoving ? undefined : (exact ?? pickCandidate(candidates, ref.version));
  const found =
    pinned === undefined
      ? await plan.sources.resolve(ref, isMoving, exact ?? candidates[0])
      : plan.sources.pinned(ref, pinned);
  plan.onEvent?.({ kind: 'resolved', chart: `${ref.name} ${found.version}` });
  const moved = exact !== undefined && exact.version !== found.version ? { from: exact.version } : {};
  const same = pinned ?? candidates.find((chart) => chart.version === found.version && chart.digest === found.digest);
  const there = same === undefined ? undefined : readArchive(plan.folder, same);
  if (same !== undefined && there !== undefined) {
    const chart = { ...same, asked: ref.version };
    return { ...chart, ...moved, ...(await verified(found, { chart, data: there }, plan)), status: 'kept' };
  }
  if (plan.dryRun === true) {
    const wanted = lockedOf(ref, found, { digest: found.digest ?? '', url: found.urls[0] ?? '' });
    return { ...wanted, ...moved, status: 'wanted' };
  }
  return { ...(await bringOne(ref, found, { ...plan, lock })), ...moved };
}

async function bringOne(
  ref: ChartDemand['ref'],
  found: Resolved,
  plan: Work & { readonly lock: Lock },
): Promise<VendoredChart> {
  const label = `${ref.name} ${found.version}`;
  const brought = await plan.sources.bring(found, {
    name: ref.name,
    staging: plan.staging,
    onBytes: (bytes, total) => plan.onEvent?.({ kind: 'bytes', chart: label, bytes, total }),
  });
  const chart = besideOthers(lockedOf(ref, found, brought), plan.lock);
  const signed = await verified(found, { chart, data: brought.data }, plan);
  plan.staging.keep(brought.digest, brought.data);
  plan.onEvent?.({ kind: 'brought', chart: label, isCached: brought.isCached });
  return { ...chart, ...signed, status: brought.isCached ? 'cached' : 'fetched' };
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
  plan: Work,
): Promise<{ readonly signedBy?: string }> {
  if (plan.verify === undefined || plan.dryRun === true) return {};
  const provenance = await plan.sources
    .bringProvenance(found, { name: chart.name, staging: plan.staging })
    .catch((error: unknown) => {
      if (!(error instanceof VendorError) || error.code === 'NOT_VERIFIED') throw error;
      throw new VendorError(
        'NOT_VERIFIED',
        `${chart.name} ${chart.version}: its provenance file is not available: ${error.message}`,
        { cause: error, hint: error.hint },
      );
    });
  const name = `${chart.name}-${chart.version}.tgz`;
  return {
    signedBy: await plan.verify(
      { data, name: found.repository === undefined ? name : basename(chart.url ?? name) },
      provenance,
    ),
  };
}

/** Returns the bytes of an archive if it exists and has its digest. */
function readArchive(folder: string, { archive, digest }: LockedChart): Uint8Array | undefined {
  const path = join(folder, archive);
  if (!existsSync(path)) return undefined;
  const data = readFileSync(path);
  return archiveDigest(data) === digest ? data : undefined;
}

function settle(charts: readonly VendoredChart[], staging: Staging, folder: string): void {
  const placed = new Set<string>();
  for (const { archive, digest, status } of charts) {
    if (status === 'kept' || placed.has(archive)) continue;
    placed.add(archive);
    staging.place(digest, join(folder, archive));
  }
}

// Archives in the old lock file that are not in the new one.
function sweep(old: Lock, lock: Lock, folder: string): void {
  const used = new Set(lock.charts.map(({ archive }) => archive));
  for (const { archive } of old.charts) if (!used.has(archive)) rmSync(join(folder, archive), { force: true });
}

/** Returns the charts of a lock file that nothing needs. */
function unusedOf(lock: Lock, requests: readonly ChartDemand[]): readonly LockedChart[] {
  const used = new Set(requests.map(({ ref }) => lockedFor(lock, ref)));
  return lock.charts.filter((chart) => !used.has(chart));
}

function isSame(a: LockedChart, b: LockedChart): boolean {
  return a.source === b.source && a.name === b.name && a.asked === b.asked;
}

function withoutStatus({ status: _status, from: _from, signedBy: _signedBy, ...chart }: VendoredChart): LockedChart {
  return chart;
}

/** Downloads the charts that Orders need. Rejects with VendorError. */
export async function vendorNamed(orders: readonly VendorOrder[], options: VendorOptions): Promise<VendorReport> {
  const { requests: asks, failures } = await demandOf(orders);
  if (failures.length > 0) throw gathered(failures);
  return vendorRequests(asks, options);
}

/** Downloads the requested charts. Rejects with VendorError. */
export async function vendorRequests(requests: readonly ChartDemand[], options: VendorOptions): Promise<VendorReport> {
  const cwd = resolve(options.cwd ?? '.');
  const transport = new Transport(options);
  try {
    return await vendorCharts(requests, {
      ...options,
      folder: resolve(cwd, options.dir ?? 'charts'),
      sources: new Sources(transport),
      verify: options.keyring === undefined ? undefined : await createVerifier(resolve(cwd, options.keyring)),
    });
  } finally {
    await transport.close();
  }
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
    const wanted = ref.version === '' ? '' : ` ${JSON.stringify(ref.version)}`;
    if (lockedFor(lock, ref) === undefined)
      faults.push(`${by}: ${ref.name}${wanted} of ${sourceKey(ref.sourceRef.name)} is not in ${lockName}`);
  }
  const seen = new Set<string>();
  for (const { archive, digest, name, version } of lock.charts) {
    const path = join(folder, archive);
    if (seen.has(path)) continue;
    seen.add(path);
    if (!existsSync(path)) faults.push(`${path} of ${name} ${version} is not there`);
    else if (archiveDigest(readFileSync(path)) !== digest)
      faults.push(`${path} of ${name} ${version} does not have the digest of ${lockName}`);
  }
  return { faults, unused: unusedOf(lock, asks).map(({ name, version, source }) => `${name} ${version} of ${source}`) };
}
