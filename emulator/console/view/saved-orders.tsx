// The saved Orders of all users.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isInPage, type SavedOrder } from '../api.ts';
import { deleteSaved, openSaved, renameSaved, sortNewestFirst, storeAgain } from '../order/saved.ts';
import { goTo, hrefOf } from '../place.ts';
import { showError, showMessage } from '../session.ts';
import { PageCall } from './call.tsx';
import { useControl } from './load.ts';
import { Button, Empty, LinkButton, RelativeTime, TableHead } from './parts.tsx';

export function SavedOrdersScreen() {
  const saved = useControl<readonly SavedOrder[]>('orders');
  const { data: orders, reload } = saved;
  return (
    <div class="page">
      <div class="bar">
        <h1 class="bar-title">Saved Orders</h1>
        <Button icon="again" kind="quiet" onPress={reload}>
          Refresh
        </Button>
      </div>
      {isInPage ? (
        <p class="pad soft">This demo runs in the page: a reload forgets the Orders that you save.</p>
      ) : undefined}
      {orders && orders.length === 0 ? (
        <Empty title="No saved Orders">
          <a href={hrefOf('orders')}>Create one</a> and choose Save, or send one to{' '}
          <code>POST /api/v1/user/deploy/orders</code>.
        </Empty>
      ) : undefined}
      {orders && orders.length > 0 ? (
        <div class="scroll">
          <table class="table">
            <TableHead columns={['Name', 'Owner', 'Packages', 'Saved']} hasActions />
            <tbody>
              {sortNewestFirst(orders).map((one) => (
                <OrderRow key={one.uid} saved={one} onChange={reload} />
              ))}
            </tbody>
          </table>
        </div>
      ) : undefined}
      <PageCall {...saved} />
    </div>
  );
}

function OrderRow({ saved, onChange }: { saved: SavedOrder; onChange: () => Promise<void> }) {
  const [isNaming, setNaming] = useState(false);
  const { owner, order } = saved;
  const { name, creationTimestamp } = order.metadata;
  const open = (): void => {
    openSaved(saved);
    goTo(hrefOf('orders'));
    showMessage(`Opened ${name}`);
  };
  return (
    <tr>
      <td data-label="Name">
        {isNaming ? (
          <NameField
            name={name}
            onDone={(written) => {
              setNaming(false);
              if (written !== '' && written !== name) void renameSaved(saved, written).then(onChange, showError);
            }}
          />
        ) : (
          <LinkButton onPress={open}>{name}</LinkButton>
        )}
      </td>
      <td data-label="Owner">{owner}</td>
      <td data-label="Packages">{chartsOf(order.spec)}</td>
      <td data-label="Saved">
        <RelativeTime iso={creationTimestamp} />
      </td>
      <td class="row-tools">
        <Button icon="edit" label={`Rename ${name}`} kind="quiet" onPress={() => setNaming(true)}>
          Rename
        </Button>
        <Button
          icon="add"
          label={`Duplicate ${name}`}
          kind="quiet"
          onPress={() => storeAgain(saved, `${name}-copy`).then(onChange)}
        >
          Duplicate
        </Button>
        <Button icon="remove" label={`Delete ${name}`} kind="quiet" onPress={() => deleteSaved(saved, onChange)}>
          Delete
        </Button>
      </td>
    </tr>
  );
}

// Enter, or leaving the field, applies the name; Escape cancels.
function NameField({ name, onDone }: { readonly name: string; readonly onDone: (written: string) => void }) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  return (
    <input
      ref={field}
      type="text"
      aria-label={`New name of ${name}`}
      defaultValue={name}
      onBlur={({ currentTarget }) => onDone(currentTarget.value.trim())}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') currentTarget.blur();
        if (key !== 'Escape') return;
        currentTarget.value = name;
        currentTarget.blur();
      }}
    />
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
