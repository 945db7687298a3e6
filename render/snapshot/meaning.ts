// The meaning of a snapshot's changes: the objects that differ, each listed once with its files.

import { attempt } from '../core/catch.ts';
import { RenderError } from '../core/errors.ts';
import { groupBy } from '../core/group-by.ts';
import { uniqueBy } from '../core/unique-by.ts';
import {
  type Difference,
  type DiffOptions,
  type DiffSummary,
  diffObjects,
  isDifference,
  type ObjectChange,
  type ObjectName,
  summaryOf,
} from '../diff/difference.ts';
import { diffText } from '../diff/embedded.ts';
import { type Ignored, type IgnoreRule, isChecksumName, isDigest, isVersionChange } from '../diff/noise.ts';
import type { ChangedFile, SnapshotStatus } from './compare.ts';

/** An object that differs, and the files of the snapshot that contain it. */
export interface ShownChange extends ObjectChange {
  readonly files: readonly string[];
}

/** A file that differs in meaning from its recording. */
export interface MeantFile {
  readonly path: string;
  readonly status: SnapshotStatus;
  /** Whether objects differ, or workloads restart; otherwise only lines differ. */
  readonly hasObjects: boolean;
  /** The hunks of a unified diff, recorded to rendered; empty unless `different` and not objects. */
  readonly diff: string;
}

/** The meaning of a snapshot's changes. */
export interface Meaning extends Omit<Difference, 'objects'> {
  readonly objects: readonly ShownChange[];
  readonly files: readonly MeantFile[];
  /** Files with other text and the same meaning. */
  readonly alike: readonly string[];
}

interface MeaningOptions extends DiffOptions {
  /** The namespace of objects without one. Default none. */
  readonly namespace?: string | undefined;
  /** Whether every byte counts. Default false. */
  readonly exact?: boolean | undefined;
}

/** Returns the meaning of changes. */
export function meaningOf(changes: readonly ChangedFile[], options: MeaningOptions = {}): Meaning {
  const files: MeantFile[] = [];
  const alike: string[] = [];
  const differences: (readonly [path: string, difference: Difference])[] = [];
  for (const change of changes) {
    const { path, status, before, after } = change;
    const difference = status === 'different' ? differenceOf(change, options) : undefined;
    if (difference !== undefined) differences.push([path, difference]);
    // A document that is not an object is shown as text.
    const isOther = difference === undefined ? isOtherText(change) : difference.objects.some(({ kind }) => kind === '');
    const isDifferent = difference !== undefined && isDifference(difference);
    const isMeant = isOther || isDifferent;
    if (!isMeant && options.exact !== true) alike.push(path);
    else {
      const hasObjects = !isOther && isDifferent;
      const isText = status === 'different' && !hasObjects;
      files.push({ path, status, hasObjects, diff: isText ? shownLines(before, after) : '' });
    }
  }
  return { ...merged(differences, options), files, alike };
}

const mostLines = 200;

function shownLines(before: string, after: string): string {
  const lines = diffText(before, after).split('\n').slice(0, -1);
  const rest = lines.length - mostLines;
  const shown = rest <= 0 ? lines : [...lines.slice(0, mostLines), `... and ${rest} more lines`];
  return shown.map((line) => `${line}\n`).join('');
}

// Undefined if a file is not a valid manifest.
function differenceOf({ path, before, after }: ChangedFile, options: MeaningOptions): Difference | undefined {
  if (path !== '' && !/\.(?:ya?ml|json)$/.test(path)) return undefined;
  const { namespace } = options;
  const side = (documents: string) => ({ documents, name: path, namespace });
  return attempt(() => diffObjects(side(before), side(after), options), RenderError, undefined);
}

// A script contains manifests: a line with only another version is ignored here too, and so is a checksum beside one.
function isOtherText({ path, status, before, after }: ChangedFile): boolean {
  if (status !== 'different' || !/\.(?:sh|ps1)$/.test(path)) return true;
  const [was, is] = [before, after].map((text) => text.replaceAll('\r\n', '\n').split('\n')) as [string[], string[]];
  if (was.length !== is.length) return true;
  const changed = was.flatMap((line, at) => (line === is[at] ? [] : [[memberOf(line), memberOf(is[at]!)] as const]));
  const isVersion = ([one, other]: (typeof changed)[0]): boolean =>
    one?.name === other?.name && isVersionChange(one?.name ?? '', one?.value ?? '', other?.value ?? '');
  const isSum = ([one, other]: (typeof changed)[0]): boolean =>
    one?.name === other?.name &&
    isChecksumName(one?.name ?? '') &&
    isDigest(one?.value ?? '') &&
    isDigest(other?.value ?? '');
  return !changed.some(isVersion) || !changed.every((pair) => isVersion(pair) || isSum(pair));
}

function memberOf(line: string): { readonly name: string; readonly value: string } | undefined {
  const [, name, value] = /^ *([\w./-]+): (\S+)$/.exec(line) ?? [];
  return name === undefined ? undefined : { name, value: value!.replace(/^(["'])(.*)\1$/, '$2') };
}

function merged(
  differences: readonly (readonly [path: string, difference: Difference])[],
  { ignore = [] }: MeaningOptions,
): Difference & { readonly objects: readonly ShownChange[] } {
  const parts = differences.map(([path, difference]) => {
    const objects = difference.objects.map((change): ShownChange => ({ ...change, files: [path] }));
    return { ...difference, objects, files: [], alike: [] };
  });
  const { summary, ignored, ...joined } = joinMeanings(parts);
  const objects = withNamespaces(joined.objects);
  const isUnused = (rule: IgnoreRule): boolean =>
    differences.every(([, { unusedRules }]) => unusedRules.includes(rule));
  return { summary: summaryOf(objects, summary), objects, ignored, unusedRules: ignore.filter(isUnused) };
}

// An object in a manifest can omit the namespace of the release; in its own file it has it. Two different namespaces are a difference.
function withNamespaces(changes: readonly ShownChange[]): ShownChange[] {
  const isOwnFile = ({ files, namespace }: ShownChange): boolean =>
    namespace !== '' && files.every((file) => file.startsWith('resources/'));
  const twins = groupBy(changes.filter(isOwnFile), (change) => keyOf({ ...change, namespace: '' }));
  const reported = new Set<ShownChange>();
  const named = changes.map((change) => {
    const [twin, ...more] = change.namespace === '' ? (twins.get(keyOf(change)) ?? []) : [];
    if (twin === undefined || more.length > 0) return change;
    reported.add(twin);
    const files = [...change.files, ...twin.files];
    return { ...change, namespace: twin.namespace, files, risks: joinRisks(change, twin) };
  });
  return named.filter((change) => !reported.has(change));
}

/**
 * Merges the meanings of disjoint parts of a snapshot: what occurs in several of them is reported once, in the order of a comparison of all
 * files.
 */
export function joinMeanings<T extends Omit<ShownChange, 'documents'>>(
  parts: readonly (Omit<Meaning, 'objects'> & { readonly objects: readonly T[] })[],
): Omit<Meaning, 'objects'> & { readonly objects: readonly T[] } {
  const all = parts.flatMap(({ objects }) => objects);
  const first = (change: T): string => change.files[0] ?? '';
  const sorted = [...all].sort((a, b) => (first(a) < first(b) ? -1 : first(a) > first(b) ? 1 : 0));
  const shown = new Map<string, T>();
  for (const change of sorted) {
    const known = shown.get(keyOf(change));
    const files = known === undefined ? change.files : [...known.files, ...change.files].sort();
    const risks = known === undefined ? change.risks : joinRisks(known, change);
    shown.set(keyOf(change), { ...(known ?? change), files, risks });
  }
  const objects = [...shown.values()];
  const ignored = new Map<string, number>();
  for (const { reason, count } of parts.flatMap((part) => part.ignored)) {
    ignored.set(reason, Math.max(ignored.get(reason) ?? 0, count));
  }
  const isUnused = (rule: IgnoreRule): boolean =>
    parts.every(({ unusedRules }) => unusedRules.some((other) => JSON.stringify(other) === JSON.stringify(rule)));
  const byPath = (a: MeantFile, b: MeantFile): number => (a.path < b.path ? -1 : 1);
  return {
    summary: summaryOf(objects, {
      same: Math.max(0, ...parts.map(({ summary }) => summary.same)),
      restarts: joinRestarts(parts.map(({ summary }) => summary)),
    }),
    objects,
    ignored: [...ignored].map(([reason, count]): Ignored => ({ reason, count })),
    unusedRules: uniqueBy(parts.flatMap(({ unusedRules }) => unusedRules)).filter(isUnused),
    files: uniqueBy(
      parts.flatMap(({ files }) => files),
      ({ path }) => path,
    ).sort(byPath),
    alike: [...new Set(parts.flatMap(({ alike }) => alike))].sort(),
  };
}

// A workload in a manifest can omit the namespace of the release; in its own file it has it.
function joinRestarts(summaries: readonly Pick<DiffSummary, 'restarts'>[]): ObjectName[] {
  const all = uniqueBy(summaries.flatMap(({ restarts }) => restarts));
  const isSame = (a: ObjectName, b: ObjectName): boolean => a.kind === b.kind && a.name === b.name;
  return all.filter((name) => name.namespace !== '' || !all.some((other) => other !== name && isSame(name, other)));
}

// A file with all objects shows risks that a single object's file does not.
function joinRisks(a: Pick<ShownChange, 'risks'>, b: Pick<ShownChange, 'risks'>): ShownChange['risks'] {
  return [...new Set([...a.risks, ...b.risks])];
}

// A resource is in its own file and in the manifest, and a change of a template shows in every case.
function keyOf(change: Omit<ShownChange, 'documents' | 'files'>): string {
  const { status, apiVersion, kind, namespace, name, from } = change;
  const content = change.entries.map(({ steps: _, place: __, causes: ___, ...entry }) => entry);
  // No file of a single resource contains the namespace of the release.
  return JSON.stringify([status, apiVersion, kind, namespace, name, from?.name, content]);
}
