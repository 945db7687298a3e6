// The objects of a manifest, to compare the forms of an Order.

import { emitJson, parseJson } from '../../render/codec/json.ts';
import { parseYaml } from '../../render/codec/yaml/parse.ts';
import type { GoMap, GoValue } from '../../render/go/value.ts';

/** Gives the objects in a text, each as JSON of its own, without the namespace and the label that some forms fill in. */
export function objectsIn(text: string): string[] {
  // Not trimmed: the last line break of a document may be that of a scalar.
  const documents = `${text.trimEnd()}\n`.split(/^---.*\n/m).filter((document) => document.trim() !== '');
  return documents.flatMap((document) => {
    // Tools read JSON as JSON: it may hold characters that YAML takes for others, or not at all.
    const value: GoValue = document.startsWith('{') ? parseJson(document) : parseYaml(document);
    if (!(value instanceof Map)) return [];
    const items = value.get('kind') === 'List' ? (value.get('items') as GoMap[]) : [value];
    return items.map((item) => {
      const metadata = new Map(item.get('metadata') as GoMap);
      metadata.delete('namespace');
      const labels = new Map((metadata.get('labels') as GoMap | undefined) ?? []);
      labels.delete('applyset.kubernetes.io/part-of');
      metadata.delete('labels');
      if (labels.size > 0) metadata.set('labels', labels);
      return emitJson(new Map(item).set('metadata', metadata));
    });
  });
}
