// The select that adds a chart.

import { charts, chartsFault } from '../../session.ts';
import { addChart } from '../commands.ts';

/** A select that adds a chart to the Order. */
export function AddChart() {
  const usable = (charts.value ?? []).filter(({ fault, type }) => fault === undefined && type !== 'library');
  return (
    <label class="add-chart">
      <span class="sr">Add chart</span>
      <select
        value=""
        disabled={usable.length === 0}
        onChange={(event) => {
          const chart = usable[Number(event.currentTarget.value)];
          event.currentTarget.value = '';
          if (chart) addChart(chart);
        }}
      >
        <option value="">{chartsFault.value === undefined ? 'Add chart…' : 'No charts available'}</option>
        {usable.map(({ name, version }, index) => (
          <option key={`${index}`} value={String(index)}>
            {name} {version}
          </option>
        ))}
      </select>
    </label>
  );
}
