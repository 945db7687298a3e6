// Shapes of JSON values: their members and types, without the values; and the differences between two shapes.

import type { JsonValue } from '../../../render/index.ts';

type Kind = 'null' | 'boolean' | 'number' | 'string' | 'time' | 'empty string' | 'list' | 'object';

/** The shape at one place of one or more values. */
export interface ResponseShape {
  /** Number of values seen at this place. */
  count: number;
  readonly kinds: Set<Kind>;
  readonly members: Map<string, ResponseShape>;
  /** Shape of list items; its count is 0 if all lists were empty. */
  items: ResponseShape | undefined;
}

/** One difference, with its path such as `[].status.phase`. */
export interface ShapeDifference {
  readonly path: string;
  readonly message: string;
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

export function shapeOf(value: JsonValue): ResponseShape {
  const shape = emptyShape();
  see(shape, value);
  return shape;
}

function emptyShape(): ResponseShape {
  return { count: 0, kinds: new Set(), members: new Map(), items: undefined };
}

function see(shape: ResponseShape, value: JsonValue): void {
  shape.count++;
  shape.kinds.add(kindOf(value));
  if (Array.isArray(value)) {
    shape.items ??= emptyShape();
    for (const item of value) see(shape.items, item);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const known = shape.members.get(name) ?? emptyShape();
      shape.members.set(name, known);
      see(known, member);
    }
  }
}

function kindOf(value: JsonValue): Kind {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (value === '') return 'empty string';
  if (typeof value === 'string') return time.test(value) ? 'time' : 'string';
  return typeof value as 'boolean' | 'number' | 'object';
}

/** Returns the differences between two shapes. Below paths in `free`, only the type is compared. */
export function compareShapes(
  real: ResponseShape,
  emulated: ResponseShape,
  free: ReadonlySet<string>,
  path = '',
): readonly ShapeDifference[] {
  if (!areCompatible(real, emulated))
    return [{ path, message: `is ${words(real)} in the deployment, ${words(emulated)} in the emulator` }];
  const differences: ShapeDifference[] = [];
  if (isSeen(real.items) && isSeen(emulated.items)) {
    differences.push(...compareShapes(real.items, emulated.items, free, `${path}[]`));
  }
  const objects = (shape: ResponseShape): boolean => shape.kinds.has('object');
  if (!objects(real) || !objects(emulated) || free.has(path)) return differences;
  for (const name of new Set([...real.members.keys(), ...emulated.members.keys()])) {
    const [one, other] = [real.members.get(name), emulated.members.get(name)];
    const at = path === '' ? name : `${path}.${name}`;
    if (one && other) differences.push(...compareShapes(one, other, free, at));
    else if (one && one.count === real.count) differences.push({ path: at, message: 'is missing in the emulator' });
    else if (other && other.count === emulated.count)
      differences.push({ path: at, message: 'is missing in the deployment' });
  }
  return differences;
}

function isSeen(shape: ResponseShape | undefined): shape is ResponseShape {
  return shape !== undefined && shape.count > 0;
}

// Null and the empty string are compatible with any other value of the field.
function areCompatible(real: ResponseShape, emulated: ResponseShape): boolean {
  const known = ({ kinds }: ResponseShape): readonly Kind[] =>
    [...kinds].filter((kind) => kind !== 'null' && kind !== 'empty string').sort();
  const [one, other] = [known(real), known(emulated)];
  const isText = (kinds: readonly Kind[], shape: ResponseShape): boolean =>
    kinds.every((kind) => kind === 'string' || kind === 'time') &&
    (kinds.length > 0 || shape.kinds.has('empty string'));
  // If one side has seen more types of values, one in common is enough.
  if (one.length > 0 && other.length > 0) return one.some((kind) => other.includes(kind));
  const isEmptyText = real.kinds.has('empty string') || emulated.kinds.has('empty string');
  return !isEmptyText || (isText(one, real) && isText(other, emulated)) || one.length + other.length === 0;
}

function words({ kinds }: ResponseShape): string {
  const names: Readonly<Record<Kind, string>> = {
    null: 'null',
    boolean: 'true or false',
    number: 'a number',
    string: 'a string',
    time: 'a time',
    'empty string': 'an empty string',
    list: 'a list',
    object: 'an object',
  };
  return [...kinds].map((kind) => names[kind]).join(' or ');
}
