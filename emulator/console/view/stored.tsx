// The Orders that the emulator holds: opened to go on with, or called by their addresses.

import { hrefOf } from '../address.ts';
import type { StoredOrder } from '../api.ts';
import type { ApiCall } from '../call.ts';
import { orderText } from '../order/document.ts';
import { openOrder } from '../order/draft.ts';
import { goTo } from '../place.ts';
import { say, users } from '../session.ts';
import { CallCopies, PageCall } from './call.tsx';
import { useLoaded } from './loaded.ts';
import { Button, Empty } from './parts.tsx';

/** The screen. */
export function StoredScreen() {
  const { told: orders, asked, again } = useLoaded<readonly StoredOrder[]>('orders');
  return (
    <div class="page">
      <div class="bar">
        <h1 class="bar-title">Stored Orders</h1>
        <Button icon="again" kind="quiet" onPress={again}>
          Look again
        </Button>
      </div>
      <PageCall {...asked} />
      {orders && orders.length === 0 ? (
        <Empty title="No Order is stored">
          <p>
            <a href={hrefOf('orders')}>Compose one</a> and press “Store”, or send one to{' '}
            <code>POST /api/v1/user/deploy/orders</code>.
          </p>
        </Empty>
      ) : undefined}
      {orders && orders.length > 0 ? <OrderTable orders={orders} /> : undefined}
    </div>
  );
}

function OrderTable({ orders }: { readonly orders: readonly StoredOrder[] }) {
  return (
    <div class="scroll">
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Owner</th>
            <th scope="col">Packages</th>
            <th scope="col">Stored</th>
            <th scope="col">UID</th>
            <th scope="col">
              <span class="sr">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {[...orders].reverse().map((stored) => (
            <OrderRow key={stored.uid} stored={stored} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function OrderRow({ stored }: { readonly stored: StoredOrder }) {
  const { uid, owner, order } = stored;
  const list = order.spec.packages ?? order.spec.items;
  const token = users.value?.find(({ login }) => login === owner)?.token ?? '<TOKEN>';
  const open = (): void => {
    openOrder(orderText(withoutServerFields(order)), 'open a stored Order');
    goTo(hrefOf('orders'));
    say(`${order.metadata.name} is open.`);
  };
  const call: ApiCall = { method: 'GET', path: `api/v1/user/deploy/orders/${uid}/render/manifest`, token };
  return (
    <tr>
      <td data-label="Name">{order.metadata.name}</td>
      <td data-label="Owner">{owner}</td>
      <td data-label="Packages">{Array.isArray(list) ? list.length : 0}</td>
      <td data-label="Stored" class="time">
        {order.metadata.creationTimestamp}
      </td>
      <td data-label="UID">
        <code>{uid}</code>
      </td>
      <td class="row-tools">
        <Button icon="open" label={`Open ${order.metadata.name}`} kind="quiet" onPress={open}>
          Open
        </Button>
        <CallCopies call={call} of={`the manifest of ${order.metadata.name}`} />
      </td>
    </tr>
  );
}

// What the service gave it, it gives anew.
function withoutServerFields(order: StoredOrder['order']): unknown {
  const { uid: _, creationTimestamp: __, ...metadata } = order.metadata as Readonly<Record<string, unknown>>;
  return { ...order, metadata };
}
