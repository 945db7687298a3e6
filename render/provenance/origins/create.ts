// Creates traces.

import { Trace } from '../../template/trace.ts';
import { Tracer } from '../../template/traced.ts';
import { propagationRules } from './propagation.ts';

/** Returns a trace for one rendering. */
export function createTrace(): Trace {
  return new Trace({ rules: propagationRules, observe: (running, trace) => new Tracer(running, trace) });
}
