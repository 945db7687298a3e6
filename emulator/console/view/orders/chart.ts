// The chart of a package, loaded when it is first shown.

import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../../api.ts';
import { chartPath, loadChartDetails, type ShownChart, toChartRequest } from '../../chart-details.ts';
import type { OrderPackage } from '../../order/document.ts';

/** A chart, or why it is not available. */
export interface FoundChart {
  readonly chart?: ShownChart;
  readonly fault?: string;
}

/** Returns the chart of a package; neither chart nor error until the server has responded. */
export function useChart(item: OrderPackage | undefined): FoundChart {
  const [found, setFound] = useState<FoundChart & { readonly key: string }>({ key: '' });
  const request = item && item.chart !== '' ? toChartRequest(item) : undefined;
  const key = request ? chartPath(request) : '';
  useEffect(() => {
    if (!request) return undefined;
    let isGone = false;
    loadChartDetails(request).then(
      (chart) => isGone || setFound({ key, chart }),
      (failure) => isGone || setFound({ key, fault: errorMessage(failure) }),
    );
    return () => {
      isGone = true;
    };
  }, [key]);
  return found.key === key ? found : {};
}
