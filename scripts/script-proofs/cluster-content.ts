// What the proofs over public charts compare: the types and keys of an Order's objects, and what a cluster holds, without what
// servers and tools add and what chance made.

import { customScopes } from '../../render/output/objects.ts';
import { randomObjects } from '../../render/output/random.ts';
import { scopeOf } from '../../render/output/scope.ts';
import type { RenderedOrder } from '../../render/rendered-order.ts';
import { initialNamespaces, pluralOf } from './api-cluster.ts';
import { type Json, type JsonMap, mapOf as map, type Type } from './api-discovery.ts';
import type { ApiServer } from './api-server.ts';
import type { PublicOrder } from './public-orders.ts';

/** Gives the types of an Order's objects that the server does not know by itself. */
export function typesOf(rendered: RenderedOrder): Type[] {
  const types = new Map<string, Type>();
  const scopes = customScopes(rendered);
  const lists = rendered.resources({ format: 'json' });
  const objects = lists.flatMap(({ crds, resources }) =>
    [...crds, ...resources].map(({ data }) => JSON.parse(data) as JsonMap),
  );
  // A definition may name the plural as it likes: hivemq-clusters.
  const plurals = new Map(
    objects
      .filter(({ kind }) => kind === 'CustomResourceDefinition')
      .map(({ spec }) => [`${map(spec).group}/${map(map(spec).names).kind}`, String(map(map(spec).names).plural)]),
  );
  for (const object of objects) {
    const [version = '', group = ''] = String(object.apiVersion).split('/').reverse();
    const kind = String(object.kind);
    // Some charts give objects of the cluster a namespace.
    const scope = scopeOf(String(object.apiVersion), kind, scopes);
    const namespaced = scope === 'unknown' ? map(object.metadata).namespace !== undefined : scope === 'namespaced';
    const plural = plurals.get(`${group}/${kind}`) ?? pluralOf(kind);
    const type = { group, version, kind, plural, namespaced };
    if (!types.has(`${group}/${version}/${kind}`) || namespaced) types.set(`${group}/${version}/${kind}`, type);
  }
  return [...types.values()];
}

const own = /^(?:meta\.helm\.sh\/|app\.kubernetes\.io\/managed-by$|applyset\.kubernetes\.io\/)/;

// What servers and tools add goes, and nulls, which mean that nothing is there.
function bare(value: Json, depth = 0): Json {
  if (Array.isArray(value)) return value.map((item) => bare(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key, item]) => item !== null && !(depth === 0 && key === 'status') && !own.test(key))
    .map(([key, item]): [string, Json] => [key, bare(item, depth + 1)])
    .filter(([key, item]) => !(/^(?:annotations|labels)$/.test(key) && JSON.stringify(item) === '{}'));
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const chances = new WeakMap<RenderedOrder, Map<string, readonly string[]>>();

/** Gives the members that chance made, by the kind and name of their objects. */
function chanceOf({ rendered }: PublicOrder): Map<string, readonly string[]> {
  const known = chances.get(rendered) ?? findChance(rendered);
  chances.set(rendered, known);
  return known;
}

function findChance(rendered: RenderedOrder): Map<string, readonly string[]> {
  const scopes = customScopes({ ...rendered });
  const found = rendered.packages.flatMap((item) => randomObjects(item, scopes));
  return new Map(found.map(({ object, paths }) => [`${object.kind} ${object.name}`, paths]));
}

function withoutMember(value: Json, path: string): void {
  const steps = [...path.matchAll(/\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(
    (match) => match.slice(1).find(Boolean) ?? '',
  );
  const last = steps.pop() ?? '';
  const holder = steps.reduce<Json>(
    (inner, step) => (typeof inner === 'object' && inner !== null ? ((inner as JsonMap)[step] ?? null) : null),
    value,
  );
  if (typeof holder === 'object' && holder !== null) delete (holder as JsonMap)[last];
}

/** Gives the objects of a cluster as texts that can be compared, without what chance made unless that is asked for. */
export function contentOf(server: ApiServer, item: PublicOrder, hasChance = false): Map<string, string> {
  const namespaces = new Set(item.rendered.packages.map(({ release }) => release.namespace));
  const chance = hasChance ? new Map<string, readonly string[]>() : chanceOf(item);
  const content = new Map<string, string>();
  for (const [key, object] of server.objects()) {
    const [type = '', place = ''] = key.split(' ');
    const name = place.slice(place.indexOf('/') + 1);
    if (/^(?:sh\.helm\.release\.v1\.|drydock-)/.test(name)) continue;
    if (type === 'namespaces.' && (namespaces.has(name) || initialNamespaces.includes(name))) continue;
    const metadata = { ...map(object.metadata) };
    for (const field of ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields'])
      delete metadata[field];
    if (metadata.generateName !== undefined) delete metadata.name;
    const title =
      metadata.generateName === undefined ? key : `${key.slice(0, key.indexOf('/'))}/${String(metadata.generateName)}*`;
    const copy = structuredClone({ ...object, metadata });
    for (const path of chance.get(`${String(object.kind)} ${name}`) ?? []) withoutMember(copy, path);
    content.set(title, JSON.stringify(bare(copy)));
  }
  return content;
}

function firstDifference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return `  …${a.slice(Math.max(0, at - 80), at + 120)}\n  …${b.slice(Math.max(0, at - 80), at + 120)}`;
}

/** Tells the first object that differs; what `mayLack` says may be missing in the first. */
export function compare(
  a: ReadonlyMap<string, string>,
  b: ReadonlyMap<string, string>,
  mayLack: ReadonlySet<string> = new Set(),
): string {
  for (const [key, text] of b) {
    const other = a.get(key);
    if (other === undefined && mayLack.has(key)) continue;
    if (other === undefined) return `lacks ${key}`;
    if (other !== text) return `${key} differs:\n${firstDifference(other, text)}`;
  }
  const more = [...a.keys()].filter((key) => !b.has(key));
  return more.length === 0 ? '' : `has ${more.join(', ')}`;
}

/** Gives the keys of the hooks or of the other objects of an Order, as the server has them. */
export function keysOf(rendered: RenderedOrder, part: 'hooks' | 'manifests', types: readonly Type[]): Set<string> {
  const keys = new Set<string>();
  for (const { release } of rendered.packages) {
    for (const { name, kind, content } of release[part]) {
      const [, own = release.namespace] = /^ {2}namespace: *["']?([-a-z0-9]+)/m.exec(content) ?? [];
      for (const namespace of [own, ''])
        for (const type of types.filter((other) => other.kind === kind))
          keys.add(`${type.plural}.${type.group} ${namespace}/${name}`);
    }
  }
  return keys;
}

/** Gives the keys of the hooks of an Order. */
export const hookKeys = (rendered: RenderedOrder, types: readonly Type[]): Set<string> =>
  keysOf(rendered, 'hooks', types);
