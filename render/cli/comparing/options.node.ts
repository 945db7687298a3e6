// The options of `drydock snapshot` from its command line.

import type { ComparisonOptions } from '../../snapshot/run.node.ts';
import type { OutcomeTextOptions } from '../../snapshot/text.ts';
import { findConfig } from '../config/load.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../program.ts';
import { requestedCoverage } from '../rendering/coverage.node.ts';
import { renderSettings, surroundings } from '../settings.ts';

/** Returns how a command line renders and compares, with or without --watch. Throws UsageError. */
export function comparisonOptions(flags: ParsedFlags, io: CommandContext): ComparisonOptions {
  return {
    ...surroundings(io),
    settings: renderSettings(flags),
    snapshots: flags.text('snapshots') || undefined,
    ignore: flags.list('ignore'),
    all: flags.on('all'),
    exact: flags.on('exact'),
    explain: flags.on('explain'),
    random: flags.list('report').length > 0,
    filters: flags.list('filter'),
    changedSince: flags.has('changed') ? flags.text('changed') || 'HEAD' : undefined,
    config: flags.on('no-config') ? undefined : (flags.text('config') ?? findConfig(io.cwd)),
    // Coverage needs a rendering.
    cache:
      flags.on('no-cache') || requestedCoverage(flags, io).isOn ? undefined : flags.text('cache') || '.drydock/cache',
    threads: threadsOf(flags),
  };
}

export function textOptions(flags: ParsedFlags, against = ''): OutcomeTextOptions {
  return { update: flags.on('update'), verbose: flags.on('verbose'), against };
}

function threadsOf(flags: ParsedFlags): number {
  const threads = Number(flags.text('jobs') ?? 0);
  if (threads < 0) throw new UsageError('--jobs takes a number of threads, or 0 for one per core');
  return threads;
}
