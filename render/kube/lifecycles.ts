// Which versions of Kubernetes have which kinds, and when an API goes: short tables, for all who ask of a kind alone.

import { kinds, lifecycles, minors } from './kinds.generated.ts';

/** The minor versions of Kubernetes that have a thing, first and last. */
export type Span = readonly [first: number, last: number];

/** A line of a table, and the versions that it is of. */
export interface Entry {
  readonly text: string;
  readonly span: Span;
}

/** What is wrong with a kind as a whole in a version of Kubernetes. */
export interface KindFault {
  /** `gone` for what is not there, no more or not yet. */
  readonly kind: 'gone' | 'deprecated';
  /** Such as `is gone since Kubernetes 1.22`. */
  readonly message: string;
  readonly mend: string;
}

/** When an API goes, and what replaces it. */
interface Lifecycle {
  /** The minor version of Kubernetes that first warns of it, and the one that has it no more. */
  readonly deprecated: number;
  readonly gone: number;
  /** Such as `apps/v1 Deployment`; empty where there is none. */
  readonly replacement: string;
}

/** The versions of the data: of Kubernetes' OpenAPI documents, first and last. */
export const knownVersions: Span = minors;

let read: { readonly kinds: readonly Entry[]; readonly lifecycles: ReadonlyMap<string, Lifecycle> } | undefined;

function tables(): NonNullable<typeof read> {
  read ??= {
    kinds: linesOf(kinds).map(entryOf),
    lifecycles: new Map(linesOf(lifecycles).map(readLifecycle)),
  };
  return read;
}

/** Gives the minor version of a version of Kubernetes: 31 for `v1.31.2`, the last one for what is none. */
export function minorOf(version: string): number {
  return numberOf(version) ?? minors[1];
}

/** Gives the types of the kinds that a minor version has, by `apiVersion kind`. */
export function typesOfKinds(minor: number): ReadonlyMap<string, string> {
  const own = tables()
    .kinds.filter((entry) => isIn(entry, minor))
    .map(({ text }) => text.split(/[ @]/) as [string, string, string]);
  return new Map(own.map(([apiVersion, kind, type]) => [`${apiVersion} ${kind}`, type]));
}

/** Gives what is wrong with a kind in a version of Kubernetes: that it is not there, no more, or not for long; undefined for nothing. */
export function kindFault(apiVersion: string, kind: string, kubeVersion: string): KindFault | undefined {
  const minor = minorOf(kubeVersion);
  const cycle = tables().lifecycles.get(`${apiVersion} ${kind}`);
  if (cycle !== undefined && minor >= cycle.deprecated) {
    const mend = cycle.replacement === '' ? 'Nothing replaces it.' : `Use ${cycle.replacement}.`;
    if (minor >= cycle.gone) return { kind: 'gone', message: `is gone since Kubernetes 1.${cycle.gone}`, mend };
    const message = `is deprecated since Kubernetes 1.${cycle.deprecated}, and gone in 1.${cycle.gone}`;
    return { kind: 'deprecated', message, mend };
  }
  const span = spanOf(apiVersion, kind);
  if (span === undefined || minor < minors[0]) return undefined;
  const [first, last] = span;
  if (minor < first) {
    const mend = 'Ask for a later version, or use another API.';
    return { kind: 'gone', message: `is there since Kubernetes 1.${first} only`, mend };
  }
  if (minor <= last || last === minors[1]) return undefined;
  return { kind: 'gone', message: `is gone since Kubernetes 1.${last + 1}`, mend: 'Use a later version of its API.' };
}

/** Tells whether any version of Kubernetes that the tables know has, or had, a kind. */
export function isKnownKind(apiVersion: string, kind: string): boolean {
  return spanOf(apiVersion, kind) !== undefined || tables().lifecycles.has(`${apiVersion} ${kind}`);
}

function spanOf(apiVersion: string, kind: string): Span | undefined {
  const spans = tables()
    .kinds.filter(({ text }) => text.startsWith(`${apiVersion} ${kind} `))
    .map(({ span }) => span);
  const [first] = spans;
  return first && [first[0], spans.at(-1)?.[1] ?? first[1]];
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

/** Gives the lines of a table. */
export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** Tells whether a line is of a minor version. */
export function isIn({ span: [first, last] }: Entry, minor: number): boolean {
  return first <= minor && minor <= last;
}

/** Reads the versions that a line is of: `@29-` is from 1.29 on, `@-31` up to 1.31. */
export function entryOf(text: string): Entry {
  const [, first = '', last = ''] = /@(\d*)-(\d*)$/.exec(text) ?? [];
  return { text, span: [first === '' ? minors[0] : Number(first), last === '' ? minors[1] : Number(last)] };
}
