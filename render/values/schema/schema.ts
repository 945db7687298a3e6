// Validates composed values against the values.schema.json of a chart and its sub-charts.
// Mirrors: helm.sh/helm/v3/pkg/chartutil, jsonschema.go, v3.17.3, with gojsonschema v1.2.0; helm.sh/helm/v4/pkg/chart/common/util,
// jsonschema.go, v4.2.3, with santhosh-tekuri/jsonschema v6.0.2.

import type { Chart } from '../../chart/chart.ts';
import { emitJson, JsonEndError, prefixOfJson } from '../../codec/json.ts';
import { emitYaml, mayRefuse } from '../../codec/yaml/emit.ts';
import { composeYaml } from '../../codec/yaml/parse.ts';
import { type Issue, RenderError } from '../../core/errors.ts';
import { limitIn } from '../../core/limits.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { GoError, type GoMap, type GoValue, typeOf } from '../../go/value.ts';
import type { Helm, SchemaRules } from '../../helm/helm.ts';
import { helmOf, releases } from '../../helm/versions.ts';
import type { Composing, Warn } from '../coalesce.ts';
import { checkAgainst } from './check.ts';
import { compileValuesSchema } from './compile.ts';
import { type ReadSchema, readDraft2020Schema } from './draft2020/check.ts';
import { formatViolations, type SchemaViolation } from './draft2020/faults.ts';
import { violationsOf } from './draft2020/validate.ts';
import type { SchemaModel } from './model.ts';
import type { SchemaSource } from './refs.ts';

/** Validates values against the schemas of a chart tree, root first. Throws VALUES_INVALID with Helm's message and all issues. */
export function validateSchema(
  chart: Chart,
  values: GoMap,
  { helm, warn, schemas = () => undefined }: Composing & { readonly schemas?: SchemaSource | undefined },
): void {
  let isMissing = false;
  const load: SchemaSource = (url) => {
    const text = schemas(url);
    isMissing ||= text === undefined;
    return text;
  };
  const report: Report = { text: '', issues: [], rules: helm.schema, load, warnOfUrn: warnOnce(helm, warn) };
  checkChart(chart, values, '', report);
  if (report.text === '') return;
  throw new RenderError(
    'VALUES_INVALID',
    `values don't meet the specifications of the schema(s) in the following chart(s):\n${report.text}`,
    {
      issues: report.issues,
      hint: isMissing ? missingHint : 'Set values that the schema allows, or render with --skip-schema-validation.',
    },
  );
}

/**
 * Validates values against one schema. Throws GoError with Helm's message.
 * Mirrors: `ValidateAgainstSingleSchema`.
 */
export function checkSingleSchema(schema: Uint8Array, values: GoMap, { helm, warn }: Composing): void {
  const report: Report = {
    text: '',
    issues: [],
    rules: helm.schema,
    load: () => undefined,
    warnOfUrn: warnOnce(helm, warn),
  };
  const text = orLimit(() => libraries[helm.schema.library].check(schema, { values, path: '', report }));
  if (text !== '') throw new GoError(text);
}

function orLimit(check: () => string): string {
  try {
    return check();
  } catch (error) {
    throw limitIn('values.schema.json', error);
  }
}

const missingHint =
  'Run `drydock vendor` with the chart or the Order, which downloads the schema and pins it in drydock.lock; or leave the schemas of ' +
  'the chart unread with skipSchemaValidation in the chartSettings of a configuration, or with --skip-schema-validation.';

/** Returns the URLs that the schemas of a chart tree refer to, including those in documents that `load` returns, for each Helm version. */
export function schemaUrls(chart: Chart, load: SchemaSource): ReadonlySet<string> {
  const urls = new Set<string>();
  const record: SchemaSource = (url) => {
    urls.add(url);
    return load(url);
  };
  for (const one of chartTree(chart)) {
    if (one.schema === undefined) continue;
    for (const version of Object.keys(releases) as (keyof typeof releases)[]) {
      const { schema: rules } = helmOf(version);
      if (rules.library === 'gojsonschema') readEarly(one.schema, record, rules);
      else readLate(one.schema, record, rules);
    }
  }
  return urls;
}

function chartTree(chart: Chart): readonly Chart[] {
  return [chart, ...chart.children.flatMap(chartTree)];
}

interface Report {
  text: string;
  readonly load: SchemaSource;
  readonly issues: Issue[];
  readonly rules: SchemaRules;
  readonly warnOfUrn: (urn: string) => void;
}

function warnOnce(helm: Helm, warn: Warn): (urn: string) => void {
  const warned = new Set<string>();
  return (urn) => {
    if (!warned.has(urn)) warn(helm.log.unresolvedUrn(urn));
    warned.add(urn);
  };
}

/** Validates a chart's section and returns the messages; empty if it is valid. */
interface Library {
  readonly check: (bytes: Uint8Array, section: Section) => string;
  /** Whether a sub-chart's section must be a mapping; undefined if it can be anything. */
  readonly refuse: (value: GoValue | undefined) => string | undefined;
}

// `path` is the dotted path of the chart's section with a trailing dot.
function checkChart(chart: Chart, values: GoMap, path: string, report: Report): void {
  const library = libraries[report.rules.library];
  if (chart.schema !== undefined) report.text += checkSchema(chart, chart.schema, { values, path, report });
  for (const child of chart.children) {
    const { name } = child.metadata;
    const section = values.get(name);
    const refusal = library.refuse(section);
    if (refusal === undefined) checkChart(child, section as GoMap, `${path}${name}.`, report);
    else if (refusal !== '') report.text += `${name}:\n${refusal}`;
  }
}

interface Section {
  readonly values: GoMap;
  readonly path: string;
  readonly report: Report;
}

function checkSchema(chart: Chart, bytes: Uint8Array, section: Section): string {
  const { name } = chart.metadata;
  const { issues, rules } = section.report;
  try {
    const text = libraries[rules.library].check(bytes, section);
    return text === '' ? '' : `${name}:\n${text}`;
  } catch (error) {
    if (!(error instanceof GoError)) throw limitIn(`${name}/values.schema.json`, error);
    issues.push({ path: `${name}/values.schema.json`, message: error.message, severity: 'error' });
    return `${name}:\n${error.message}`;
  }
}

const libraries: Readonly<Record<SchemaRules['library'], Library>> = {
  gojsonschema: { check: checkEarly, refuse: () => undefined },
  'santhosh-tekuri': { check: checkLate, refuse: refuseNoTable },
};

function checkEarly(bytes: Uint8Array, { values, path, report }: Section): string {
  const schema = unwritable(values) ?? readEarly(bytes, report.load, report.rules);
  if (schema instanceof GoError) throw schema;
  const faults = checkAgainst(schema, values);
  for (const { field, message } of faults) {
    const place = field === '(root)' ? path.slice(0, -1) : path + field;
    report.issues.push({ path: place, message, severity: 'error' });
  }
  return faults.map(({ field, message }) => `- ${field}: ${message}\n`).join('');
}

function checkLate(bytes: Uint8Array, { values, path, report }: Section): string {
  const read = readLate(bytes, report.load, report.rules);
  if (read instanceof GoError) throw read;
  for (const urn of read.unresolved) report.warnOfUrn(urn);
  if (read.schema instanceof GoError) throw read.schema;
  const faults = violationsOf(read.schema, values, report.rules);
  for (const { at, message } of leavesOf(faults)) {
    report.issues.push({ path: path + at.join('.') || path.slice(0, -1), message, severity: 'error' });
  }
  return formatViolations(faults);
}

function leavesOf(faults: readonly SchemaViolation[]): readonly SchemaViolation[] {
  return faults.flatMap((fault) => (fault.causes.length === 0 ? [fault] : leavesOf(fault.causes)));
}

// Empty for what Helm skips.
function refuseNoTable(value: GoValue | undefined): string | undefined {
  if (value instanceof Map) return undefined;
  if (value === undefined || value === null) return '';
  return `invalid type for values: expected object (map), got ${typeOf(value)}\n`;
}

/** A schema parsed from bytes, and the documents that it refers to. */
interface KeptSchema<T> {
  readonly schema: T;
  readonly loaded: ReadonlyMap<string, string | undefined>;
}

type Reader<T> = (bytes: Uint8Array, load: SchemaSource, rules: SchemaRules) => T;

// A schema is read again if a referenced document has changed.
function keeping<T>(read: Reader<T>): Reader<T> {
  const all = new WeakMap<SchemaRules, WeakMap<Uint8Array, KeptSchema<T>>>();
  return (bytes, load, rules) => {
    const own = all.get(rules) ?? new WeakMap<Uint8Array, KeptSchema<T>>();
    all.set(rules, own);
    const kept = own.get(bytes);
    if (kept !== undefined && [...kept.loaded].every(([url, text]) => load(url) === text)) return kept.schema;
    const loaded = new Map<string, string | undefined>();
    const record: SchemaSource = (url) => {
      const text = load(url);
      loaded.set(url, text);
      return text;
    };
    const schema = read(bytes, record, rules);
    own.set(bytes, { schema, loaded });
    return schema;
  };
}

const readEarly = keeping((bytes, load): SchemaModel | GoError =>
  read(bytes, (text) => compileValuesSchema(prefixOfJson(text).value, load)),
);

const readLate = keeping((bytes, load, rules): ReadSchema | GoError =>
  read(bytes, (text) => {
    const { value, text: whole } = prefixOfJson(text, { keepNumbers: true });
    if (/[^ \t\r\n]/.test(text.slice(whole.length))) throw new GoError('invalid character after top-level value');
    return readDraft2020Schema(value, rules, load);
  }),
);

// Helm writes the values as YAML before it reads the schema, and some texts cannot be written.
function unwritable(values: GoMap): GoError | undefined {
  if (!mayRefuse(values)) return undefined;
  const written = orFault(() => emitYaml(values));
  return written instanceof GoError ? (faultInWhole(values) ?? written) : undefined;
}

// Helm parses the JSON of all values at once and reports the first error of the whole text.
function faultInWhole(values: GoMap): GoError | undefined {
  const json = orFault(() => emitJson(values));
  if (typeof json !== 'string') return undefined;
  const read = orFault(() => composeYaml(json));
  return read instanceof GoError ? read : undefined;
}

function orFault<T>(run: () => T): T | GoError {
  try {
    return run();
  } catch (error) {
    if (error instanceof GoError) return error;
    throw error;
  }
}

function read<T>(bytes: Uint8Array, make: (text: string) => T): T | GoError {
  const text = decodeUtf8(bytes);
  try {
    return make(text);
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    // Both libraries use a decoder with its own message for an unexpected end.
    if (!(error instanceof JsonEndError)) return error;
    return new GoError(text.trim() === '' ? 'EOF' : 'unexpected EOF');
  }
}
