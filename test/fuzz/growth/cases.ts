// The list of what grows.

import { calls } from './calls.ts';
import type { GrowthCase } from './case.ts';
import { files, flags } from './files.ts';
import { templates } from './templates.ts';

/** Every case, the calls of functions last. */
export const growthCases: readonly GrowthCase[] = [...templates, ...files, ...flags, ...calls];
