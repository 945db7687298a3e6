// The start screen for an empty Order: examples, recent Orders, and ways to add charts and files.

import { request, type SavedOrder } from '../../api.ts';
import { openOrder } from '../../order/draft.ts';
import { exampleOrders } from '../../order/examples.ts';
import { openSaved, sortNewestFirst } from '../../order/saved.ts';
import { hrefOf } from '../../place.ts';
import { charts } from '../../session.ts';
import { useLoad } from '../load.ts';
import { AddChart } from '../palette.tsx';
import { Button, LinkButton, RelativeTime } from '../parts.tsx';
import { startTour } from '../tour.tsx';
import { chooseFiles } from './actions.ts';
import { showOrderLine } from './selection.ts';

const mostRecent = 5;

export function StartPane() {
  return (
    <section class="start" aria-label="Start">
      <h2 class="start-title">Start an Order</h2>
      <p class="soft">
        An Order lists Helm charts with their values. The manifest, the checks and the scripts follow while you edit.
      </p>
      <p class="start-tour">
        <Button onPress={startTour}>Take the tour</Button> <span class="soft">One minute, six steps</span>
      </p>
      <Examples />
      <div class="start-ways">
        <section class="start-way">
          <h3>Add a chart</h3>
          <AddChart />
          <a href={hrefOf('charts')}>Browse all charts</a>
        </section>
        <section class="start-way start-drop">
          <h3>Drop files here</h3>
          <p class="soft">A chart folder or archive, an Order, values or a bundle</p>
          <p class="start-buttons">
            <Button icon="open" onPress={chooseFiles}>
              Open files
            </Button>
            <Button onPress={() => showOrderLine()}>Write YAML</Button>
          </p>
        </section>
        <RecentOrders />
      </div>
    </section>
  );
}

function Examples() {
  const isLoading = charts.value === undefined;
  const names = new Set(charts.value?.map(({ name }) => name));
  // All of them while charts are loading, to avoid layout shifts.
  const offered = exampleOrders.filter((example) => isLoading || example.charts.every((chart) => names.has(chart)));
  if (offered.length === 0) return undefined;
  return (
    <section aria-label="Examples">
      <h3 class="start-head">Start from an example</h3>
      <ul class="start-cards">
        {offered.map(({ title, description, text, charts: used }) => (
          <li key={title}>
            <button
              type="button"
              class="start-card"
              disabled={isLoading}
              onClick={() => openOrder(text, `open ${title}`)}
            >
              <b>{title}</b>
              <span>{description}</span>
              <span class="soft">{used.join(' · ')}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RecentOrders() {
  const { value: orders = [] } = useLoad('orders', () => request<readonly SavedOrder[]>('GET', '__drydock/orders'));
  const recent = sortNewestFirst(orders).slice(0, mostRecent);
  if (recent.length === 0) return undefined;
  return (
    <section class="start-way">
      <h3>Recent Orders</h3>
      <ul class="start-recent">
        {recent.map((saved) => (
          <li key={saved.uid}>
            <LinkButton onPress={() => openSaved(saved)}>{saved.order.metadata.name}</LinkButton>
            <span class="soft">
              {saved.owner} · <RelativeTime iso={saved.order.metadata.creationTimestamp} />
            </span>
          </li>
        ))}
      </ul>
      <a href={hrefOf('stored')}>All saved Orders</a>
    </section>
  );
}
