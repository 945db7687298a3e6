// Which objects of a manifest differ from an earlier one, by comparing their text.

import { type OutlinedObject, outlineManifest } from './outline.ts';

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
