// Makes what a traced rendering remembers in.

import { Trace } from '../template/trace.ts';
import { TracedExecution } from '../template/traced.ts';
import { carriers } from './carriers.ts';

/** Gives a trace for one rendering. */
export function createTrace(): Trace {
  return new Trace({ carriers, execute: (template, data, by) => new TracedExecution(template, data, by) });
}
