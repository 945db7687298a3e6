// Where a test's snapshot belongs: beside the test's file, named after the test, according to the runner.

import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markOf } from '../provenance/impact/inputs.ts';

// Some file systems do not support longer names.
const mostWords = 120;

/** The required members of a node:test context. */
export interface NodeTest {
  readonly name: string;
  readonly fullName?: string;
}

/** What a runner knows about the running test. */
export interface RunningTest {
  /** Empty if unknown. */
  readonly name: string;
  /** The path of the test's file. */
  readonly file: string;
  /** Whether the runner was asked to record snapshots again. */
  readonly isUpdating: boolean;
  /** Whether the runner must not record anything: `jest --ci`, `vitest --update=none`. */
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

/** Returns the running test: for vitest and jest from their `expect`, for node:test from its context and the caller's file. */
export function runningTest(test: NodeTest | undefined, callerFile: string): RunningTest {
  // Vitest stores its own `expect` here, with or without globals.
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

// Vitest 1 prefixes the path of the file, later versions do not: a snapshot must be found by both.
function ownName(name: string, file: string): string {
  const mark = `${basename(file)} > `;
  const at = name.indexOf(mark);
  return at === 0 || name[at - 1] === '/' ? name.slice(at + mark.length) : name;
}

export function snapshotPath(file: string, name: string, count: number): string {
  const whole = name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '');
  // Rows of a test table that start with the same words have separate files.
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
