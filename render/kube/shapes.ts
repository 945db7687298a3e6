// The shapes of the objects of one version of Kubernetes, read from the tables when they are asked for.

import { kinds, lifecycles, minors, types } from './tables.generated.ts';

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

const [oldest, newest] = minors;
const none: ReadonlyMap<string, Field> = new Map();
const known = new Map<number, Shapes>();
let lines: ReadonlyMap<string, string> | undefined;
let goes: ReadonlyMap<string, Lifecycle> | undefined;

/** The version of the data: of Kubernetes' OpenAPI documents, first and last. */
export const dataVersions = `1.${oldest} to 1.${newest}`;

/** Gives the minor version of a version of Kubernetes: 31 for `v1.31.2`. */
export function minorOf(version: string): number {
  return Number(/^\D*\d+\.(\d+)/.exec(version)?.[1] ?? newest);
}

/** Gives the shapes of a version such as `v1.31.2`. */
export function shapesOf(version: string): Shapes {
  const minor = Math.min(newest, Math.max(oldest, minorOf(version)));
  const shapes = known.get(minor) ?? readShapes(minor);
  known.set(minor, shapes);
  return shapes;
}

/** Gives when an API goes; undefined for one that stays. */
export function lifecycleOf(apiVersion: string, kind: string): Lifecycle | undefined {
  goes ??= new Map(linesOf(lifecycles).map(readLifecycle));
  return goes.get(`${apiVersion} ${kind}`);
}

/** Gives the minor versions that have a kind, first and last; undefined where none has. */
export function spanOf(apiVersion: string, kind: string): readonly [first: number, last: number] | undefined {
  const spans = linesOf(kinds)
    .filter((line) => line.startsWith(`${apiVersion} ${kind} `))
    .map(bounds);
  const [first] = spans;
  return first && [first[0], spans.at(-1)?.[1] ?? first[1]];
}

function readLifecycle(line: string): readonly [string, Lifecycle] {
  const [apiVersion, kind, deprecated = '', gone = '', ...replacement] = line.split(' ');
  return [
    `${apiVersion} ${kind}`,
    { deprecated: minorOf(deprecated), gone: minorOf(gone), replacement: replacement.join(' ') },
  ];
}

function readShapes(minor: number): Shapes {
  const own = linesOf(kinds)
    .filter((line) => isIn(line, minor))
    .map((line) => line.split(/[ @]/) as [string, string, string]);
  const byKind = new Map(own.map(([apiVersion, kind, type]) => [`${apiVersion} ${kind}`, type]));
  const fields = new Map<string, ReadonlyMap<string, Field>>();
  return {
    version: `1.${minor}`,
    typeOf: (apiVersion, kind) => byKind.get(`${apiVersion} ${kind}`),
    fieldsOf: (type) => {
      const found = fields.get(type) ?? readFields(type, minor);
      fields.set(type, found);
      return found;
    },
  };
}

function readFields(type: string, minor: number): ReadonlyMap<string, Field> {
  lines ??= new Map(linesOf(types).map((line) => [line.slice(0, line.indexOf(' ')), line]));
  const line = lines.get(type);
  if (line === undefined) return none;
  const words = line.split(' ').slice(1);
  return new Map(
    words
      .filter((word) => isIn(word, minor))
      .map((word): [string, Field] => {
        const [, name = '', shape = '', mark] = /^([^:]+):([^!@]+)(!?)/.exec(word) ?? [];
        return [name, { shape, isRequired: mark === '!' }];
      }),
  );
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

function isIn(word: string, minor: number): boolean {
  const [first, last] = bounds(word);
  return first <= minor && minor <= last;
}

// `@29-` is from 1.29 on, `@-31` up to 1.31.
function bounds(word: string): readonly [first: number, last: number] {
  const [, first = '', last = ''] = /@(\d*)-(\d*)$/.exec(word) ?? [];
  return [first === '' ? oldest : Number(first), last === '' ? newest : Number(last)];
}
