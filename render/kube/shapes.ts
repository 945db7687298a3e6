// The shapes of the objects of Kubernetes' versions, read from the tables when they are asked for.

import * as tables from './tables.generated.ts';

/** The shape of a field, as the tables write it: a letter, a type, or `[` and `{` before what a list or a map holds. */
export type Shape = string;

/** A field of a type. */
export interface Field {
  readonly shape: Shape;
  readonly isRequired: boolean;
}

/** The shapes of a version. */
export interface Shapes {
  /** The version that the tables are of, such as `1.31`: the nearest of those that there are. */
  readonly version: string;
  /** Gives the type of a kind; undefined for a kind that the version has not. */
  typeOf(apiVersion: string, kind: string): string | undefined;
  /** Gives the fields of a type. */
  fieldsOf(type: string): ReadonlyMap<string, Field>;
}

/** When an API goes, and what replaces it. */
export interface Lifecycle {
  /** The minor version of Kubernetes that first warns of it, and the one that has it no more. */
  readonly deprecated: number;
  readonly gone: number;
  /** Such as `apps/v1 Deployment`; empty where there is none. */
  readonly replacement: string;
}

/** What is known of Kubernetes' versions. */
export interface Schemas {
  /** The versions of the data: of Kubernetes' OpenAPI documents, first and last. */
  readonly versions: string;
  /** Gives the minor version of a version of Kubernetes: 31 for `v1.31.2`, the last one for what is none. */
  minorOf(version: string): number;
  /** Gives the shapes of a version such as `v1.31.2`. */
  shapesOf(version: string): Shapes;
  /** Gives when an API goes; undefined for one that stays. */
  lifecycleOf(apiVersion: string, kind: string): Lifecycle | undefined;
  /** Gives the minor versions that have a kind, first and last; undefined where none has. */
  spanOf(apiVersion: string, kind: string): Span | undefined;
}

type Span = readonly [first: number, last: number];

/** A line of a table, and the versions that it is of. */
interface Entry {
  readonly text: string;
  readonly span: Span;
}

const none: ReadonlyMap<string, Field> = new Map();
let read: Schemas | undefined;

/** Gives the schemas. The tables are long, and read for those alone who ask. */
export function kubeSchemas(): Schemas {
  read ??= readTables();
  return read;
}

function readTables(): Schemas {
  const [oldest, newest] = tables.minors;
  const shapes = new Map<number, Shapes>();
  const kinds = linesOf(tables.kinds).map((line) => entryOf(line, tables.minors));
  const types = new Map(linesOf(tables.types).map((line) => [line.slice(0, line.indexOf(' ')), line]));
  const lifecycles = new Map(linesOf(tables.lifecycles).map(readLifecycle));
  const minorOf = (version: string): number => numberOf(version) ?? newest;
  const fieldsOf = (type: string, minor: number): ReadonlyMap<string, Field> =>
    readFields(types.get(type), (word) => isIn(entryOf(word, tables.minors), minor));
  return {
    versions: `1.${oldest} to 1.${newest}`,
    minorOf,
    shapesOf: (version) => {
      const minor = Math.min(newest, Math.max(oldest, minorOf(version)));
      const known = shapes.get(minor) ?? readShapes(minor, kinds, fieldsOf);
      shapes.set(minor, known);
      return known;
    },
    lifecycleOf: (apiVersion, kind) => lifecycles.get(`${apiVersion} ${kind}`),
    spanOf: (apiVersion, kind) => {
      const spans = kinds.filter(({ text }) => text.startsWith(`${apiVersion} ${kind} `)).map(({ span }) => span);
      const [first] = spans;
      return first && [first[0], spans.at(-1)?.[1] ?? first[1]];
    },
  };
}

function numberOf(version: string): number | undefined {
  const minor = /^\D*\d+\.(\d+)/.exec(version)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

function readLifecycle(line: string): readonly [string, Lifecycle] {
  const [apiVersion, kind, deprecated = '', gone = '', ...replacement] = line.split(' ');
  return [
    `${apiVersion} ${kind}`,
    { deprecated: numberOf(deprecated) ?? 0, gone: numberOf(gone) ?? 0, replacement: replacement.join(' ') },
  ];
}

function readShapes(
  minor: number,
  kinds: readonly Entry[],
  fieldsOf: (type: string, minor: number) => ReadonlyMap<string, Field>,
): Shapes {
  const own = kinds
    .filter((entry) => isIn(entry, minor))
    .map(({ text }) => text.split(/[ @]/) as [string, string, string]);
  const byKind = new Map(own.map(([apiVersion, kind, type]) => [`${apiVersion} ${kind}`, type]));
  const fields = new Map<string, ReadonlyMap<string, Field>>();
  return {
    version: `1.${minor}`,
    typeOf: (apiVersion, kind) => byKind.get(`${apiVersion} ${kind}`),
    fieldsOf: (type) => {
      const found = fields.get(type) ?? fieldsOf(type, minor);
      fields.set(type, found);
      return found;
    },
  };
}

function readFields(line: string | undefined, has: (word: string) => boolean): ReadonlyMap<string, Field> {
  if (line === undefined) return none;
  const words = line.split(' ').slice(1).filter(has);
  return new Map(
    words.map((word): [string, Field] => {
      const [, name = '', shape = '', mark] = /^([^:]+):([^!@]+)(!?)/.exec(word) ?? [];
      return [name, { shape, isRequired: mark === '!' }];
    }),
  );
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function isIn({ span: [first, last] }: Entry, minor: number): boolean {
  return first <= minor && minor <= last;
}

// `@29-` is from 1.29 on, `@-31` up to 1.31.
function entryOf(text: string, [oldest, newest]: Span): Entry {
  const [, first = '', last = ''] = /@(\d*)-(\d*)$/.exec(text) ?? [];
  return { text, span: [first === '' ? oldest : Number(first), last === '' ? newest : Number(last)] };
}
