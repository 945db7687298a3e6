// A second opinion on which objects differ: rendered objects read by another YAML parser, as text with sorted keys.

import { parseAllDocuments } from 'yaml';
import { otherChance, watchHost } from '../../../render/chance.ts';
import { loadChart } from '../../../render/chart/load.ts';
import type { Difference } from '../../../render/diff/difference.ts';
import { seededHost } from '../../../render/host.ts';
import { formatSource } from '../../../render/manifest/source.ts';
import { type RenderedRelease, renderRelease } from '../../../render/release.ts';
import { settleRelease } from '../../../render/snapshot/documents.ts';

/** The files of a chart, by path. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** A rendered chart without its random values. */
export interface Rendered {
  readonly release: RenderedRelease;
  readonly documents: ReturnType<typeof settleRelease>['documents'];
  /** The content of a snapshot. */
  readonly text: string;
}

/** Renders the files of a chart with its default values. */
export function renderFiles(files: Files): Rendered {
  const chart = loadChart(files, { onWarning: () => {} });
  const watched = watchHost(seededHost());
  const release = renderRelease(chart, { host: watched.host });
  const twin = watched.hasDrawn() ? renderRelease(chart, { host: otherChance(seededHost()) }) : undefined;
  const { documents } = settleRelease(release, twin);
  return { release, documents, text: documents.map(formatSource).join('') };
}

/** A Kubernetes object as plain data. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** Returns the objects of a manifest; undefined if it is not valid YAML, duplicate keys included. */
export function readPlainObjects(text: string, intAsBigInt = false): readonly PlainObject[] | undefined {
  const objects: PlainObject[] = [];
  const add = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { kind, items } = value as { kind?: unknown; items?: unknown };
    if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) for (const item of items) add(item);
    else objects.push(value as PlainObject);
  };
  for (const document of parseAllDocuments(text, { version: '1.1', merge: true, intAsBigInt })) {
    if (document.errors.length > 0) return undefined;
    add(document.toJS({ maxAliasCount: -1 }));
  }
  return objects;
}

/** Returns the key of an object: its kind and name. */
export function keyOf({ kind, metadata }: PlainObject): string {
  const { name, generateName } = (metadata ?? {}) as Record<string, unknown>;
  return `${String(kind ?? '')}/${String(name ?? generateName ?? '')}`;
}

/** Returns the keys of the objects that differ; undefined if a manifest is not valid YAML. */
export function changedKeys(before: Rendered, after: Rendered): ReadonlySet<string> | undefined {
  if (before.text === after.text) return new Set();
  const [was, is] = [objectsByKey(before.text), objectsByKey(after.text)];
  if (was === undefined || is === undefined) return undefined;
  return new Set([...was.keys(), ...is.keys()].filter((key) => was.get(key) !== is.get(key)));
}

/** Returns the keys of the objects that a difference reports. */
export function reportedKeys({ objects }: Pick<Difference, 'objects'>): ReadonlySet<string> {
  return new Set(
    objects.flatMap(({ kind, name, from }) => [
      `${kind}/${name}`,
      ...(from === undefined ? [] : [`${from.kind}/${from.name}`]),
    ]),
  );
}

function objectsByKey(text: string): ReadonlyMap<string, string> | undefined {
  const found = readPlainObjects(text, true);
  if (found === undefined) return undefined;
  const objects = new Map<string, string>();
  for (const object of found) {
    const metadata = object.metadata as Record<string, unknown> | undefined;
    // The namespace of the release, which an object that names none is in, too.
    if (metadata?.namespace === 'default') delete metadata.namespace;
    objects.set(keyOf(object), `${objects.get(keyOf(object)) ?? ''}${sorted(object)}\n`);
  }
  return objects;
}

/** Members that mean the same to a server if they are empty or missing. */
const emptyMembers = new Set(
  'labels annotations nodeSelector tolerations imagePullSecrets resources limits requests env envFrom args command volumes volumeMounts finalizers data binaryData stringData initContainers hostAliases topologySpreadConstraints secrets'.split(
    ' ',
  ),
);

// Rules of the comparison that the second opinion shares: a member that is null is missing, and some members, such as the security
// context of a pod, are the same when they are empty.
function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => sorted(item)).join()}]`;
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? JSON.stringify(value) : String(value);
  const isEmptyNone = (name: string): boolean =>
    emptyMembers.has(name) || (name === 'securityContext' && 'containers' in value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== null && member !== undefined)
    .map(([name, member]) => [name, sorted(member)] as const)
    .filter(([name, text]) => !(isEmptyNone(name) && (text === '{}' || text === '[]')));
  return `{${members
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => `${JSON.stringify(name)}:${text}`)
    .join()}}`;
}
