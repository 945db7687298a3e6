// What a thread that renders and the one that asks it tell each other, over a port of each job.

import { type Issue, isRenderError, type Place, RenderError } from '../../render/core/errors.ts';
import type { Chart, ChartRef } from '../../render/index.ts';
import type { RenderJob, ShelvedChart } from './renderer.ts';

/** A job on its way to a thread that renders. */
export interface JobMessage {
  readonly job: RenderJob;
  /** The longest answer, in bytes. */
  readonly outputBytes: number;
  /** Folders of charts that the thread reads by itself. */
  readonly folders: readonly string[];
  /** Whether the asking thread has charts of its own to be asked for. */
  readonly hasRegistry: boolean;
  /** What was handed over by now. */
  readonly shelf: readonly (Omit<ShelvedChart, 'chart'> & { readonly id: number })[];
  readonly port: MessagePort;
}

/** What a thread that renders says of its job. */
export type FromThread =
  | { readonly say: 'started' }
  /** From here on it is busy with this chart. */
  | { readonly say: 'at'; readonly chart: string }
  | { readonly say: 'find'; readonly request: ChartRef }
  | { readonly say: 'send'; readonly id: number }
  | { readonly say: 'done'; readonly answer: unknown }
  | { readonly say: 'failed'; readonly failure: Failure };

/** What it is answered: charts have numbers, so that one is sent once. */
export type ToThread =
  | { readonly say: 'found'; readonly id: number }
  | { readonly say: 'chart'; readonly chart: Chart }
  | { readonly say: 'failed'; readonly failure: Failure };

/** A failure as plain data: an error loses its class on the way. */
export interface Failure {
  /** The code of a render failure; empty for a fault of the program. */
  readonly code: RenderError['code'] | '';
  readonly message: string;
  readonly stack: string;
  readonly issues: readonly Issue[];
  readonly place: Place | undefined;
  readonly mend: string | undefined;
  readonly cause: string | undefined;
  /** Of a package that failed: its path in the order, its release and its chart. */
  readonly package: { readonly path: string; readonly release: string; readonly chart: string } | undefined;
}

/** Returns a failure as plain data. */
export function packFailure(error: unknown): Failure {
  const { message, stack = '', cause } = error instanceof Error ? error : new Error(String(error));
  const failed: Partial<PackedError> = isRenderError(error) ? error : {};
  const { code = '', issues = [], place, mend, path, release, chart } = failed;
  return {
    code,
    message,
    stack,
    issues,
    place,
    mend,
    cause: cause instanceof Error ? cause.message : undefined,
    package: path === undefined || release === undefined || chart === undefined ? undefined : { path, release, chart },
  };
}

type PackedError = RenderError & { readonly path: string; readonly release: string; readonly chart: string };

/** Returns the error of a failure: a `RenderError`, with the fields of a `PackageError` where it was one, or a plain one. */
export function unpackFailure(failure: Failure): Error {
  const { code, message, stack, issues, place, mend } = failure;
  const cause = failure.cause === undefined ? undefined : new Error(failure.cause);
  const error = code === '' ? new Error(message) : new RenderError(code, message, { issues, place, mend, cause });
  error.stack = stack;
  return Object.assign(error, failure.package);
}
