// The chart of a package, asked for when it is first looked at.

import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../../api.ts';
import type { OrderPackage } from '../../order/document.ts';
import { chartPath, loadChartDetails, type ShownChart, wishOf } from '../../shelf.ts';

/** A chart, or why there is none. */
export interface FoundChart {
  readonly chart?: ShownChart;
  readonly fault?: string;
}

/** Returns the chart of a package; neither chart nor fault until the server answered. */
export function useChart(item: OrderPackage | undefined): FoundChart {
  const [found, setFound] = useState<FoundChart & { readonly key: string }>({ key: '' });
  const wish = item && item.chart !== '' ? wishOf(item) : undefined;
  const key = wish ? chartPath(wish) : '';
  useEffect(() => {
    if (!wish) return undefined;
    let isGone = false;
    loadChartDetails(wish).then(
      (chart) => isGone || setFound({ key, chart }),
      (failure) => isGone || setFound({ key, fault: errorMessage(failure) }),
    );
    return () => {
      isGone = true;
    };
  }, [key]);
  return found.key === key ? found : {};
}
