// A chart: its description, its files, and its analysis.

import { useEffect, useState } from 'preact/hooks';
import { hrefOf } from '../address.ts';
import { errorMessage } from '../api.ts';
import {
  type ChartDetailsRequest,
  type DerivedSchema,
  loadChartDetails,
  loadChartSchema,
  type ShownChart,
  type TemplateLine,
} from '../chart-details.ts';
import { goTo } from '../place.ts';
import type { AvailableChart } from '../session.ts';
import { CoveragePart } from './chart-coverage.tsx';
import { ChartIcon } from './chart-icon.tsx';
import { TemplatesPart } from './chart-templates.tsx';
import { Code } from './code.tsx';
import { addChart } from './commands.ts';
import { late } from './late.tsx';
import { Button, copyText, Empty, ErrorMessage, Loading, TableHead, Tabs } from './parts.tsx';

type Part = 'values' | 'readme' | 'templates' | 'dependencies' | 'schema' | 'coverage';

const sourceKinds: Readonly<Record<string, string>> = {
  Embed: 'Bundled chart',
  Local: 'Local chart',
  HelmRepository: 'Helm repository',
  OCIRepository: 'OCI repository',
};

function sourceLabel({ kind = 'HelmRepository', name = '' }: Readonly<Record<string, string>>): string {
  return `${sourceKinds[kind] ?? kind} ${name}`;
}

/** The pane beside the list of charts. */
export function ChartDetail({
  chart,
  versions,
}: {
  readonly chart: AvailableChart;
  readonly versions: readonly string[];
}) {
  const [shown, setShown] = useState<ShownChart>();
  const [fault, setFault] = useState<string>();
  const [part, setPart] = useState<Part>('values');
  const [wanted, setWanted] = useState<TemplateLine>();
  const { name, version, sourceRef } = chart;
  const request: ChartDetailsRequest = { name, version, source: { ...sourceRef, name: sourceRef.name ?? '' } };
  useEffect(() => {
    loadChartDetails(request).then(setShown, (failure) => setFault(errorMessage(failure)));
  }, []);
  const facts = [
    ['App version', chart.appVersion],
    ['Kubernetes', chart.kubeVersion],
    ['Source', sourceLabel(sourceRef)],
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
          { name: 'coverage', label: 'Coverage' },
        ]}
        onChoose={setPart}
      />
      <div class="chart-part" id="chart-part" role="tabpanel" aria-label={part}>
        {shown ? (
          <ChartPart
            chart={shown}
            request={request}
            part={part}
            wanted={wanted}
            onTemplate={(line) => {
              setWanted(line);
              setPart('templates');
            }}
          />
        ) : fault === undefined ? (
          <Loading />
        ) : undefined}
      </div>
    </section>
  );
}

interface PartProps {
  readonly chart: ShownChart;
  readonly request: ChartDetailsRequest;
  readonly part: Part;
  /** The line of a template to show. */
  readonly wanted: TemplateLine | undefined;
  readonly onTemplate: (line: TemplateLine) => void;
}

function ChartPart({ chart, request, part, wanted, onTemplate }: PartProps) {
  if (part === 'values' && chart.values !== '')
    return <Code label={`values.yaml of ${chart.name}`} text={chart.values} />;
  if (part === 'readme' && chart.readme !== '') return <Readme text={chart.readme} />;
  if (part === 'schema') return <SchemaPart chart={chart} request={request} />;
  if (part === 'coverage') return <CoveragePart request={request} onTemplate={onTemplate} />;
  if (part === 'dependencies' && chart.dependencies.length > 0) return <Dependencies chart={chart} />;
  if (part === 'templates') return <TemplatesPart chart={chart} request={request} wanted={wanted} />;
  const missing = {
    values: 'values.yaml',
    readme: 'README',
    dependencies: 'dependencies',
  }[part];
  return (
    <Empty title={`No ${missing}`}>
      <p>The chart does not contain {part === 'dependencies' ? 'any' : 'one'}.</p>
    </Empty>
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

// The schema of a chart's values: its own, or one derived from defaults, comments and templates; and the values as a table.

const forms = { own: 'values.schema.json', derived: 'Derived schema', table: 'Table of values' } as const;

type Form = keyof typeof forms;

/** The tab. */
function SchemaPart({ chart, request }: { readonly chart: ShownChart; readonly request: ChartDetailsRequest }) {
  const hasOwn = chart.schema !== null;
  const [form, setForm] = useState<Form>(hasOwn ? 'own' : 'derived');
  const [derived, setDerived] = useState<DerivedSchema>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    if (form === 'own' || derived) return;
    loadChartSchema(request).then(setDerived, (failure) => setFault(errorMessage(failure)));
  }, [form]);
  const text = form === 'table' ? derived?.table : jsonText(form === 'own' ? chart.schema : derived?.schema);
  return (
    <div class="viewer">
      <div class="viewer-tools">
        <select
          aria-label="Form of the schema"
          value={form}
          onChange={(event) => setForm(event.currentTarget.value as Form)}
        >
          {Object.entries(forms)
            .filter(([name]) => hasOwn || name !== 'own')
            .map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
        </select>
        <span class="soft">{form === 'derived' ? 'From defaults, comments and templates' : ''}</span>
        <span class="spring" />
        {text === undefined ? undefined : (
          <Button icon="copy" kind="quiet" onPress={() => copyText(text, forms[form])}>
            Copy
          </Button>
        )}
      </div>
      {fault === undefined ? undefined : <ErrorMessage message={fault} />}
      {text === undefined ? (
        <p class="pad soft" role="status">
          {fault === undefined ? 'Rendering the chart with many values…' : ''}
        </p>
      ) : form === 'table' ? (
        <Table text={text} />
      ) : (
        <Code key={form} label={`${forms[form]} of ${chart.name}`} text={text} />
      )}
    </div>
  );
}

const Table = late(async () => (await import('./markdown.tsx')).Markdown);

function jsonText(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value, undefined, 2);
}
