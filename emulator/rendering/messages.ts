// What the workers that render and the thread that asks them say to each other.

import type { Failure } from '../../render/core/failure.ts';
import type { Chart, ChartRef } from '../../render/index.ts';
import type { RenderJob, UploadedChart } from './renderer.ts';

/** A job on its way to a worker. */
export interface JobMessage {
  readonly job: RenderJob;
  /** The longest answer, in bytes. */
  readonly outputBytes: number;
  /** Folders of charts that the worker reads by itself. */
  readonly folders: readonly string[];
  /** Whether the asking thread has a registry of its own. */
  readonly hasRegistry: boolean;
  /** The uploaded charts, by their ids. */
  readonly uploads: readonly (Omit<UploadedChart, 'chart'> & { readonly id: number })[];
}

/** What a worker says about its job, beside the messages of its pool. */
export type FromWorker =
  /** It has begun with this chart. */
  | { readonly type: 'progress'; readonly chart: string }
  /** Asks for the id of a chart of the registry. */
  | { readonly type: 'find'; readonly request: ChartRef }
  /** Asks for a chart that it does not have yet. */
  | { readonly type: 'send'; readonly id: number };

/** A message to a worker: a job, or the answer to its question. */
export type ToWorker =
  | { readonly type: 'job'; readonly job: JobMessage }
  | { readonly type: 'found'; readonly id: number }
  | { readonly type: 'chart'; readonly chart: Chart }
  | { readonly type: 'failed'; readonly failure: Failure };
