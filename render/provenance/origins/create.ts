// Makes what a traced rendering remembers in.

import { Trace } from '../../template/trace.ts';
import { Tracer } from '../../template/traced.ts';
import { carriers } from './carriers.ts';

/** Returns a trace for one rendering. */
export function createTrace(): Trace {
  return new Trace({ carriers, observe: (running, trace) => new Tracer(running, trace) });
}
