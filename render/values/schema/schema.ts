// Checks composed values against the values.schema.json of a chart and of its sub-charts.
// Mirrors: helm.sh/helm/v3/pkg/chartutil, jsonschema.go, v3.17.3, and gojsonschema v1.2.0 behind it.

import type { Chart } from '../../chart/chart.ts';
import { JsonEndError, prefixOfJson } from '../../codec/json.ts';
import { emitYaml, mayRefuse } from '../../codec/yaml/emit.ts';
import { type Issue, RenderError } from '../../errors.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { GoError, type GoMap } from '../../go/value.ts';
import { checkAgainst } from './check.ts';
import { compileSchema } from './compile.ts';
import type { Schema } from './model.ts';

/** Checks values against the schemas of a chart tree, root first. Throws VALUES_INVALID with Helm's text and all issues. */
export function validateSchema(chart: Chart, values: GoMap): void {
  const report: Report = { text: '', issues: [] };
  checkChart(chart, values, '', report);
  if (report.text === '') return;
  throw new RenderError(
    'VALUES_INVALID',
    `values don't meet the specifications of the schema(s) in the following chart(s):\n${report.text}`,
    {
      issues: report.issues,
      mend: 'Set values that the schema allows, or render with --skip-schema-validation.',
    },
  );
}

interface Report {
  text: string;
  readonly issues: Issue[];
}

// `path` is the dotted place of the chart's section, with a dot behind.
function checkChart(chart: Chart, values: GoMap, path: string, report: Report): void {
  if (chart.schema !== undefined) report.text += checkSchema(chart, chart.schema, { values, path, report });
  for (const child of chart.children) {
    const { name } = child.metadata;
    checkChart(child, values.get(name) as GoMap, `${path}${name}.`, report);
  }
}

interface Section {
  readonly values: GoMap;
  readonly path: string;
  readonly report: Report;
}

function checkSchema(chart: Chart, bytes: Uint8Array, { values, path, report }: Section): string {
  const { name } = chart.metadata;
  const schema = unwritable(values) ?? compiledSchema(bytes);
  if (schema instanceof GoError) {
    report.issues.push({ path: `${name}/values.schema.json`, message: schema.message, severity: 'error' });
    return `${name}:\n${schema.message}`;
  }
  const faults = checkAgainst(schema, values);
  if (faults.length === 0) return '';
  for (const { field, message } of faults) {
    const place = field === '(root)' ? path.slice(0, -1) : path + field;
    report.issues.push({ path: place, message, severity: 'error' });
  }
  return `${name}:\n${faults.map(({ field, message }) => `- ${field}: ${message}\n`).join('')}`;
}

// Helm writes the values as YAML before it reads the schema, and not every text can be written.
function unwritable(values: GoMap): GoError | undefined {
  if (!mayRefuse(values)) return undefined;
  try {
    emitYaml(values);
    return undefined;
  } catch (error) {
    if (error instanceof GoError) return error;
    throw error;
  }
}

const compiled = new WeakMap<Uint8Array, Schema | GoError>();

function compiledSchema(bytes: Uint8Array): Schema | GoError {
  let schema = compiled.get(bytes);
  if (schema === undefined) {
    schema = compile(bytes);
    compiled.set(bytes, schema);
  }
  return schema;
}

function compile(bytes: Uint8Array): Schema | GoError {
  const text = decodeUtf8(bytes);
  try {
    return compileSchema(prefixOfJson(text).value);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    // gojsonschema reads with a decoder, which words a missing end in its own way.
    if (!(error instanceof JsonEndError)) return error;
    return new GoError(text.trim() === '' ? 'EOF' : 'unexpected EOF');
  }
}
