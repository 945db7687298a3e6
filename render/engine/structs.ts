// Go structs in templates: named fields in order, methods, and a JSON form with its own names.

import { type GoFunc, type GoMap, GoObject, type GoValue, type Methods } from '../go/value.ts';

/** Describes a struct type. Only `fields` is required. */
export interface StructShape {
  /** The type as `%T` prints it. */
  readonly type: string;
  /** `ptr` if Go holds a pointer to the struct. Default `struct`. */
  readonly kind?: 'struct' | 'ptr';
  /** Returns the exported fields in Go's order. Called once, on first access. */
  readonly fields: () => ReadonlyMap<string, GoValue>;
  /** Returns all fields, including unexported ones. Default: the exported ones. */
  readonly layout?: () => ReadonlyMap<string, GoValue>;
  /** Names of embedded structs. */
  readonly embedded?: readonly string[];
  /** Go's methods have pointer receivers: a struct value has them only if it is addressable. */
  readonly methods?: Methods;
  /** Returns the members of the JSON object in Go's order. Default: the fields under their own names. */
  readonly json?: () => GoMap;
}

/** A struct with a shape. */
export class StructObject extends GoObject {
  readonly type: string;
  override readonly kind: 'struct' | 'ptr';
  readonly #shape: StructShape;
  #known: ReadonlyMap<string, GoValue> | undefined;

  constructor(shape: StructShape) {
    super();
    this.type = shape.type;
    this.kind = shape.kind ?? 'struct';
    this.#shape = shape;
  }

  override fields(): ReadonlyMap<string, GoValue> {
    this.#known ??= this.#shape.fields();
    return this.#known;
  }

  override layout(): ReadonlyMap<string, GoValue> {
    return this.#shape.layout?.() ?? this.fields();
  }

  override get embedded(): readonly string[] {
    return this.#shape.embedded ?? [];
  }

  override method(name: string): GoFunc | undefined {
    return this.#shape.methods?.get(name);
  }

  override copied(): GoObject {
    if (this.kind === 'ptr' || this.#shape.methods === undefined) return this;
    return new StructObject({ ...this.#shape, methods: new Map() });
  }

  override json(): GoValue {
    return this.#shape.json?.() ?? new Map(this.fields());
  }
}

/** Returns JSON members without empty ones, like `omitempty` in Go's struct tags. */
export function omitEmpty(members: readonly (readonly [string, GoValue])[]): GoMap {
  return new Map(members.filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: GoValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Map) return value.size === 0;
  return value === '' || value === false || value === null;
}
