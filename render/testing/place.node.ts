// Where a snapshot of a test belongs: beside the file of the test, by the name of the test, both from its runner.

import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markOf } from '../provenance/impact/known-lines.ts';

// Longer names would be none to some file systems.
const mostWords = 120;

/** What is asked of the context of a test of node:test. */
export interface NodeTest {
  readonly name: string;
  readonly fullName?: string;
}

/** What a runner knows of the running test. */
export interface RunningTest {
  /** Empty where it is unknown. */
  readonly name: string;
  /** The path of the test's file. */
  readonly file: string;
  /** Whether the runner was asked to record snapshots anew. */
  readonly isUpdating: boolean;
  /** Whether the runner is set to record nothing: `jest --ci`, `vitest --update=none`. */
  readonly isClosed: boolean;
}

interface ExpectState {
  readonly currentTestName?: string;
  readonly testPath?: string;
  readonly snapshotState?: { readonly _updateSnapshot?: string };
}

interface Expect {
  readonly getState?: () => ExpectState;
}

/** Returns the test that runs: of vitest and jest as `expect` knows it, of node:test by its context and the caller's file. */
export function runningTest(test: NodeTest | undefined, callerFile: string): RunningTest {
  // Vitest keeps its own `expect` here, whether or not it makes globals.
  const vitest = (globalThis as Record<symbol, Expect | undefined>)[Symbol.for('expect-global')];
  const state = (vitest ?? (globalThis as { expect?: Expect }).expect)?.getState?.();
  const isSet = /^(?:1|true|yes)$/i.test(process.env.UPDATE_SNAPSHOTS ?? '');
  const isUpdating = isSet || process.execArgv.includes('--test-update-snapshots');
  if (state?.testPath === undefined) {
    return { name: test?.fullName ?? test?.name ?? '', file: callerFile, isUpdating, isClosed: false };
  }
  const recording = state.snapshotState?._updateSnapshot;
  return {
    name: ownName(state.currentTestName ?? '', state.testPath),
    file: state.testPath,
    isUpdating: isUpdating || recording === 'all',
    isClosed: recording === 'none',
  };
}

// Vitest 1 puts the path of the file in front, and later ones do not: a snapshot is to be found by both.
function ownName(name: string, file: string): string {
  const mark = `${basename(file)} > `;
  const at = name.indexOf(mark);
  return at === 0 || name[at - 1] === '/' ? name.slice(at + mark.length) : name;
}

/** Returns the path of a snapshot of a test. */
export function snapshotPath(file: string, name: string, count: number): string {
  const whole = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  // Of rows of a table that begin with the same words each has a file of its own.
  const words = whole.length <= mostWords ? whole : `${whole.slice(0, mostWords)}-${markOf(name).toString(16)}`;
  return join(dirname(file), '__snapshots__', basename(file), `${words}${count > 1 ? `-${count}` : ''}.yaml`);
}

/** Returns the file of the code that called a function. */
export function callerOf(called: (...args: never[]) => unknown): string {
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, called);
  const lines = (trace.stack ?? '').split('\n');
  const places = lines.flatMap((line) => {
    const end = line.search(/:\d+:\d+\)?$/);
    const start = line.search(/file:\/\/|\/|[A-Za-z]:[\\/]/);
    return start < 0 || end <= start ? [] : [line.slice(start, end)];
  });
  const [path = ''] = places;
  return path.startsWith('file://') ? fileURLToPath(path) : path;
}
