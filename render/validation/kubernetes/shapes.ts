// The shapes of the objects of Kubernetes' versions, read from the tables when they are asked for.

import { entryOf, isIn, knownVersions, minorOf, splitLines, typesOfKinds } from './lifecycles.ts';
import { types } from './tables.generated.ts';

/** The shape of a field, as the tables write it: a letter, a type, or `[` and `{` before what a list or a map holds. */
export type ObjectFields = string;

/** A field of a type. */
export interface ShapeField {
  readonly shape: ObjectFields;
  readonly isRequired: boolean;
}

/** The shapes of a version. */
export interface Shapes {
  /** The version that the tables are of, such as `1.31`: the nearest of those that there are. */
  readonly version: string;
  /** Returns the type of a kind; undefined for a kind that the version has not. */
  typeOf(apiVersion: string, kind: string): string | undefined;
  /** Returns the fields of a type. */
  fieldsOf(type: string): ReadonlyMap<string, ShapeField>;
}

const none: ReadonlyMap<string, ShapeField> = new Map();
const shapes = new Map<number, Shapes>();
let lines: ReadonlyMap<string, string> | undefined;

/** Returns the shapes of a version such as `v1.31.2`. The tables are long, and read for those alone who ask. */
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
