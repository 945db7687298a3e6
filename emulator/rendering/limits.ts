// Limits of the emulator's renderings, so that no order blocks others.

import { EmulatorError } from '../core/errors.ts';
import { checkJson } from '../store/check.ts';
import type { Schema } from '../store/compile.ts';

/** Limits of a rendering; exceeding one fails with LIMIT_REACHED. */
export interface OrderLimits {
  /** Time limit in milliseconds, default 10,000. It applies where a rendering has its own thread. */
  readonly milliseconds: number;
  /** Maximum size of an answer. Default 64 MiB. */
  readonly outputBytes: number;
  /** Memory limit of the rendering thread in MiB, in Node. Default 512. */
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

/** Returns limits with defaults for missing ones. Throws an `EmulatorError` (SETTING_INVALID) for an invalid one. */
export function readLimits(limits: Partial<OrderLimits> = {}): OrderLimits {
  const faults = checkJson(limitsSchema, limits);
  if (faults.length === 0) return { ...defaultLimits, ...limits };
  throw new EmulatorError(
    'SETTING_INVALID',
    faults.map(({ path, message }) => ({ path: path === '' ? 'limits' : `limits.${path}`, message })),
  );
}
