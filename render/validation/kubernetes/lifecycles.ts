// Which Kubernetes versions have which kinds, and when APIs are removed: compact tables.

import { suggest } from '../../core/suggest.ts';
import { deprecations } from './deprecations.generated.ts';
import { kinds, minors } from './kinds.generated.ts';

/** The first and last minor versions of Kubernetes with something. */
type VersionSpan = readonly [first: number, last: number];

/** A line of a table, and its versions. */
export interface Entry {
  readonly text: string;
  readonly span: VersionSpan;
}

/** A problem with a kind as a whole in a Kubernetes version. */
export interface KindFault {
  /** `gone`: removed or not available yet; `unserved`: no Kubernetes version has it. */
  readonly kind: 'gone' | 'deprecated' | 'unserved';
  /** For example `is no longer served as of Kubernetes 1.22`. */
  readonly message: string;
  readonly hint: string;
}

/** The deprecation of an API, and its replacement. */
interface Lifecycle {
  /** The first minor version of Kubernetes that warns about it. */
  readonly deprecated: number;
  /** The first minor version without it, as announced; undefined if none is announced. */
  readonly gone: number | undefined;
  /** For example `apps/v1 Deployment`; empty if there is none. */
  readonly replacement: string;
}

/** The first and last versions of the data, from Kubernetes' OpenAPI documents. */
export const knownVersions: VersionSpan = minors;

interface Tables {
  readonly kinds: readonly Entry[];
  readonly lifecycles: ReadonlyMap<string, Lifecycle>;
  /** The names of kinds by group. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
}

let read: Tables | undefined;

function tables(): Tables {
  if (read !== undefined) return read;
  const groups = new Map<string, Set<string>>();
  const lifecycles = readLifecycles();
  for (const name of [...splitLines(kinds), ...lifecycles.keys()]) {
    const [apiVersion = '', kind = ''] = name.split(' ');
    const group = groupOf(apiVersion);
    groups.set(group, (groups.get(group) ?? new Set()).add(kind));
  }
  read = {
    kinds: splitLines(kinds).map(entryOf),
    lifecycles,
    groups,
  };
  return read;
}

// The core group has no name.
function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/** Returns the minor version of a Kubernetes version: 31 for `v1.31.2`, the last one for an invalid text. */
export function minorOf(version: string): number {
  return numberOf(version) ?? minors[1];
}

/** Returns the types of the kinds in a minor version, by `apiVersion kind`. */
export function typesOfKinds(minor: number): ReadonlyMap<string, string> {
  const own = tables()
    .kinds.filter((entry) => isIn(entry, minor))
    .map(({ text }) => text.split(/[ @]/) as [string, string, string]);
  return new Map(own.map(([apiVersion, kind, type]) => [`${apiVersion} ${kind}`, type]));
}

/**
 * Returns the problem with a kind in a Kubernetes version: it does not exist, is not served (any more), or is deprecated. Undefined if
 * there is none, and for kinds of other groups.
 */
export function kindFault(apiVersion: string, kind: string, kubeVersion: string): KindFault | undefined {
  const minor = minorOf(kubeVersion);
  const cycle = tables().lifecycles.get(`${apiVersion} ${kind}`);
  const span = spanOf(apiVersion, kind);
  if (cycle === undefined && span === undefined) return unservedFault(apiVersion, kind, minor);
  // Some APIs were removed earlier than announced.
  const gone = span !== undefined && span[1] < minors[1] ? span[1] + 1 : cycle?.gone;
  if (gone !== undefined && minor >= gone) {
    const hint = cycle === undefined ? 'Use a later version of its API.' : replacementOf(cycle);
    return { kind: 'gone', message: `is no longer served as of Kubernetes 1.${gone}`, hint };
  }
  if (cycle !== undefined && minor >= cycle.deprecated) {
    const end = gone === undefined ? '' : `, and not served as of 1.${gone}`;
    return {
      kind: 'deprecated',
      message: `is deprecated since Kubernetes 1.${cycle.deprecated}${end}`,
      hint: replacementOf(cycle),
    };
  }
  if (span === undefined || minor < minors[0] || minor >= span[0]) return undefined;
  const hint = 'Ask for a later version, or use another API.';
  return { kind: 'gone', message: `is there since Kubernetes 1.${span[0]} only`, hint };
}

function replacementOf({ replacement }: Lifecycle): string {
  return replacement === '' ? 'Nothing replaces it.' : `Use ${replacement}.`;
}

// Kinds that are subresources and never part of a manifest.
const unlisted = new Set(['ComponentStatus', 'Eviction', 'List', 'Scale', 'Status', 'Table']);

function unservedFault(apiVersion: string, kind: string, minor: number): KindFault | undefined {
  const known = tables().groups.get(groupOf(apiVersion));
  // A later Kubernetes version may have it.
  if (known === undefined || minor > minors[1] || unlisted.has(kind)) return undefined;
  if (known.has(kind)) {
    if (minor < minors[0]) return undefined;
    const hint = 'Correct apiVersion in the template.';
    return { kind: 'unserved', message: 'has a version that Kubernetes never had', hint };
  }
  const meant = suggest(kind, known);
  const hint =
    meant === undefined
      ? 'Correct apiVersion and kind in the template.'
      : `Did you mean "${meant}"? Correct the kind in the template.`;
  return { kind: 'unserved', message: 'is not a kind of Kubernetes', hint };
}

function spanOf(apiVersion: string, kind: string): VersionSpan | undefined {
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

// Kubernetes changes its plans: the newest release decides.
function readLifecycles(): ReadonlyMap<string, Lifecycle> {
  const entries = splitLines(deprecations)
    .map(entryOf)
    .sort((a, b) => a.span[1] - b.span[1]);
  const lifecycles = new Map<string, Lifecycle>();
  for (const { text } of entries) {
    const [apiVersion, kind = '', deprecated = '', gone = '', ...replacement] = text.split(' ').slice(0, -1);
    if (kind.endsWith('List')) continue;
    lifecycles.set(`${apiVersion} ${kind}`, {
      deprecated: numberOf(deprecated) ?? 0,
      gone: numberOf(gone),
      // Kubernetes names the list of one kind.
      replacement: replacement.join(' ').replace(new RegExp(` ${kind}List$`), ` ${kind}`),
    });
  }
  return lifecycles;
}

export function splitLines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

export function isIn({ span: [first, last] }: Entry, minor: number): boolean {
  return first <= minor && minor <= last;
}

/** Parses the versions of a line: `@29-` is from 1.29 on, `@-31` up to 1.31. */
export function entryOf(text: string): Entry {
  const [, first = '', last = ''] = /@(\d*)-(\d*)$/.exec(text) ?? [];
  return { text, span: [first === '' ? minors[0] : Number(first), last === '' ? minors[1] : Number(last)] };
}
