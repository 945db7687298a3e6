// Downloads the schemas that values.schema.json files refer to by URL into the folder of charts, and pins them in drydock.lock.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Chart } from '../../chart/chart.ts';
import { digestBytes } from '../../chart/digest.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { compareStrings } from '../../go/value.ts';
import { schemaUrls } from '../../values/schema/schema.ts';
import { writeWhole } from '../lock/folder-dependencies.node.ts';
import { formatLock, type Lock, type LockedSchema, lockName } from '../lock/lock.ts';
import { readLockFile } from '../lock/registry.node.ts';
import { download } from './download.node.ts';
import { VendorError } from './errors.ts';
import { isMoving, type VendorOptions } from './options.ts';
import { Transport } from './transport.node.ts';
import { gathered } from './vendor.node.ts';

export interface SchemaChart {
  /** The chart folder or the Order that requires it. */
  readonly by: string;
  readonly chart: Chart;
  /** The repository that it is from; undefined for a local chart. */
  readonly source: string | undefined;
}

/** A schema after a run. */
export interface VendoredSchema extends LockedSchema {
  /** What happened: it existed, was downloaded, or would be. */
  readonly status: 'kept' | 'fetched' | 'wanted';
}

/** The result for the schemas of charts. */
export interface SchemaReport {
  readonly schemas: readonly VendoredSchema[];
  /** Schemas removed from the lock file. */
  readonly removed: readonly LockedSchema[];
}

/** Returns a chart and its subcharts, each with its repository. */
export function schemaCharts(by: string, chart: Chart, source?: string): readonly SchemaChart[] {
  const own = source === undefined || source === '' || source.startsWith('file:') ? undefined : source;
  const children = chart.children.flatMap((child) => {
    const { repository } = chart.metadata.dependencies.find(({ name }) => name === child.metadata.name) ?? {};
    return schemaCharts(by, child, repository || own);
  });
  return [...children, { by, chart, source: own?.replace(/^oci:/, 'https:') }];
}

const frozenHint = 'Run `drydock vendor` without --frozen, and keep the lock that it writes.';
const maxSchemaSize = 16 * 1024 * 1024;
// Longer chains of references are assumed to be endless.
const maxSchemas = 1000;

/**
 * Downloads the schemas that charts refer to by URL, and those that these refer to. Files and lock file are written when all are complete.
 * Rejects with VendorError, which leaves everything unchanged.
 */
export async function fetchSchemas(charts: readonly SchemaChart[], options: VendorOptions): Promise<SchemaReport> {
  const home = lockOf(options);
  const { folder, file, lock } = home;
  const needed = await bringSchemas(charts, home, options);
  const others = (lock.schemas ?? []).filter(({ url }) => needed.every((one) => one.url !== url));
  const removed = options.prune === true ? others : [];
  if (options.frozen === true && removed.length > 0) {
    const messages = removed.map(({ url }) => `${file} has the schema ${url}, which nothing needs`);
    throw gathered(messages.map((message) => new VendorError('LOCK_FROZEN', message, { hint: frozenHint })));
  }
  const schemas = needed.map(({ data: _, ...schema }) => schema).sort((a, b) => compareStrings(a.url, b.url));
  if (options.dryRun === true) return { schemas, removed };
  for (const { status, file: name, data } of needed) if (status === 'fetched') writeWhole(join(folder, name), data);
  const pinned = schemas.map(({ status: _, ...schema }) => schema);
  const text = formatLock({ ...lock, schemas: [...pinned, ...others.filter((schema) => !removed.includes(schema))] });
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  if (before !== text && (before !== undefined || pinned.length > 0)) writeWhole(file, text);
  for (const { file: name } of removed) rmSync(join(folder, name), { force: true });
  return { schemas, removed };
}

interface BroughtSchema extends VendoredSchema {
  /** Empty for one that would be downloaded. */
  readonly data: Uint8Array;
}

async function bringSchemas(
  charts: readonly SchemaChart[],
  { folder, file, lock }: SchemaHome,
  options: VendorOptions,
): Promise<BroughtSchema[]> {
  const transport = new Transport(options);
  const pinned = pinnedIn(lock);
  const found = new Map<string, BroughtSchema>();
  const tried = new Set<string>();
  const failures: VendorError[] = [];
  const textOf = (url: string): string | undefined => {
    const { data } = found.get(url) ?? {};
    return data === undefined || data.length === 0 ? undefined : decodeUtf8(data);
  };
  const bring = async (url: string, { chart, source }: SchemaChart): Promise<BroughtSchema> => {
    const known = isMoving(options, chart.metadata.name) ? undefined : pinned.get(url);
    const there = known && readFile(join(folder, known.file));
    if (known !== undefined && there !== undefined && digestBytes(there) === known.digest) {
      return { ...known, status: 'kept', data: there };
    }
    if (options.frozen === true && known === undefined) {
      throw new VendorError('LOCK_FROZEN', `the schema ${url} is not in ${file}`, {
        hint: frozenHint,
      });
    }
    if (options.dryRun === true) {
      return { url, file: fileOf(url), digest: known?.digest ?? '', status: 'wanted', data: new Uint8Array() };
    }
    const ask = async () => (source === undefined || !/^https?:/.test(source) ? {} : { namedBy: source });
    const data = await download(transport, { url, what: 'schema', ask, digest: known?.digest, limit: maxSchemaSize });
    checkJson(url, data);
    return { url, file: fileOf(url), digest: digestBytes(data), status: 'fetched', data };
  };
  try {
    for (const item of charts) {
      const missing = (): string[] => [...schemaUrls(item.chart, textOf)].filter((url) => !tried.has(url));
      for (let urls = missing(); urls.length > 0; urls = missing()) {
        for (const url of urls) {
          tried.add(url);
          try {
            found.set(url, await bring(url, item));
          } catch (error) {
            if (!(error instanceof VendorError)) throw error;
            const { code, message } = error;
            const hint = code === 'REPOSITORY_UNKNOWN' ? 'Check the URL in values.schema.json.' : error.hint;
            failures.push(new VendorError(code, `${item.by}: ${message}`, { cause: error, hint }));
          }
        }
        if (tried.size > maxSchemas) throw endless(item);
      }
    }
  } finally {
    await transport.close();
  }
  if (failures.length > 0) throw gathered(failures);
  return [...found.values()];
}

function pinnedIn({ schemas = [] }: Lock): ReadonlyMap<string, LockedSchema> {
  return new Map(schemas.map((schema) => [schema.url, schema]));
}

/**
 * Returns the problems that prevent schemas of charts from being read according to the lock file, as sentences. Throws CHART_INVALID for an
 * invalid lock file.
 */
export function compareSchemas(
  charts: readonly SchemaChart[],
  options: Pick<VendorOptions, 'dir' | 'cwd'>,
): readonly string[] {
  const { folder, lock } = lockOf(options);
  const pinned = pinnedIn(lock);
  const faults = new Set<string>();
  for (const { url, file, digest } of pinned.values()) {
    const data = readFile(join(folder, file));
    if (data === undefined) faults.add(`${join(folder, file)} of the schema ${url} is not there`);
    else if (digestBytes(data) !== digest)
      faults.add(`${join(folder, file)} of the schema ${url} has a digest that differs from ${lockName}`);
  }
  for (const { by, chart } of charts) {
    const urls = schemaUrls(chart, (url) => {
      const schema = pinned.get(url);
      const data = schema && readFile(join(folder, schema.file));
      return data && decodeUtf8(data);
    });
    for (const url of urls) if (!pinned.has(url)) faults.add(`${by}: the schema ${url} is not in ${lockName}`);
  }
  return [...faults];
}

interface SchemaHome {
  readonly folder: string;
  /** The path of the lock. */
  readonly file: string;
  readonly lock: Lock;
}

function lockOf({ dir, cwd }: Pick<VendorOptions, 'dir' | 'cwd'>): SchemaHome {
  const wanted = resolve(cwd ?? '.', dir ?? 'charts');
  const file = join(dirname(wanted), lockName);
  const lock = readLockFile(file) ?? { folder: basename(wanted), charts: [] };
  return { folder: join(dirname(wanted), lock.folder), file, lock };
}

function readFile(path: string): Uint8Array | undefined {
  return existsSync(path) ? readFileSync(path) : undefined;
}

// Two URLs never share a file.
function fileOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  const stem =
    basename(pathname)
      .replace(/\.json$/, '')
      .replace(/[^\w.-]/g, '_')
      .replace(/^\.+/, '') || 'schema';
  const digest = digestBytes(new TextEncoder().encode(url)).slice('sha256:'.length, 'sha256:'.length + 12);
  return `schemas/${hostname.replace(/[^\w.-]/g, '_')}/${stem.slice(0, 60)}-${digest}.json`;
}

function checkJson(url: string, data: Uint8Array): void {
  try {
    JSON.parse(decodeUtf8(data));
  } catch (error) {
    throw new VendorError('ANSWER_INVALID', `${url} is not JSON`, {
      cause: error,
      hint: 'Check the URL in values.schema.json; it must lead to a JSON Schema.',
    });
  }
}

function endless({ by }: SchemaChart): VendorError {
  return new VendorError('TOO_LARGE', `${by}: its schema refers to more than ${maxSchemas} others`, {
    hint: 'Keep the schemas that it needs in its own values.schema.json.',
  });
}
