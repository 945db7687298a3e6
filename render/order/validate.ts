// Step 1 of an Order's walk: unknown JSON to an `Order`, or every issue found, each with its path.

import { describe, findUnreadable, joinPath } from '../arguments.ts';
import { type Issue, RenderError } from '../errors.ts';
import { Fields, isObject } from './fields.ts';
import * as names from './names.ts';
import {
  type ChartSelection,
  type JsonObject,
  type JsonValue,
  type LabelRequirement,
  type LabelSelector,
  ORDER_API_VERSION,
  type PackageSelection,
  type PatchOperation,
  type ResourceId,
  type SourceKind,
  type SourceRef,
  type ValidOrder,
  type WaitFlags,
} from './order.ts';

/** Is a checked Order and what was odd about it without being wrong. */
export interface ValidatedOrder {
  readonly order: ValidOrder;
  readonly warnings: readonly Issue[];
}

/**
 * Gives the Order behind unknown JSON, or an Order that it gave before. It looks at everything before it stops, so that
 * one run shows all faults. Throws ORDER_INVALID with every issue, errors and warnings.
 * @example
 * const { order, warnings } = validateOrder(JSON.parse(text));
 */
export function validateOrder(input: unknown): ValidatedOrder {
  const known = validated.get(input as object);
  if (known !== undefined) return known;
  const issues: Issue[] = [];
  if (!isObject(input)) {
    const mend = 'Begin with "spec:", and below it "packages:", a list of charts to install.';
    throw orderInvalid([{ ...fault('', `an Order must be an object, not ${describe(input)}`), mend }]);
  }
  const unreadable = findUnreadable(input);
  if (unreadable !== undefined) throw orderInvalid([fault(unreadable.path, unreadable.message)]);
  const order = readOrder(input, issues);
  if (issues.some((issue) => issue.severity === 'error')) throw orderInvalid(issues);
  const found = { order, warnings: issues };
  validated.set(order, found);
  return found;
}

// An Order that comes back is not a document: it was looked at before.
const validated = new WeakMap<object, ValidatedOrder>();

const fault = (path: string, message: string): Issue => ({ path, message, severity: 'error' });

/** Gives the failure that lists issues; its message is the first error and how many more there are. */
export function orderInvalid(issues: readonly Issue[]): RenderError {
  const errors = issues.filter((issue) => issue.severity === 'error');
  const [first] = errors;
  const where = first === undefined || first.path === '' ? '' : `${first.path} `;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return new RenderError('ORDER_INVALID', `${where}${first?.message ?? 'the Order is invalid'}${more}`, {
    issues,
    ...(first?.mend === undefined ? {} : { mend: first.mend }),
  });
}

function readOrder(document: JsonObject, issues: Issue[]): ValidOrder {
  const fields = new Fields(document, '', issues);
  readType(fields);
  fields.raw('status');
  const metadata = fields.object('metadata');
  const spec = fields.object('spec');
  if (spec === undefined && fields.raw('spec') === undefined)
    fields.report('spec', 'is required', 'Name the charts to install: "packages:", a list, below "spec:".');
  const listName = spec === undefined ? 'packages' : listNameOf(spec);
  const packages = spec === undefined ? [] : readPackages(spec, listName);
  const kubeVersion = spec?.text('kubeVersion', { rule: names.kubeVersion }) ?? '';
  const name = metadata?.text('name', { rule: names.objectName }) || packages[0]?.chart.releaseName || '';
  const uid = metadata?.text('uid', { rule: names.objectName }) ?? '';
  spec?.finish();
  fields.finish();
  reportDuplicates(packages, issues);
  return {
    apiVersion: ORDER_API_VERSION,
    kind: 'Order',
    metadata: { name, uid },
    spec: { packages, kubeVersion },
    listName,
    document,
  };
}

// A server sets both on creation, so both may be absent; the ancestor's first group is read as well.
function readType(fields: Fields): void {
  const apiVersion = fields.text('apiVersion');
  const kind = fields.text('kind');
  if (apiVersion === 'kubepack.com/v1alpha1') {
    fields.report(
      'apiVersion',
      `${apiVersion} is the old name of this group`,
      `Use "${ORDER_API_VERSION}".`,
      'warning',
    );
  } else if (apiVersion !== '' && apiVersion !== ORDER_API_VERSION) {
    fields.report(
      'apiVersion',
      `${JSON.stringify(apiVersion)} is not an Order's version`,
      `Use "${ORDER_API_VERSION}".`,
    );
  }
  if (kind !== '' && kind !== 'Order') fields.report('kind', `${JSON.stringify(kind)} is not an Order`, 'Use "Order".');
}

function listNameOf(spec: Fields): ValidOrder['listName'] {
  const hasPackages = spec.raw('packages') !== undefined;
  const hasItems = spec.raw('items') !== undefined;
  if (hasPackages && hasItems) {
    spec.report('items', 'stands beside "packages": they are two names of one list', 'Keep one of them.');
  }
  return hasItems && !hasPackages ? 'items' : 'packages';
}

function readPackages(spec: Fields, listName: ValidOrder['listName']): PackageSelection[] {
  const entries = spec.objects(listName);
  const list = spec.raw(listName);
  if (list === undefined || (Array.isArray(list) && list.length === 0)) {
    spec.report(listName, 'must list at least one package', 'Add an entry with a "chart".');
  }
  return entries.flatMap((entry) => {
    const fields = entry.object('chart');
    if (fields === undefined && entry.raw('chart') === undefined) entry.report('chart', 'is required');
    entry.finish();
    return fields === undefined ? [] : [{ chart: readChart(fields), path: entry.path }];
  });
}

function readChart(fields: Fields): ChartSelection {
  const bundle = fields.object('bundle');
  const chart: ChartSelection = {
    name: fields.text('name', { required: true, rule: names.chartName }),
    sourceRef: readSource(fields),
    version: fields.text('version', { rule: names.chartVersion }).trim(),
    releaseName: fields.text('releaseName', { required: true, rule: names.releaseName }),
    namespace: readNamespace(fields),
    valuesFile: fields.text('valuesFile', { rule: names.chartFile }),
    values: readValues(fields),
    valuesPatch: fields.objects('valuesPatch').map(readOperation),
    resources: readClaims(fields.object('resources')),
    waitFors: fields.objects('waitFors').map(readWait),
  };
  // Provenance only: which bundle the selection came from.
  bundle?.text('name');
  bundle?.text('version');
  bundle?.raw('sourceRef');
  bundle?.finish();
  fields.finish();
  return chart;
}

function readNamespace(chart: Fields): string {
  const namespace = chart.text('namespace', { rule: names.namespaceName });
  if (namespace !== '') return namespace;
  if (chart.raw('namespace') === undefined || chart.raw('namespace') === '') {
    chart.report('namespace', 'is not given: "default" is used', 'Name the namespace to install into.', 'warning');
  }
  return 'default';
}

const sourceKinds: ReadonlySet<string> = new Set<SourceKind>([
  'HelmRepository',
  'Legacy',
  'Local',
  'Embed',
  'OCIRepository',
]);
const noSource: SourceRef = { apiGroup: '', kind: 'HelmRepository', namespace: '', name: '' };

function readSource(chart: Fields): SourceRef {
  const url = chart.text('url');
  const fields = chart.object('sourceRef');
  if (fields !== undefined && url !== '') {
    chart.report('url', 'stands beside "sourceRef": it is the old form of it', 'Keep "sourceRef".');
  }
  if (fields === undefined && url !== '') {
    const source: SourceRef = { ...noSource, kind: 'Legacy', name: url };
    reportFault(chart, 'url', url, sourceRule(source));
    return source;
  }
  if (fields === undefined) {
    if (chart.raw('sourceRef') === undefined) {
      chart.report(
        'sourceRef',
        'is required',
        'Say where the chart comes from, such as {"kind": "Local", "name": "charts/web"}.',
      );
    }
    return noSource;
  }
  const kind = fields.text('kind') || 'HelmRepository';
  if (!sourceKinds.has(kind)) {
    fields.report(
      'kind',
      `${JSON.stringify(kind)} is not a kind of chart source`,
      `Use one of ${[...sourceKinds].join(', ')}.`,
    );
  }
  const source: SourceRef = {
    apiGroup: fields.text('apiGroup', { rule: names.apiGroup }),
    kind: kind as SourceKind,
    namespace: fields.text('namespace', { rule: names.namespaceName }),
    name: fields.text('name', { required: true }),
  };
  if (source.name !== '') reportFault(fields, 'name', source.name, sourceRule(source));
  fields.finish();
  return source;
}

// A URL where one is meant; a path for local charts; the name of an object for a repository in the cluster.
function sourceRule({ kind, name }: SourceRef): names.WordRule {
  if (names.isUrl(name) || kind === 'OCIRepository') return names.repositoryUrl;
  return kind === 'HelmRepository' ? names.objectName : names.localPath;
}

function reportFault(fields: Fields, key: string, word: string, rule: names.WordRule): void {
  const fault = names.wordFault(word, rule);
  if (fault !== undefined) fields.report(key, fault.message, fault.mend);
}

function readValues(chart: Fields): JsonObject {
  const values = chart.raw('values');
  if (values === undefined) return {};
  if (!isObject(values)) {
    chart.report('values', `must be an object, not ${describe(values)}`);
    return {};
  }
  reportUnsendable(values, joinPath(chart.path, 'values'), chart);
  return values;
}

// YAML readers look for the colon after a key no further than 1,024 bytes.
const longestKey = 1000;

// What a values document cannot carry to Helm: numbers that are none, broken Unicode, and very long keys.
function reportUnsendable(value: JsonValue, path: string, fields: Fields): void {
  if (typeof value === 'number' && !Number.isFinite(value)) fields.reportAt(path, 'is not a finite number');
  if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) fields.reportAt(path, 'is not valid Unicode');
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) reportUnsendable(item, joinPath(path, index), fields);
  }
  if (!isObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (/\p{Surrogate}/u.test(key)) fields.reportAt(path, 'has a key that is not valid Unicode');
    if (new TextEncoder().encode(key).length > longestKey) {
      fields.reportAt(path, `has a key of more than ${longestKey} bytes`);
    }
    reportUnsendable(item, joinPath(path, key), fields);
  }
}

const operations: ReadonlySet<string> = new Set<PatchOperation['op']>([
  'add',
  'remove',
  'replace',
  'move',
  'copy',
  'test',
]);

function readOperation(fields: Fields): PatchOperation {
  const op = fields.text('op', { required: true });
  if (op !== '' && !operations.has(op)) {
    fields.report('op', `${JSON.stringify(op)} is not an operation`, `Use one of ${[...operations].join(', ')}.`);
  }
  const pointer = (key: string): string => {
    const text = fields.text(key);
    if (fields.raw(key) === undefined) fields.report(key, 'is required');
    else if (!/^(?:\/(?:[^~]|~[01])*)?$/u.test(text)) {
      fields.report(
        key,
        `${JSON.stringify(text)} is not a JSON pointer`,
        'Begin with "/"; write "~" as "~0" and "/" as "~1".',
      );
    }
    return text;
  };
  const path = pointer('path');
  const takesValue = op === 'add' || op === 'replace' || op === 'test';
  // An explicit null is a value here, so presence is asked of the keys.
  const hasValue = fields.keys().includes('value');
  const value = fields.raw('value') ?? null;
  if (takesValue && !hasValue) fields.report('value', 'is required');
  const from = op === 'move' || op === 'copy' ? pointer('from') : undefined;
  fields.finish();
  reportUnsendable(value, joinPath(fields.path, 'value'), fields);
  return {
    op: op as PatchOperation['op'],
    path,
    ...(from === undefined ? {} : { from }),
    ...(takesValue ? { value } : {}),
  };
}

function readClaims(fields: Fields | undefined): ChartSelection['resources'] {
  const read = (key: string): ResourceId[] => fields?.objects(key).map(readResourceId) ?? [];
  const claims = { owned: read('owned'), required: read('required') };
  fields?.finish();
  return claims;
}

function readResourceId(fields: Fields): ResourceId {
  const id = {
    group: fields.text('group', { required: true, rule: names.apiGroup }),
    version: fields.text('version', { rule: names.apiVersion }),
    resource: fields.text('resource', { required: true, rule: names.resourceName }),
  };
  fields.finish();
  return id;
}

function readWait(fields: Fields): WaitFlags {
  const resource = fields.object('resource');
  const wait: WaitFlags = {
    resource: {
      group: resource?.text('group', { required: true, rule: names.resourceType }) ?? '',
      resource: resource?.text('resource', { rule: names.waitName }) ?? '',
    },
    labels: readSelector(fields.object('labels')),
    all: fields.flag('all'),
    timeout: fields.text('timeout', { rule: names.duration }),
    for: fields.text('for', { required: true, rule: names.waitCondition }),
  };
  resource?.finish();
  if (resource === undefined)
    fields.report('resource', 'is required', 'Name a type, such as {"group": "deployments.apps"}.');
  else reportTargets(fields, wait);
  fields.finish();
  return wait;
}

// kubectl takes exactly one way of choosing objects.
function reportTargets(fields: Fields, wait: WaitFlags): void {
  const ways = [wait.resource.resource !== '', wait.labels !== undefined, wait.all].filter(Boolean).length;
  const mend = 'Give one of "resource.resource" (a name), "labels" or "all".';
  if (ways === 0) fields.report('', 'does not say which objects to wait for', mend);
  if (ways > 1 && wait.resource.resource !== '') fields.report('', 'names an object and selects others as well', mend);
}

function readSelector(fields: Fields | undefined): LabelSelector | undefined {
  if (fields === undefined) return undefined;
  const labels = fields.object('matchLabels');
  const matchLabels = new Map<string, string>();
  for (const key of labels?.keys() ?? []) {
    reportFault(labels as Fields, key, key, names.labelKey);
    matchLabels.set(key, (labels as Fields).text(key, { rule: names.labelValue }));
  }
  const matchExpressions = fields.objects('matchExpressions').map(readRequirement);
  fields.finish();
  return matchLabels.size + matchExpressions.length === 0 ? undefined : { matchLabels, matchExpressions };
}

const operators: ReadonlySet<string> = new Set<LabelRequirement['operator']>(['In', 'NotIn', 'Exists', 'DoesNotExist']);

function readRequirement(fields: Fields): LabelRequirement {
  const operator = fields.text('operator', { required: true });
  if (operator !== '' && !operators.has(operator)) {
    fields.report(
      'operator',
      `${JSON.stringify(operator)} is not an operator`,
      `Use one of ${[...operators].join(', ')}.`,
    );
  }
  const requirement = {
    key: fields.text('key', { required: true, rule: names.labelKey }),
    operator: operator as LabelRequirement['operator'],
    values: fields.texts('values', names.labelValue),
  };
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (takesValues && requirement.values.length === 0) fields.report('values', `must not be empty for ${operator}`);
  if (!takesValues && requirement.values.length > 0) fields.report('values', `must be empty for ${operator}`);
  fields.finish();
  return requirement;
}

function reportDuplicates(packages: readonly PackageSelection[], issues: Issue[]): void {
  const seen = new Map<string, string>();
  for (const { chart, path } of packages) {
    const name = `${chart.namespace}/${chart.releaseName}`;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, path);
    else if (chart.releaseName !== '') {
      issues.push({
        path: `${path}.chart.releaseName`,
        message: `release ${name} is already installed by ${first}`,
        severity: 'error',
        mend: 'Give each release of a namespace a name of its own.',
      });
    }
  }
}
