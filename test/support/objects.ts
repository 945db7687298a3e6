// Parses the objects of a manifest, to compare the outputs of an Order.

import { emitJson, parseJson } from '../../render/codec/json.ts';
import { parseYaml } from '../../render/codec/yaml/parse.ts';
import type { GoMap, GoValue } from '../../render/go/value.ts';

/** Returns the objects in a text, with Lists expanded. */
export function objectsIn(text: string): GoMap[] {
  // Not trimmed: the last line break of a document may be part of a scalar.
  const documents = `${text.trimEnd()}\n`.split(/^---.*\n/m).filter((document) => document.trim() !== '');
  return documents.flatMap((document) => {
    // Tools parse JSON as JSON, which may contain characters that YAML parses differently or rejects.
    const value: GoValue = document.startsWith('{') ? parseJson(document) : parseYaml(document);
    if (!(value instanceof Map)) return [];
    return value.get('kind') === 'List' ? (value.get('items') as GoMap[]) : [value];
  });
}

/** Returns the objects in a text, each as JSON, without fields that some outputs add. */
export function objectTexts(text: string): string[] {
  return objectsIn(text).map((object) => emitJson(withoutAddedFields(object)));
}

/** Returns an object without the namespace and labels that lists and kubectl scripts add. */
export function withoutAddedFields(object: GoMap): GoMap {
  const metadata = new Map(object.get('metadata') as GoMap);
  metadata.delete('namespace');
  const labels = new Map((metadata.get('labels') as GoMap | undefined) ?? []);
  labels.delete('releases.x-helm.dev/order');
  labels.delete('releases.x-helm.dev/package');
  metadata.delete('labels');
  if (labels.size > 0) metadata.set('labels', labels);
  return new Map(object).set('metadata', metadata) as GoMap;
}

/** Returns the name of an object for messages. */
export function identity(object: GoMap): string {
  const metadata = object.get('metadata') as GoMap;
  return `${object.get('apiVersion')} ${object.get('kind')} ${metadata.get('name')}`;
}
