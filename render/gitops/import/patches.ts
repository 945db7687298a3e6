// kustomize's patches: strategic merges of custom resources, JSON patches, and their targets.

import { RenderError } from '../../core/errors.ts';
import { compileRegexp } from '../../go/regexp/regexp.ts';
import { GoError } from '../../go/value.ts';
import type { JsonObject, JsonValue, PatchOperation } from '../../order/order.ts';
import { isObject } from '../../order/shape.ts';
import { applyPatch } from '../../values/patch.ts';
import { apiGroupOf, goMapOf, objectAt, objectMember, textAt } from './members.ts';

// Mirrors: sigs.k8s.io/kustomize, api/internal/builtins/PatchTransformer.go; api/types/selector.go; kyaml/yaml/merge2, v5.7.

export interface PatchedName {
  readonly name: string;
  readonly namespace: string;
}

export class PatchError extends Error {}

/**
 * Merges a patch into an object: maps are merged, lists replaced, nulls delete. Undefined if the patch deletes the object. Throws
 * PatchError for a directive other than `$patch`.
 */
export function strategicMerge(target: JsonObject, patch: JsonObject): JsonObject | undefined {
  const directive = textAt(patch, '$patch');
  if (directive === 'delete') return undefined;
  const own = Object.entries(patch).filter(([key]) => key !== '$patch');
  const unknown = own.find(([key]) => key.startsWith('$'));
  if (unknown !== undefined) throw new PatchError(`the directive ${unknown[0]} is not supported`);
  const merged: JsonObject = directive === 'replace' ? {} : { ...target };
  for (const [key, value] of own) {
    const below = Object.hasOwn(merged, key) ? merged[key] : undefined;
    const next = isObject(value) ? strategicMerge(isObject(below) ? below : {}, value) : value;
    if (next === null || next === undefined) delete merged[key];
    else merged[key] = next;
  }
  return merged;
}

/** Applies a JSON patch to an object. Throws PatchError. */
export function jsonPatch(target: JsonObject, operations: readonly JsonValue[]): JsonObject {
  try {
    const list = operations.filter(isObject).map((item): PatchOperation => {
      const { op, value, from } = item;
      const pointers = { path: textAt(item, 'path'), ...(from === undefined ? {} : { from: textAt(item, 'from') }) };
      return { op: op as PatchOperation['op'], ...pointers, ...(value === undefined ? {} : { value }) };
    });
    return objectMember(applyPatch(goMapOf(target), list));
  } catch (error) {
    if (error instanceof RenderError)
      throw new PatchError(error.message.replace(/^valuesPatch\[(\d+)\]/, 'operation $1'));
    throw error;
  }
}

/** Reports whether a selector (`target` of a patch) matches an object under one of its names. */
export function isSelected(object: JsonObject, names: readonly PatchedName[], selector: JsonObject): boolean {
  const metadata = objectAt(object, 'metadata');
  const version = textAt(object, 'apiVersion').split('/').pop() ?? '';
  const own: readonly (readonly [pattern: string, value: string])[] = [
    [textAt(selector, 'group'), apiGroupOf(object)],
    [textAt(selector, 'version'), version],
    [textAt(selector, 'kind'), textAt(object, 'kind')],
  ];
  const [name, namespace] = [textAt(selector, 'name'), textAt(selector, 'namespace')];
  return (
    own.every(([pattern, value]) => matches(pattern, value)) &&
    names.some((item) => matches(name, item.name) && matches(namespace, item.namespace)) &&
    hasLabels(objectAt(metadata, 'labels'), textAt(selector, 'labelSelector')) &&
    hasLabels(objectAt(metadata, 'annotations'), textAt(selector, 'annotationSelector'))
  );
}

// kustomize anchors the patterns; an empty one matches everything.
function matches(pattern: string, value: string): boolean {
  if (pattern === '') return true;
  try {
    return compileRegexp(`^(?:${pattern})$`).matchString(value);
  } catch (error) {
    if (error instanceof GoError) throw new PatchError(`${JSON.stringify(pattern)} is not a regular expression`);
    throw error;
  }
}

/** Reports whether labels match a selector such as `app=web,tier!=db,canary`. Throws PatchError for other forms. */
function hasLabels(labels: JsonObject, selector: string): boolean {
  if (/\b(?:not)?in\s*\(/.test(selector)) {
    const [, key = '', not, list = ''] = /^\s*([^\s,]+)\s+(not)?in\s*\(([^)]*)\)\s*$/.exec(selector) ?? [];
    if (key === '') throw new PatchError(`the selector ${JSON.stringify(selector)} is not supported`);
    const isListed = list.split(',').some((value) => value.trim() === textAt(labels, key));
    return (Object.hasOwn(labels, key) && isListed) !== (not !== undefined);
  }
  return selector.split(',').every((part) => {
    const [, not, key = '', operator, value = ''] = /^(!?)\s*([^\s!=]*)\s*(==?|!=)?\s*(.*)$/s.exec(part.trim()) ?? [];
    if (key === '') return true;
    if (operator === undefined) return Object.hasOwn(labels, key) === (not === '');
    return (textAt(labels, key) === value && Object.hasOwn(labels, key)) === (operator !== '!=');
  });
}
