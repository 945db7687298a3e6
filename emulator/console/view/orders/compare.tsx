// A comparison of the Order: with a saved one, a file, another chart version, Kubernetes version or Helm version.

import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { groupBy } from '../../../../render/core/group-by.ts';
import type { DiffEntry, DiffSummary, ObjectChange, ObjectName } from '../../../../render/index.ts';
import { request, type SavedOrder } from '../../api.ts';
import {
  type NewPackage,
  setKubeVersion,
  setVersion,
  type Upgrade,
  type UpgradeResult,
  upgradedOrder,
} from '../../order/document.ts';
import { changeOrder, helm, orderDraft, orderView, type Preview, preview, previewPath } from '../../order/draft.ts';
import { chosenFiles, type FileText } from '../../order/files.ts';
import { sortNewestFirst } from '../../order/saved.ts';
import { shortJson } from '../../order/why.ts';
import { charts, helms, showMessage } from '../../session.ts';
import { useLoad } from '../load.ts';
import { Button, CheckBox, CopyButton, Empty, ErrorMessage, More } from '../parts.tsx';
import { timesSaved } from './actions.ts';

const counted = ['added', 'removed', 'changed', 'replaced', 'renamed', 'same'] as const;

interface Comparison {
  readonly summary: DiffSummary;
  readonly objects: readonly Omit<ObjectChange, 'documents'>[];
  readonly count: number;
  readonly text: string;
}

/** The other side of a comparison: a version of a chart, of Kubernetes or of Helm is the new side, another Order is the old one. */
interface Choice {
  readonly group: string;
  readonly label: string;
  /** Another Order, as YAML or JSON. */
  readonly base?: string;
  /** The package's index, and the other version of its chart. */
  readonly upgrade?: { readonly index: number; readonly chart: NewPackage };
  readonly kubeVersion?: string;
  readonly helm?: string;
}

const noOrders: readonly SavedOrder[] = [];
const kubernetes = ['v1.25.0', 'v1.28.0', 'v1.30.0', 'v1.31.0', 'v1.32.0', 'v1.33.0'];

export function CompareTab() {
  const [file, setFile] = useState<FileText>();
  const { value: stored = noOrders } = useLoad(
    'orders',
    () => request<readonly SavedOrder[]>('GET', '__drydock/orders'),
    timesSaved.value,
  );
  const choices = choicesOf(stored, file);
  const [label, setLabel] = useState('');
  const isComplete = useSignal(false);
  const comparesAll = isComplete.value;
  const choice = choices.find((one) => one.label === label);
  const rendering = preview.value;
  // Another file may have the name of the previous one.
  const { value: made, fault } = useLoad(
    choice?.label ?? '',
    choice && rendering && ((signal) => compare(choice, rendering, { comparesAll, signal })),
    file,
    rendering,
    comparesAll,
  );
  const { difference, report } = (fault === undefined ? made : undefined) ?? {};
  const openFile = async (): Promise<void> => {
    const [one] = await chosenFiles('.yaml,.yml,.json', false);
    if (!one) return;
    setFile({ name: one.path, text: await one.file.text() });
    setLabel(one.path);
  };
  return (
    <div class="viewer">
      <div class="viewer-tools">
        <label class="choice compare-choice">
          <span class="sr">Compare</span>
          <select value={choice ? label : ''} onChange={(event) => setLabel(event.currentTarget.value)}>
            <option value="">Compare with…</option>
            {[...groupBy(choices, ({ group }) => group)].map(([group, own]) => (
              <optgroup key={group} label={group}>
                {own.map((one) => (
                  <option key={one.label} value={one.label}>
                    {one.label}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        <Button icon="open" kind="quiet" onPress={openFile}>
          File
        </Button>
        <CheckBox label="Version labels and checksums" on={isComplete} />
        <span class="spring" />
        {difference ? <CopyButton text={difference.text} what="Difference" /> : undefined}
      </div>
      <ErrorMessage message={fault} />
      {choice?.upgrade && report ? <UpgradeSection {...choice.upgrade} report={report} /> : undefined}
      {choice === undefined ? (
        <Empty title="Nothing to compare with yet">
          Select a saved Order, a file, or another version of a chart, Kubernetes or Helm.
        </Empty>
      ) : difference ? (
        <Changes difference={difference} comparesAll={comparesAll} />
      ) : fault === undefined && report === undefined ? (
        <p class="soft pad">Comparing…</p>
      ) : undefined}
    </div>
  );
}

function choicesOf(stored: readonly SavedOrder[], file: FileText | undefined): readonly Choice[] {
  const { packages, kubeVersion } = orderView.value;
  const saved = sortNewestFirst(stored).map(({ uid, owner, order }) => ({
    group: 'Compare a saved Order with this one',
    label: `${order.metadata.name} of ${owner}, ${order.metadata.creationTimestamp} (${uid.slice(0, 8)})`,
    base: JSON.stringify(order),
  }));
  const versions = packages.flatMap((item, index) =>
    (charts.value ?? [])
      .filter(({ name, version, fault }) => fault === undefined && name === item.chart && version !== item.version)
      .map(({ version, sourceRef }) => ({
        group: 'Change the version of a chart',
        label: `${item.release || item.chart}: ${item.chart} ${version}`,
        upgrade: { index, chart: { chart: item.chart, version, sourceRef } },
      })),
  );
  const helmVersions = helms.value.versions
    .filter((version) => version !== shownHelm())
    .map((version) => ({ group: 'Change the Helm version', label: `Helm ${version}`, helm: version }));
  const clusters = kubernetes
    .filter((version) => version !== (kubeVersion || preview.value?.kubeVersion))
    .map((version) => ({
      group: 'Change the Kubernetes version',
      label: `Kubernetes ${version}`,
      kubeVersion: version,
    }));
  const files = file ? [{ group: 'Compare another Order with this one', label: file.name, base: file.text }] : [];
  return [...files, ...saved, ...versions, ...helmVersions, ...clusters];
}

function shownHelm(): string | number {
  return helm.value || helms.value.default;
}

interface Made {
  readonly difference?: Comparison;
  readonly report?: UpgradeResult;
}

// Another version of a chart is compared with adapted values.
async function compare(
  choice: Choice,
  { order, indexes }: Preview,
  { comparesAll, signal }: { readonly comparesAll: boolean; readonly signal: AbortSignal },
): Promise<Made> {
  const { helm: otherHelm, kubeVersion, base = order, upgrade } = choice;
  const query = { ...(otherHelm !== undefined && { helm: otherHelm }), ...(comparesAll && { all: 'true' }) };
  const before = { order: base, ...(otherHelm !== undefined && { helm: shownHelm() }) };
  const differ = (after: string): Promise<Comparison> =>
    request<Comparison>('POST', previewPath('/diff', query), { body: { base: before, order: after }, signal });
  if (upgrade === undefined)
    return { difference: await differ(kubeVersion === undefined ? order : setKubeVersion(order, kubeVersion)) };
  const at = indexes.indexOf(upgrade.index);
  if (at < 0) throw new Error('This package does not render.');
  const { chart } = upgrade;
  const question = { order, upgraded: setVersion(order, at, chart), package: at };
  const report = await request<UpgradeResult>('POST', previewPath('/upgrade'), { body: question, signal });
  if (report.failureAfter !== undefined) return { report };
  return { report, difference: await differ(upgradedOrder(order, { index: at, chart, report })) };
}

const marks = { add: '+', remove: '−', change: '~', move: '↕' } as const;

function Changes({ difference, comparesAll }: { readonly difference: Comparison; readonly comparesAll: boolean }) {
  const { summary, objects, count } = difference;
  const { restarts } = summary;
  if (count === 0 && restarts.length === 0) {
    return (
      <Empty title="No differences">
        Both render to the same objects.
        {comparesAll ? '' : ' Version labels such as helm.sh/chart, and checksums, are not compared.'}
      </Empty>
    );
  }
  const counts = counted
    .filter((word) => summary[word] > 0)
    .map((word) => `${summary[word]} ${word === 'same' ? 'unchanged' : word}`);
  return (
    <div class="scroll changes">
      <p class="pad">{counts.join(' · ')}</p>
      {restarts.length === 0 ? undefined : (
        <p class="pad restarts">
          {restarts.length === 1 ? '1 workload restarts: ' : `${restarts.length} workloads restart: `}
          {restarts.map((one) => `${one.kind} ${nameOf(one)}`).join(', ')}
        </p>
      )}
      {objects.map((change) => (
        <details
          key={`${change.kind} ${change.namespace} ${change.name} ${change.source}`}
          class="change"
          data-status={change.status}
          open={objects.length <= 12}
        >
          <summary>
            <span class="tag">{change.status}</span> <b>{change.kind}</b> {nameOf(change)}
            {change.from ? (
              <span class="soft">
                , was {change.from.kind === change.kind ? '' : `${change.from.kind} `}
                {nameOf(change.from)}
              </span>
            ) : undefined}
            <Risks risks={change.risks} />
          </summary>
          <ul>
            {change.entries.map((entry, index) => (
              <EntryRow key={`${index}`} entry={entry} />
            ))}
          </ul>
        </details>
      ))}
      <More count={count - objects.length} />
    </div>
  );
}

function nameOf({ namespace, name }: ObjectName): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

function Risks({ risks }: { readonly risks: readonly string[] }) {
  return risks.map((risk) => (
    <span key={risk} class="tag risk">
      {risk}
    </span>
  ));
}

function EntryRow({ entry }: { readonly entry: DiffEntry }) {
  const { op, path, before, after, lines, inside, isImmutable, risks } = entry;
  return (
    <li class="entry" data-op={op}>
      <p>
        <span class="entry-mark">
          <span aria-hidden="true">{marks[op]}</span>
          <span class="sr">{op}</span>
        </span>{' '}
        <code>{path}</code>
        {inside === undefined ? undefined : (
          <>
            {' '}
            <span class="soft">in the {inside.format}:</span> <code>{inside.path || '(root)'}</code>
          </>
        )}
        <Risks risks={[...(isImmutable ? ['immutable'] : []), ...risks]} />
      </p>
      {op === 'move' ? <p class="entry-values soft">moved</p> : undefined}
      {lines === undefined ? (
        <p class="entry-values">
          {before === undefined ? undefined : <del>{short(before)}</del>}
          {before === undefined || after === undefined ? '' : ' → '}
          {after === undefined ? undefined : <ins>{short(after)}</ins>}
        </p>
      ) : (
        <pre class="entry-lines">{lines}</pre>
      )}
    </li>
  );
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > 400 ? `${text.slice(0, 399)}…` : text;
}

const kinds = [
  { kind: 'moved', title: 'Values that moved' },
  { kind: 'retyped', title: 'Values of another type' },
  { kind: 'unread', title: 'Values that nothing reads any more' },
  { kind: 'unused', title: 'Values that neither version reads' },
] as const;

function UpgradeSection({ index, chart, report }: Upgrade) {
  const { version } = chart;
  const { values, defaults, failureBefore, failureAfter } = report;
  const upgrade = (): void => {
    changeOrder(upgradedOrder(orderDraft.value, { index, chart, report }), `upgrade ${chart.chart} to ${version}`);
    showMessage(`Upgraded ${chart.chart} to ${version}`);
  };
  return (
    <section class="upgrade" aria-label="Upgrade">
      <div class="viewer-tools">
        <span>{values.length === 0 ? 'Your values keep their meaning.' : 'Some of your values change.'}</span>
        <span class="spring" />
        <Button kind="main" onPress={upgrade}>
          Upgrade to {version}
        </Button>
      </div>
      <ErrorMessage where="The present version does not render your values" message={failureBefore} />
      <ErrorMessage where={`${version} does not render your values`} message={failureAfter} />
      {kinds.map(({ kind, title }) => {
        const found = values.filter((one) => one.kind === kind);
        return found.length === 0 ? undefined : (
          <div key={kind} class="upgrade-part">
            <h3>{title}</h3>
            <ul>
              {found.map(({ path, value, to, expected }) => (
                <li key={path}>
                  <code>{path}</code> {to === undefined ? <code>{shortJson(value)}</code> : <code>→ {to}</code>}
                  {expected === undefined ? undefined : (
                    <>
                      {' '}
                      where the default is <code>{shortJson(expected)}</code>
                    </>
                  )}
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      {defaults.length === 0 ? undefined : (
        <details class="upgrade-part">
          <summary>
            Defaults that changed <span class="count">{defaults.length}</span>
          </summary>
          <ul>
            {defaults.map(({ path, before, after }) => (
              <li key={path}>
                <code>{path}</code> <del>{shortJson(before)}</del> <ins>{shortJson(after)}</ins>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
