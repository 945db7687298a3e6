// The outline of a manifest: its objects with their lines, scanned line by line, so that megabytes take milliseconds.

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
