// The schema of a chart's values: its own, or one derived from defaults, comments and templates; and the values as a table.

import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from '../api.ts';
import { type ChartRequest, type DerivedSchema, loadChartSchema, type ShownChart } from '../chart-details.ts';
import { Code } from './code.tsx';
import { late } from './late.tsx';
import { Button, copyText, ErrorMessage } from './parts.tsx';

const forms = { own: 'values.schema.json', derived: 'Derived schema', table: 'Table of values' } as const;

type Form = keyof typeof forms;

/** The tab. */
export function SchemaPart({ chart, request }: { readonly chart: ShownChart; readonly request: ChartRequest }) {
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
