// The button that adds a chart: it opens a searchable list of charts.

import { charts, chartsFault } from '../../session.ts';
import { chartCommands } from '../commands.ts';
import { openPalette } from '../palette.tsx';
import { Button } from '../parts.tsx';

/** The button. */
export function AddChart() {
  const isEmpty = chartCommands(charts.value ?? []).length === 0;
  return (
    <span class="add-chart">
      <Button icon="add" kind="plain" disabled={isEmpty} onPress={() => openPalette('charts')}>
        {chartsFault.value === undefined ? 'Add chart' : 'No charts available'}
      </Button>
    </span>
  );
}
