// The available charts: search, details, add to the Order.

import { useEffect, useMemo, useState } from 'preact/hooks';
import { hrefOf } from '../address.ts';
import { errorMessage } from '../api.ts';
import {
  type ChartRequest,
  type ChartTemplate,
  loadChartDetails,
  loadTemplates,
  type ShownChart,
} from '../chart-details.ts';
import { goTo, place } from '../place.ts';
import { matcherOf } from '../search.ts';
import { type AvailableChart, charts, chartsFault, loadCharts } from '../session.ts';
import { DropTargets, endChartDrag, startChartDrag } from './chart-drag.tsx';
import { ChartIcon } from './chart-icon.tsx';
import { Code } from './code.tsx';
import { addChart } from './commands.ts';
import { late } from './late.tsx';
import { removeDropped } from './orders/actions.ts';
import { Button, copyText, Empty, ErrorMessage, Loading, TableHead, Tabs } from './parts.tsx';

/** The screen. */
export function ChartsScreen() {
  const [search, setSearch] = useState('');
  const all = charts.value;
  const found = useMemo(() => searchCharts(all ?? [], search), [all, search]);
  const [name = '', version = ''] = place.value.about;
  const shown = all?.find((chart) => chart.name === name && chart.version === version);
  return (
    <div class="shelf" data-open={shown !== undefined}>
      <section class="shelf-list" aria-label="Charts">
        <div class="bar">
          <h1 class="bar-title">Charts</h1>
          <Button icon="remove" kind="quiet" onPress={removeDropped}>
            Remove dropped charts
          </Button>
          <Button icon="again" kind="quiet" onPress={loadCharts}>
            Refresh
          </Button>
        </div>
        <div class="pad">
          <input
            type="search"
            class="wide-field"
            aria-label="Search charts"
            placeholder="Search by name, description or keyword"
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        </div>
        {chartsFault.value === undefined ? undefined : (
          <ErrorMessage message={chartsFault.value} mend="Fix it, then choose Refresh." />
        )}
        <ul class="chart-list">
          {groupByName(found).map(([chart, count]) => (
            <ChartRow
              key={`${chart.name} ${chart.fault ?? ''}`}
              chart={chart}
              versions={count}
              isShown={chart.name === shown?.name}
            />
          ))}
        </ul>
        {all && found.length === 0 ? (
          <Empty title="No charts found">
            <p>
              Add folders of charts with <code>drydock serve --charts DIR</code>, or download the charts of an Order
              with <code>drydock vendor</code>.
            </p>
          </Empty>
        ) : undefined}
      </section>
      {shown ? (
        <ChartDetail key={`${shown.name} ${shown.version}`} chart={shown} versions={versionsOf(all ?? [], shown)} />
      ) : (
        <NoChart missing={all !== undefined && name !== '' ? `${name} ${version}`.trim() : undefined} />
      )}
      <DropTargets />
    </div>
  );
}

const byNumber = new Intl.Collator('en', { numeric: true });

// Each chart once, in its highest version, with the number of versions.
function groupByName(
  found: readonly AvailableChart[],
): readonly (readonly [chart: AvailableChart, versions: number])[] {
  const groups = new Map<string, readonly [AvailableChart, number]>();
  for (const chart of found) {
    const key = JSON.stringify([chart.name, chart.fault]);
    const [newest = chart, count = 0] = groups.get(key) ?? [];
    const isNewer = byNumber.compare(chart.version, newest.version) > 0;
    groups.set(key, [isNewer ? chart : newest, count + 1]);
  }
  return [...groups.values()];
}

function versionsOf(all: readonly AvailableChart[], shown: AvailableChart): readonly string[] {
  const versions = all.filter(({ name, fault }) => name === shown.name && fault === undefined);
  return [...new Set(versions.map(({ version }) => version))].sort((a, b) => byNumber.compare(b, a));
}

function searchCharts(all: readonly AvailableChart[], search: string): readonly AvailableChart[] {
  const matches = matcherOf(search);
  return all.filter(({ name, version, description = '', keywords = [] }) =>
    matches(`${name} ${version} ${description} ${keywords.join(' ')}`),
  );
}

interface RowProps {
  readonly chart: AvailableChart;
  /** How many versions there are. */
  readonly versions: number;
  readonly isShown: boolean;
}

function ChartRow({ chart, versions, isShown }: RowProps) {
  const { name, version, description, fault, type, deprecated } = chart;
  if (fault !== undefined) {
    return (
      <li class="chart" data-broken>
        <span class="chart-name">{name}</span>
        <span class="chart-about">{fault}</span>
      </li>
    );
  }
  return (
    <li
      class="chart"
      data-shown={isShown}
      draggable={type !== 'library'}
      onDragStart={(event) => startChartDrag(chart, event)}
      onDragEnd={endChartDrag}
    >
      <a
        class="chart-link"
        draggable={false}
        href={hrefOf('charts', [name, version])}
        aria-current={isShown ? 'true' : undefined}
      >
        <ChartIcon chart={chart} />
        <span class="chart-name">
          {name} <span class="soft">{version}</span>
          {type === 'library' ? <span class="tag">library</span> : undefined}
          {deprecated ? <span class="tag">deprecated</span> : undefined}
          {versions > 1 ? <span class="tag">{versions} versions</span> : undefined}
        </span>
        <span class="chart-about">{description}</span>
      </a>
      {type === 'library' ? undefined : (
        <Button icon="add" label={`Add ${name} ${version} to the Order`} kind="quiet" onPress={() => addChart(chart)} />
      )}
    </li>
  );
}

function NoChart({ missing }: { readonly missing: string | undefined }) {
  if (missing !== undefined) {
    return (
      <section class="shelf-detail" aria-label="Chart">
        <Empty title={`${missing} is not available`}>
          <p>
            <a href={hrefOf('charts')}>All charts</a>
          </p>
        </Empty>
      </section>
    );
  }
  return (
    <section class="shelf-detail" aria-label="Chart">
      <Empty title="Select a chart">
        <p>Or drag one to its place among the packages.</p>
      </Empty>
    </section>
  );
}

type Part = 'values' | 'readme' | 'templates' | 'dependencies' | 'schema';

function ChartDetail({ chart, versions }: { readonly chart: AvailableChart; readonly versions: readonly string[] }) {
  const [shown, setShown] = useState<ShownChart>();
  const [fault, setFault] = useState<string>();
  const [part, setPart] = useState<Part>('values');
  const { name, version, sourceRef } = chart;
  const request: ChartRequest = { name, version, source: { ...sourceRef, name: sourceRef.name ?? '' } };
  useEffect(() => {
    loadChartDetails(request).then(setShown, (failure) => setFault(errorMessage(failure)));
  }, []);
  const facts = [
    ['App version', chart.appVersion],
    ['Kubernetes', chart.kubeVersion],
    ['Source', `${sourceRef.kind ?? 'HelmRepository'} ${sourceRef.name ?? ''}`],
  ].filter(([, value]) => value);
  return (
    <section class="shelf-detail" aria-label={`Chart ${name}`}>
      <div class="bar">
        <ChartIcon chart={chart} />
        <h2 class="bar-title">
          {name} {versions.length > 1 ? undefined : <span class="soft">{version}</span>}
        </h2>
        {versions.length > 1 ? (
          <select
            aria-label="Version"
            value={version}
            onChange={({ currentTarget }) => goTo(hrefOf('charts', [name, currentTarget.value]))}
          >
            {versions.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        ) : undefined}
        <a class="button quiet back" href={hrefOf('charts')}>
          All charts
        </a>
        {chart.type === 'library' ? undefined : (
          <Button icon="add" kind="main" onPress={() => addChart(chart)}>
            Add<span class="wide"> to the Order</span>
          </Button>
        )}
      </div>
      <p class="pad">{chart.description}</p>
      <dl class="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {fault === undefined ? undefined : <ErrorMessage message={fault} />}
      <Tabs
        label="Parts of the chart"
        panel="chart-part"
        chosen={part}
        tabs={[
          { name: 'values', label: 'values.yaml' },
          { name: 'readme', label: 'README' },
          { name: 'templates', label: 'Templates' },
          { name: 'dependencies', label: 'Dependencies', count: shown?.dependencies.length },
          { name: 'schema', label: 'Schema' },
        ]}
        onChoose={setPart}
      />
      <div class="chart-part" id="chart-part" role="tabpanel" aria-label={part}>
        {shown ? (
          <ChartPart chart={shown} request={request} part={part} />
        ) : fault === undefined ? (
          <Loading />
        ) : undefined}
      </div>
    </section>
  );
}

interface PartProps {
  readonly chart: ShownChart;
  readonly request: ChartRequest;
  readonly part: Part;
}

function ChartPart({ chart, request, part }: PartProps) {
  if (part === 'values' && chart.values !== '')
    return <Code label={`values.yaml of ${chart.name}`} text={chart.values} />;
  if (part === 'readme' && chart.readme !== '') return <Readme text={chart.readme} />;
  if (part === 'schema' && chart.schema !== null) {
    return (
      <Code key="schema" label={`values.schema.json of ${chart.name}`} text={JSON.stringify(chart.schema, null, 2)} />
    );
  }
  if (part === 'dependencies' && chart.dependencies.length > 0) return <Dependencies chart={chart} />;
  if (part === 'templates') return <Templates request={request} />;
  const missing = {
    values: 'values.yaml',
    readme: 'README',
    schema: 'values.schema.json',
    dependencies: 'dependencies',
  }[part];
  return (
    <Empty title={`No ${missing}`}>
      <p>The chart does not contain {part === 'dependencies' ? 'any' : 'one'}.</p>
    </Empty>
  );
}

function Templates({ request }: { readonly request: ChartRequest }) {
  const [templates, setTemplates] = useState<readonly ChartTemplate[]>();
  const [fault, setFault] = useState<string>();
  const [name, setName] = useState('');
  useEffect(() => {
    loadTemplates(request).then(setTemplates, (failure) => setFault(errorMessage(failure)));
  }, []);
  if (fault !== undefined) return <ErrorMessage message={fault} />;
  if (!templates) return <Loading />;
  const shown = templates.find((one) => one.name === name) ?? templates[0];
  if (!shown) {
    return (
      <Empty title="No templates">
        <p>The chart renders nothing by itself.</p>
      </Empty>
    );
  }
  return (
    <div class="viewer">
      <div class="viewer-tools">
        <select aria-label="Template" value={shown.name} onChange={({ currentTarget }) => setName(currentTarget.value)}>
          {templates.map((one) => (
            <option key={one.name} value={one.name}>
              {one.name}
            </option>
          ))}
        </select>
        <span class="spring" />
        <Button icon="copy" kind="quiet" onPress={() => copyText(shown.text, shown.name)}>
          Copy
        </Button>
      </div>
      <Code key={shown.name} label={shown.name} language="plain" text={shown.text} />
    </div>
  );
}

const Readme = late(async () => (await import('./markdown.tsx')).Markdown);

function Dependencies({ chart }: { readonly chart: ShownChart }) {
  return (
    <div class="scroll">
      <table class="table">
        <TableHead columns={['Name', 'Version', 'Condition', 'Repository', 'Available']} hasActions={false} />
        <tbody>
          {chart.dependencies.map(({ name, alias, version, condition, repository, isHere }) => (
            <tr key={`${name} ${alias}`}>
              <td data-label="Name">{alias === '' ? name : `${alias} (${name})`}</td>
              <td data-label="Version">{version}</td>
              <td data-label="Condition">{condition}</td>
              <td data-label="Repository">{repository}</td>
              <td data-label="Available">{isHere ? 'yes' : 'no'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
