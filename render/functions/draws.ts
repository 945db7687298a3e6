// Repeats random draws until one fits. A custom host may always return the same bytes, which is reported.

import { RenderError } from '../core/errors.ts';
import type { Host } from '../core/host.ts';

// At least half of all draws fit, so this many misses in a row do not happen with a random host.
const usualDraws = 256;

/**
 * Returns the first draw that fits; `draw` returns undefined for one that does not. `source` is the name of the host's function, `most` the
 * maximum number of draws. Throws ARGUMENT_INVALID.
 */
export function drawUntil<T>(source: keyof Host, draw: () => T | undefined, most = usualDraws): T {
  for (let i = 0; i < most; i++) {
    const drawn = draw();
    if (drawn !== undefined) return drawn;
  }
  throw new RenderError('ARGUMENT_INVALID', `options.host.${source} returned no suitable value in ${most} draws`, {
    hint: 'give something else at each call, as realHost() and seededHost() do',
  });
}
