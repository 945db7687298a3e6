// Step 1 of an Order's walk: unknown JSON to an `Order`, or every issue found, each with its path.

import { describe, findUnreadable } from '../core/arguments.ts';
import { andMore } from '../core/counted.ts';
import { type Issue, RenderError } from '../core/errors.ts';
import { joinPath } from '../core/paths.ts';
import { orderShape } from './definition.ts';
import {
  type ChartSeal,
  type ChartSelection,
  type JsonObject,
  type LabelRequirement,
  type LabelSelector,
  ORDER_API_VERSION,
  type PatchOperation,
  type ResourceId,
  type SourceKind,
  type SourceRef,
  type ValidOrder,
  type WaitFlags,
} from './order.ts';
import { checkShape, isObject, listAt, memberOf, objectAt, objectsAt, schemaOfShape, textAt } from './shape.ts';

export interface ValidatedOrder {
  readonly order: ValidOrder;
  /** What is odd about it without being wrong. */
  readonly warnings: readonly Issue[];
}

/**
 * Returns the Order behind unknown JSON, or an Order that it gave before. It looks at everything before it stops, so that
 * one run shows all faults. Throws ORDER_INVALID with every issue, errors and warnings.
 * @example
 * const { order, warnings } = validateOrder(JSON.parse(text));
 */
export function validateOrder(input: unknown): ValidatedOrder {
  const known = validated.get(input as object);
  if (known !== undefined) return known;
  const issues: Issue[] = [];
  if (!isObject(input)) {
    const hint = orderShape.required;
    throw orderInvalid([{ ...fault('', `an Order must be an object, not ${describe(input)}`), hint }]);
  }
  const unreadable = findUnreadable(input);
  if (unreadable !== undefined) throw orderInvalid([fault(unreadable.path, unreadable.message)]);
  checkShape(orderShape, input, '', issues);
  reportDuplicates(input, issues);
  if (issues.some(({ severity }) => severity === 'error')) throw orderInvalid(issues);
  const order = readOrder(input);
  const found = { order, warnings: issues };
  validated.set(order, found);
  return found;
}

// An Order that comes back is not a document: it was looked at before.
const validated = new WeakMap<object, ValidatedOrder>();

const fault = (path: string, message: string): Issue => ({ path, message, severity: 'error' });

/** Returns the failure that lists issues; its message is the first error and how many more there are. */
export function orderInvalid(issues: readonly Issue[]): RenderError {
  const errors = issues.filter((issue) => issue.severity === 'error');
  const [first] = errors;
  const where = first === undefined || first.path === '' ? '' : `${first.path} `;
  const more = andMore(errors.length - 1);
  return new RenderError('ORDER_INVALID', `${where}${first?.message ?? 'the Order is invalid'}${more}`, {
    issues,
    ...(first?.hint === undefined ? {} : { hint: first.hint }),
  });
}

function listNameOf(spec: JsonObject): ValidOrder['listName'] {
  return memberOf(spec, 'packages') === undefined ? 'items' : 'packages';
}

function readOrder(document: JsonObject): ValidOrder {
  const spec = objectAt(document, 'spec');
  const metadata = objectAt(document, 'metadata');
  const listName = listNameOf(spec);
  const packages = objectsAt(spec, listName).map((entry, index) => ({
    chart: readChart(objectAt(entry, 'chart')),
    path: joinPath(`spec.${listName}`, index),
  }));
  return {
    apiVersion: ORDER_API_VERSION,
    kind: 'Order',
    metadata: {
      name: textAt(metadata, 'name') || (packages[0]?.chart.releaseName ?? ''),
      uid: textAt(metadata, 'uid'),
    },
    spec: { packages, kubeVersion: textAt(spec, 'kubeVersion') },
    listName,
    document,
  };
}

function readChart(chart: JsonObject): ChartSelection {
  const claims = objectAt(chart, 'resources');
  return {
    name: textAt(chart, 'name'),
    sourceRef: readSource(chart),
    version: textAt(chart, 'version').trim(),
    releaseName: textAt(chart, 'releaseName'),
    namespace: textAt(chart, 'namespace') || 'default',
    valuesFile: textAt(chart, 'valuesFile'),
    values: objectAt(chart, 'values'),
    valuesPatch: objectsAt(chart, 'valuesPatch').map(readOperation),
    resources: {
      owned: objectsAt(claims, 'owned').map(readResourceId),
      required: objectsAt(claims, 'required').map(readResourceId),
    },
    waitFors: objectsAt(chart, 'waitFors').map(readWait),
    ...(Object.keys(objectAt(chart, 'seal')).length > 0 && { seal: readSeal(objectAt(chart, 'seal')) }),
  };
}

function readSeal(seal: JsonObject): ChartSeal {
  const [content = '', values = '', archive = '', manifest = ''] = ['content', 'values', 'archive', 'manifest'].map(
    (name) => textAt(seal, name),
  );
  return { content, values, archive, manifest };
}

function readSource(chart: JsonObject): SourceRef {
  const url = textAt(chart, 'url');
  if (url !== '') return { apiGroup: '', kind: 'Legacy', namespace: '', name: url };
  const source = objectAt(chart, 'sourceRef');
  return {
    apiGroup: textAt(source, 'apiGroup'),
    kind: (textAt(source, 'kind') || 'HelmRepository') as SourceKind,
    namespace: textAt(source, 'namespace'),
    name: textAt(source, 'name'),
  };
}

function readOperation(operation: JsonObject): PatchOperation {
  const op = textAt(operation, 'op') as PatchOperation['op'];
  return {
    op,
    path: textAt(operation, 'path'),
    ...(op === 'move' || op === 'copy' ? { from: textAt(operation, 'from') } : {}),
    // An explicit null is a value here.
    ...(op === 'add' || op === 'replace' || op === 'test' ? { value: operation.value ?? null } : {}),
  };
}

function readResourceId(id: JsonObject): ResourceId {
  return { group: textAt(id, 'group'), version: textAt(id, 'version'), resource: textAt(id, 'resource') };
}

function readWait(wait: JsonObject): WaitFlags {
  const resource = objectAt(wait, 'resource');
  return {
    resource: { group: textAt(resource, 'group'), resource: textAt(resource, 'resource') },
    labels: readSelector(objectAt(wait, 'labels')),
    all: memberOf(wait, 'all') === true,
    timeout: textAt(wait, 'timeout'),
    for: textAt(wait, 'for'),
  };
}

function readSelector(selector: JsonObject): LabelSelector | undefined {
  const labels = Object.entries(objectAt(selector, 'matchLabels'));
  const matchLabels = new Map(labels.map(([key, value]) => [key, (value as string | null) ?? '']));
  const matchExpressions = objectsAt(selector, 'matchExpressions').map(
    (requirement): LabelRequirement => ({
      key: textAt(requirement, 'key'),
      operator: textAt(requirement, 'operator') as LabelRequirement['operator'],
      values: listAt(requirement, 'values') as readonly string[],
    }),
  );
  return matchLabels.size + matchExpressions.length === 0 ? undefined : { matchLabels, matchExpressions };
}

// No schema can say it: a release is reported by two members of an entry. The document may be at fault in other ways.
function reportDuplicates({ spec }: JsonObject, issues: Issue[]): void {
  if (!isObject(spec)) return;
  const list = listNameOf(spec);
  const entries = memberOf(spec, list);
  const seen = new Map<string, string>();
  (Array.isArray(entries) ? entries : []).forEach((entry, index) => {
    const chart = isObject(entry) ? memberOf(entry, 'chart') : undefined;
    const { releaseName, namespace } = isObject(chart) ? chart : {};
    if (typeof releaseName !== 'string' || releaseName === '') return;
    const name = `${typeof namespace === 'string' && namespace !== '' ? namespace : 'default'}/${releaseName}`;
    const path = joinPath(`spec.${list}`, index);
    const first = seen.get(name);
    if (first === undefined) seen.set(name, path);
    else {
      issues.push({
        path: `${path}.chart.releaseName`,
        message: `release ${name} is already installed by ${first}`,
        severity: 'error',
        hint: 'Give each release of a namespace a unique name.',
      });
    }
  });
}

/**
 * Returns the JSON Schema (draft 2020-12) of an Order, made from the definition that `validateOrder` checks by. They
 * accept the same documents, but for what a schema cannot say: two packages with one release, nesting beyond 10,000 levels,
 * and values that Helm could not be given.
 * @example
 * await writeFile('order.schema.json', JSON.stringify(orderSchema(), null, 2));
 */
export function orderSchema(): JsonObject {
  return schemaOfShape(orderShape);
}
