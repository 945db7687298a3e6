// What a rendering of the emulator may take, so that no order keeps others waiting.

import { EmulatorError } from '../core/errors.ts';
import { checkJson } from '../store/check.ts';
import type { Schema } from '../store/compile.ts';

/** What a rendering may take before it is stopped with LIMIT_REACHED. */
export interface OrderLimits {
  /** Default 10,000. It holds where a rendering has a thread of its own. */
  readonly milliseconds: number;
  /** Of one answer. Default 64 MiB. */
  readonly outputBytes: number;
  /** In MiB, of the thread that renders, in Node. Default 512. */
  readonly memory: number;
}

/** The default limits of a rendering. */
export const defaultLimits: OrderLimits = { milliseconds: 10_000, outputBytes: 64 * 1024 * 1024, memory: 512 };

const count: Schema = { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 };

/** The schema of limits. */
export const limitsSchema: Schema = {
  type: 'object',
  properties: { milliseconds: count, outputBytes: count, memory: { ...count, minimum: 16 } },
  additionalProperties: false,
};

/** Returns limits, the default for each that is left out. Throws an `EmulatorError` (SETTING_INVALID) for what is none. */
export function readLimits(limits: Partial<OrderLimits> = {}): OrderLimits {
  const faults = checkJson(limitsSchema, limits);
  if (faults.length === 0) return { ...defaultLimits, ...limits };
  throw new EmulatorError(
    'SETTING_INVALID',
    faults.map(({ path, message }) => ({ path: path === '' ? 'limits' : `limits.${path}`, message })),
  );
}
