// The available charts: search, details, add to the Order.

import { useSignal } from '@preact/signals';
import { groupBy } from '../../../render/core/group-by.ts';
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
  const matches = matcherOf(search.value);
  const found = (all ?? []).filter(({ name, version, description = '', keywords = [] }) =>
    matches(`${name} ${version} ${description} ${keywords.join(' ')}`),
  );
  const [name = '', version = ''] = place.value.about;
  const shown = all?.find((chart) => chart.name === name && chart.version === version);
  const ofName = (all ?? []).filter((chart) => chart.name === name && chart.fault === undefined);
  const versions = [...new Set(ofName.sort(newestFirst).map((chart) => chart.version))];
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
          <SearchField class="wide-field" label="Search charts by name, description or keyword" text={search} />
        </div>
        <ErrorMessage message={chartsFault.value} hint="Fix it, then choose Refresh." />
        <ul class="chart-list">
          {[...groupBy(found, (chart) => `${chart.name} ${chart.fault ?? ''}`).values()].map((versions) =>
            rowOf([...versions].sort(newestFirst)[0]!, versions.length, versions[0].name === shown?.name),
          )}
        </ul>
        {all && found.length === 0 ? (
          <Empty title="No charts found">
            Add folders of charts with <code>drydock serve --charts DIR</code>, or download the charts of an Order with{' '}
            <code>drydock vendor</code>.
          </Empty>
        ) : undefined}
      </section>
      {shown ? (
        <ChartDetail key={`${shown.name} ${shown.version}`} chart={shown} versions={versions} />
      ) : (
        <section class="shelf-detail" aria-label="Chart">
          {all === undefined || name === '' ? (
            <Empty title="Select a chart" />
          ) : (
            <Empty title={`${[name, version].filter(Boolean).join(' ')} is not available`}>
              <a href={hrefOf('charts')}>All charts</a>
            </Empty>
          )}
        </section>
      )}
    </div>
  );
}

const byNumber = new Intl.Collator('en', { numeric: true });

/** Compares charts by their versions; a pre-release is older than its release. */
export function newestFirst(a: Pick<AvailableChart, 'version'>, b: Pick<AvailableChart, 'version'>): number {
  const partsOf = ({ version }: Pick<AvailableChart, 'version'>) => /^([^-+]*)-?([^+]*)/.exec(version) ?? [];
  const [, left = '', leftPre = ''] = partsOf(a);
  const [, right = '', rightPre = ''] = partsOf(b);
  return (
    byNumber.compare(right, left) ||
    Number(leftPre !== '') - Number(rightPre !== '') ||
    byNumber.compare(rightPre, leftPre)
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
