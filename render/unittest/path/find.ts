// Evaluates a path in a rendered object.
// Mirrors: github.com/vmware-labs/yaml-jsonpath v0.3.2, pkg/yamlpath, path.go, filter.go and comparison.go.

import { orderKeys } from '../../codec/yaml/order.ts';
import { memo } from '../../core/lazy.ts';
import { type GoMap, type GoValue, Int } from '../../go/value.ts';
import { type Filter, type Operator, type PathStep, parsePathExpression, type Term, takeRange } from './expression.ts';

const stepsOf = memo(parsePathExpression);

/** Returns all values at a path, in document order. Throws GoError for an invalid path. */
export function findValues(object: GoMap, path: string): readonly GoValue[] {
  if (path === '') return [object];
  return walk([object], stepsOf(path), object);
}

function walk(start: readonly GoValue[], steps: readonly PathStep[], root: GoValue): readonly GoValue[] {
  let found = start;
  for (const step of steps) found = found.flatMap((value) => take(value, step, root));
  return found;
}

function take(value: GoValue, step: PathStep, root: GoValue): readonly GoValue[] {
  switch (step.kind) {
    case 'root':
      return [value];
    case 'all':
      return childrenOf(value);
    case 'allKeys':
      return value instanceof Map ? keysOf(value) : [];
    case 'names':
      return value instanceof Map ? step.names.flatMap((name) => memberOf(value, name)) : [];
    case 'keys':
      return value instanceof Map ? step.names.filter((name) => value.has(name)) : [];
    case 'descent':
      return descend(value, step.name);
    case 'items':
      return Array.isArray(value) ? step.ranges.flatMap((range) => takeRange(value, range)) : [];
    case 'filter': {
      const items = Array.isArray(value) && !step.isRecursive ? value : [value];
      return items.filter((item) => holds(step.filter, item, root));
    }
  }
}

function keysOf(map: GoMap): string[] {
  return orderKeys([...map.keys()], 'natural');
}

// A list of one, or of none.
function memberOf(map: GoMap, name: string): readonly GoValue[] {
  const value = map.get(name);
  return value === undefined ? [] : [value];
}

function childrenOf(value: GoValue): readonly GoValue[] {
  if (value instanceof Map) return keysOf(value).flatMap((key) => memberOf(value, key));
  return Array.isArray(value) ? value : [];
}

// A value and all values below it, from the top; map keys count as values too.
function descend(top: GoValue, name: string): readonly GoValue[] {
  const found: GoValue[] = [];
  const left = [top];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (name === '') found.push(value);
    else if (name === '*') found.push(...childrenOf(value));
    else if (value instanceof Map) found.push(...memberOf(value, name));
    const nodes = value instanceof Map ? withKeys(value) : childrenOf(value);
    for (const node of [...nodes].reverse()) left.push(node);
  }
  return found;
}

function withKeys(map: GoMap): readonly GoValue[] {
  return keysOf(map).flatMap((key) => [key, ...memberOf(map, key)]);
}

function holds(filter: Filter, item: GoValue, root: GoValue): boolean {
  switch (filter.kind) {
    case 'and':
      return holds(filter.left, item, root) && holds(filter.right, item, root);
    case 'or':
      return holds(filter.left, item, root) || holds(filter.right, item, root);
    case 'not':
      return !holds(filter.of, item, root);
    case 'holds':
      return filter.term.kind === 'literal' ? filter.term.value === true : valuesOf(filter.term, item, root).length > 0;
    case 'match': {
      const values = valuesOf(filter.left, item, root);
      return (
        values.length > 0 && values.every((value) => typeof value === 'string' && filter.pattern.matchString(value))
      );
    }
    case 'compare': {
      const [left, right] = [valuesOf(filter.left, item, root), valuesOf(filter.right, item, root)];
      return (
        left.length > 0 && right.length > 0 && left.every((a) => right.every((b) => compare(a, b, filter.operator)))
      );
    }
  }
}

function valuesOf(term: Term, item: GoValue, root: GoValue): readonly GoValue[] {
  if (term.kind === 'literal') return [term.value];
  const start = term.from === 'item' ? item : root;
  return walk([start], term.steps, start);
}

function compare(left: GoValue, right: GoValue, operator: Operator): boolean {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a === undefined || b === undefined) {
    const isEqual = isScalar(left) && left === right;
    if (operator === '!=') return !isEqual;
    return isEqual && operator !== '<' && operator !== '>';
  }
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  if (operator === '>=') return a >= b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a < b;
}

function numberOf(value: GoValue): number | undefined {
  if (value instanceof Int) return Number(value.value);
  return typeof value === 'number' ? value : undefined;
}

function isScalar(value: GoValue): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}
