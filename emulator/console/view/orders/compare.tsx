// A comparison of the Order: with a saved one, a file, another chart version, Kubernetes version or Helm version.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { errorMessage, request, type SavedOrder } from '../../api.ts';
import { type NewPackage, orderText, setKubeVersion, setVersion } from '../../order/document.ts';
import { helm, orderView, type Preview, preview, previewPath, previousOrder } from '../../order/draft.ts';
import { chosenFiles, type FileText } from '../../order/files.ts';
import { sortNewestFirst } from '../../order/saved.ts';
import { type UpgradeResult, upgradedOrder } from '../../order/upgrade.ts';
import { charts, helms } from '../../session.ts';
import { Button, copyText, Empty, ErrorMessage } from '../parts.tsx';
import { timesSaved } from './actions.ts';
import { UpgradeSection } from './upgrade.tsx';

interface Entry {
  readonly op: 'add' | 'remove' | 'change' | 'move';
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
  readonly lines?: string;
  /** For an embedded text: the path in it. */
  readonly inside?: { readonly format: string; readonly path: string };
  /** Whether a cluster refuses the change. */
  readonly isImmutable: boolean;
  readonly risks: readonly string[];
}

interface Named {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

interface Change extends Named {
  readonly status: string;
  /** The former identity of a renamed object. */
  readonly from?: Named;
  readonly source: string;
  readonly entries: readonly Entry[];
  readonly risks: readonly string[];
}

const counted = ['added', 'removed', 'changed', 'replaced', 'renamed', 'same'] as const;

interface Comparison {
  readonly summary: Readonly<Record<(typeof counted)[number], number>> & { readonly restarts: readonly Named[] };
  readonly objects: readonly Change[];
  readonly count: number;
  readonly text: string;
}

/** A comparison: the request, and the Helm version. */
interface Choice {
  readonly group: string;
  readonly label: string;
  /** The package's index, and the other version of its chart. */
  readonly upgrade?: { readonly index: number; readonly chart: NewPackage };
  readonly ask: (order: string) => { readonly order: string; readonly base: object; readonly helm?: string };
}

const kubernetes = ['v1.25.0', 'v1.28.0', 'v1.30.0', 'v1.31.0', 'v1.32.0', 'v1.33.0'];

/** The tab. */
export function CompareTab() {
  const [stored, setStored] = useState<readonly SavedOrder[]>([]);
  const [file, setFile] = useState<FileText>();
  useEffect(() => {
    request<readonly SavedOrder[]>('GET', '__drydock/orders').then(setStored, () => undefined);
  }, [timesSaved.value]);
  const { packages } = orderView.value;
  const before = previousOrder.value;
  const choices = useMemo(
    () => [...othersOf(file, before), ...choicesOf(stored)],
    [file, before, stored, packages, charts.value, helm.value, helms.value],
  );
  const [label, setLabel] = useState('');
  const [comparesAll, setComparesAll] = useState(false);
  const choice = choices.find((one) => one.label === label);
  const { difference, report, fault } = useComparison(choice, { file, comparesAll });
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
            {[...new Set(choices.map(({ group }) => group))].map((group) => (
              <optgroup key={group} label={group}>
                {choices
                  .filter((one) => one.group === group)
                  .map((one) => (
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
        <label class="check">
          <input
            type="checkbox"
            checked={comparesAll}
            onChange={(event) => setComparesAll(event.currentTarget.checked)}
          />
          <span>Version labels and checksums</span>
        </label>
        <span class="spring" />
        {difference ? (
          <Button icon="copy" kind="quiet" onPress={() => copyText(difference.text, 'Difference')}>
            Copy
          </Button>
        ) : undefined}
      </div>
      {fault === undefined ? undefined : <ErrorMessage message={fault} />}
      {choice?.upgrade && report ? <UpgradeSection {...choice.upgrade} report={report} /> : undefined}
      {choice === undefined ? (
        <NoChoice />
      ) : difference ? (
        <Changes difference={difference} comparesAll={comparesAll} />
      ) : fault === undefined && report === undefined ? (
        <p class="soft pad">Comparing…</p>
      ) : undefined}
    </div>
  );
}

function NoChoice() {
  return (
    <Empty title="Nothing to compare with yet">
      <p>Select a saved Order, a file, or another version of a chart, Kubernetes or Helm.</p>
    </Empty>
  );
}

// Orders that are not on a server.
function othersOf(file: FileText | undefined, before: string | undefined): readonly Choice[] {
  const group = 'Compare another Order with this one';
  const choiceOf = (label: string, text: string): Choice => ({
    group,
    label,
    ask: (order) => ({ order, base: { order: text } }),
  });
  return [
    ...(file ? [choiceOf(file.name, file.text)] : []),
    ...(before === undefined ? [] : [choiceOf('The previous Order', before)]),
  ];
}

// A saved Order is the old side; another version is the new side.
function choicesOf(stored: readonly SavedOrder[]): readonly Choice[] {
  const saved = sortNewestFirst(stored).map(
    ({ uid, owner, order }): Choice => ({
      group: 'Compare a saved Order with this one',
      label: `${order.metadata.name} of ${owner}, ${order.metadata.creationTimestamp} (${uid.slice(0, 8)})`,
      ask: (text) => ({ order: text, base: { order: orderText(order) } }),
    }),
  );
  const { packages, kubeVersion } = orderView.value;
  const versions = packages.flatMap((item, index) =>
    (charts.value ?? [])
      .filter(({ name, version, fault }) => fault === undefined && name === item.chart && version !== item.version)
      .map(
        ({ version, sourceRef }): Choice => ({
          group: 'Change the version of a chart',
          label: `${item.release || item.chart}: ${item.chart} ${version}`,
          upgrade: { index, chart: { chart: item.chart, version, sourceRef } },
          ask: (text) => ({ order: text, base: { order: text } }),
        }),
      ),
  );
  const clusters = kubernetes
    .filter((version) => version !== (kubeVersion || preview.value?.kubeVersion))
    .map(
      (version): Choice => ({
        group: 'Change the Kubernetes version',
        label: `Kubernetes ${version}`,
        ask: (text) => ({ order: setKubeVersion(text, version), base: { order: text } }),
      }),
    );
  const shown = helm.value || helms.value.default;
  const otherHelms = helms.value.versions
    .filter((version) => version !== shown)
    .map(
      (version): Choice => ({
        group: 'Change the Helm version',
        label: `Helm ${version}`,
        ask: (text) => ({ order: text, base: { order: text, helm: shown }, helm: version }),
      }),
    );
  return [...saved, ...versions, ...otherHelms, ...clusters];
}

interface Made {
  readonly difference?: Comparison | undefined;
  /** For another version of a chart. */
  readonly report?: UpgradeResult | undefined;
  readonly fault?: string;
}

// Another version of a chart is compared with adapted values.
async function compare(
  choice: Choice,
  { order, indexes }: Preview,
  { comparesAll, signal }: { readonly comparesAll: boolean; readonly signal: AbortSignal },
): Promise<Made> {
  const { helm: helmParam, ...body } = choice.ask(order);
  const query = { ...(helmParam !== undefined && { helm: helmParam }), ...(comparesAll && { all: 'true' }) };
  const differ = (order: string): Promise<Comparison> =>
    request<Comparison>('POST', previewPath('/diff', query), { body: { ...body, order }, signal });
  if (choice.upgrade === undefined) return { difference: await differ(body.order) };
  const { index, chart } = choice.upgrade;
  const at = indexes.indexOf(index);
  if (at < 0) return { fault: 'This package does not render.' };
  const question = { order, upgraded: setVersion(order, at, chart), package: at };
  const report = await request<UpgradeResult>('POST', previewPath('/upgrade'), { body: question, signal });
  if (report.failureAfter !== undefined) return { report };
  return { report, difference: await differ(upgradedOrder(order, { index: at, chart, report })) };
}

// Another file may have the name of the previous one.
function useComparison(
  choice: Choice | undefined,
  { file, comparesAll }: { readonly file: FileText | undefined; readonly comparesAll: boolean },
): Made {
  const rendering = preview.value;
  const [made, setMade] = useState<Made & { readonly label: string }>();
  const label = choice?.label ?? '';
  useEffect(() => {
    if (!choice || !rendering) return undefined;
    const stop = new AbortController();
    compare(choice, rendering, { comparesAll, signal: stop.signal }).then(
      (found) => setMade({ label, ...found }),
      (failure) => stop.signal.aborted || setMade({ label, fault: errorMessage(failure) }),
    );
    return () => stop.abort();
  }, [label, file, rendering, comparesAll]);
  return made?.label === label ? made : {};
}

const marks = { add: '+', remove: '−', change: '~', move: '↕' } as const;

function Changes({ difference, comparesAll }: { readonly difference: Comparison; readonly comparesAll: boolean }) {
  const { summary, objects, count } = difference;
  const { restarts } = summary;
  if (count === 0 && restarts.length === 0) {
    return (
      <Empty title="No differences">
        <p>
          Both render to the same objects.
          {comparesAll ? '' : ' Version labels such as helm.sh/chart, and checksums, are not compared.'}
        </p>
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
            {change.risks.map((risk) => (
              <span key={risk} class="tag risk">
                {risk}
              </span>
            ))}
          </summary>
          <ul>
            {change.entries.map((entry, index) => (
              <EntryRow key={`${index}`} entry={entry} />
            ))}
          </ul>
        </details>
      ))}
      {count > objects.length ? <p class="pad soft">and {count - objects.length} more</p> : undefined}
    </div>
  );
}

function nameOf({ namespace, name }: Named): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

function EntryRow({ entry }: { readonly entry: Entry }) {
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
        {[...(isImmutable ? ['immutable'] : []), ...risks].map((risk) => (
          <span key={risk} class="tag risk">
            {risk}
          </span>
        ))}
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
