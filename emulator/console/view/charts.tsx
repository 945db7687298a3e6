// The available charts: search, details, add to the Order.

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { hrefOf, place } from '../place.ts';
import { matcherOf } from '../search.ts';
import { type AvailableChart, charts, chartsFault, loadCharts } from '../session.ts';
import { ChartDetail, ChartIcon } from './chart-detail.tsx';
import { removeDropped } from './orders/actions.ts';
import { addChart } from './palette.tsx';
import { Button, Empty, ErrorMessage, SearchField } from './parts.tsx';

export function ChartsScreen() {
  const search = useSignal('');
  const all = charts.value;
  const found = useMemo(() => searchCharts(all ?? [], search.value), [all, search.value]);
  const [name = '', version = ''] = place.value.about;
  const shown = all?.find((chart) => chart.name === name && chart.version === version);
  return (
    <div class="shelf" data-open={shown !== undefined}>
      <section class="shelf-list" aria-label="Charts">
        <div class="bar">
          <h1 class="bar-title">Charts</h1>
          {all?.some(({ dropped }) => dropped) ? (
            <Button icon="remove" kind="quiet" onPress={removeDropped}>
              Remove dropped charts
            </Button>
          ) : undefined}
          <Button icon="again" kind="quiet" onPress={loadCharts}>
            Refresh
          </Button>
        </div>
        <div class="pad">
          <SearchField
            class="wide-field"
            label="Search charts"
            placeholder="Search by name, description or keyword"
            text={search}
          />
        </div>
        <ErrorMessage message={chartsFault.value} hint="Fix it, then choose Refresh." />
        <ul class="chart-list">
          {groupByName(found).map(([chart, count]) => rowOf(chart, count, chart.name === shown?.name))}
        </ul>
        {all && found.length === 0 ? (
          <Empty title="No charts found">
            Add folders of charts with <code>drydock serve --charts DIR</code>, or download the charts of an Order with{' '}
            <code>drydock vendor</code>.
          </Empty>
        ) : undefined}
      </section>
      {shown ? (
        <ChartDetail key={`${shown.name} ${shown.version}`} chart={shown} versions={versionsOf(all ?? [], shown)} />
      ) : (
        <NoChart missing={all !== undefined && name !== '' ? `${name} ${version}`.trim() : undefined} />
      )}
    </div>
  );
}

const byNumber = new Intl.Collator('en', { numeric: true });

// Each chart once, in its highest version, with the number of versions.
function groupByName(
  found: readonly AvailableChart[],
): readonly (readonly [chart: AvailableChart, versions: number])[] {
  const groups = new Map<string, readonly [AvailableChart, number]>();
  for (const chart of found) {
    const key = JSON.stringify([chart.name, chart.fault]);
    const [newest = chart, count = 0] = groups.get(key) ?? [];
    const isNewer = byNumber.compare(chart.version, newest.version) > 0;
    groups.set(key, [isNewer ? chart : newest, count + 1]);
  }
  return [...groups.values()];
}

function versionsOf(all: readonly AvailableChart[], shown: AvailableChart): readonly string[] {
  const versions = all.filter(({ name, fault }) => name === shown.name && fault === undefined);
  return [...new Set(versions.map(({ version }) => version))].sort((a, b) => byNumber.compare(b, a));
}

function searchCharts(all: readonly AvailableChart[], search: string): readonly AvailableChart[] {
  const matches = matcherOf(search);
  return all.filter(({ name, version, description = '', keywords = [] }) =>
    matches(`${name} ${version} ${description} ${keywords.join(' ')}`),
  );
}

function rowOf(chart: AvailableChart, versions: number, isShown: boolean) {
  const { name, version, description, fault, type, deprecated } = chart;
  if (fault !== undefined) {
    return (
      <li key={`${name} ${fault}`} class="chart" data-broken>
        <span class="chart-name">{name}</span>
        <span class="chart-about">{fault}</span>
      </li>
    );
  }
  return (
    <li key={name} class="chart" data-shown={isShown}>
      <a class="chart-link" href={hrefOf('charts', [name, version])} aria-current={isShown ? 'true' : undefined}>
        <ChartIcon chart={chart} />
        <span class="chart-name">
          {name} <span class="soft">{version}</span>
          {type === 'library' ? <span class="tag">library</span> : undefined}
          {deprecated ? <span class="tag">deprecated</span> : undefined}
          {versions > 1 ? <span class="tag">{versions} versions</span> : undefined}
        </span>
        <span class="chart-about">{description}</span>
      </a>
      {type === 'library' ? undefined : (
        <Button icon="add" label={`Add ${name} ${version} to the Order`} kind="quiet" onPress={() => addChart(chart)} />
      )}
    </li>
  );
}

function NoChart({ missing }: { readonly missing: string | undefined }) {
  return (
    <section class="shelf-detail" aria-label="Chart">
      {missing === undefined ? (
        <Empty title="Select a chart" />
      ) : (
        <Empty title={`${missing} is not available`}>
          <a href={hrefOf('charts')}>All charts</a>
        </Empty>
      )}
    </section>
  );
}
