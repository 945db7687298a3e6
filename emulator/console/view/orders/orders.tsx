// The Order screen: the editor on one side, the rendering on the other.

import { useEffect } from 'preact/hooks';
import { emptyOrder, setKubeVersion, setName } from '../../order/document.ts';
import {
  changeOrder,
  helm,
  openOrder,
  orderDraft,
  orderHistory,
  orderView,
  preview,
  savedOrder,
  showHelm,
} from '../../order/draft.ts';
import { place } from '../../place.ts';
import { helms, showError } from '../../session.ts';
import { TextField } from '../field.tsx';
import { Button, CopyButton, DownloadButton, Icon, Select, Tabs } from '../parts.tsx';
import { Splitter } from '../splitter.tsx';
import { chooseFiles, fileName, openShared, saveOrder, shareLink } from './actions.ts';
import { FormPane } from './form.tsx';
import { OrderEditor } from './order-text.tsx';
import { PackageList } from './packages.tsx';
import { PreviewPane } from './preview.tsx';
import { editorTab, narrowSide } from './selection.ts';
import { StartPane } from './start.tsx';
import { PatchPane, ValuesPane } from './values.tsx';

/** The screen. */
export function OrdersScreen() {
  const shared = place.value.query.get('order');
  useEffect(() => {
    if (shared) void openShared(shared).catch(showError);
  }, [shared]);
  return (
    <div class="orders" data-side={narrowSide.value}>
      <OrderBar />
      {isEmpty() ? <StartPane /> : <Workbench />}
    </div>
  );
}

// The YAML editor starts from the text of an empty Order.
function isEmpty(): boolean {
  const { packages, fault } = orderView.value;
  return packages.length === 0 && fault === undefined && editorTab.value !== 'order';
}

function Workbench() {
  return (
    <>
      <div class="sides">
        <Tabs
          label="Side"
          panel="order-sides"
          chosen={narrowSide}
          tabs={[
            { name: 'write', label: 'Edit' },
            { name: 'preview', label: 'Preview' },
          ]}
        />
      </div>
      <div class="workbench" id="order-sides">
        <section class="pane write" aria-label="Packages and values">
          <PackageList />
          <Tabs
            label="Editor"
            panel="writing"
            chosen={editorTab}
            tabs={[
              { name: 'form', label: 'Form' },
              { name: 'values', label: 'Values' },
              { name: 'patch', label: 'Patch' },
              { name: 'order', label: 'Order YAML' },
            ]}
          />
          <div class="writing" id="writing" role="tabpanel" aria-label={editorTab.value}>
            <Written />
          </div>
        </section>
        <Splitter name="editor" label="Width of the editor" least={340} most={1200} />
        <PreviewPane />
      </div>
    </>
  );
}

const panes = { form: FormPane, values: ValuesPane, patch: PatchPane, order: OrderEditor } as const;

function Written() {
  const Pane = panes[editorTab.value];
  return <Pane />;
}

// On a phone, what is in the menu is a popover; elsewhere the popover is laid out as part of the bar.
function OrderBar() {
  const { name, kubeVersion } = orderView.value;
  return (
    <div class="bar">
      <h1 class="sr">Order {name}</h1>
      <div class="order-title">
        <label class="order-name">
          <span class="sr">Name</span>
          <TextField
            value={name}
            placeholder="Name"
            onWrite={(text) => changeOrder(setName(orderDraft.peek(), text.trim()), 'rename the Order')}
          />
        </label>
        <SavedState />
      </div>
      <div class="bar-actions">
        <HistoryButtons />
        <div class="bar-menu" id="order-menu" popover="auto" ref={closeOnPress}>
          <div class="targets">
            <label class="target">
              <span>Kubernetes</span>
              <TextField
                value={kubeVersion}
                placeholder={preview.value?.kubeVersion ?? 'Newest'}
                onWrite={(text) =>
                  changeOrder(setKubeVersion(orderDraft.peek(), text.trim()), 'set the Kubernetes version')
                }
              />
            </label>
            <label class="target">
              <span>Helm</span>
              <Select value={helm.value} options={[['', 'Default'], ...helms.value.versions]} onChoose={showHelm} />
            </label>
          </div>
          <Button icon="add" kind="quiet" onPress={() => openOrder(emptyOrder, 'new Order')}>
            New
          </Button>
          <Button icon="open" kind="quiet" onPress={chooseFiles}>
            Open
          </Button>
          <CopyButton text={orderDraft.value} what="Order" />
          <DownloadButton text={orderDraft.value} name={fileName('.yaml')} />
          <Button icon="link" kind="quiet" onPress={shareLink}>
            Share link
          </Button>
        </div>
        <Button icon="save" kind="main" onPress={saveOrder}>
          Save
        </Button>
        <button type="button" class="button quiet bar-more" popovertarget="order-menu" aria-label="More actions">
          <Icon name="more" />
        </button>
      </div>
    </div>
  );
}

function closeOnPress(menu: HTMLElement | null): void {
  menu?.addEventListener('click', closeMenu);
}

function closeMenu({ target, currentTarget }: Event): void {
  if (target instanceof Element && target.closest('.button')) (currentTarget as HTMLElement).hidePopover();
}

function SavedState() {
  const saved = savedOrder.value;
  if (saved === undefined || isEmpty()) return undefined;
  return <span class="soft saved-state">{saved === orderDraft.value ? 'Saved' : 'Unsaved changes'}</span>;
}

// Fields and editors have their own undo.
function pressHistoryKey(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const isField =
    target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select, textarea'));
  if (isField || altKey || !(ctrlKey || metaKey)) return;
  const isUndo = key.toLowerCase() === 'z' && !shiftKey;
  const isRedo = key.toLowerCase() === 'y' || (key.toLowerCase() === 'z' && shiftKey);
  if (!isUndo && !isRedo) return;
  event.preventDefault();
  if (isUndo) orderHistory.undo();
  else orderHistory.redo();
}

function HistoryButtons() {
  useEffect(() => {
    addEventListener('keydown', pressHistoryKey);
    return () => removeEventListener('keydown', pressHistoryKey);
  }, []);
  return (
    <>
      <HistoryButton name="Undo" edit={orderHistory.undoLabel.value} onPress={orderHistory.undo} />
      <HistoryButton name="Redo" edit={orderHistory.redoLabel.value} onPress={orderHistory.redo} />
    </>
  );
}

interface HistoryButtonProps {
  readonly name: 'Undo' | 'Redo';
  /** The edit that is undone or redone; undefined if there is none. */
  readonly edit: string | undefined;
  readonly onPress: () => unknown;
}

function HistoryButton({ name, edit, onPress }: HistoryButtonProps) {
  return (
    <Button
      icon={name === 'Undo' ? 'undo' : 'redo'}
      label={edit === undefined ? name : `${name}: ${edit}`}
      kind="quiet"
      disabled={edit === undefined}
      onPress={() => void onPress()}
    />
  );
}
