// Validates composed values against the values.schema.json of a chart and its subcharts.
// Mirrors: helm.sh/helm/v3/pkg/chartutil, jsonschema.go, v3.17.3, with gojsonschema v1.2.0; helm.sh/helm/v4/pkg/chart/common/util,
// jsonschema.go, v4.2.3, with santhosh-tekuri/jsonschema v6.0.2.

import type { Chart } from '../../chart/chart.ts';
import { emitJson, JsonEndError, prefixOfJson } from '../../codec/json.ts';
import { emitYaml, mayRefuse } from '../../codec/yaml/emit.ts';
import { composeYaml } from '../../codec/yaml/parse.ts';
import { catchGoError, convertGoError, orUndefined } from '../../core/catch.ts';
import { type Issue, RenderError } from '../../core/errors.ts';
import { getOrCreate } from '../../core/lazy.ts';
import { limitIn } from '../../core/limits.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { GoError, type GoMap, typeOf } from '../../go/value.ts';
import type { Helm } from '../../helm/helm.ts';
import { helmOf, releases } from '../../helm/versions.ts';
import type { Composing } from '../coalesce.ts';
import { checkAgainst } from './check.ts';
import { compileValuesSchema, type SchemaModel } from './compile.ts';
import { type ReadSchema, readDraft2020Schema } from './draft2020/compile.ts';
import { formatViolations, type SchemaViolation, violationsOf } from './draft2020/validate.ts';
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
  const report = createReport({ helm, warn }, load);
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
export function checkSingleSchema(schema: Uint8Array, values: GoMap, composing: Composing): void {
  const report = createReport(composing, () => undefined);
  const check = (): string => checkBytes(schema, { values, path: '', report });
  const text = convertGoError(check, (error) => error, 'values.schema.json');
  if (text !== '') throw new GoError(text);
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
      const helm = helmOf(version);
      (isEarly(helm) ? readEarly : readLate)(one.schema, record, helm);
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
  readonly helm: Helm;
  readonly warnOfUrn: (urn: string) => void;
}

function createReport({ helm, warn }: Composing, load: SchemaSource): Report {
  const warned = new Set<string>();
  const warnOfUrn = (urn: string): void => {
    if (!warned.has(urn)) warn(helm.log.unresolvedUrn(urn));
    warned.add(urn);
  };
  return { text: '', issues: [], helm, load, warnOfUrn };
}

function isEarly({ schema }: Helm): boolean {
  return schema.library === 'gojsonschema';
}

// `path` is the dotted path of the chart's section with a trailing dot.
function checkChart(chart: Chart, values: GoMap, path: string, report: Report): void {
  if (chart.schema !== undefined) report.text += checkSchema(chart, chart.schema, { values, path, report });
  for (const child of chart.children) {
    const { name } = child.metadata;
    const section = values.get(name);
    if (section instanceof Map || isEarly(report.helm)) {
      checkChart(child, section as GoMap, `${path}${name}.`, report);
    } else if (section !== undefined && section !== null) {
      report.text += `${name}:\ninvalid type for values: expected object (map), got ${typeOf(section)}\n`;
    }
  }
}

interface Section {
  readonly values: GoMap;
  readonly path: string;
  readonly report: Report;
}

function checkSchema(chart: Chart, bytes: Uint8Array, section: Section): string {
  const { name } = chart.metadata;
  const path = `${name}/values.schema.json`;
  try {
    const text = checkBytes(bytes, section);
    return text === '' ? '' : `${name}:\n${text}`;
  } catch (error) {
    if (!(error instanceof GoError)) throw limitIn(path, error);
    section.report.issues.push({ path, message: error.message, severity: 'error' });
    return `${name}:\n${error.message}`;
  }
}

// Returns the messages; empty if the section is valid.
function checkBytes(bytes: Uint8Array, section: Section): string {
  return isEarly(section.report.helm) ? checkEarly(bytes, section) : checkLate(bytes, section);
}

function checkEarly(bytes: Uint8Array, { values, path, report }: Section): string {
  const schema = unwritable(values) ?? readEarly(bytes, report.load, report.helm);
  if (schema instanceof GoError) throw schema;
  const faults = checkAgainst(schema, values);
  for (const { field, message } of faults) {
    const place = field === '(root)' ? path.slice(0, -1) : path + field;
    report.issues.push({ path: place, message, severity: 'error' });
  }
  return faults.map(({ field, message }) => `- ${field}: ${message}\n`).join('');
}

function checkLate(bytes: Uint8Array, { values, path, report }: Section): string {
  const read = readLate(bytes, report.load, report.helm);
  if (read instanceof GoError) throw read;
  for (const urn of read.unresolved) report.warnOfUrn(urn);
  if (read.schema instanceof GoError) throw read.schema;
  const faults = violationsOf(read.schema, values, report.helm.schema);
  for (const { at, message } of leavesOf(faults)) {
    report.issues.push({ path: path + at.join('.') || path.slice(0, -1), message, severity: 'error' });
  }
  return formatViolations(faults);
}

function leavesOf(faults: readonly SchemaViolation[]): readonly SchemaViolation[] {
  return faults.flatMap((fault) => (fault.causes.length === 0 ? [fault] : leavesOf(fault.causes)));
}

/** A schema parsed from bytes, and the documents that it refers to. */
interface KeptSchema<T> {
  readonly schema: T;
  readonly loaded: ReadonlyMap<string, string | undefined>;
}

type Reader<T> = (bytes: Uint8Array, load: SchemaSource, helm: Helm) => T;

// A schema is read again if a referenced document has changed.
function keeping<T>(read: Reader<T>): Reader<T> {
  const all = new WeakMap<Helm, WeakMap<Uint8Array, KeptSchema<T>>>();
  return (bytes, load, helm) => {
    const own = getOrCreate(all, helm, () => new WeakMap<Uint8Array, KeptSchema<T>>());
    const kept = own.get(bytes);
    if (kept !== undefined && [...kept.loaded].every(([url, text]) => load(url) === text)) return kept.schema;
    const loaded = new Map<string, string | undefined>();
    const record: SchemaSource = (url) => {
      const text = load(url);
      loaded.set(url, text);
      return text;
    };
    const schema = read(bytes, record, helm);
    own.set(bytes, { schema, loaded });
    return schema;
  };
}

const readEarly = keeping((bytes, load, { codec }): SchemaModel | GoError =>
  read(bytes, (text) => compileValuesSchema(prefixOfJson(text, { version: codec.json }).value, load)),
);

const readLate = keeping((bytes, load, { codec, schema }): ReadSchema | GoError =>
  read(bytes, (text) => {
    const { value, text: whole } = prefixOfJson(text, { keepNumbers: true, version: codec.json });
    if (/[^ \t\r\n]/.test(text.slice(whole.length))) throw new GoError('invalid character after top-level value');
    return readDraft2020Schema(value, schema, load);
  }),
);

// Helm writes the values as YAML before it reads the schema, and some texts cannot be written.
function unwritable(values: GoMap): GoError | undefined {
  if (!mayRefuse(values)) return undefined;
  const asIs = (error: GoError): GoError => error;
  const written = catchGoError(() => emitYaml(values), asIs);
  if (!(written instanceof GoError)) return undefined;
  // Helm parses the JSON of all values at once and reports the first error of the whole text.
  const json = orUndefined(() => emitJson(values));
  const whole = json === undefined ? undefined : catchGoError(() => composeYaml(json), asIs);
  return whole instanceof GoError ? whole : written;
}

function read<T>(bytes: Uint8Array, make: (text: string) => T): T | GoError {
  const text = decodeUtf8(bytes);
  return catchGoError(
    () => make(text),
    // Both libraries use a decoder with its own message for an unexpected end.
    (error) => (error instanceof JsonEndError ? new GoError(text.trim() === '' ? 'EOF' : 'unexpected EOF') : error),
  );
}
