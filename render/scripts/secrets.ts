// Secrets outside of a script: it contains placeholders, and reads the secrets from the environment at run time.

import { attempt } from '../core/catch.ts';
import { decodeBase64 } from '../go/base64.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';
import { member } from '../manifest/objects.ts';
import { isSecret, type KubeObject } from '../output/objects.ts';
import type { SecretModel } from './model.ts';
import type { ReadPackage } from './read-objects.ts';

/** Where the secrets of a script are: in the script, or in environment variables. */
export type SecretSource = 'keep' | 'env';

export class SecretMarks {
  readonly #digest: string;
  readonly #known = new Set<string>();

  /** `digest` is that of the Order, so that no other document contains such placeholders. */
  constructor(digest: string) {
    this.#digest = digest.slice('sha256:'.length, 'sha256:'.length + 16);
  }

  /** Returns the model of a secret with a new name and placeholder. */
  add(words: readonly string[], title: string, isBase64: boolean): SecretModel {
    const name = `SECRET_${words.join('_')}`
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/_$/, '');
    let variable = name;
    for (let count = 2; this.#known.has(variable); count++) variable = `${name}_${count}`;
    this.#known.add(variable);
    return { variable, mark: `secret-${this.#digest}-${variable}-`, title, isBase64 };
  }
}

/** Returns an object with placeholders in place of a Secret's data, and adds them to `found`. */
export function withoutSecrets(object: KubeObject, marks: SecretMarks, found: SecretModel[]): KubeObject {
  if (!isSecret(object)) return object;
  const value: GoMap = new Map(object.value);
  const data = new Map<string, GoValue>();
  for (const part of ['data', 'stringData']) {
    const own = member(value, part);
    if (!(own instanceof Map)) continue;
    for (const [key, text] of own) {
      const place = object.namespace === '' ? object.name : `${object.namespace}/${object.name}`;
      const secret = marks.add([object.namespace, object.name, key], `${part}.${key} of Secret ${place}`, true);
      if (typeof text === 'string' && text !== '') found.push(secret);
      data.set(key, typeof text === 'string' && text !== '' ? secret.mark : text);
    }
    value.delete(part);
  }
  return data.size === 0 ? object : { ...object, value: value.set('data', data) };
}

/** Returns values with placeholders in place of texts that only reach Secrets, and adds them to `found`. */
export function withoutSecretValues(
  values: GoMap,
  { item, objects, hooks }: ReadPackage,
  { marks, found }: { readonly marks: SecretMarks; readonly found: SecretModel[] },
): GoMap {
  const all = [...objects, ...hooks];
  const hidden = all.filter(isSecret).flatMap(({ value }) => secretTexts(value));
  if (hidden.length === 0) return values;
  const open = all
    .filter((object) => !isSecret(object))
    .flatMap(({ value }) => textsIn(value))
    .join('\n');
  const { releaseName, namespace } = item.selection.chart;
  const isOnlySecret = (text: string): boolean =>
    text !== '' && hidden.some((secret) => secret.includes(text)) && !open.includes(text);
  const replace = (value: GoValue, path: readonly string[]): GoValue => {
    if (value instanceof Map) return new Map([...value].map(([key, inner]) => [key, replace(inner, [...path, key])]));
    if (Array.isArray(value)) return value.map((inner, index) => replace(inner, [...path, String(index)]));
    if (typeof value !== 'string' || !isOnlySecret(value)) return value;
    const title = `the value ${path.join('.')} of ${namespace}/${releaseName}`;
    const secret = marks.add([namespace, releaseName, ...path], title, false);
    found.push(secret);
    return secret.mark;
  };
  return replace(values, []) as GoMap;
}

function secretTexts(value: GoMap): string[] {
  const data = textsIn(member(value, 'data')).map((text) =>
    attempt(() => decodeUtf8(decodeBase64(text)), GoError, text),
  );
  return [...data, ...textsIn(member(value, 'stringData'))];
}

function textsIn(value: GoValue): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Map) return [...value.values()].flatMap(textsIn);
  return Array.isArray(value) ? value.flatMap(textsIn) : [];
}
