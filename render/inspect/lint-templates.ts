// The rules of `helm lint` for templates and CRDs.
// Mirrors: helm.sh/helm/v3/pkg/lint/rules, template.go and deprecations.go, v3.17.3;
// helm.sh/helm/v4/pkg/chart/v2/lint/rules, template.go, deprecations.go and crds.go, v4.2.3.

import type { Chart, ChartFile } from '../chart/chart.ts';
import { splitDocuments } from '../chart/values-file.ts';
import { JsonEndError, prefixOfJson } from '../codec/json.ts';
import { decodeJson, decodeYaml, pointerTo, sliceOf, stringMapType, stringType, structOf } from '../codec/struct.ts';
import { orUndefined } from '../core/catch.ts';
import type { Host } from '../core/host.ts';
import { renderTemplates } from '../engine/engine.ts';
import { quote } from '../go/number.ts';
import { ext } from '../go/path.ts';
import { trimSpace, trimStart } from '../go/trim.ts';
import { byteLength, decodeUtf8 } from '../go/utf8.ts';
import { GoError, type GoMap } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { deprecations } from '../validation/kubernetes/deprecations.generated.ts';
import type { Capabilities } from '../values/capabilities.ts';
import { type Composing, coalesceValues } from '../values/coalesce.ts';
import type { Composition } from '../values/compose.ts';
import { processDependencies } from '../values/dependencies.ts';
import { validateSchema } from '../values/schema/schema.ts';
import { errorOf, type Linter } from './lint-rules.ts';

export interface LintRendering {
  readonly helm: Helm;
  readonly namespace: string;
  readonly values: GoMap;
  readonly capabilities: Capabilities;
  readonly skipSchemaValidation: boolean;
  readonly host: Host;
  readonly onWarning: (line: string) => void;
}

const folder = 'templates/';

export function lintTemplates(linter: Linter, chart: Chart, options: LintRendering): void {
  const composition = compose(chart, options);
  if (composition === undefined) return;
  const { helm, namespace, capabilities, host, skipSchemaValidation, onWarning } = options;
  const composing = { helm, warn: onWarning };
  const check = (): void => validateSchema(composition.chart, composition.values, composing);
  if (!skipSchemaValidation && !linter.rule('error', folder, errorOf(check))) return;
  const rendered = linter.attempt(folder, () =>
    renderTemplates(composition, {
      release: { name: 'test-release', namespace, revision: 0, isUpgrade: false, isInstall: false },
      capabilities,
      helm,
      host,
      lintLog: onWarning,
    }),
  );
  if (rendered === undefined) return;
  for (const template of chart.templates) {
    const { name } = template;
    lintTemplate(linter, template, helm);
    if (!isChecked(name, helm)) continue;
    const text = rendered.get(`${chart.metadata.name}/${name}`) ?? '';
    if (trimSpace(text) === '') continue;
    linter.rule('warning', name, indentFault(text));
    const isRead = eachDocument(linter, name, { text, helm }, (document) => {
      linter.rule('warning', name, nameFault(document.kind, document.metadata.name));
      linter.rule('warning', name, deprecationFault(document, capabilities, helm));
      linter.rule('error', name, selectorFault(document, text));
      linter.rule('error', name, listFault(document, text, helm));
    });
    if (!isRead) return;
  }
}

// Helm is silent if values cannot be composed. It merges them twice, and warns twice.
function compose(chart: Chart, { helm, values, onWarning }: LintRendering): Composition | undefined {
  const composing: Composing = { helm, warn: onWarning };
  return orUndefined(() => {
    const processed = processDependencies(chart, values, composing);
    const coalescing = { ...composing, merge: false };
    const once = coalesceValues(processed, values, coalescing);
    return { chart: processed, values: coalesceValues(processed, once, coalescing) };
  });
}

function lintTemplate(linter: Linter, { name, data }: ChartFile, helm: Helm): void {
  const extension = ext(name);
  if (!['.yaml', '.yml', '.tpl', '.txt'].includes(extension)) {
    const valid = 'Valid extensions are .yaml, .yml, .tpl, or .txt';
    linter.rule('error', name, `file extension '${extension}' not valid. ${valid}`);
  }
  if (!helm.lint.reportsHelm2) return;
  const text = decodeUtf8(data);
  const hook =
    'manifest is a crd-install hook. This hook is no longer supported in v3 and all CRDs should also exist the crds/ directory at the top level of the chart';
  const time = '.Release.Time has been removed in v3, please replace with the `now` function in your templates';
  if (/"?helm\.sh\/hook"?:[\t\n\f\r ]+crd-install/.test(text)) linter.rule('warning', name, hook);
  if (text.includes('.Release.Time')) linter.rule('error', name, time);
}

function isChecked(name: string, { lint }: Helm): boolean {
  return lint.checksYml ? ['.yaml', '.yml'].includes(ext(name).toLowerCase()) : ext(name) === '.yaml';
}

/** Checks that the files in crds/ contain CustomResourceDefinitions. */
export function lintCrds(linter: Linter, files: readonly ChartFile[], helm: Helm): void {
  for (const { name, data } of files) {
    const isRead = eachDocument(linter, name, { text: decodeUtf8(data), helm }, ({ apiVersion, kind }) => {
      const isGroup = apiVersion.startsWith('apiextensions.k8s.io');
      linter.rule('error', name, isGroup ? undefined : "apiVersion is not in 'apiextensions.k8s.io'");
      const isDefinition = kind === 'CustomResourceDefinition';
      linter.rule('error', name, isDefinition ? undefined : "object kind is not 'CustomResourceDefinition'");
    });
    if (!isRead) return;
  }
}

interface LintedDocument {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

// Reports whether all documents could be parsed.
function eachDocument(
  linter: Linter,
  path: string,
  { text, helm }: { readonly text: string; readonly helm: Helm },
  check: (document: LintedDocument) => void,
): boolean {
  const fault = errorOf(() => {
    for (const decoded of decodeDocuments(text, helm)) {
      if (decoded === undefined) continue;
      const { apiVersion = '', kind = '', metadata } = decoded as Partial<LintedDocument>;
      check({ apiVersion, kind, metadata: { name: metadata?.name ?? '' } });
    }
  });
  return linter.rule('error', path, fault && `unable to parse YAML: ${fault}`);
}

// A text that starts like JSON is parsed as JSON first. Throws GoError.
// Mirrors: k8s.io/apimachinery/pkg/util/yaml, decoder.go, `YAMLOrJSONDecoder.Decode`, v0.32 and v0.36.
function* decodeDocuments(text: string, helm: Helm): Generator<unknown> {
  const type = documentType(helm);
  let rest = text;
  let refusal: GoError | undefined;
  for (let count = 0; isJsonStart(text) && refusal === undefined; count++) {
    if (trimSpace(rest) === '') return;
    try {
      const { value, text: read } = prefixOfJson(rest, { version: helm.codec.json });
      const decoded = decodeJson(value, type, helm.codec.json);
      rest = rest.slice(read.length);
      yield decoded;
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      refusal = syntaxError(error, rest, byteLength(text) - byteLength(rest));
      if (!helm.lint.readsJsonAsYaml || count > 1) throw refusal;
    }
  }
  if (refusal !== undefined) rest = rest.replace(/^[ \t\r\n]*?\n|^[ \t\r]+/, '');
  let isFirst = true;
  try {
    for (const { document } of splitDocuments(rest)) {
      const decoded = decodeYaml(document, type, undefined, { json: helm.codec.json });
      isFirst = false;
      yield decoded;
    }
  } catch (error) {
    throw isFirst && refusal !== undefined ? refusal : error;
  }
}

function isJsonStart(text: string): boolean {
  return trimStart(text).startsWith('{');
}

// The offset counts the bytes read, in the whole text.
function syntaxError(error: GoError, text: string, before: number): GoError {
  if (error instanceof JsonEndError) return new GoError('unexpected EOF');
  const { line, column } = error.place;
  if (line === undefined || column === undefined) return error;
  const lines = text.split('\n').slice(0, line);
  const upTo = [...lines.slice(0, -1), lines.at(-1)!.slice(0, column)].join('\n');
  return new GoError(`json: offset ${before + byteLength(upTo)}: ${error.message}`);
}

function documentType({ lint }: Helm): ReturnType<typeof structOf> {
  const names = { Namespace: stringType, Name: stringType };
  const metadata = structOf('k8sYamlMetadata', names, 'rules.k8sYamlMetadata');
  const fields = { apiVersion: stringType, Kind: stringType, Metadata: metadata };
  return pointerTo(structOf(lint.documentType, fields, `rules.${lint.documentType}`));
}

const longestLine = 64 * 1024;

function indentFault(text: string): string | undefined {
  for (const line of text.split('\n')) {
    if (byteLength(line) >= longestLine) return 'bufio.Scanner: token too long';
    if (trimSpace(line) === '') continue;
    if (!/^[ \t]/.test(line)) return undefined;
    const shown = quote(line.endsWith('\r') ? line.slice(0, -1) : line);
    return `document starts with an illegal indent: ${shown}, which may cause parsing problems`;
  }
  return undefined;
}

// Mirrors: k8s.io/apiserver/pkg/endpoints/deprecation, deprecation.go, `WarningMessage`.
function deprecationFault(
  { apiVersion, kind }: LintedDocument,
  { kubeVersion }: Capabilities,
  helm: Helm,
): string | undefined {
  const start = `${apiVersion} ${kind} `;
  // A Helm version is built with the types of its default Kubernetes version.
  const built = Number(helm.kubeVersion.minor);
  const line = deprecations.split('\n').find((text) => text.startsWith(start) && isOfRelease(text, built));
  if (line === undefined) return undefined;
  const [since = '', removed, ...replacement] = line.slice(start.length).split(' ').slice(0, -1);
  const minor = Number(since.split('.')[1]);
  if (Number(kubeVersion.minor) < minor) return undefined;
  const unavailable = removed === '-' ? '' : `, unavailable in v${removed}+`;
  const use = replacement.length === 0 ? '' : `; use ${replacement.join(' ')}`;
  return `${apiVersion} ${kind} is deprecated in v${since}+${unavailable}${use}`;
}

function isOfRelease(line: string, minor: number): boolean {
  const [, first, last] = /@(\d+)-(\d+)$/.exec(line) ?? [];
  return Number(first) <= minor && minor <= Number(last);
}

function selectorFault({ kind, metadata }: LintedDocument, text: string): string | undefined {
  if (!['Deployment', 'ReplicaSet', 'DaemonSet', 'StatefulSet'].includes(kind)) return undefined;
  if (text.includes('matchLabels') || text.includes('matchExpressions')) return undefined;
  return `a ${kind} must contain matchLabels or matchExpressions, and ${quote(metadata.name)} does not`;
}

const annotated = structOf('', { Annotations: stringMapType }, 'struct { Annotations map[string]string }');
const itemType = structOf('', { Metadata: annotated }, `struct { Metadata ${annotated.name} }`);
const listType = structOf('', { Items: sliceOf(itemType, {}) }, `struct { Items []${itemType.name} }`);

interface AnnotatedList {
  readonly items?: readonly { readonly metadata?: { readonly annotations?: ReadonlyMap<string, string> } }[];
}

// Helm checks the first document of the file, regardless of the current one.
function listFault({ kind }: LintedDocument, text: string, { lint, codec }: Helm): string | undefined {
  if (kind !== 'List') return undefined;
  try {
    const { items = [] } = decodeYaml<AnnotatedList | undefined>(text, listType, {}, codec) ?? {};
    const isKept = items.some(({ metadata }) => metadata?.annotations?.has('helm.sh/resource-policy'));
    return isKept ? lint.listAnnotation : undefined;
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    return `unable to parse YAML: ${error.message}`;
  }
}

// Names of objects as `helm lint` checks them.
// Mirrors: helm.sh/helm/v3/pkg/lint/rules, template.go, `validateMetadataName`, v3.17.3;
// k8s.io/apimachinery/pkg/util/validation, validation.go, v0.32.

function nameFault(kind: string, name: string): string | undefined {
  const [first, ...more] = checkFor(kind.toLowerCase())(name).map(
    (fault) => `metadata.name: Invalid value: ${quote(name)}: ${fault}`,
  );
  if (first === undefined) return undefined;
  const faults = more.length === 0 ? first : `[${[first, ...more].join(', ')}]`;
  return `object name does not conform to Kubernetes naming requirements: ${quote(name)}: ${faults}`;
}

type NameCheck = (name: string) => readonly string[];

function checkFor(kind: string): NameCheck {
  if (kind === 'service') return (name) => [...tooLong(name, 63), ...mismatch(name, dnsLabel, dnsLabelWords)];
  if (kind === 'namespace') return checkLabel;
  if (kind === 'certificatesigningrequest') return () => [];
  return /^(cluster)?role(binding)?$/.test(kind)
    ? checkPathSegment
    : (name) => [...tooLong(name, 253), ...mismatch(name, subdomain, subdomainWords)];
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const labelWords =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', ";
const dnsLabel = '[a-z]([-a-z0-9]*[a-z0-9])?';
const dnsLabelWords =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', ";
const subdomain = String.raw`${label}(\.${label})*`;
const subdomainWords =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', ";

const checkLabel: NameCheck = (name) => {
  const faults = mismatch(name, label, labelWords);
  const isSubdomain = mismatch(name, subdomain, '').length === 0;
  return [...tooLong(name, 63), ...(faults.length > 0 && isSubdomain ? ['must not contain dots'] : faults)];
};

const checkPathSegment: NameCheck = (name) => {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
};

function tooLong(name: string, most: number): string[] {
  return byteLength(name) > most ? [`must be no more than ${most} characters`] : [];
}

function mismatch(name: string, pattern: string, words: string): string[] {
  return new RegExp(`^${pattern}$`).test(name) ? [] : [`${words}regex used for validation is '${pattern}')`];
}
