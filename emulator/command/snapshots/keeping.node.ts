// What a run of `drydock snapshot` keeps for later ones, and which flags decide what is kept.

import { resolve } from 'node:path';
import { digestOf } from '../caching/digest.node.ts';
import { RenderCache, type RenderingStore } from '../caching/entries.node.ts';
import { programDigest } from '../caching/program.node.ts';
import type { ParsedFlags } from '../flags.ts';
import type { CommandIo } from '../io.ts';
import { flagsOf } from '../table/command.ts';
import { snapshotSpec } from '../table/snapshot.ts';

/** What earlier runs kept, and how it is used. */
export interface Keeping {
  readonly cache: RenderingStore;
  /** Where it lies: no part of any chart. */
  readonly folder: string;
  /** The digest of the program that renders. */
  readonly program: string;
}

/**
 * Gives what runs keep; undefined with --no-cache, with secrets in clear, where what is asked for is known by rendering alone,
 * and for values of standard input, which can be read once.
 */
export function keepingOf(flags: ParsedFlags, io: CommandIo): Keeping | undefined {
  const isCounted = ['coverage', 'coverage-report', 'min', 'min-branches'].some((name) => flags.has(name));
  const isPair = new Set(flags.list('helm')).size > 1;
  const isStream = flags.list('values').some((files) => files.split(',').some((file) => file.trim() === '-'));
  if (flags.on('no-cache') || flags.on('show-secrets') || isCounted || isPair || isStream) return undefined;
  const folder = resolve(io.cwd, flags.text('cache') || '.drydock/cache');
  return { cache: new RenderCache(folder), folder, program: programDigest() };
}

/** The flags that decide which inputs are rendered and what is told of them, but not what rendering one gives. */
export const indifferentFlags: ReadonlySet<string> = new Set([
  ...['update', 'snapshots', 'filter', 'changed', 'against', 'jobs', 'bail', 'shard', 'watch', 'cache', 'no-cache'],
  ...['lines', 'verbose', 'exact', 'all', 'ignore', 'mask', 'report', 'json', 'explain'],
  ...['coverage', 'coverage-report', 'min', 'min-branches'],
  ...['config', 'no-config', 'no-color', 'quiet'],
  // What a cell is rendered with stands in --kube-version and --api-versions.
  'with-api-versions',
  // What they name is part of the key by its content.
  ...['values', 'with-values', 'charts'],
]);

/** Gives what a command line and the environment say of a rendering, as one text. */
export function decidingText(flags: ParsedFlags, io: CommandIo): string {
  const names = flagsOf(snapshotSpec).map(({ name }) => name);
  const said = names.filter((name) => flags.has(name) && !indifferentFlags.has(name));
  const secretKey = digestOf(io.env.DRYDOCK_SECRET_KEY ?? '');
  return JSON.stringify([secretKey, ...said.map((name) => [name, ...flags.list(name)])]);
}
