// The rendering of the Order. The last good one stays while the Order is invalid.

import { checks, draftFailure, isRendering, marks, orderView, outline, preview } from '../../order/draft.ts';
import { Empty, ErrorMessage, Loading, type Tab, Tabs } from '../parts.tsx';
import { CompareTab } from './compare.tsx';
import { ManifestTab } from './manifest.tsx';
import { ChecksTab, ComputedTab, ImagesTab, NotesTab, ResourcesTab, ScriptsTab } from './outputs.tsx';
import { type PreviewTab, previewTab, showOrderLine } from './selection.ts';

const screens = {
  manifest: ManifestTab,
  resources: ResourcesTab,
  images: ImagesTab,
  computed: ComputedTab,
  scripts: ScriptsTab,
  notes: NotesTab,
  checks: ChecksTab,
  compare: CompareTab,
} as const;

/** The preview side of the screen. */
export function PreviewPane() {
  const tabs: readonly Tab<PreviewTab>[] = [
    { name: 'manifest', label: 'Manifest', count: preview.value ? outline.value.length : undefined },
    { name: 'resources', label: 'Resources' },
    { name: 'images', label: 'Images' },
    { name: 'computed', label: 'Computed values' },
    { name: 'scripts', label: 'Scripts' },
    { name: 'notes', label: 'Notes' },
    { name: 'checks', label: 'Checks', count: draftFailure.value ? undefined : checks.value?.length },
    { name: 'compare', label: 'Compare' },
  ];
  const Shown = screens[previewTab.value];
  return (
    <section class="pane preview" aria-label="Preview">
      <div class="preview-head">
        <Tabs label="Preview" panel="preview" chosen={previewTab} tabs={tabs} />
        <Status />
      </div>
      <div
        class="preview-body"
        id="preview"
        role="tabpanel"
        aria-label={tabs.find(({ name }) => name === previewTab.value)?.label}
      >
        {preview.value ? <Shown /> : <Nothing />}
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
  const words = draftFailure.value
    ? value
      ? 'Outdated: the Order does not render'
      : 'The Order does not render'
    : value
      ? `${value.failures.length > 0 ? `${value.failures.length} failed · ` : ''}Kubernetes ${value.kubeVersion} · ${Math.round(value.took)} ms`
      : '';
  return (
    <span
      class="status"
      data-state={draftFailure.value || (value?.failures.length ?? 0) > 0 ? 'bad' : value ? 'good' : 'none'}
      data-busy={isRendering.value}
    >
      <span class="status-dot" aria-hidden="true" />
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
      {inOrder ? (
        <button type="button" class="button plain" onClick={() => showOrderLine(inOrder.line)}>
          Go to line {inOrder.line}
        </button>
      ) : undefined}
    </ErrorMessage>
  );
}

function Nothing() {
  if (draftFailure.value) return <Empty title="No manifest yet">Fix the error below to render the Order.</Empty>;
  if (orderView.value.packages.length > 0) return <Loading>Rendering…</Loading>;
  return <Empty title="No packages yet">Add a package to see its manifest.</Empty>;
}
