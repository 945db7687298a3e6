// What the Order renders to. The last good rendering stays, whatever is being written, with what is wrong above it.

import { signal } from '@preact/signals';
import { checks, failure, isRendering, marks, orderView, outline, preview } from '../../order/draft.ts';
import { Empty, Fault, type Tab, Tabs, TextBlock } from '../parts.tsx';
import { ChecksTab } from './checks.tsx';
import { CompareTab } from './compare.tsx';
import { ManifestTab } from './manifest.tsx';
import { ResourcesTab } from './resources.tsx';
import { ScriptsTab } from './scripts.tsx';
import { showOrderLine } from './sides.ts';

type Form = 'manifest' | 'resources' | 'scripts' | 'notes' | 'checks' | 'compare';

const form = signal<Form>('manifest');

const screens = {
  manifest: ManifestTab,
  resources: ResourcesTab,
  scripts: ScriptsTab,
  notes: NotesTab,
  checks: ChecksTab,
  compare: CompareTab,
} as const;

/** The side of the screen that shows it. */
export function PreviewPane() {
  const tabs: readonly Tab<Form>[] = [
    { name: 'manifest', label: 'Manifest', count: preview.value ? outline.value.length : undefined },
    { name: 'resources', label: 'Resources' },
    { name: 'scripts', label: 'Scripts' },
    { name: 'notes', label: 'Notes' },
    { name: 'checks', label: 'Checks', count: failure.value ? undefined : checks.value?.length },
    { name: 'compare', label: 'Compare' },
  ];
  const Shown = screens[form.value];
  return (
    <section class="pane preview" aria-label="Preview">
      <div class="preview-head">
        <Tabs
          label="Preview"
          panel="preview"
          chosen={form.value}
          tabs={tabs}
          onChoose={(name) => {
            form.value = name;
          }}
        />
        <Status />
      </div>
      <div
        class="preview-body"
        id="preview"
        role="tabpanel"
        aria-label={tabs.find(({ name }) => name === form.value)?.label}
      >
        {preview.value ? <Shown /> : <Nothing />}
      </div>
      {failure.value ? (
        <div class="preview-fault">
          <RenderFault />
        </div>
      ) : undefined}
    </section>
  );
}

function Status() {
  const { value } = preview;
  const words = failure.value
    ? value
      ? 'does not render: the last that did'
      : 'does not render'
    : value
      ? `Kubernetes ${value.kubeVersion} · ${Math.round(value.took)} ms`
      : '';
  return (
    <span class="status" data-state={failure.value ? 'bad' : value ? 'good' : 'none'} data-busy={isRendering.value}>
      <span class="status-dot" aria-hidden="true" />
      {words}
    </span>
  );
}

function RenderFault() {
  const refusal = failure.value;
  if (!refusal) return undefined;
  const { template, line, column, chart } = refusal;
  const at = [template, line, column].filter((part) => part !== undefined).join(':');
  const where = template !== undefined && template !== 'order.yaml' ? at : chart;
  const inOrder = marks.value.find((issue) => issue.line !== undefined && issue.severity === 'error');
  return (
    <Fault message={refusal.message} where={where} mend={refusal.mend}>
      {inOrder ? (
        <button type="button" class="button plain" onClick={() => showOrderLine(inOrder.line)}>
          Line {inOrder.line} of the Order
        </button>
      ) : undefined}
    </Fault>
  );
}

function Nothing() {
  if (failure.value) {
    return (
      <Empty title="Nothing to show yet">
        <p>The manifest appears once the Order renders, and stays while you keep writing.</p>
      </Empty>
    );
  }
  if (orderView.value.packages.length > 0) {
    return (
      <p class="pad soft" role="status">
        Rendering…
      </p>
    );
  }
  return (
    <Empty title="Rendered manifests appear here">
      <p>
        Manifest, resources, install scripts, notes and checks: as soon as there is a package, and with every change.
      </p>
    </Empty>
  );
}

function NotesTab() {
  const notes = preview.value?.notes ?? '';
  if (notes.trim() === '') {
    return (
      <Empty title="No notes">
        <p>None of the charts has a NOTES.txt that says anything.</p>
      </Empty>
    );
  }
  return <TextBlock text={notes} />;
}
