// The names of generated ConfigMaps and Secrets, which end in a hash, and the fields that refer to them.
// Mirrors: sigs.k8s.io/kustomize, api/hasher/hasher.go; api/internal/accumulator/namereferencetransformer.go, v5.7.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { emitJson } from '../../codec/json.ts';
import { encodeBase64 } from '../../go/base64.ts';
import { encodeUtf8 } from '../../go/utf8.ts';
import type { JsonObject, JsonValue } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import { goMapOf, objectAt, objectsAt, textAt } from './members.ts';

/** A field that holds the name of another resource. */
export interface NameReference {
  /** The kind that it refers to. */
  readonly kind: string;
  /** The kind that has the field, and its path, such as `spec/valuesFrom/name`. */
  readonly referrer: string;
  readonly path: string;
}

/** Returns the references that a kustomize configuration declares. */
export function readNameReferences(configuration: JsonObject): NameReference[] {
  return objectsAt(configuration, 'nameReference').flatMap((entry) =>
    objectsAt(entry, 'fieldSpecs').map((field) => ({
      kind: textAt(entry, 'kind'),
      referrer: textAt(field, 'kind'),
      path: textAt(field, 'path'),
    })),
  );
}

const letters: Readonly<Record<string, string>> = { '0': 'g', '1': 'h', '3': 'k', a: 'm', e: 't' };

// kustomize means to hash the name, too, and hashes an empty text in its place.
const hashedAs = '';

/** Returns the name of a generated ConfigMap or Secret with the hash of its content. */
export function hashedName(object: JsonObject): string {
  const name = textAt(objectAt(object, 'metadata'), 'name');
  const { kind = '', type = '', data = null } = object;
  const content: JsonObject = { kind, name: hashedAs, data };
  if (kind === 'Secret') content.type = type;
  for (const key of ['stringData', 'binaryData']) if (isObject(object[key])) content[key] = object[key];
  const hash = bytesToHex(sha256(encodeUtf8(emitJson(goMapOf(content)))));
  return `${name}-${hash.slice(0, 10).replace(/[013ae]/g, (letter) => letters[letter] ?? letter)}`;
}

/** Returns a text in base64 as kustomize writes it: lines of 70 characters when there are several. */
export function secretData(text: string): string {
  const whole = encodeBase64(encodeUtf8(text));
  return whole.length < 70 ? whole : whole.replace(/.{1,70}/g, (line) => `${line}\n`);
}

/** Returns an object whose references to resources that were renamed say their new names. */
export function withNewNames(
  object: JsonObject,
  references: readonly NameReference[],
  newNameOf: (kind: string, name: string) => string | undefined,
): JsonObject {
  return references
    .filter(({ referrer }) => referrer === '' || referrer === textAt(object, 'kind'))
    .reduce<JsonObject>((changed, { kind, path }) => {
      const next = replaceAt(changed, path.split('/'), (name) => newNameOf(kind, name) ?? name);
      return isObject(next) ? next : changed;
    }, object);
}

function replaceAt(value: JsonValue, steps: readonly string[], change: (text: string) => string): JsonValue {
  if (Array.isArray(value)) return value.map((item) => replaceAt(item, steps, change));
  const [step, ...rest] = steps;
  if (step === undefined) return typeof value === 'string' ? change(value) : value;
  if (!isObject(value)) return value;
  const next = Object.hasOwn(value, step) ? value[step] : undefined;
  return next === undefined ? value : { ...value, [step]: replaceAt(next, rest, change) };
}
