// Accessors for unvalidated documents: a member of another type counts as absent.

import { plainValue } from '../../codec/plain.ts';
import { parseYaml, parseYaml12 } from '../../codec/yaml/parse.ts';
import { orUndefined } from '../../core/catch.ts';
import { matchPattern } from '../../go/path.ts';
import type { GoMap, GoValue } from '../../go/value.ts';
import type { ChartInput, SourceInput } from '../../order/document.ts';
import { isUrl } from '../../order/names.ts';
import type { JsonObject, JsonValue } from '../../order/order.ts';
import { isObject, listAt, objectAt, objectsAt, textAt, textsAt } from '../../order/shape.ts';
import { valueOfJson } from '../../values/patch.ts';
import { parseSet, parseSetString } from '../../values/set.ts';

export { listAt, objectAt, objectsAt, textAt, textsAt };

/** Reports whether a text matches a pattern like Go's `path.Match`; an invalid pattern matches nothing. */
export function matchesPattern(pattern: string, text: string): boolean {
  return orUndefined(() => matchPattern(pattern, text)) ?? false;
}

/** Returns the API group of an object: `argoproj.io` of `argoproj.io/v1alpha1`. */
export function apiGroupOf(object: JsonObject): string {
  const [group = '', version] = textAt(object, 'apiVersion').split('/');
  return version === undefined ? '' : group;
}

/** Returns the source of a chart by its URL: that of a registry starts with `oci://`, or is declared as one. */
export function sourceOf(address: string, isOci = false): SourceInput {
  if (address.startsWith('oci://')) return { kind: 'OCIRepository', name: address };
  if (isOci) return { kind: 'OCIRepository', name: `oci://${address}` };
  return isUrl(address) ? { kind: 'HelmRepository', name: address } : { kind: 'Local', name: address };
}

/** Merges values over others, like Helm's values files. */
export function overlay(under: JsonObject, over: JsonObject): JsonObject {
  const merged: JsonObject = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = Object.hasOwn(under, key) ? under[key] : undefined;
    merged[key] = isObject(below) && isObject(value) ? overlay(below, value) : value;
  }
  return merged;
}

/** The YAML version of a text: 1.1 as in Helm and Kubernetes, or 1.2 as in kustomize and helmfile. */
export type YamlDialect = '1.1' | '1.2';

/** Returns the value of a YAML text as JSON. Throws GoError. */
export function parseYamlAs(text: string, dialect: YamlDialect = '1.1'): JsonValue {
  return plainValue((dialect === '1.1' ? parseYaml : parseYaml12)(text)) as JsonValue;
}

/** Returns the values in a YAML text; undefined if it is not a mapping. */
export function valuesOfText(text: string, dialect: YamlDialect = '1.1'): JsonObject | undefined {
  const value = orUndefined(() => parseYamlAs(text, dialect));
  return isObject(value) ? value : value === null ? {} : undefined;
}

export function isEncrypted(object: JsonObject): boolean {
  const sops = objectAt(object, 'sops');
  return sops.mac !== undefined || sops.lastmodified !== undefined;
}

export function goMapOf(object: JsonObject): GoMap {
  return new Map(Object.entries(object).map(([key, value]) => [key, valueOfJson(value)]));
}

/** Converts a Go map to a JSON object; other values become an empty one. */
export function objectMember(value: GoValue): JsonObject {
  const plain = plainValue(value);
  return isObject(plain) ? plain : {};
}

/** Returns values with one more set like `--set` or `--set-string`; undefined if the pair is invalid. */
export function withSet(
  values: JsonObject,
  [name, value]: readonly [string, string],
  isText: boolean,
): JsonObject | undefined {
  return orUndefined(() => {
    const target = goMapOf(values);
    (isText ? parseSetString : parseSet)(`${name}=${value}`, target);
    return objectMember(target);
  });
}

/** Returns a value for `--set` with escaped commas, unless it is a list in braces. */
export function escapeCommas(value: string): string {
  return value.startsWith('{') ? value : value.replace(/(?<!\\),/g, '\\,');
}

/** Sorts items so that each comes after those it depends on, otherwise stable. A cycle is broken where it closes. */
export function inOrder<T>(items: readonly T[], needsOf: (item: T) => readonly T[]): T[] {
  const done = new Set<T>();
  const sorted: T[] = [];
  const visit = (item: T): void => {
    if (done.has(item)) return;
    done.add(item);
    for (const needed of needsOf(item)) visit(needed);
    sorted.push(item);
  };
  for (const item of items) visit(item);
  return sorted;
}

/** Returns the members without undefined, empty texts and empty objects. */
export function present<T extends object>(members: T): T {
  const isThere = (value: unknown): boolean =>
    value !== undefined && value !== '' && !(isObject(value) && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isThere(value))) as T;
}

const saysNothing = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Returns the names of members with a value that are not among the known ones. */
export function unread(object: JsonObject, read: readonly string[]): string[] {
  return Object.keys(object).filter((name) => !read.includes(name) && !saysNothing(object[name]));
}

/** A part of a file that an Order does not represent. */
export interface ImportNote {
  readonly file: string;
  /** The JSON path in its document, such as `spec.postRenderers[0]`; empty for the whole. */
  readonly path: string;
  readonly message: string;
  /** `note`: the installed result may differ. `info`: it only configures the installing tool, such as an interval. */
  readonly severity: 'note' | 'info';
}

export interface FoundRelease {
  /** Its definition, such as `HelmRelease shop/web`. */
  readonly origin: string;
  readonly file: string;
  readonly chart: ChartInput;
  readonly notes: readonly ImportNote[];
  /** Why it cannot be imported, or undefined. */
  readonly skipped?: string | undefined;
}

export class Notes {
  readonly list: ImportNote[] = [];
  readonly #file: string;

  constructor(file: string, given: readonly ImportNote[] = []) {
    this.#file = file;
    this.list.push(...given);
  }

  /** Adds a note: the installed result may differ. */
  add(path: string, message: string): void {
    this.list.push({ file: this.#file, path, message, severity: 'note' });
  }

  /** Adds a note about a setting that only configures the tool. */
  info(path: string): void {
    const message = 'steers the tool that installs, and is not part of an Order';
    this.list.push({ file: this.#file, path, message, severity: 'info' });
  }

  /** Adds a note for each unread member; those in `steering` only configure the tool. */
  unread(object: JsonObject, path: string, read: readonly string[], steering: readonly string[] = []): void {
    for (const name of unread(object, read)) {
      const at = path === '' ? name : `${path}.${name}`;
      if (steering.includes(name)) this.info(at);
      else this.add(at, 'is not part of an Order');
    }
  }
}
