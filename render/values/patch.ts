// RFC 6902 JSON Patch on values, the last layer of a package's values.

import { RenderError } from '../core/errors.ts';
import { withFloats } from '../go/copy-tree.ts';
import { deepEqual } from '../go/deep-equal.ts';
import type { GoMap, GoValue } from '../go/value.ts';
import type { JsonObject, JsonValue, PatchOperation } from '../order/order.ts';
import { copyValue } from './lookup.ts';

/**
 * Returns the values with all operations applied in order; the input is not modified. Throws VALUES_INVALID for the first operation that
 * cannot be applied, with its index and a hint.
 */
export function applyPatch(values: GoMap, operations: readonly PatchOperation[]): GoMap {
  let patched: GoValue = copyValue(values);
  const budget = { copies: maxCopies };
  operations.forEach((operation, i) => {
    try {
      patched = apply(patched, operation, budget);
    } catch (error) {
      if (error instanceof Refusal) throw patchInvalid(operation, i, error);
      throw error;
    }
  });
  if (patched instanceof Map) return patched;
  throw new RenderError('VALUES_INVALID', 'valuesPatch: the values must stay an object', {
    member: 'valuesPatch',
    hint: 'Let the operation on the path "" set an object.',
  });
}

// Limits of values copied by a patch and of steps in a pointer: a few dozen copies of a value into itself would exhaust memory or the
// stack.
const maxCopies = 100_000;
const maxSteps = 200;

/** Converts a JSON value to Go's representation: objects are maps, numbers are float64. Undefined members are absent. */
export function valueOfJson(json: JsonValue): GoValue {
  if (json === null || typeof json !== 'object') return json ?? null;
  if (Array.isArray(json)) return Array.from(json, valueOfJson);
  const map: GoMap = new Map();
  // For a hundred thousand members, Object.entries takes three times as long as Object.keys.
  for (const key of Object.keys(json)) {
    const inner = (json as JsonObject)[key];
    if (inner !== undefined) map.set(key, valueOfJson(inner));
  }
  return map;
}

/** Why an operation cannot be applied, and how to fix it. */
class Refusal extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

function patchInvalid({ op, path }: PatchOperation, index: number, { message, hint }: Refusal): RenderError {
  const text = `cannot ${op} ${JSON.stringify(path)}: ${message}`;
  return new RenderError('VALUES_INVALID', `valuesPatch[${index}]: ${text}`, {
    issues: [{ path: `valuesPatch[${index}]`, message: text, severity: 'error', hint }],
    member: `valuesPatch[${index}]`,
    hint,
  });
}

function apply(root: GoValue, { op, path, from, value }: PatchOperation, budget: { copies: number }): GoValue {
  switch (op) {
    case 'add':
      return add(root, path, valueOfJson(needValue(value)));
    case 'remove':
      return remove(root, path);
    case 'replace': {
      find(root, path);
      const given = valueOfJson(needValue(value));
      return path === '' ? given : assign(root, path, given);
    }
    case 'move': {
      const source = needFrom(from);
      if (path.startsWith(`${source}/`)) {
        throw new Refusal(`it is inside ${JSON.stringify(source)}`, 'Move to a path outside of the moved value.');
      }
      const moved = find(root, source);
      return path === source ? root : add(remove(root, source), path, moved);
    }
    case 'copy': {
      const copied = find(root, needFrom(from));
      budget.copies -= countValues(copied);
      if (budget.copies < 0) {
        throw new Refusal(`the patch copies more than ${maxCopies} values`, 'Give large values in "values" instead.');
      }
      return add(root, path, copyValue(copied));
    }
    case 'test': {
      if (isSame(find(root, path), valueOfJson(needValue(value)))) return root;
      throw new Refusal('the value is another', 'Correct the expected value, or drop the test.');
    }
  }
}

function countValues(value: GoValue): number {
  const left: GoValue[] = [value];
  let count = 0;
  for (let item = left.pop(); item !== undefined; item = left.pop()) {
    count++;
    if (item instanceof Map || Array.isArray(item)) for (const inner of item.values()) left.push(inner);
  }
  return count;
}

function needValue(value: JsonValue | undefined): JsonValue {
  if (value !== undefined) return value;
  throw new Refusal('there is no "value"', 'Give the operation a "value"; it may be null.');
}

function needFrom(from: string | undefined): string {
  if (from !== undefined) return from;
  throw new Refusal('there is no "from"', 'Give the operation a "from" pointer.');
}

function tokensOf(pointer: string): string[] {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) {
    throw new Refusal(
      `${JSON.stringify(pointer)} is not a JSON pointer`,
      'A pointer is empty or begins with "/"; "~" is written "~0" and "/" within a key "~1".',
    );
  }
  const tokens = pointer.slice(1).split('/');
  if (tokens.length > maxSteps) {
    throw new Refusal(`the pointer has more than ${maxSteps} steps`, 'Keep the values flatter.');
  }
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function find(root: GoValue, pointer: string): GoValue {
  return tokensOf(pointer).reduce(child, root);
}

function child(parent: GoValue, token: string): GoValue {
  const found =
    parent instanceof Map
      ? parent.get(token)
      : Array.isArray(parent)
        ? parent[indexOf(token, parent.length)]
        : undefined;
  if (found === undefined) throw missing(parent, token);
  return found;
}

function missing(parent: GoValue, token: string): Refusal {
  const keys = parent instanceof Map ? [...parent.keys()] : [];
  const known = keys.length === 0 ? '' : ` Known keys here: ${keys.slice(0, 10).join(', ')}.`;
  return new Refusal(`there is no ${JSON.stringify(token)}`, `Check the path against the chart's values.yaml.${known}`);
}

function indexOf(token: string, limit: number): number {
  if (/^(0|[1-9][0-9]*)$/.test(token) && Number(token) < limit) return Number(token);
  throw new Refusal(
    `${JSON.stringify(token)} is not an index of a list of ${limit}`,
    'Use a number within the list, or "-" to add at its end.',
  );
}

// Splits a pointer into the container and the last step.
function locate(root: GoValue, pointer: string): { parent: GoMap | GoValue[]; token: string } {
  const tokens = tokensOf(pointer);
  const token = tokens.pop()!;
  const parent = tokens.reduce(child, root);
  if (parent instanceof Map || Array.isArray(parent)) return { parent, token };
  throw missing(parent, token);
}

function add(root: GoValue, pointer: string, value: GoValue): GoValue {
  if (pointer === '') return value;
  const { parent, token } = locate(root, pointer);
  if (parent instanceof Map) parent.set(token, value);
  else parent.splice(token === '-' ? parent.length : indexOf(token, parent.length + 1), 0, value);
  return root;
}

function assign(root: GoValue, pointer: string, value: GoValue): GoValue {
  const { parent, token } = locate(root, pointer);
  if (parent instanceof Map) parent.set(token, value);
  else parent[indexOf(token, parent.length)] = value;
  return root;
}

function remove(root: GoValue, pointer: string): GoValue {
  if (pointer === '') throw new Refusal('the values cannot be removed as a whole', 'Replace them with {} instead.');
  find(root, pointer);
  const { parent, token } = locate(root, pointer);
  if (parent instanceof Map) parent.delete(token);
  else parent.splice(indexOf(token, parent.length), 1);
  return root;
}

// Numbers are equal by value, whether Go holds an integer or a float.
function isSame(a: GoValue, b: GoValue): boolean {
  return deepEqual(withFloats(a), withFloats(b));
}
