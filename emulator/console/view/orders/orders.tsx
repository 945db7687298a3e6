// The Order: on one side what is written, on the other what it renders to.

import { useEffect } from 'preact/hooks';
import { emptyOrder } from '../../order/document.ts';
import { changeOrder, orderDraft, orderView, undoChange } from '../../order/draft.ts';
import { place } from '../../place.ts';
import { say, sayFailure } from '../../session.ts';
import { Button, copyText, downloadText, Tabs } from '../parts.tsx';
import { fileName, openFile, openShared, shareLink, storeOrder } from './actions.ts';
import { OrderText } from './order-text.tsx';
import { PackageList } from './packages.tsx';
import { PreviewPane } from './preview.tsx';
import { side, writing } from './sides.ts';
import { ValuesPane } from './values.tsx';

/** The screen. */
export function OrdersScreen() {
  const shared = place.value.query.get('order');
  useEffect(() => {
    if (shared) void openShared(shared).catch(sayFailure);
  }, [shared]);
  useEffect(() => {
    addEventListener('dragover', allowFile);
    addEventListener('drop', dropFile);
    return () => {
      removeEventListener('dragover', allowFile);
      removeEventListener('drop', dropFile);
    };
  }, []);
  return (
    <div class="orders" data-side={side.value}>
      <OrderBar />
      <div class="sides">
        <Tabs
          label="Side"
          panel="order-sides"
          chosen={side.value}
          tabs={[
            { name: 'write', label: 'Write' },
            { name: 'preview', label: 'Preview' },
          ]}
          onChoose={(name) => {
            side.value = name;
          }}
        />
      </div>
      <div class="workbench" id="order-sides">
        <section class="pane write" aria-label="Packages and values">
          <PackageList />
          <Tabs
            label="What to write"
            panel="writing"
            chosen={writing.value}
            tabs={[
              { name: 'values', label: 'Values' },
              { name: 'order', label: 'Whole Order' },
            ]}
            onChoose={(name) => {
              writing.value = name;
            }}
          />
          <div
            class="writing"
            id="writing"
            role="tabpanel"
            aria-label={writing.value === 'values' ? 'Values' : 'Whole Order'}
          >
            {writing.value === 'values' ? <ValuesPane /> : <OrderText />}
          </div>
        </section>
        <PreviewPane />
      </div>
    </div>
  );
}

function OrderBar() {
  const { name, kubeVersion } = orderView.value;
  return (
    <div class="bar">
      <h1 class="bar-title">
        {name || 'Order without a name'} {kubeVersion ? <span class="soft">Kubernetes {kubeVersion}</span> : undefined}
      </h1>
      <div class="bar-actions">
        <Button
          icon="undo"
          label="Undo the last change of the list"
          kind="quiet"
          onPress={() => void (undoChange() || say('There is nothing to undo.'))}
        />
        <Button icon="add" kind="quiet" onPress={() => changeOrder(emptyOrder)}>
          New
        </Button>
        <OpenButton />
        <Button icon="copy" kind="quiet" onPress={() => copyText(orderDraft.value, 'Order')}>
          Copy
        </Button>
        <Button icon="download" kind="quiet" onPress={() => downloadText(orderDraft.value, fileName('.yaml'))}>
          Download
        </Button>
        <Button icon="link" kind="quiet" onPress={shareLink}>
          Share link
        </Button>
        <Button icon="save" kind="main" onPress={storeOrder}>
          Store
        </Button>
      </div>
    </div>
  );
}

function OpenButton() {
  const choose = (): void => {
    const field = document.createElement('input');
    field.type = 'file';
    field.accept = '.yaml,.yml,.json';
    field.onchange = () => {
      const file = field.files?.[0];
      if (file) void openFile(file).catch(sayFailure);
    };
    field.click();
  };
  return (
    <Button icon="open" kind="quiet" onPress={choose}>
      Open
    </Button>
  );
}

function allowFile(event: DragEvent): void {
  if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
}

function dropFile(event: DragEvent): void {
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  event.preventDefault();
  void openFile(file).catch(sayFailure);
}
