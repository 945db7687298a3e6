// Drawing from a host's chance until something fits. A host of a caller may give the same again and again: that is reported.

import { RenderError } from '../core/errors.ts';
import type { Host } from '../core/host.ts';

// Half of all draws fit at least, so that so many in a row miss at no host whose chance is one.
const usualDraws = 256;

/**
 * Returns the first draw that fits; `draw` gives undefined for one that does not. `source` is the host's function it asks,
 * `most` how many draws are tried. Throws ARGUMENT_INVALID.
 */
export function drawUntil<T>(source: keyof Host, draw: () => T | undefined, most = usualDraws): T {
  for (let i = 0; i < most; i++) {
    const drawn = draw();
    if (drawn !== undefined) return drawn;
  }
  throw new RenderError('ARGUMENT_INVALID', `options.host.${source} gives nothing that fits in ${most} draws`, {
    hint: 'give something else at each call, as realHost() and seededHost() do',
  });
}
