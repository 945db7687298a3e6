// What a set of templates asks for executions that do more than run.

import type { GoValue } from '../go/value.ts';
import type { Execution, Surroundings } from './exec.ts';
import type { Template } from './nodes.ts';

/** Makes executions that write something down while they run; their text is that of plain ones. */
export interface Executions {
  execution(template: Template, data: GoValue, surroundings: Surroundings): Execution;
}
