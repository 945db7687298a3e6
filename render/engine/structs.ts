// Go structs as templates see them: named fields in order, methods, a JSON form with names of its own.

import { type GoFunc, type GoMap, GoObject, type GoValue, type Methods } from '../go/value.ts';

/** Describes what a struct is: everything but its fields may be left out. */
export interface StructShape {
  /** The type as `%T` prints it. */
  readonly type: string;
  /** `ptr` when Go holds a pointer to the struct. Default `struct`. */
  readonly kind?: 'struct' | 'ptr';
  /** Returns the exported fields in Go's order; called once, when a template asks for the first one. */
  readonly fields: () => ReadonlyMap<string, GoValue>;
  /** Returns every field, unexported ones too. Default: the exported ones. */
  readonly layout?: () => ReadonlyMap<string, GoValue>;
  /** Names of embedded structs. */
  readonly embedded?: readonly string[];
  /** Go's methods all have a pointer receiver: a struct that is not a pointer shows them only where it has an address. */
  readonly methods?: Methods;
  /** Returns the members of the JSON object in Go's order. Default: the fields under their own names. */
  readonly json?: () => GoMap;
}

/** A struct made of a shape. */
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

/** Returns JSON members without the empty ones, as the `omitempty` of Go's struct tags does. */
export function omitEmpty(members: readonly (readonly [string, GoValue])[]): GoMap {
  return new Map(members.filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: GoValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Map) return value.size === 0;
  return value === '' || value === false || value === null;
}
