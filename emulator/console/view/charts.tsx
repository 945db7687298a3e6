// The available charts: search, details, add to the Order.

import { type Signal, signal, useSignal } from '@preact/signals';
import type { TargetedDragEvent } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { orderView } from '../order/draft.ts';
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
      <DropTargets />
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
    <li
      key={name}
      class="chart"
      data-shown={isShown}
      draggable={type !== 'library'}
      onDragStart={(event) => startChartDrag(chart, event)}
      onDragEnd={endChartDrag}
    >
      <a
        class="chart-link"
        draggable={false}
        href={hrefOf('charts', [name, version])}
        aria-current={isShown ? 'true' : undefined}
      >
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
        <Empty title="Select a chart">Or drag one to its place among the packages.</Empty>
      ) : (
        <Empty title={`${missing} is not available`}>
          <a href={hrefOf('charts')}>All charts</a>
        </Empty>
      )}
    </section>
  );
}

// Drags a chart from the list to a position among the packages of the Order.

/** The chart being dragged. */
const draggedChart: Signal<AvailableChart | undefined> = signal(undefined);

/** Starts to drag a chart. */
function startChartDrag(chart: AvailableChart, { dataTransfer }: DragEvent): void {
  if (!dataTransfer) return;
  dataTransfer.effectAllowed = 'copy';
  dataTransfer.setData('text/plain', `${chart.name} ${chart.version}`);
  // A change of the page at the start of a drag would end it.
  setTimeout(() => {
    draggedChart.value = chart;
  });
}

/** Ends the drag. */
function endChartDrag(): void {
  draggedChart.value = undefined;
}

/** The packages of the Order while a chart is dragged: a drop adds it at that position. */
function DropTargets() {
  const [at, setAt] = useState<number>();
  const chart = draggedChart.value;
  const { packages } = orderView.value;
  if (!chart) return undefined;
  const over = (event: TargetedDragEvent<HTMLElement>): void => {
    event.preventDefault();
    setAt(placeUnder(event));
  };
  const drop = (event: TargetedDragEvent<HTMLElement>): void => {
    event.preventDefault();
    endChartDrag();
    addChart(chart, placeUnder(event));
  };
  return (
    <section class="places" aria-label="Packages of the Order" onDragOver={over} onDrop={drop}>
      <h2 class="pad">
        Drop {chart.name} {chart.version} between the packages
      </h2>
      {packages.length === 0 ? <Empty title="No packages yet">Drop the chart here to add it.</Empty> : undefined}
      <ol>
        {packages.map(({ release, chart: name, version, namespace }, index) => (
          <li
            key={index}
            class="place"
            data-before={at === index}
            data-after={index === packages.length - 1 && at === packages.length}
          >
            <b>{release || name}</b>{' '}
            <span class="soft">
              {name} {version} · {namespace || 'default'}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

// Before the first package whose middle is below the pointer, else at the end.
function placeUnder({ currentTarget, clientY }: TargetedDragEvent<HTMLElement>): number {
  const rows = [...currentTarget.querySelectorAll('.place')];
  const below = rows.findIndex((row) => {
    const { top, height } = row.getBoundingClientRect();
    return clientY < top + height / 2;
  });
  return below < 0 ? rows.length : below;
}
