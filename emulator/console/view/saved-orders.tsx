// The saved Orders of all users.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isInPage, request, type SavedOrder } from '../api.ts';
import { deleteSaved, openSaved, sortNewestFirst, storeAgain } from '../order/saved.ts';
import { goTo, hrefOf } from '../place.ts';
import { showError, showMessage } from '../session.ts';
import { PageCall } from './call.tsx';
import { useControl } from './load.ts';
import { Button, DataTable, Empty, LinkButton, RelativeTime } from './parts.tsx';

export function SavedOrdersScreen() {
  const saved = useControl<readonly SavedOrder[]>('orders');
  const { data: orders, reload } = saved;
  const [named, setNamed] = useState<string>();
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
          <DataTable
            rows={sortNewestFirst(orders)}
            keyOf={({ uid }) => uid}
            columns={{
              Name: (one) => (
                <OrderName
                  saved={one}
                  isNaming={one.uid === named}
                  onDone={(name) => {
                    setNamed(undefined);
                    if (name !== '' && name !== one.order.metadata.name)
                      request('PATCH', `__drydock/orders/${one.uid}`, { body: { name } }).then(reload, showError);
                  }}
                />
              ),
              Owner: ({ owner }) => owner,
              Packages: ({ order }) => chartsOf(order.spec),
              Saved: ({ order }) => <RelativeTime iso={order.metadata.creationTimestamp} />,
            }}
            actions={(one) => {
              const { name } = one.order.metadata;
              return (
                <>
                  <Button icon="edit" label={`Rename ${name}`} kind="quiet" onPress={() => setNamed(one.uid)}>
                    Rename
                  </Button>
                  <Button
                    icon="add"
                    label={`Duplicate ${name}`}
                    kind="quiet"
                    onPress={() => storeAgain(one, `${name}-copy`).then(reload)}
                  >
                    Duplicate
                  </Button>
                  <Button icon="remove" label={`Delete ${name}`} kind="quiet" onPress={() => deleteSaved(one, reload)}>
                    Delete
                  </Button>
                </>
              );
            }}
          />
        </div>
      ) : undefined}
      <PageCall {...saved} />
    </div>
  );
}

interface OrderNameProps {
  readonly saved: SavedOrder;
  readonly isNaming: boolean;
  readonly onDone: (written: string) => void;
}

// Enter, or leaving the field, applies the name; Escape cancels.
function OrderName({ saved, isNaming, onDone }: OrderNameProps) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), [isNaming]);
  const { name } = saved.order.metadata;
  const open = (): void => {
    openSaved(saved);
    goTo(hrefOf('orders'));
    showMessage(`Opened ${name}`);
  };
  if (!isNaming) return <LinkButton onPress={open}>{name}</LinkButton>;
  return (
    <input
      ref={field}
      type="text"
      aria-label={`New name of ${name}`}
      defaultValue={name}
      onBlur={({ currentTarget }) => onDone(currentTarget.value.trim())}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') currentTarget.value = name;
        if (key === 'Escape' || key === 'Enter') currentTarget.blur();
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
