// The outline of a manifest: its objects with their lines, scanned line by line, so that megabytes take milliseconds; and which of them
// differ from an earlier one, by comparing their text.

import { matcherOf } from '../search.ts';

/** An object of a manifest. */
export interface OutlinedObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** Its template; empty if unknown. */
  readonly source: string;
  /** The line it starts at, from 1. */
  readonly line: number;
  /** The index of its package, from 0. */
  readonly package: number;
}

/** Returns the objects of a manifest, in its order. Documents without a kind are left out. */
export function outlineManifest(manifest: string): readonly OutlinedObject[] {
  const objects: OutlinedObject[] = [];
  let current = empty(1, 0);
  let line = 0;
  let packages = 0;
  const finish = (): void => {
    if (current.kind !== '') objects.push({ ...current });
  };
  for (let start = 0; start <= manifest.length; ) {
    const end = manifest.indexOf('\n', start);
    const next = end < 0 ? manifest.length + 1 : end + 1;
    line++;
    // Most lines are indented more deeply than anything needed here.
    if (manifest.startsWith('---', start)) {
      finish();
      current = empty(line + 1, Math.max(packages - 1, 0));
    } else if (manifest[start] === '#' && packageHead.test(manifest.slice(start, next - 1))) packages++;
    else if (current.inMetadata || manifest[start] !== ' ') readLine(manifest.slice(start, next - 1), current);
    start = next;
  }
  finish();
  return objects;
}

// Written by the renderer before the objects of each package.
const packageHead = /^# Source: [^\s@]+ - [^\s@]+@\S+$/;

interface Draft {
  kind: string;
  name: string;
  namespace: string;
  source: string;
  line: number;
  inMetadata: boolean;
}

function empty(line: number, index: number): Draft & OutlinedObject {
  return { kind: '', name: '', namespace: '', source: '', line, package: index, inMetadata: false };
}

// Members of the object are not indented, those of its metadata by two or four spaces.
function readLine(text: string, draft: Draft): void {
  const [, indent = '', key = '', value = ''] = /^( *)([\w-]+):(?: +(.*))?$/s.exec(text) ?? [];
  if (key === '') {
    const source = /^# Source: (\S+)$/.exec(text)?.[1];
    if (source !== undefined && draft.kind === '') draft.source = source;
    return;
  }
  if (indent === '') draft.inMetadata = key === 'metadata';
  if (indent === '' && key === 'kind') draft.kind = plain(value);
  if (indent === '' && key === 'metadata' && value.startsWith('{')) readBraces(value, draft);
  if (!draft.inMetadata || indent.length === 0 || indent.length > 4) return;
  if (key === 'name' && draft.name === '') draft.name = plain(value);
  if (key === 'namespace' && draft.namespace === '') draft.namespace = plain(value);
}

function readBraces(text: string, draft: Draft): void {
  const flat = text.replace(/(?!^)\{[^{}]*\}/g, '');
  const wordAt = (key: string): string =>
    plain(new RegExp(`[{,]\\s*${key}:\\s+([^,}]+)`).exec(flat)?.[1]?.trim() ?? '');
  draft.name = wordAt('name');
  draft.namespace = wordAt('namespace');
}

function plain(value: string): string {
  return value
    .replace(/(?<=\s)#.*$/s, '')
    .trimEnd()
    .replace(/^(["'])(.*)\1$/, '$2');
}

/** The objects of one package. */
export interface PackageGroup {
  readonly package: number;
  readonly objects: readonly OutlinedObject[];
}

/** Groups the objects of a manifest by package, in order, and keeps those that match every word of a search. */
export function groupByPackage(objects: readonly OutlinedObject[], search = ''): readonly PackageGroup[] {
  const matches = matcherOf(search);
  const groups = new Map<number, OutlinedObject[]>();
  for (const object of objects) {
    if (!matches(`${object.kind} ${object.namespace} ${object.name} ${object.source}`)) continue;
    const group = groups.get(object.package);
    if (group) group.push(object);
    else groups.set(object.package, [object]);
  }
  return [...groups].map(([index, found]) => ({ package: index, objects: found }));
}

/** The text of an object in two manifests. */
export interface ChangedText {
  readonly before: string;
  readonly after: string;
}

/** The objects that differ between two manifests. */
export interface ManifestChanges {
  readonly added: ReadonlySet<OutlinedObject>;
  /** With their texts. */
  readonly changed: ReadonlyMap<OutlinedObject, ChangedText>;
  /** Objects of the earlier manifest. */
  readonly removed: readonly OutlinedObject[];
}

/** Compares the objects of a manifest, outlined, with those of an earlier manifest. */
export function compareManifests(before: string, after: string, objects: readonly OutlinedObject[]): ManifestChanges {
  const added = new Set<OutlinedObject>();
  const changed = new Map<OutlinedObject, ChangedText>();
  const earlier = textsOf(before, outlineManifest(before));
  for (const [key, { object, text }] of textsOf(after, objects)) {
    const known = earlier.get(key);
    if (known === undefined) added.add(object);
    else if (known.text !== text) changed.set(object, { before: known.text, after: text });
    earlier.delete(key);
  }
  return { added, changed, removed: [...earlier.values()].map(({ object }) => object) };
}

interface ObjectText {
  readonly object: OutlinedObject;
  readonly text: string;
}

// Objects with the same name are numbered.
function textsOf(manifest: string, objects: readonly OutlinedObject[]): Map<string, ObjectText> {
  const lines = manifest.split('\n');
  const texts = new Map<string, ObjectText>();
  for (const object of objects) {
    let end = object.line - 1;
    while (end < lines.length && !lines[end]?.startsWith('---')) end++;
    const name = `${object.package} ${object.kind} ${object.namespace}/${object.name}`;
    let key = name;
    for (let number = 2; texts.has(key); number++) key = `${name} ${number}`;
    texts.set(key, {
      object,
      text: lines
        .slice(object.line - 1, end)
        .join('\n')
        .trimEnd(),
    });
  }
  return texts;
}
