// The messages between rendering workers and the thread that uses them.

import type { Failure } from '../../render/core/failure.ts';
import type { Chart, ChartRef } from '../../render/index.ts';
import type { RenderJob, UploadedChart } from './renderer.ts';

/** A job for a worker. */
export interface JobMessage {
  readonly job: RenderJob;
  /** Maximum size of an answer, in bytes. */
  readonly outputBytes: number;
  /** Folders of charts that the worker reads itself. */
  readonly folders: readonly string[];
  /** Whether the other thread has its own registry. */
  readonly hasRegistry: boolean;
  /** The ids of uploaded charts. */
  readonly uploads: readonly (Omit<UploadedChart, 'chart'> & { readonly id: number })[];
}

/** A worker's message about its job, in addition to those of its pool. */
export type FromWorker =
  /** It has started with this chart. */
  | { readonly type: 'progress'; readonly chart: string }
  /** Requests the id of a chart in the registry. */
  | { readonly type: 'find'; readonly request: ChartRef }
  /** Requests a chart that it does not have. */
  | { readonly type: 'send'; readonly id: number };

/** A message to a worker: a job, or the response to its request. */
export type ToWorker =
  | { readonly type: 'job'; readonly job: JobMessage }
  | { readonly type: 'found'; readonly id: number }
  | { readonly type: 'chart'; readonly chart: Chart }
  | { readonly type: 'failed'; readonly failure: Failure };
