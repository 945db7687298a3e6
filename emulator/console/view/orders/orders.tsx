// The Order screen: the editor on one side, the rendering on the other.

import { useEffect } from 'preact/hooks';
import { emptyOrder, setKubeVersion, setText } from '../../order/document.ts';
import {
  changeOrder,
  checks,
  draftFailure,
  helm,
  isRendering,
  marks,
  openOrder,
  orderDraft,
  orderHistory,
  orderView,
  outline,
  preview,
  savedOrder,
  showHelm,
} from '../../order/draft.ts';
import { place } from '../../place.ts';
import { helms, showError } from '../../session.ts';
import {
  Button,
  CopyButton,
  DownloadButton,
  Empty,
  ErrorMessage,
  Icon,
  Loading,
  Select,
  Tabs,
  TextField,
} from '../parts.tsx';
import { Splitter } from '../splitter.tsx';
import { chooseFiles, fileName, openShared, saveOrder, shareLink } from './actions.ts';
import { CompareTab } from './compare.tsx';
import { OrderEditor, PatchPane, ValuesPane } from './editors.tsx';
import { FormPane } from './form.tsx';
import { ManifestTab } from './manifest.tsx';
import { ChecksTab, ComputedTab, ImagesTab, NotesTab, ResourcesTab, ScriptsTab } from './outputs.tsx';
import { PackageList } from './packages.tsx';
import { editorTab, editorTabs, narrowSide, previewTab, previewTabs, showOrderLine } from './selection.ts';
import { StartPane } from './start.tsx';

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

const editors = {
  form: ['Form', FormPane],
  values: ['Values', ValuesPane],
  patch: ['Patch', PatchPane],
  order: ['Order YAML', OrderEditor],
} as const;

function Workbench() {
  const [, Editor] = editors[editorTab.value];
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
            tabs={editorTabs.map((name) => ({ name, label: editors[name][0] }))}
          />
          <div class="writing" id="writing" role="tabpanel" aria-label={editorTab.value}>
            <Editor />
          </div>
        </section>
        <Splitter name="editor" label="Width of the editor" least={340} most={1200} />
        <PreviewPane />
      </div>
    </>
  );
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
            onWrite={(text) =>
              changeOrder(setText(orderDraft.peek(), ['metadata', 'name'], text.trim()), 'rename the Order')
            }
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
  const { undoLabel, redoLabel, undo, redo } = orderHistory;
  const buttons = [
    { name: 'Undo', icon: 'undo', edit: undoLabel.value, press: undo },
    { name: 'Redo', icon: 'redo', edit: redoLabel.value, press: redo },
  ] as const;
  return buttons.map(({ name, icon, edit, press }) => (
    <Button
      key={name}
      icon={icon}
      label={edit === undefined ? name : `${name}: ${edit}`}
      kind="quiet"
      disabled={edit === undefined}
      onPress={() => void press()}
    />
  ));
}

// The rendering of the Order. The last good one stays while the Order is invalid.

const outputs = {
  manifest: ['Manifest', ManifestTab],
  resources: ['Resources', ResourcesTab],
  images: ['Images', ImagesTab],
  computed: ['Computed values', ComputedTab],
  scripts: ['Scripts', ScriptsTab],
  notes: ['Notes', NotesTab],
  checks: ['Checks', ChecksTab],
  compare: ['Compare', CompareTab],
} as const;

function PreviewPane() {
  const [label, Output] = outputs[previewTab.value];
  const counts: Readonly<Partial<Record<keyof typeof outputs, number | undefined>>> = {
    manifest: preview.value ? outline.value.length : undefined,
    checks: draftFailure.value ? undefined : checks.value?.length,
  };
  return (
    <section class="pane preview" aria-label="Preview">
      <div class="preview-head">
        <Tabs
          label="Preview"
          panel="preview"
          chosen={previewTab}
          tabs={previewTabs.map((name) => ({ name, label: outputs[name][0], count: counts[name] }))}
        />
        <Status />
      </div>
      <div class="preview-body" id="preview" role="tabpanel" aria-label={label}>
        {preview.value ? <Output /> : <Nothing />}
      </div>
      {draftFailure.value ? (
        <div class="preview-fault">
          <RenderFault />
        </div>
      ) : undefined}
    </section>
  );
}

function Status() {
  const { value } = preview;
  const failed = value?.failures.length ?? 0;
  let words = '';
  if (draftFailure.value) words = value ? 'Outdated: the Order does not render' : 'The Order does not render';
  else if (value) words = `Kubernetes ${value.kubeVersion} · ${Math.round(value.took)} ms`;
  return (
    <span
      class="status"
      data-state={draftFailure.value || failed > 0 ? 'bad' : value ? 'good' : 'none'}
      data-busy={isRendering.value}
    >
      <span class="status-dot" aria-hidden="true" />
      {failed > 0 ? `${failed} failed · ` : ''}
      {words}
    </span>
  );
}

function RenderFault() {
  const refusal = draftFailure.value;
  if (!refusal) return undefined;
  const { template, line, column, chart } = refusal;
  const at = [template, line, column].filter((part) => part !== undefined).join(':');
  const where = template !== undefined && template !== 'order.yaml' ? at : chart;
  const inOrder = marks.value.find((issue) => issue.line !== undefined && issue.severity === 'error');
  return (
    <ErrorMessage message={refusal.message} where={where} hint={refusal.hint}>
      {inOrder ? <Button onPress={() => showOrderLine(inOrder.line)}>Go to line {inOrder.line}</Button> : undefined}
    </ErrorMessage>
  );
}

function Nothing() {
  if (draftFailure.value) return <Empty title="No manifest yet">Fix the error below to render the Order.</Empty>;
  if (orderView.value.packages.length > 0) return <Loading>Rendering…</Loading>;
  return <Empty title="No packages yet">Add a package to see its manifest.</Empty>;
}
