// The saved Orders of all users.

import { hrefOf } from '../address.ts';
import { isInPage, type SavedOrder } from '../api.ts';
import type { ApiCall } from '../call.ts';
import { openSaved, sortNewestFirst } from '../order/saved.ts';
import { goTo } from '../place.ts';
import { emulatorNow, showMessage, users } from '../session.ts';
import { CallCopies, PageCall } from './call.tsx';
import { useLoaded } from './loaded.ts';
import { Button, copyText, Empty, TableHead } from './parts.tsx';
import { RelativeTime } from './time.tsx';

/** The screen. */
export function SavedOrdersScreen() {
  const { told: orders, asked, again } = useLoaded<readonly SavedOrder[]>('orders');
  return (
    <div class="page">
      <div class="bar">
        <h1 class="bar-title">Saved Orders</h1>
        <Button icon="again" kind="quiet" onPress={again}>
          Refresh
        </Button>
      </div>
      {isInPage ? (
        <p class="pad soft">This demo runs in the page: a reload forgets the Orders that you save.</p>
      ) : undefined}
      {orders && orders.length === 0 ? (
        <Empty title="No saved Orders">
          <p>
            <a href={hrefOf('orders')}>Create one</a> and choose Save, or send one to{' '}
            <code>POST /api/v1/user/deploy/orders</code>.
          </p>
        </Empty>
      ) : undefined}
      {orders && orders.length > 0 ? <OrderTable orders={orders} /> : undefined}
      <PageCall {...asked} />
    </div>
  );
}

function OrderTable({ orders }: { readonly orders: readonly SavedOrder[] }) {
  return (
    <div class="scroll">
      <table class="table">
        <TableHead columns={['Name', 'Owner', 'Packages', 'Saved']} hasActions={true} />
        <tbody>
          {sortNewestFirst(orders).map((saved) => (
            <OrderRow key={saved.uid} saved={saved} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function OrderRow({ saved }: { readonly saved: SavedOrder }) {
  const { uid, owner, order } = saved;
  const { name, creationTimestamp } = order.metadata;
  const token = users.value?.find(({ login }) => login === owner)?.token ?? '<TOKEN>';
  const open = (): void => {
    openSaved(saved);
    goTo(hrefOf('orders'));
    showMessage(`Opened ${name}`);
  };
  const call: ApiCall = { method: 'GET', path: `api/v1/user/deploy/orders/${uid}/render/manifest`, token };
  return (
    <tr>
      <td data-label="Name">
        <button type="button" class="link" onClick={open}>
          {name}
        </button>
      </td>
      <td data-label="Owner">{owner}</td>
      <td data-label="Packages">{chartsOf(order.spec)}</td>
      <td data-label="Saved">
        <RelativeTime iso={creationTimestamp} now={emulatorNow()} />
      </td>
      <td class="row-tools">
        <Button icon="open" label={`Open ${name}`} kind="quiet" onPress={open}>
          Open
        </Button>
        <Button icon="copy" label={`Copy the UID of ${name}`} kind="quiet" onPress={() => copyText(uid, 'UID')}>
          UID
        </Button>
        <CallCopies call={call} of={`the manifest of ${name}`} />
      </td>
    </tr>
  );
}

// `items` is the former name of `packages`.
function chartsOf({ packages, items }: SavedOrder['order']['spec']): string {
  const list = packages ?? items;
  if (!Array.isArray(list)) return '';
  return (list as readonly { readonly chart?: { readonly name?: string } }[])
    .map(({ chart }) => chart?.name ?? '?')
    .join(', ');
}
