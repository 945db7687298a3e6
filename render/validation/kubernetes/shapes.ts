// The shapes of the objects of Kubernetes versions, read from tables on demand.

import { entryOf, isIn, knownVersions, minorOf, splitLines, typesOfKinds } from './lifecycles.ts';
import { types } from './tables.generated.ts';

/** The type of a field in the tables: a letter, a type name, or `[` and `{` before the element type of a list or a map. */
export type ObjectFields = string;

/** A field of a type. */
export interface ShapeField {
  readonly shape: ObjectFields;
  readonly isRequired: boolean;
}

/** The shapes of a Kubernetes version. */
export interface Shapes {
  /** The version of the tables, such as `1.31`: the nearest available one. */
  readonly version: string;
  /** Returns the type of a kind; undefined if the version does not have it. */
  typeOf(apiVersion: string, kind: string): string | undefined;
  /** Returns the fields of a type. */
  fieldsOf(type: string): ReadonlyMap<string, ShapeField>;
}

const none: ReadonlyMap<string, ShapeField> = new Map();
const shapes = new Map<number, Shapes>();
let lines: ReadonlyMap<string, string> | undefined;

/** Returns the shapes for a version such as `v1.31.2`. The tables are large and loaded on demand. */
export function shapesOf(version: string): Shapes {
  const [oldest, newest] = knownVersions;
  const minor = Math.min(newest, Math.max(oldest, minorOf(version)));
  const known = shapes.get(minor) ?? readShapes(minor);
  shapes.set(minor, known);
  return known;
}

function readShapes(minor: number): Shapes {
  const byKind = typesOfKinds(minor);
  const fields = new Map<string, ReadonlyMap<string, ShapeField>>();
  return {
    version: `1.${minor}`,
    typeOf: (apiVersion, kind) => byKind.get(`${apiVersion} ${kind}`),
    fieldsOf: (type) => {
      const found = fields.get(type) ?? readFields(lineOf(type), minor);
      fields.set(type, found);
      return found;
    },
  };
}

function lineOf(type: string): string | undefined {
  lines ??= new Map(splitLines(types).map((line) => [line.slice(0, line.indexOf(' ')), line]));
  return lines.get(type);
}

function readFields(line: string | undefined, minor: number): ReadonlyMap<string, ShapeField> {
  if (line === undefined) return none;
  const words = line
    .split(' ')
    .slice(1)
    .filter((word) => isIn(entryOf(word), minor));
  return new Map(
    words.map((word): [string, ShapeField] => {
      const [, name = '', shape = '', mark] = /^([^:]+):([^!@]+)(!?)/.exec(word) ?? [];
      return [name, { shape, isRequired: mark === '!' }];
    }),
  );
}
