// Finds the objects that differ independently of drydock: parses them with another YAML parser and compares text with sorted keys.

import { parseAllDocuments } from 'yaml';
import { loadChart } from '../../../render/chart/load.ts';
import { seededHost } from '../../../render/core/host.ts';
import { diffObjects } from '../../../render/diff/difference.ts';
import { observeHost, withOtherRandomness } from '../../../render/engine/randomness.ts';
import { type RenderedRelease, runInstall } from '../../../render/engine/release.ts';
import { helmOf } from '../../../render/helm/versions.ts';
import { formatSource } from '../../../render/manifest/source.ts';
import { meaningOf } from '../../../render/snapshot/meaning.ts';
import { normalizeRelease } from '../../../render/snapshot/normalize.ts';

/** The Helm version that is emulated. */
const helm = helmOf();

/** The files of a chart, by path. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** A rendered chart without its random values. */
export interface Rendered {
  readonly release: RenderedRelease;
  readonly documents: ReturnType<typeof normalizeRelease>['documents'];
  /** The content of a snapshot. */
  readonly text: string;
}

/** Renders the files of a chart with its default values. */
export function renderFiles(files: Files): Rendered {
  const chart = loadChart(files, { helm: helm.name, onWarning: () => {} });
  const watched = observeHost(seededHost());
  const release = runInstall(chart, { helm, host: watched.host });
  const second = watched.usedRandom()
    ? runInstall(chart, { helm, host: withOtherRandomness(seededHost()) })
    : undefined;
  const { documents } = normalizeRelease(release, second);
  return { release, documents, text: documents.map(formatSource).join('') };
}

/** A Kubernetes object as plain data. */
type PlainObject = Readonly<Record<string, unknown>>;

/** Returns the objects of a manifest; undefined if it is not valid YAML, duplicate keys included. */
function readPlainObjects(text: string): readonly PlainObject[] | undefined {
  const objects: PlainObject[] = [];
  const add = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { kind, items, ...rest } = value as { kind?: unknown; items?: unknown; apiVersion?: unknown };
    if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) {
      objects.push(value as PlainObject);
      return;
    }
    for (const item of items) add(item);
    // A list with other members, such as another version, is also an object itself.
    const { apiVersion, ...more } = rest;
    if ((kind === 'List' && apiVersion !== 'v1') || Object.keys(more).length > 0) objects.push({ kind, ...rest });
  };
  for (const document of parseAllDocuments(text, { version: '1.1', merge: true, intAsBigInt: true })) {
    if (document.errors.length > 0) return undefined;
    add(document.toJS({ maxAliasCount: -1 }));
  }
  return objects;
}

/** Returns the key of an object: its kind and name. */
function keyOf({ kind, metadata }: PlainObject): string {
  const { name, generateName } = (metadata ?? {}) as Record<string, unknown>;
  return `${String(kind ?? '')}/${String(name ?? generateName ?? '')}`;
}

/** Returns the keys of the objects that differ; undefined if a manifest is not valid YAML. */
function changedKeys(before: Rendered, after: Rendered): ReadonlySet<string> | undefined {
  if (before.text === after.text) return new Set();
  const [old, current] = [objectsByKey(before.text), objectsByKey(after.text)];
  if (old === undefined || current === undefined) return undefined;
  return new Set([
    ...[...old.keys(), ...current.keys()].filter((key) => old.get(key) !== current.get(key)),
    ...deletedDefinitions(before, after),
  ]);
}

// Helm deletes a definition that moves from the templates to `crds/`, even if its content is unchanged.
function deletedDefinitions(before: Rendered, after: Rendered): readonly string[] {
  const definitions = ({ documents }: Rendered, path: RegExp): PlainObject[] =>
    documents
      .filter((document) => path.test(document.path) && document.content.includes('CustomResourceDefinition'))
      .flatMap(({ content }) => readPlainObjects(content) ?? [])
      .filter(({ kind }) => kind === 'CustomResourceDefinition');
  const now = new Set(definitions(after, inCrds).map(keyOf));
  return definitions(before, inTemplates)
    .filter(({ metadata }) => {
      const { annotations } = (metadata ?? {}) as { annotations?: Record<string, unknown> };
      return annotations?.['helm.sh/resource-policy'] !== 'keep' && annotations?.['helm.sh/hook'] === undefined;
    })
    .map(keyOf)
    .filter((key) => now.has(key));
}

const inCrds = /^([^/]+\/charts\/)*[^/]+\/crds\//;
const inTemplates = /^([^/]+\/charts\/)*[^/]+\/templates\//;

/** Cluster-scoped kinds of Kubernetes. */
const clusterKinds = new Set(
  'APIService CSIDriver CSINode ClusterRole ClusterRoleBinding CustomResourceDefinition FlowSchema IngressClass MutatingWebhookConfiguration Namespace Node PersistentVolume PodSecurityPolicy PriorityClass PriorityLevelConfiguration RuntimeClass StorageClass ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration VolumeAttachment'.split(
    ' ',
  ),
);

function clusterKindsOf(objects: readonly PlainObject[]): ReadonlySet<string> {
  const custom = objects.flatMap(({ kind, spec }) => {
    const { scope, names } = (spec ?? {}) as { scope?: unknown; names?: { kind?: unknown } };
    return kind === 'CustomResourceDefinition' && scope === 'Cluster' ? [String(names?.kind)] : [];
  });
  return new Set([...clusterKinds, ...custom]);
}

/** The number of compared pairs of renderings, and of wrong reports about them. */
export interface Figures {
  same: number;
  different: number;
  /** A manifest that is not YAML to the other parser. */
  unparsable: number;
  missed: number;
  invented: number;
}

/** Compares the objects that `diff` and `snapshot` report with those that differ. Returns a line for each error. */
export function wrongReports(before: Rendered, after: Rendered, figures: Figures): string[] {
  const expected = changedKeys(before, after);
  if (expected === undefined) {
    figures.unparsable++;
    return [];
  }
  figures[expected.size === 0 ? 'same' : 'different']++;
  const change = { path: 'default.yaml', status: 'different', before: before.text, after: after.text } as const;
  const changes = before.text === after.text ? [] : [change];
  const reports = {
    diff: diffObjects(before, after, { all: true }),
    snapshot: meaningOf(changes, { all: true, namespace: 'default' }),
  };
  return Object.entries(reports).flatMap(([name, { objects }]) => {
    const reported = new Set(
      objects.flatMap((one) =>
        [one, ...(one.from === undefined ? [] : [one.from])].map((at) => `${at.kind}/${at.name}`),
      ),
    );
    const missed = [...expected].filter((key) => !reported.has(key));
    const invented = [...reported].filter((key) => !expected.has(key));
    figures.missed += missed.length;
    figures.invented += invented.length;
    return [
      ...missed.map((key) => `${name} does not report ${key}`),
      ...invented.map((key) => `${name} wrongly reports ${key}`),
    ];
  });
}

function objectsByKey(text: string): ReadonlyMap<string, string> | undefined {
  const found = readPlainObjects(text);
  if (found === undefined) return undefined;
  const objects = new Map<string, string>();
  const clusterWide = clusterKindsOf(found);
  for (const object of found) {
    const metadata = object.metadata as Record<string, unknown> | undefined;
    // The namespace of the release, which applies to objects without one.
    if (metadata?.namespace === 'default' && !clusterWide.has(String(object.kind))) delete metadata.namespace;
    objects.set(keyOf(object), `${objects.get(keyOf(object)) ?? ''}${sorted(object)}\n`);
  }
  return objects;
}

/** Members for which empty and missing mean the same to a server. */
const emptyMembers = new Set(
  'labels annotations nodeSelector tolerations imagePullSecrets resources limits requests env envFrom args command volumes volumeMounts finalizers data binaryData stringData initContainers hostAliases topologySpreadConstraints secrets'.split(
    ' ',
  ),
);

// As in `diff`, a null member counts as missing, and so do some empty members, such as the security context
// of a pod.
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => sorted(item)).join()}]`;
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  const mayBeEmpty = (name: string): boolean =>
    emptyMembers.has(name) || (name === 'securityContext' && 'containers' in value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .map(([name, member]) => [name, sorted(member)] as const)
    .filter(([name, text]) => !(mayBeEmpty(name) && (text === '{}' || text === '[]')));
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join()}}`;
}
