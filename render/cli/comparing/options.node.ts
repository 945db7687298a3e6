// The options of `drydock snapshot` from its command line.

import { resolve } from 'node:path';
import { parseIgnoreRule } from '../../diff/noise.ts';
import { openRunCache, type RunCache } from '../../snapshot/cache.node.ts';
import type { ComparisonSettings } from '../../snapshot/compare-rendering.node.ts';
import { type InputSelection, shardOf } from '../../snapshot/plan.node.ts';
import type { OutcomeTextOptions } from '../../snapshot/text.ts';
import { findConfig } from '../config/load.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../program.ts';
import { requestedCoverage } from '../rendering/coverage.node.ts';
import { renderSettings } from '../settings.ts';

/** Returns how a command line compares. Throws UsageError for an invalid rule. */
export function comparisonOf(flags: ParsedFlags): ComparisonSettings {
  return {
    snapshots: flags.text('snapshots') || 'snapshots',
    isUpdate: flags.on('update'),
    isExact: flags.on('exact'),
    isAll: flags.on('all'),
    mask: flags.list('mask'),
    rules: flags.list('ignore').map(parseIgnoreRule),
    explainsFailures: flags.on('explain'),
    listsRandom: flags.on('update') || flags.on('json') || flags.list('report').length > 0,
  };
}

/** Returns what a command line selects. Throws UsageError for an invalid shard. */
export function selectionOf(flags: ParsedFlags, io: CommandContext): InputSelection {
  return {
    inputs: flags.args,
    filters: flags.list('filter'),
    changedSince: flags.has('changed') ? flags.text('changed') || 'HEAD' : undefined,
    config: flags.on('no-config') ? undefined : (flags.text('config') ?? findConfig(io.cwd)),
    shard: shardOf(flags.text('shard'), io.env),
  };
}

/** Returns the cache of a command line; undefined with --no-cache, and if the result needs a rendering. */
export function cacheOf(flags: ParsedFlags, io: CommandContext): RunCache | undefined {
  if (flags.on('no-cache') || requestedCoverage(flags, io).isOn) return undefined;
  return openRunCache(resolve(io.cwd, flags.text('cache') || '.drydock/cache'), renderSettings(flags));
}

export function textOptions(flags: ParsedFlags, against = ''): OutcomeTextOptions {
  return { isUpdate: flags.on('update'), isFull: flags.on('verbose'), hasLines: flags.on('lines'), against };
}

/** Returns the number of threads; 0 for one per core. Throws UsageError. */
export function threadsOf(flags: ParsedFlags): number {
  const threads = Number(flags.text('jobs') ?? 0);
  if (threads < 0) throw new UsageError('--jobs takes a number of threads, or 0 for one per core');
  return threads;
}
