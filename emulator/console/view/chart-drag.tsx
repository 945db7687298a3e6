// Drags a chart from the list to a position among the packages of the Order.

import { type Signal, signal } from '@preact/signals';
import type { TargetedDragEvent } from 'preact';
import { useState } from 'preact/hooks';
import { orderView } from '../order/draft.ts';
import type { AvailableChart } from '../session.ts';
import { addChart } from './commands.ts';
import { Empty } from './parts.tsx';

/** The chart being dragged. */
const draggedChart: Signal<AvailableChart | undefined> = signal(undefined);

/** Starts to drag a chart. */
export function startChartDrag(chart: AvailableChart, { dataTransfer }: DragEvent): void {
  if (!dataTransfer) return;
  dataTransfer.effectAllowed = 'copy';
  dataTransfer.setData('text/plain', `${chart.name} ${chart.version}`);
  // A change of the page at the start of a drag would end it.
  setTimeout(() => {
    draggedChart.value = chart;
  });
}

/** Ends the drag. */
export function endChartDrag(): void {
  draggedChart.value = undefined;
}

/** The packages of the Order while a chart is dragged: a drop adds it at that position. */
export function DropTargets() {
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
      {packages.length === 0 ? (
        <Empty title="No packages yet">
          <p>Drop the chart here to add it.</p>
        </Empty>
      ) : undefined}
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
