// `drydock snapshot --watch`: compares once, and again after each save what it may have changed.

import { counted } from '../../core/counted.ts';
import { printOutcomes } from '../../snapshot/text.ts';
import { type SnapshotWatch, type WatchState, watchSnapshots } from '../../snapshot/watch.node.ts';
import { type ParsedFlags, UsageError } from '../flags.ts';
import type { CommandContext } from '../program.ts';
import { listenForStop } from '../stop.node.ts';
import { comparisonOptions, textOptions } from './options.node.ts';
import { type RequestedReports, requestedReports } from './reports.node.ts';

const clearScreen = '\u001b[2J\u001b[3J\u001b[H';

/** Compares, and again after each save until it is stopped. Returns 0. Throws UsageError for incompatible flags. */
export async function watchCommand(flags: ParsedFlags, io: CommandContext): Promise<number> {
  const reports = checkedReports(flags, io);
  const isDrawn = io.isTerminal?.stdout === true;
  const text = textOptions(flags);
  // What a terminal shows at the end of a comparison; undefined if it is printed at once.
  let held: (() => void)[] | undefined;
  const print = (write: () => void): void => {
    if (held === undefined) write();
    else held.push(write);
  };
  const stderr = (message: string): void => print(() => io.stderr(message));
  // Before the first line of output, because a reader of it may stop the command at once.
  const stop = listenForStop(io.signal);
  let watch: SnapshotWatch | undefined;
  try {
    watch = await watchSnapshots(flags.args, {
      ...comparisonOptions(flags, { ...io, stderr }),
      onStart: () => {
        held = isDrawn ? [] : undefined;
      },
      // Shown as soon as it is found, and again with its causes.
      onDifference: isDrawn
        ? (outcome) => {
            io.stdout(clearScreen);
            printOutcomes([outcome], text, io);
          }
        : undefined,
      onOutcome: (outcome) => print(() => printOutcomes([outcome], text, io)),
      onEnd: (state) => {
        if (held !== undefined) io.stdout(clearScreen);
        for (const write of held ?? []) write();
        held = undefined;
        printEnd(state, io);
        reports.write(state.run.report);
      },
      onFailure: (error, state) => {
        held = undefined;
        io.stderr(`Error: ${error.message}\n`);
        printEnd(state, io);
      },
    });
    await stop.wished;
  } finally {
    stop.ignore();
    await watch?.close();
  }
  return 0;
}

const others: Readonly<Record<string, string>> = {
  update: 'it compares; record with --update in another terminal, which it notices',
  json: 'it prints after each save: write --report json=FILE',
  shard: 'it is for one machine',
  coverage: 'coverage needs a separate run',
  'coverage-report': 'coverage needs a separate run',
  min: 'coverage needs a separate run',
  'min-branches': 'coverage needs a separate run',
};

// Throws UsageError for a flag that a watch cannot have.
function checkedReports(flags: ParsedFlags, io: CommandContext): RequestedReports {
  for (const [name, why] of Object.entries(others)) {
    const isSet = name === 'update' || name === 'json' || name === 'coverage' ? flags.on(name) : flags.has(name);
    if (isSet) throw new UsageError(`--watch cannot be used with --${name}: ${why}`);
  }
  const reports = requestedReports(flags, io);
  if (reports.takesOutput) {
    throw new UsageError('--watch prints after each save: give --report a file, as in --report html=FILE');
  }
  if (flags.list('values').some((files) => files.split(',').some((file) => file.trim() === '-'))) {
    throw new UsageError('--watch cannot read values from standard input, which can be read only once: name a file');
  }
  return reports;
}

function printEnd({ run: { counts }, milliseconds }: WatchState, io: CommandContext): void {
  if (io.quiet) return;
  const { all, bad } = counts;
  const how = bad === 0 ? 'all as recorded' : `${bad} of ${all} not as recorded`;
  const time = milliseconds === undefined ? [] : [`${Math.round(milliseconds)} ms`];
  io.stdout(io.out.dim(`${[counted(all, 'input'), how, ...time, 'watching; Ctrl-C ends'].join(' · ')}\n`));
}
