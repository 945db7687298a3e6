// The view model of script templates: what a template may print. Every text in it reaches the script quoted.
// A user's own template gets the same model; the fields below are its documentation.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { digestChart } from '../chart/digest.ts';
import { emitJson } from '../codec/json.ts';
import { writeJson } from '../codec/json-text.ts';
import { encodeUtf8 } from '../go/utf8.ts';
import { majorOf } from '../helm/versions.ts';
import { member } from '../manifest/objects.ts';
import { isAbsolutePath, isOciUrl, isUrl } from '../order/names.ts';
import { crdName, formatSelector, type JsonValue, type WaitFlags } from '../order/order.ts';
import { formatValues } from '../output/documents.ts';
import { isCrd, isNamed, isSecret, type KubeObject } from '../output/objects.ts';
import { keyOf, type RandomObject } from '../output/random.ts';
import { builtInNamespaces, groupOf } from '../output/scope.ts';
import type { RenderedPackage, RenderedPackages } from '../packages.ts';
import { valueOfJson } from '../values/patch.ts';
import { groupsOf } from './groups.ts';
import type { ScriptHelm } from './helm-words.ts';
import { type ReadObjects, type ReadPackage, readObjects } from './read-objects.ts';
import { SecretMarks, type SecretSource, type SecretView, withoutSecretValues } from './secrets.ts';

/** What every script knows of an Order. */
export interface ScriptView {
  readonly order: {
    readonly name: string;
    /** The SHA-256 of its spec as it was sent, such as `sha256:9f86…`, whatever its form and the order of its keys. */
    readonly digest: string;
    /** What tells the Order from all others on a cluster: a digest of its uid or name; empty where it gives itself neither. */
    readonly id: string;
  };
  /** The one context of the kubeconfig that the script works with; empty for any. */
  readonly context: string;
  /** The Kubernetes version everything was rendered for. */
  readonly kubeVersion: string;
  /** How many packages there are. */
  readonly total: number;
  readonly packages: readonly PackageView[];
  /** The packages, last first, for uninstalling. */
  readonly reversed: readonly PackageView[];
  /** Every word that names a package, `namespace/release` and `release`, each once. */
  readonly names: readonly string[];
  /** CRDs that must be there before the script starts: required by a package, and brought by none before it. */
  readonly required: readonly string[];
  /** Packages, by number, that do not depend on each other stand in one group; all groups in order. */
  readonly groups: readonly (readonly number[])[];
  /** Namespaces that the script or a chart creates, each once. */
  readonly ownNamespaces: readonly string[];
  /** The names under which Helm must know repositories (`helm repo add`), each once. */
  readonly repositoryNames: readonly string[];
  /** Whether a chart's path is relative, so that the script has an option for where it begins. */
  readonly hasLocalCharts: boolean;
  /** Whether anything is asked of kubectl in a Helm script. */
  readonly needsKubectl: boolean;
  /** Whether the script reads documents from files beside it. */
  readonly hasFiles: boolean;
  /** Where the script has its secrets from. */
  readonly secretSource: SecretSource;
  /** The tool that the script drives, `helm` or `kubectl`. */
  readonly tool: string;
  /** The major version of the Helm that a Helm script runs, or `any`. */
  readonly helm: ScriptHelm;
}

/** One package. */
export interface PackageView {
  /** Its place in install order, from 1. */
  readonly number: number;
  readonly release: string;
  readonly namespace: string;
  /** `namespace/release`. */
  readonly fullName: string;
  /** Whether the namespace is the Order's to create: it is none of the built-in ones. */
  readonly createNamespace: boolean;
  readonly chart: ChartView;
  readonly values: {
    /** One JSON document. */
    readonly text: string;
    /** Its file beside the script; empty for none. */
    readonly file: string;
  };
  /** CRDs that the package brings while it runs, and that must be served before the next package. */
  readonly crds: readonly string[];
  /** CRDs in the `crds/` folders of the chart. */
  readonly ownCrds: readonly string[];
  /** CRDs among the templates of the chart. */
  readonly templateCrds: readonly string[];
  /** Namespaces among the templates of the chart. */
  readonly madeNamespaces: readonly string[];
  /** Volume claims among the templates of the chart. */
  readonly claims: readonly TargetView[];
  /** Stateful sets that would take their claims with them. */
  readonly claimants: readonly TargetView[];
  /** What the chart marks as kept, other than all these. */
  readonly keptObjects: readonly TargetView[];
  /** What the chart says after an installation; empty for nothing. */
  readonly notes: string;
  readonly waits: readonly WaitView[];
  /** What the script reads when it runs, in place of marks in its documents; empty where it holds its secrets. */
  readonly secrets: readonly SecretView[];
  /** What differs from rendering to rendering. */
  readonly random: readonly RandomView[];
  /** Selects what carries the release's name. */
  readonly instanceSelector: string;
}

/** An object as kubectl names it. */
export interface TargetView {
  /** `kind.version.group/name`. */
  readonly target: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
}

/** An object that differs from rendering to rendering. */
export interface RandomView {
  /** `Secret shop/db`. */
  readonly title: string;
  /** The template that makes it. */
  readonly path: string;
  /** What differs, such as `data.password`; empty where the object has another name each time. */
  readonly members: readonly string[];
  readonly isSecret: boolean;
  /** Whether the kubectl script creates it once and keeps it. */
  readonly isKept: boolean;
  /** Whether the chart looks up whether it is there, so that Helm may keep it. */
  readonly isLookedUp: boolean;
}

/** How Helm finds a chart. */
export interface ChartView {
  readonly name: string;
  readonly version: string;
  /** `name version`. */
  readonly label: string;
  /** The SHA-256 of the chart's content. */
  readonly digest: string;
  /** The chart argument of Helm: a name, a path, or an OCI address. */
  readonly reference: string;
  /** Whether `reference` is a path below the folder that the script's `--charts` names. */
  readonly isRelative: boolean;
  /** The repository's URL; empty for none. */
  readonly repository: string;
  /** The name under which Helm must know its repository, where the Order names an object of the cluster; empty for none. */
  readonly repositoryName: string;
  /** The exact version to ask for; empty for a chart on disk. */
  readonly pinnedVersion: string;
  /** The SHA-256 that the archive must have, which a sealed Order says of a chart in a classic repository; empty for none. */
  readonly archive: string;
}

/** One `kubectl wait`. */
export interface WaitView {
  /** Its words after `wait`. */
  readonly words: readonly string[];
  /** Whether the words hold a time limit; without one the script adds its own. */
  readonly limited: boolean;
}

/** Says how scripts are made. */
export interface ViewOptions {
  /** The one context of the kubeconfig that a script may work with. Default: the one that is current when it runs. */
  readonly context?: string | undefined;
  /** Gives the path to print for a chart of kind `Local` or `Embed`; default: as the Order has it. */
  readonly chartPath?: ((item: RenderedPackage) => string | undefined) | undefined;
  /** The major version of the Helm that a Helm script runs, or `any`. Default: the one whose output the rendering gives. */
  readonly forHelm?: ScriptHelm | undefined;
  /** Where a script has its secrets from: baked in, asked for when it runs, or from the environment. Default `keep`. */
  readonly secrets?: SecretSource | undefined;
}

/** Gives the view model of the Helm scripts; the kubectl scripts add to it. Throws MANIFEST_INVALID where a CRD file is not YAML. */
export function viewOrder(
  rendered: RenderedPackages,
  options: ViewOptions = {},
  read: ReadObjects = readObjects(rendered),
): ScriptView {
  const digest = digestOf(rendered.order.document.spec ?? null);
  const marks = new SecretMarks(digest);
  const packages = read.packages.map((item, index) => viewPackage(item, index + 1, { ...options, marks }));
  const own = packages.flatMap((item) => [...(item.createNamespace ? [item.namespace] : []), ...item.madeNamespaces]);
  const required = requiredCrds(read);
  return {
    order: { name: rendered.order.metadata.name, digest, id: idOf(rendered) },
    context: options.context ?? '',
    kubeVersion: rendered.kubeVersion,
    total: packages.length,
    packages,
    reversed: [...packages].reverse(),
    names: [...new Set(packages.flatMap((item) => [item.fullName, item.release]))],
    required,
    groups: groupsOf(read),
    ownNamespaces: [...new Set(own)],
    repositoryNames: [...new Set(packages.map((item) => item.chart.repositoryName).filter((name) => name !== ''))],
    hasLocalCharts: packages.some((item) => item.chart.isRelative),
    needsKubectl: required.length > 0 || packages.some((item) => item.crds.length + item.waits.length > 0),
    hasFiles: false,
    secretSource: options.secrets ?? 'keep',
    tool: 'helm',
    helm: options.forHelm ?? majorOf(rendered.helm),
  };
}

function viewPackage(
  read: ReadPackage,
  number: number,
  options: ViewOptions & { readonly marks: SecretMarks },
): PackageView {
  const { item } = read;
  const objects = read.objects.filter(isNamed);
  const secrets: SecretView[] = [];
  const { overlay } = item.values;
  const isKeeping = (options.secrets ?? 'keep') === 'keep';
  const values = isKeeping ? overlay : withoutSecretValues(overlay, read, { marks: options.marks, found: secrets });
  const { releaseName, namespace, resources, waitFors } = item.selection.chart;
  return {
    number,
    release: releaseName,
    namespace,
    fullName: `${namespace}/${releaseName}`,
    createNamespace: !builtInNamespaces.has(namespace),
    chart: viewChart(item, options),
    values: { text: formatValues(values), file: '' },
    crds: resources.owned.map(crdName),
    ownCrds: read.crdNames,
    templateCrds: objects.filter(isCrd).map(({ name }) => name),
    madeNamespaces: objects.filter(isNamespace).map(({ name }) => name),
    claims: objects.filter(isClaim).map(viewTarget),
    claimants: objects.filter(takesClaims).map(viewTarget),
    keptObjects: objects.filter((object) => isKept(object) && !isClaim(object) && !isCrd(object)).map(viewTarget),
    notes: item.release.notes.trim(),
    waits: waitFors.map((wait) => viewWait(wait, namespace)),
    secrets,
    random: read.random.map((random) => viewRandom(random, read)),
    instanceSelector: `app.kubernetes.io/instance=${releaseName}`,
  };
}

function viewRandom({ object, paths }: RandomObject, { item, kept }: ReadPackage): RandomView {
  const { apiVersion, kind, namespace, name } = object;
  return {
    title: `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`,
    path: object.path,
    members: paths,
    isSecret: isSecret(object),
    isKept: kept.has(keyOf(object)),
    isLookedUp: item.chance.lookups.has([apiVersion, kind, namespace, name].join(' ')),
  };
}

/** Gives an object as kubectl names it. */
export function viewTarget({ apiVersion, kind, name, namespace }: KubeObject): TargetView {
  return { target: `${typeOf(apiVersion, kind)}/${name}`, namespace };
}

/** Gives a type as kubectl names it, such as `deployment.v1.apps`. */
export function typeOf(apiVersion: string, kind: string): string {
  const group = groupOf(apiVersion);
  return group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${apiVersion.slice(group.length + 1)}.${group}`;
}

/** Tells whether an uninstallation leaves an object where it is, unless an option names it. */
export function stays(object: KubeObject): boolean {
  return isClaim(object) || isKept(object) || isCrd(object) || isNamespace(object);
}

function isNamespace({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'Namespace';
}

function isClaim({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'PersistentVolumeClaim';
}

function isKept({ value }: KubeObject): boolean {
  return member(member(member(value, 'metadata'), 'annotations'), 'helm.sh/resource-policy') === 'keep';
}

function takesClaims({ apiVersion, kind, value }: KubeObject): boolean {
  const policy = member(member(value, 'spec'), 'persistentVolumeClaimRetentionPolicy');
  return groupOf(apiVersion) === 'apps' && kind === 'StatefulSet' && member(policy, 'whenDeleted') === 'Delete';
}

function viewChart(item: RenderedPackage, options: ViewOptions): ChartView {
  const { name, version } = item.chart.metadata;
  const base = {
    name,
    version,
    label: `${name} ${version}`,
    digest: digestChart(item.chart),
    isRelative: false,
    repository: '',
    repositoryName: '',
    pinnedVersion: version,
    archive: '',
  };
  const selection = item.selection.chart;
  const source = selection.sourceRef;
  if (isOciUrl(source.name)) {
    // An OCIRepository names the chart itself, a HelmRepository the place where charts lie.
    const address = source.name.replace(/(?<!\/)\/+$/, '');
    const isChart = source.kind === 'OCIRepository' && address.endsWith(`/${selection.name}`);
    const reference = isChart ? address : `${address}/${selection.name}`;
    // A sealed chart is that very manifest, whatever its tag has become.
    const manifest = selection.seal?.manifest ?? '';
    return manifest === ''
      ? { ...base, reference }
      : { ...base, reference: `${reference}@${manifest}`, pinnedVersion: '' };
  }
  const archive = selection.seal?.archive ?? '';
  if (isUrl(source.name)) return { ...base, reference: selection.name, repository: source.name, archive };
  if (source.kind === 'HelmRepository') {
    return { ...base, reference: `${source.name}/${selection.name}`, repositoryName: source.name, archive };
  }
  const path = options.chartPath?.(item) ?? source.name;
  return { ...base, reference: path, isRelative: !isAbsolutePath(path), pinnedVersion: '' };
}

// Keys sorted: what JSON takes for the same value has the same digest. What nobody looked at may hold what JSON has not.
function digestOf(value: JsonValue): string {
  const plain = writeJson(value, (_, item) => (typeof item === 'bigint' ? `${item}` : item));
  const text = emitJson(valueOfJson(JSON.parse(plain) as JsonValue), { escapeHtml: false });
  return `sha256:${bytesToHex(sha256(encodeUtf8(text)))}`;
}

// The name that an Order without one has is that of its first release, which another Order may have too.
function idOf({ order }: RenderedPackages): string {
  const { metadata } = order.document;
  const isNamed = typeof metadata === 'object' && metadata !== null && 'name' in metadata && metadata.name !== '';
  const name = order.metadata.uid || (isNamed ? order.metadata.name : '');
  return name === '' ? '' : bytesToHex(sha256(encodeUtf8(name))).slice(0, 40);
}

function viewWait(wait: WaitFlags, namespace: string): WaitView {
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

// Zero means "the default", below zero "a week", as kubectl has it.
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
