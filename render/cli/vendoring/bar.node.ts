// What a person sees while charts come: a bar on a terminal, a line for each chart in CI.

import type { VendorEvent } from '../../vendor/fetch/vendor.node.ts';
import type { CommandContext } from '../io.ts';

/** Shows what is done. */
export interface Bar {
  readonly show: (event: VendorEvent) => void;
  /** Takes the bar away, before anything else is printed. */
  readonly clear: () => void;
}

const width = 24;

/** Returns the bar. It is shown on a terminal alone; elsewhere each chart that came is a line on standard error. */
export function barOf(io: CommandContext): Bar {
  if (io.quiet) return { show: () => {}, clear: () => {} };
  if (io.isTerminal?.stderr !== true) {
    return {
      clear: () => {},
      show: ({ kind, chart, isCached }) => {
        if (kind === 'brought') io.stderr(`${isCached === true ? 'from the cache of Helm' : 'fetched'}: ${chart}\n`);
      },
    };
  }
  const charts = new Map<string, { readonly share: number; readonly isDone: boolean }>();
  return {
    clear: () => io.stderr('\r\u001b[K'),
    show: ({ kind, chart, bytes = 0, total }) => {
      const share = kind === 'brought' ? 1 : total === undefined || total === 0 ? 0 : bytes / total;
      charts.set(chart, {
        share: kind === 'bytes' ? share : (charts.get(chart)?.share ?? share),
        isDone: kind === 'brought',
      });
      const done = [...charts.values()].filter(({ isDone }) => isDone).length;
      const full = [...charts.values()].reduce((sum, item) => sum + (item.isDone ? 1 : item.share), 0) / charts.size;
      const filled = Math.round(full * width);
      const line = `[${'='.repeat(filled)}${' '.repeat(width - filled)}] ${done}/${charts.size} ${chart}`;
      io.stderr(`\r\u001b[K${io.err.dim(line)}`);
    },
  };
}
