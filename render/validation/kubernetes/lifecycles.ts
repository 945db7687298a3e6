// Which versions of Kubernetes have which kinds, and when an API goes: short tables, for all who ask of a kind alone.

import { suggest } from '../../core/suggest.ts';
import { deprecations } from './deprecations.generated.ts';
import { kinds, minors } from './kinds.generated.ts';

/** The minor versions of Kubernetes that have a thing, first and last. */
export type VersionSpan = readonly [first: number, last: number];

/** A line of a table, and the versions that it is of. */
export interface Entry {
  readonly text: string;
  readonly span: VersionSpan;
}

/** What is wrong with a kind as a whole in a version of Kubernetes. */
export interface KindFault {
  /** `gone`: not served any more, or not yet; `unserved`: no version of Kubernetes has it. */
  readonly kind: 'gone' | 'deprecated' | 'unserved';
  /** Such as `is gone since Kubernetes 1.22`. */
  readonly message: string;
  readonly hint: string;
}

/** Since when an API is deprecated, and what replaces it. */
interface Lifecycle {
  /** The first minor version of Kubernetes that warns about it. */
  readonly deprecated: number;
  /** The first minor version without it, as announced; undefined if none is. */
  readonly gone: number | undefined;
  /** Such as `apps/v1 Deployment`; empty if there is none. */
  readonly replacement: string;
}

/** The versions of the data: of Kubernetes' OpenAPI documents, first and last. */
export const knownVersions: VersionSpan = minors;

interface Tables {
  readonly kinds: readonly Entry[];
  readonly lifecycles: ReadonlyMap<string, Lifecycle>;
  /** The names of kinds by their group. */
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

/** Returns the minor version of a version of Kubernetes: 31 for `v1.31.2`, the last one for what is none. */
export function minorOf(version: string): number {
  return numberOf(version) ?? minors[1];
}

/** Returns the types of the kinds that a minor version has, by `apiVersion kind`. */
export function typesOfKinds(minor: number): ReadonlyMap<string, string> {
  const own = tables()
    .kinds.filter((entry) => isIn(entry, minor))
    .map(({ text }) => text.split(/[ @]/) as [string, string, string]);
  return new Map(own.map(([apiVersion, kind, type]) => [`${apiVersion} ${kind}`, type]));
}

/**
 * Returns what is wrong with a kind in a version of Kubernetes: it does not exist, is not served (any more), or is deprecated.
 * Undefined if nothing is, and for kinds of groups that are not Kubernetes' own.
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
    return { kind: 'gone', message: `is gone since Kubernetes 1.${gone}`, hint };
  }
  if (cycle !== undefined && minor >= cycle.deprecated) {
    const end = gone === undefined ? '' : `, and gone in 1.${gone}`;
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

// Kinds that are served as parts of others, and never written down in a manifest with the rest.
const unlisted = new Set(['ComponentStatus', 'Eviction', 'List', 'Scale', 'Status', 'Table']);

function unservedFault(apiVersion: string, kind: string, minor: number): KindFault | undefined {
  const known = tables().groups.get(groupOf(apiVersion));
  // A later Kubernetes may have it.
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

// Kubernetes changes its plans: what the newest release says about an API counts.
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

/** Returns the lines of a table. */
export function splitLines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** Reports whether a line is of a minor version. */
export function isIn({ span: [first, last] }: Entry, minor: number): boolean {
  return first <= minor && minor <= last;
}

/** Reads the versions that a line is of: `@29-` is from 1.29 on, `@-31` up to 1.31. */
export function entryOf(text: string): Entry {
  const [, first = '', last = ''] = /@(\d*)-(\d*)$/.exec(text) ?? [];
  return { text, span: [first === '' ? minors[0] : Number(first), last === '' ? minors[1] : Number(last)] };
}
