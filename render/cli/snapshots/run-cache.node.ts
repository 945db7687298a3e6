// The cache of `drydock snapshot`, and the flags that are part of its keys.

import { resolve } from 'node:path';
import { contentDigest } from '../caching/digest.node.ts';
import { type CacheStore, RenderCache } from '../caching/entries.node.ts';
import { programDigest } from '../caching/program.node.ts';
import type { ParsedFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { flagsOf } from '../table/command.ts';
import { snapshotSpec } from '../table/snapshot.ts';

/** The cache of a run. */
export interface RunCache {
  readonly store: CacheStore;
  /** The folder of the cache, which is excluded from charts. */
  readonly folder: string;
  /** The digest of the program that renders. */
  readonly program: string;
}

/**
 * Returns the cache of a run. It is undefined with --no-cache, with --show-secrets, if the result needs a rendering (coverage, several
 * Helm versions), and for values from standard input, which can be read only once.
 */
export function openRunCache(flags: ParsedFlags, io: CommandIo): RunCache | undefined {
  const isCounted = ['coverage', 'coverage-report', 'min', 'min-branches'].some((name) => flags.has(name));
  const isPair = new Set(flags.list('helm')).size > 1;
  const isStream = flags.list('values').some((files) => files.split(',').some((file) => file.trim() === '-'));
  if (flags.on('no-cache') || flags.on('show-secrets') || isCounted || isPair || isStream) return undefined;
  const folder = resolve(io.cwd, flags.text('cache') || '.drydock/cache');
  return { store: new RenderCache(folder), folder, program: programDigest() };
}

/** Flags that are not part of a cache key: they select inputs or format the report, and do not affect a rendering. */
export const indifferentFlags: ReadonlySet<string> = new Set([
  ...['update', 'snapshots', 'filter', 'changed', 'against', 'jobs', 'bail', 'shard', 'watch', 'cache', 'no-cache'],
  ...['lines', 'verbose', 'exact', 'all', 'ignore', 'mask', 'report', 'json', 'explain'],
  ...['coverage', 'coverage-report', 'min', 'min-branches'],
  ...['config', 'no-config', 'no-color', 'quiet'],
  // Matrix entries are rendered with --kube-version and --api-versions.
  'with-api-versions',
  // The contents of these files are part of the key.
  ...['values', 'with-values', 'charts'],
]);

/** Returns the part of the command line and environment that affects a rendering, as one text. */
export function decidingText(flags: ParsedFlags, io: CommandIo): string {
  const names = flagsOf(snapshotSpec).map(({ name }) => name);
  const given = names.filter((name) => flags.has(name) && !indifferentFlags.has(name));
  const secretKey = contentDigest(io.env.DRYDOCK_SECRET_KEY ?? '');
  return JSON.stringify([secretKey, ...given.map((name) => [name, ...flags.list(name)])]);
}
