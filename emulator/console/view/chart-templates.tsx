// The templates of a chart. Hovering a value describes it; coverage marks unreached lines.

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { EditorHelp, EditorMark } from '../../../render/language/help.ts';
import { valueCard } from '../../../render/language/yaml/help.ts';
import { type ChartValues, knownValuesOfCharts } from '../../../render/language/yaml/known-values.ts';
import { errorMessage } from '../api.ts';
import {
  type ChartCoverage,
  type ChartDetailsRequest,
  type ChartTemplate,
  loadChartCoverage,
  loadTemplates,
  type ShownChart,
  type TemplateLine,
} from '../chart-details.ts';
import { Code } from './code.tsx';
import { Button, copyText, Empty, ErrorMessage, Loading } from './parts.tsx';

interface TemplatesProps {
  readonly chart: ShownChart;
  readonly request: ChartDetailsRequest;
  /** The line to show; undefined for the first template. */
  readonly wanted: TemplateLine | undefined;
}

/** The tab. */
export function TemplatesPart({ chart, request, wanted }: TemplatesProps) {
  const [templates, setTemplates] = useState<readonly ChartTemplate[]>();
  const [fault, setFault] = useState<string>();
  const [name, setName] = useState(wanted?.path ?? '');
  const [marksCoverage, setMarksCoverage] = useState(wanted !== undefined);
  const [coverage, setCoverage] = useState<ChartCoverage>();
  const showFault = (failure: unknown): void => setFault(errorMessage(failure));
  const words = useMemo(() => valuesInTemplates(chart), [chart]);
  useEffect(() => void loadTemplates(request).then(setTemplates, showFault), []);
  useEffect(() => {
    if (marksCoverage) loadChartCoverage(request).then(setCoverage, showFault);
  }, [marksCoverage]);
  const shown = templates?.find((one) => one.name === name) ?? templates?.[0];
  const marks = useMemo(
    () => (marksCoverage && shown ? unreachedIn(shown.name, coverage) : []),
    [marksCoverage, shown, coverage],
  );
  if (fault !== undefined) return <ErrorMessage message={fault} />;
  if (!templates) return <Loading />;
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
        <label class="check">
          <input
            type="checkbox"
            checked={marksCoverage}
            onChange={({ currentTarget }) => setMarksCoverage(currentTarget.checked)}
          />
          <span>Mark what is not reached</span>
        </label>
        <span class="soft" role="status">
          {marksCoverage ? statusOf(coverage, marks) : ''}
        </span>
        <span class="spring" />
        <Button icon="copy" kind="quiet" onPress={() => copyText(shown.text, shown.name)}>
          Copy
        </Button>
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
