// A chart: its description, its files, and its analysis.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { counted } from '../../../render/core/counted.ts';
import type { EditorHelp, EditorMark } from '../../../render/language/help.ts';
import { valueCard } from '../../../render/language/yaml/help.ts';
import { type ChartValues, knownValuesOfCharts } from '../../../render/language/yaml/known-values.ts';
import {
  type ChartCoverage,
  type ChartDetailsRequest,
  loadChartCoverage,
  loadChartDetails,
  loadChartSchema,
  loadTemplates,
  type ShownChart,
  type TemplateLine,
} from '../chart-details.ts';
import { goTo, hrefOf } from '../place.ts';
import type { AvailableChart } from '../session.ts';
import { Code } from './code.tsx';
import { useLoad } from './load.ts';
import { addChart } from './palette.tsx';
import {
  Button,
  CheckBox,
  CopyButton,
  DataTable,
  DownloadButton,
  Empty,
  ErrorMessage,
  LinkButton,
  Loading,
  late,
  More,
  Select,
  Tabs,
  TextBlock,
} from './parts.tsx';

type Part = 'values' | 'readme' | 'templates' | 'dependencies' | 'schema' | 'coverage';

export function ChartDetail({ chart, versions }: { chart: AvailableChart; versions: readonly string[] }) {
  const part = useSignal<Part>('values');
  const [wanted, setWanted] = useState<TemplateLine>();
  const { name, version, sourceRef } = chart;
  const request: ChartDetailsRequest = { name, version, source: { ...sourceRef, name: sourceRef.name ?? '' } };
  const { value: shown, fault } = useLoad('chart', () => loadChartDetails(request));
  const showTemplate = (line: TemplateLine): void => {
    setWanted(line);
    part.value = 'templates';
  };
  const panels: Readonly<Record<Part, (shown: ShownChart) => ComponentChildren>> = {
    values: ({ values }) => values && <Code label={`values.yaml of ${name}`} text={values} />,
    readme: ({ readme }) => readme && <Markdown text={readme} />,
    templates: (shown) => <TemplatesPart chart={shown} request={request} wanted={wanted} />,
    dependencies: (shown) => shown.dependencies.length > 0 && <Dependencies chart={shown} />,
    schema: (shown) => <SchemaPart chart={shown} request={request} />,
    coverage: () => <CoveragePart request={request} onTemplate={showTemplate} />,
  };
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
          <Select
            aria-label="Version"
            value={version}
            options={versions}
            onChoose={(one) => goTo(hrefOf('charts', [name, one]))}
          />
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
      <ErrorMessage message={fault} />
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
      />
      <div class="chart-part" id="chart-part" role="tabpanel" aria-label={part.value}>
        {shown ? panels[part.value](shown) || <Empty title={`No ${part.value}`} /> : fault === undefined && <Loading />}
      </div>
    </section>
  );
}

const Markdown = late(async () => (await import('./markdown.tsx')).Markdown);

function Dependencies({ chart }: { readonly chart: ShownChart }) {
  return (
    <div class="scroll">
      <DataTable
        rows={chart.dependencies}
        keyOf={({ name, alias }) => `${name} ${alias}`}
        columns={{
          Name: ({ name, alias }) => (alias === '' ? name : `${alias} (${name})`),
          Version: ({ version }) => version,
          Condition: ({ condition }) => condition,
          Repository: ({ repository }) => repository,
          Available: ({ isHere }) => (isHere ? 'yes' : 'no'),
        }}
      />
    </div>
  );
}

/** The schema of the chart's values: its own, or one derived from defaults, comments and templates. */
function SchemaPart({ chart, request }: { readonly chart: ShownChart; readonly request: ChartDetailsRequest }) {
  const hasOwn = chart.schema !== null;
  const { value: derived, fault } = useLoad('schema', hasOwn ? undefined : () => loadChartSchema(request));
  if (fault !== undefined) return <ErrorMessage message={fault} />;
  if (!hasOwn && !derived) return <Loading>Rendering the chart with many values…</Loading>;
  const text = JSON.stringify(hasOwn ? chart.schema : derived?.schema, undefined, 2);
  return (
    <div class="viewer">
      <div class="viewer-tools">
        <span class="soft">{hasOwn ? 'values.schema.json' : 'Derived from defaults, comments and templates'}</span>
        <span class="spring" />
        <CopyButton text={text} what="Schema" />
      </div>
      <Code label={`Schema of ${chart.name}`} text={text} />
    </div>
  );
}

// The branch coverage of a chart by its own values, values that reach more, and what nothing reaches.

interface CoverageProps {
  readonly request: ChartDetailsRequest;
  readonly onTemplate: (line: TemplateLine) => void;
}

function CoveragePart({ request, onTemplate }: CoverageProps) {
  const { value, fault } = useLoad('coverage', () => loadChartCoverage(request));
  if (fault !== undefined) return <ErrorMessage message={fault} />;
  if (!value) return <Loading>Searching for values that reach every branch…</Loading>;
  const { before, after, total, reachable, generated, unreached } = value;
  const problems = [
    ...value.failedCases.map(({ name, message }) => [`${name} does not render`, message]),
    ...value.failures.map(({ values, message }) => [`The chart fails on ${JSON.stringify(values)}`, message]),
    ...value.rejections.map(({ values, message, path, line }) => [
      `With ${JSON.stringify(values)}, a cluster refuses what ${path}:${line} writes`,
      message,
    ]),
  ];
  return (
    <div class="scroll">
      <section class="coverage-summary" aria-label="Summary">
        <CoverageBar label={value.cases.join(', ')} count={before} total={total} />
        {generated.length === 0 ? undefined : (
          <CoverageBar label={`with ${counted(generated.length, 'more values file')}`} count={after} total={total} />
        )}
        <p class="soft">
          {reachable === total ? 'Values can reach all of them.' : `Values can reach ${reachable} of them.`}
          {value.isCut ? ' The search ended after five seconds: drydock cases searches for longer.' : ''}
        </p>
      </section>
      {problems.map(([where, message]) => (
        <ErrorMessage key={`${where} ${message}`} where={where} message={message} />
      ))}
      {generated.map(({ text, reaches }, at) => {
        const name = `drydock-${at + 1}-values.yaml`;
        return (
          <details key={text} class="resource" open={at === 0}>
            <summary>
              <span class="resource-name">ci/{name}</span> <span class="soft">reaches {reaches} more</span>
            </summary>
            <div class="resource-text">
              <div class="viewer-tools">
                <CopyButton text={text} what={name} />
                <DownloadButton text={text} name={name} />
              </div>
              <TextBlock text={text} />
            </div>
          </details>
        );
      })}
      {unreached.length === 0 ? undefined : (
        <section class="resource-list" aria-label="Not reached">
          <h3>
            Not reached <span class="count">{value.unreachedCount}</span>
          </h3>
          <ul>
            {unreached.map(({ path, line, text, outcome, explanation }) => (
              <li key={`${path} ${line} ${text} ${outcome}`} class="row-item">
                <p class="row-head">
                  <code>{text}</code> <span class="tag">{outcome}</span>
                  <span class="spring" />
                  <LinkButton onPress={() => onTemplate({ path, line })}>
                    {path}:{line}
                  </LinkButton>
                </p>
                <p class="soft">{explanation}</p>
              </li>
            ))}
          </ul>
          <More count={value.unreachedCount - unreached.length} />
        </section>
      )}
    </div>
  );
}

function CoverageBar({ label, count, total }: { label: string; count: number; total: number }) {
  return (
    <label class="coverage-bar">
      <span>
        {count} of {total} branch outcomes <span class="soft">{label}</span>
      </span>
      <progress value={count} max={Math.max(total, 1)} />
    </label>
  );
}

// The templates of a chart. Hovering a value describes it; coverage marks unreached lines.

interface TemplatesProps {
  readonly chart: ShownChart;
  readonly request: ChartDetailsRequest;
  /** The line to show; undefined for the first template. */
  readonly wanted: TemplateLine | undefined;
}

function TemplatesPart({ chart, request, wanted }: TemplatesProps) {
  const [name, setName] = useState(wanted?.path ?? '');
  const marksCoverage = useSignal(wanted !== undefined);
  const isMarked = marksCoverage.value;
  const { value: templates, fault } = useLoad('templates', () => loadTemplates(request));
  const coverage = useLoad('coverage', isMarked ? () => loadChartCoverage(request) : undefined, isMarked);
  const words = useMemo(() => valuesInTemplates(chart), [chart]);
  const shown = templates?.find((one) => one.name === name) ?? templates?.[0];
  const marks = useMemo(
    () => (isMarked && shown ? unreachedIn(shown.name, coverage.value) : []),
    [isMarked, shown, coverage.value],
  );
  if (fault !== undefined || coverage.fault !== undefined) return <ErrorMessage message={fault ?? coverage.fault} />;
  if (!templates) return <Loading />;
  if (!shown) return <Empty title="No templates">The chart renders nothing by itself.</Empty>;
  return (
    <div class="viewer">
      <div class="viewer-tools">
        <Select
          aria-label="Template"
          value={shown.name}
          options={templates.map((one) => one.name)}
          onChoose={setName}
        />
        <CheckBox label="Mark what is not reached" on={marksCoverage} />
        <span class="soft" role="status">
          {isMarked ? statusOf(coverage.value, marks) : ''}
        </span>
        <span class="spring" />
        <CopyButton text={shown.text} what={shown.name} />
      </div>
      <Code
        key={shown.name}
        label={shown.name}
        language="plain"
        text={shown.text}
        words={words}
        marks={marks}
        line={wanted?.path === shown.name ? wanted : undefined}
      />
    </div>
  );
}

function unreachedIn(name: string, coverage: ChartCoverage | undefined): readonly EditorMark[] {
  return (coverage?.unreached ?? [])
    .filter(({ path }) => path === name)
    .map(({ line, column, text, outcome, explanation }) => ({
      line,
      column,
      severity: 'warning',
      message: `${text} (${outcome}) is not reached: ${explanation}`,
    }));
}

function statusOf(coverage: ChartCoverage | undefined, { length }: readonly EditorMark[]): string {
  if (!coverage) return 'Searching…';
  return length === 0 ? 'Values reach all of it' : `${length} not reached`;
}

// Hover texts for values in templates.

/** Describes the hovered value, such as `image` or `image.tag` in `.Values.image.tag`, from the chart's values and schema. */
export function valuesInTemplates(chart: ChartValues): EditorHelp {
  const values = knownValuesOfCharts(chart);
  return {
    complete: () => undefined,
    describe: (text, at) => {
      const start = text.lastIndexOf('\n', at - 1) + 1;
      const [line = ''] = text.slice(start).split('\n', 1);
      for (const { 0: whole, index } of line.matchAll(/\.Values(?:\.[A-Za-z_]\w*)+/g)) {
        const [from, to] = [start + index + '.Values.'.length, start + index + whole.length];
        if (at < from || at > to) continue;
        const rest = text.slice(at, to);
        const end = at + (rest.includes('.') ? rest.indexOf('.') : rest.length);
        const path = text.slice(from, end).split('.');
        const known = values.known(path);
        return known && { from, to: end, card: valueCard(known, path) };
      }
      return undefined;
    },
  };
}

/** The icon; the adjacent name is its text. */
export function ChartIcon({ chart: { name, icon } }: { readonly chart: Pick<AvailableChart, 'name' | 'icon'> }) {
  const [broken, setBroken] = useState<string>();
  if (icon !== undefined && icon !== broken) {
    return (
      <span class="tile" aria-hidden="true">
        {/* As an image, an SVG runs no script and loads nothing. */}
        <img src={icon} alt="" width="28" height="28" decoding="async" onError={() => setBroken(icon)} />
      </span>
    );
  }
  const initials = name.split(/[^\p{L}\p{N}]+/u).map(([first]) => first);
  return (
    <span class="tile" aria-hidden="true">
      {initials.slice(0, 2).join('').toUpperCase()}
    </span>
  );
}
