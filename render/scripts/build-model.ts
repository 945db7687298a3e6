// Builds the data model of script templates from a rendered Order.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { digestBytes, digestChart } from '../chart/digest.ts';
import { emitJson } from '../codec/json.ts';
import type { RenderedPackage, RenderedPackages } from '../engine/packages.ts';
import { encodeUtf8 } from '../go/utf8.ts';
import { isAbsolutePath, isOciUrl, isUrl } from '../order/names.ts';
import { crdName, formatSelector, type JsonValue, type WaitFlags } from '../order/order.ts';
import { formatValuesJson } from '../output/documents.ts';
import { isSecret } from '../output/objects.ts';
import { objectKey, type RandomObject } from '../output/random.ts';
import { builtInNamespaces } from '../output/scope.ts';
import { valueOfJson } from '../values/patch.ts';
import { completePackage, withoutDocuments } from './kubectl-model.ts';
import type {
  ChartModel,
  OrderModel,
  PackageModel,
  RandomModel,
  ScriptModel,
  SecretModel,
  WaitModel,
} from './model.ts';
import { type ReadObjects, type ReadPackage, readScriptObjects } from './read-objects.ts';
import type { ModelOptions, ScriptTool } from './script.ts';
import { SecretMarks, withoutSecretValues } from './secrets.ts';

/** Builds the model for the scripts of a tool. Throws MANIFEST_INVALID if a CRD file is not valid YAML. */
export function buildModel(rendered: RenderedPackages, tool: ScriptTool, options: ModelOptions = {}): ScriptModel {
  const read = readScriptObjects(rendered);
  const order = orderModel(rendered);
  const marks = options.secrets === 'env' ? new SecretMarks(order.digest) : undefined;
  const packages = read.packages.map((item, index) => {
    const base = packageModel(item, { number: index + 1, order, options, tool, marks });
    return tool === 'helm' ? base : completePackage(base, item, { scopes: read.scopes, order, marks });
  });
  const required = requiredCrds(read);
  const charts = packages.map(({ chart }) => chart);
  const needsKubectl = required.length > 0 || packages.some(({ crds, waits }) => crds.length + waits.length > 0);
  const hasSecrets = read.packages.some(({ objects, hooks }) => [...objects, ...hooks].some(isSecret));
  return {
    order,
    context: options.context ?? '',
    kubeVersion: rendered.kubeVersion,
    helm: String(rendered.helm),
    total: packages.length,
    packages,
    reversed: [...packages].reverse(),
    required,
    repositoryNames: unique(rendered.packages.map(repositoryName)),
    readsFolder: charts.some(({ isRelative }) => isRelative),
    hasRemoteCharts: tool === 'helm' && rendered.packages.some((item) => isRemote(item)),
    hasArchives: charts.some(({ archive }) => archive !== ''),
    needsKubectl,
    asksExistence: packages.some(
      ({ documents, record, hasDeleteHooks }) =>
        record.text !== '' || hasDeleteHooks || documents.some(({ isKept }) => isKept),
    ),
    hasHooks: packages.some(({ hooks }) => hooks.length > 0),
    hasFiles: false,
    hasSecrets: hasSecrets && marks === undefined,
    secrets: packages.flatMap((item) => secretsOf(item)),
    random: read.packages.flatMap((item) => item.random.map((random) => randomModel(random, item, tool))),
    isSeeded: rendered.packages.some(({ chance }) => chance.isSeeded && chance.again !== undefined),
  };
}

function secretsOf({ values, documents, hooks }: PackageModel): SecretModel[] {
  return [values, ...documents, ...hooks].flatMap(({ secrets }) => secrets);
}

interface PackageContext {
  readonly number: number;
  readonly order: OrderModel;
  readonly options: ModelOptions;
  readonly tool: ScriptTool;
  readonly marks: SecretMarks | undefined;
}

function packageModel(read: ReadPackage, { number, order, options, tool, marks }: PackageContext): PackageModel {
  const { item } = read;
  const secrets: SecretModel[] = [];
  const { overlay } = item.values;
  const values =
    marks === undefined || tool === 'kubectl' ? overlay : withoutSecretValues(overlay, read, { marks, found: secrets });
  const { releaseName: release, namespace, resources, waitFors } = item.selection.chart;
  return {
    number,
    release,
    namespace,
    fullName: `${namespace}/${release}`,
    label: packageLabel(order, namespace, release),
    manager: `drydock-${namespace}-${release}`,
    createNamespace: !builtInNamespaces.has(namespace),
    chart: chartModel(item, options),
    values: { text: formatValuesJson(values), file: '', secrets },
    crds: resources.owned.map(crdName),
    ownCrds: read.crdNames,
    waits: waitFors.map((wait) => waitModel(wait, namespace)),
    notes: item.release.notes.trim(),
    ...withoutDocuments,
  };
}

const labelPrefix = 'releases.x-helm.dev';

// An Order without a uid may share its name with those of other teams, but not its first release.
function orderModel({ order }: RenderedPackages): OrderModel {
  const { name, uid } = order.metadata;
  const first = order.spec.packages[0]?.chart;
  const id = uid || `${name} ${first?.namespace}/${first?.releaseName}`;
  return {
    name,
    digest: digestOf(order.document.spec ?? null),
    label: `${labelPrefix}/order=${labelValue(name, id)}`,
  };
}

// Installed objects stay the package's if other packages are added or removed, so its label depends only on its own names.
function packageLabel({ name }: OrderModel, namespace: string, release: string): string {
  return `${labelPrefix}/package=${labelValue(release, `${name} ${namespace}/${release}`)}`;
}

// Of at most 63 characters, beginning and ending with a letter or a digit.
function labelValue(name: string, id: string): string {
  const word = name
    .replace(/[^A-Za-z0-9_.-]/g, '')
    .slice(0, 52)
    .replace(/^[^A-Za-z0-9]+/, '');
  const hash = bytesToHex(sha256(encodeUtf8(id))).slice(0, 10);
  return word === '' ? hash : `${word}.${hash}`;
}

function randomModel(
  { object, paths }: RandomObject,
  { item, kept, hooks }: ReadPackage,
  tool: ScriptTool,
): RandomModel {
  const { apiVersion, kind, namespace, name } = object;
  const isLookedUp = item.chance.lookups.has([apiVersion, kind, namespace, name].join(' '));
  return {
    title: `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`,
    path: object.path,
    members: paths.join(', '),
    // A hook is recreated according to its own policy.
    isKept:
      tool === 'helm'
        ? isLookedUp
        : kept.has(objectKey(object)) && !hooks.some((hook) => objectKey(hook) === objectKey(object)),
  };
}

function isRemote({ selection }: RenderedPackage): boolean {
  const { kind, name } = selection.chart.sourceRef;
  return (isUrl(name) && !isOciUrl(name)) || kind === 'HelmRepository';
}

function repositoryName({ selection }: RenderedPackage): string {
  const { kind, name } = selection.chart.sourceRef;
  return kind === 'HelmRepository' && !isUrl(name) && !isOciUrl(name) ? name : '';
}

function chartModel(item: RenderedPackage, options: ModelOptions): ChartModel {
  const { name, version } = item.chart.metadata;
  const base: Omit<ChartModel, 'reference'> = {
    name,
    version,
    label: `${name} ${version}`,
    digest: digestChart(item.chart),
    isVerified: false,
    isEmbedded: false,
    isRelative: false,
    repository: '',
    pinnedVersion: version,
    archive: '',
  };
  const selection = item.selection.chart;
  const source = selection.sourceRef;
  if (isOciUrl(source.name)) {
    // An OCIRepository names the chart itself, a HelmRepository the repository of charts.
    const address = source.name.replace(/(?<!\/)\/+$/, '');
    const isChart = source.kind === 'OCIRepository' && address.endsWith(`/${selection.name}`);
    const reference = isChart ? address : `${address}/${selection.name}`;
    // A pinned chart is that exact manifest, even if its tag has moved.
    const manifest = selection.seal?.manifest ?? '';
    if (manifest === '') return { ...base, reference };
    return { ...base, digest: manifest, isVerified: true, reference: `${reference}@${manifest}`, pinnedVersion: '' };
  }
  const archive = selection.seal?.archive ?? '';
  const remote =
    archive === '' ? base : { ...base, digest: archive, isVerified: true, archive: archive.replace('sha256:', '') };
  if (isUrl(source.name)) return { ...remote, reference: selection.name, repository: source.name };
  if (source.kind === 'HelmRepository') return { ...remote, reference: `${source.name}/${selection.name}` };
  const isEmbedded = source.kind === 'Embed' && options.chartPath?.(item) === undefined;
  const path = isEmbedded ? `charts/${name}` : (options.chartPath?.(item) ?? source.name);
  return { ...base, reference: path, isEmbedded, isRelative: !isAbsolutePath(path), pinnedVersion: '' };
}

// With sorted keys: equal JSON values have equal digests.
function digestOf(value: JsonValue): string {
  const plain = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}` : item));
  const text = emitJson(valueOfJson(JSON.parse(plain) as JsonValue), { escapeHtml: false });
  return digestBytes(encodeUtf8(text));
}

function waitModel(wait: WaitFlags, namespace: string): WaitModel {
  const { group, resource } = wait.resource;
  const selector = formatSelector(wait.labels);
  const timeout = limitOf(wait.timeout);
  const words = [
    resource === '' ? group : `${group}/${resource}`,
    ...(selector === '' ? [] : [`--selector=${selector}`]),
    ...(wait.all && selector === '' ? ['--all'] : []),
    `--for=${wait.for}`,
    ...(timeout === '' ? [] : [`--timeout=${timeout}`]),
    `--namespace=${namespace}`,
  ];
  return { words, limited: timeout !== '' };
}

// Zero means "the default", a negative one "a week", as in kubectl.
function limitOf(timeout: string): string {
  if (!/[1-9]/.test(timeout)) return '';
  return timeout.startsWith('-') ? '168h' : timeout.replace(/^\+/, '');
}

function requiredCrds({ packages }: ReadObjects): string[] {
  const brought = new Set<string>();
  const required = new Set<string>();
  for (const { item, crdNames } of packages) {
    const { resources } = item.selection.chart;
    for (const name of resources.required.map(crdName)) if (!brought.has(name)) required.add(name);
    for (const name of [...resources.owned.map(crdName), ...crdNames]) brought.add(name);
  }
  return [...required];
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)].filter((word) => word !== '');
}
