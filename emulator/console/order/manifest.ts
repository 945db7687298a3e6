// The outline of a manifest: its objects with their lines and texts, found with a few patterns, so that megabytes take milliseconds; and
// which of them differ from an earlier one.

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
  readonly text: string;
}

// The renderer writes a document with this line before the objects of each package.
const packageHead = /^# Source: .+ - [^\s@]+@\S+$/m;

/** Returns the objects of a manifest, in its order. Documents without a kind are left out. */
export function outlineManifest(manifest: string): readonly OutlinedObject[] {
  const objects: OutlinedObject[] = [];
  let line = 0;
  let packages = 0;
  for (const part of `\n${manifest}`.split('\n---')) {
    // The rest of the first line belongs to the marker.
    const text = part.slice(part.indexOf('\n') + 1).trimEnd();
    const kind = memberOf(text, '', 'kind');
    if (kind !== '') {
      const [, source = ''] = /^# Source: (\S+)$/m.exec(text.slice(0, text.search(/^kind:/m))) ?? [];
      objects.push({ kind, ...namesOf(text), source, line: line + 1, package: Math.max(packages - 1, 0), text });
    } else if (packageHead.test(text)) packages++;
    line += part.split('\n').length;
  }
  return objects;
}

// From the metadata: its members in lines of their own, or between braces.
function namesOf(text: string): Pick<OutlinedObject, 'name' | 'namespace'> {
  const [, braces, block = ''] = /^metadata:(?: +\{(.*)|.*)((?:\r?\n(?:[ #].*)?)*)/m.exec(text) ?? [];
  const flat = braces?.replace(/\{[^{}]*\}/g, '');
  const [indent = ''] = /^ +(?=[\w-])/m.exec(block) ?? [];
  const wordAt = (key: string): string =>
    flat === undefined
      ? memberOf(block, indent, key)
      : plain(new RegExp(`(?:^|,)\\s*${key}:\\s+([^,}]+)`).exec(flat)?.[1] ?? '');
  return { name: wordAt('name'), namespace: wordAt('namespace') };
}

function memberOf(text: string, indent: string, key: string): string {
  return plain(new RegExp(`^${indent}${key}: +(.*)`, 'm').exec(text)?.[1] ?? '');
}

function plain(value: string): string {
  return value
    .replace(/(?<=\s)#.*$/s, '')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');
}

/** The objects that differ between two manifests. */
export interface ManifestChanges {
  readonly added: ReadonlySet<OutlinedObject>;
  /** With their earlier texts. */
  readonly changed: ReadonlyMap<OutlinedObject, string>;
  /** Objects of the earlier manifest. */
  readonly removed: readonly OutlinedObject[];
}

/** Compares the objects of a manifest with those of an earlier one. */
export function compareManifests(before: readonly OutlinedObject[], after: readonly OutlinedObject[]): ManifestChanges {
  const added = new Set<OutlinedObject>();
  const changed = new Map<OutlinedObject, string>();
  const earlier = byName(before);
  for (const [name, object] of byName(after)) {
    const known = earlier.get(name);
    if (known === undefined) added.add(object);
    else if (known.text !== object.text) changed.set(object, known.text);
    earlier.delete(name);
  }
  return { added, changed, removed: [...earlier.values()] };
}

// Objects with the same name are numbered.
function byName(objects: readonly OutlinedObject[]): Map<string, OutlinedObject> {
  const named = new Map<string, OutlinedObject>();
  for (const object of objects) {
    const name = `${object.package} ${object.kind} ${object.namespace}/${object.name}`;
    let key = name;
    for (let number = 2; named.has(key); number++) key = `${name} ${number}`;
    named.set(key, object);
  }
  return named;
}
