// Members of documents that nobody has checked: what is of another kind counts as absent.

import { plainValue } from '../../codec/plain.ts';
import { parseYaml } from '../../codec/yaml/parse.ts';
import { GoError, type GoMap } from '../../go/value.ts';
import type { ChartInput, SourceInput } from '../../order/document.ts';
import { isUrl } from '../../order/names.ts';
import type { JsonObject, JsonValue } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import { valueOfJson } from '../../values/patch.ts';
import { parseSet, parseSetString } from '../../values/set.ts';

/** A package that was read, and what of it an Order cannot carry. */
export interface ImportedPackage {
  readonly chart: ChartInput;
  readonly left: readonly string[];
  /** Why nobody can tell which chart it is; absent where that is known. */
  readonly unknown?: string | undefined;
}

/** Gives a text or a number as text; empty where there is none. */
export function textAt(object: JsonObject, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** Gives an object; an empty one where there is none. */
export function objectAt(object: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return isObject(value) ? value : {};
}

/** Gives a list; an empty one where there is none. */
export function listAt(object: JsonObject, name: string): readonly JsonValue[] {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return Array.isArray(value) ? value : [];
}

/** Gives the objects of a list. */
export function objectsIn(list: readonly JsonValue[]): JsonObject[] {
  return list.filter(isObject);
}

/** Gives the source of a chart behind an address: a registry's has `oci://` in front, or is told to be one. */
export function sourceOf(address: string, isOci = false): SourceInput {
  if (address.startsWith('oci://')) return { kind: 'OCIRepository', name: address };
  if (isOci) return { kind: 'OCIRepository', name: `oci://${address}` };
  return isUrl(address) ? { kind: 'HelmRepository', name: address } : { kind: 'Local', name: address };
}

/** Gives values laid over others, as Helm lays one file over another. */
export function overlay(under: JsonObject, over: JsonObject): JsonObject {
  const merged: JsonObject = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = Object.hasOwn(under, key) ? under[key] : undefined;
    merged[key] = isObject(below) && isObject(value) ? overlay(below, value) : value;
  }
  return merged;
}

/** Gives the values that a text holds; undefined where it holds none. */
export function valuesOfText(text: string): JsonObject | undefined {
  try {
    const value = plainValue(parseYaml(text)) as JsonValue;
    return isObject(value) ? value : value === null ? {} : undefined;
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
}

/** Gives values with one set as `--set` sets it, or `--set-string`; undefined where the words are no such pair. */
export function withSet(
  values: JsonObject,
  [name, value]: readonly [string, string],
  isText: boolean,
): JsonObject | undefined {
  const target = valueOfJson(values) as GoMap;
  // A comma is the end of a pair, unless a list or a set of values opens with a brace.
  const word = value.startsWith('{') ? value : value.replace(/(?<!\\),/g, '\\,');
  try {
    (isText ? parseSetString : parseSet)(`${name}=${word}`, target);
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
  return plainValue(target) as JsonObject;
}

/** Gives things so that each comes after what it needs, and stays where it is otherwise. What needs itself stays too. */
export function inOrder<T>(
  things: readonly T[],
  idOf: (thing: T) => string,
  needsOf: (thing: T) => readonly string[],
): T[] {
  const byId = new Map(things.map((thing) => [idOf(thing), thing]));
  const done = new Set<T>();
  const visit = (thing: T): void => {
    if (done.has(thing)) return;
    // Before its needs, so that a circle ends.
    done.add(thing);
    for (const id of needsOf(thing)) {
      const needed = byId.get(id);
      if (needed !== undefined) visit(needed);
    }
    sorted.push(thing);
  };
  const sorted: T[] = [];
  for (const thing of things) visit(thing);
  return sorted;
}

/** Gives the members that are present: those that are undefined, empty texts and empty objects go. */
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

/** Gives the names of the members that say something and are not read here, behind those of what holds them: `install.crds`. */
export function unread(object: JsonObject, read: readonly string[], holder = ''): string[] {
  return Object.keys(object)
    .filter((name) => !read.includes(name) && !saysNothing(object[name]))
    .map((name) => (holder === '' ? name : `${holder}.${name}`));
}

/** Gives packages, the first of which tells what of the file that all are from an Order cannot carry. */
export function withFileLeftOut(packages: readonly ImportedPackage[], names: readonly string[]): ImportedPackage[] {
  const told = leftOut(names).map((sentence) => `of its file ${sentence}`);
  return packages.map((item, index) => (index === 0 ? { ...item, left: [...item.left, ...told] } : item));
}

/** Gives the sentence that tells names of members that an Order cannot carry; none where there are none. */
export function leftOut(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} left out`];
}
