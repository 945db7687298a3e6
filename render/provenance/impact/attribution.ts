// Attributes each difference between two renderings to its causes.

import { lazy } from '../../core/lazy.ts';
import type { Steps } from '../../core/paths.ts';
import type { DiffEntry, Difference, DiffPlace, ObjectChange } from '../../diff/difference.ts';
import type { DiffDocument } from '../../diff/objects.ts';
import type { RenderedRelease } from '../../engine/release.ts';
import type { SourcedDocument } from '../../manifest/source.ts';
import { memberLines, type TracedObjects } from '../trace/explanation.ts';
import { type Cause, type CauseSide, causeSide } from './cause.ts';
import { causesOf } from './causes.ts';
import { livingInputs } from './inputs.ts';
import { type ChangedPlace, partsByLine, writtenAt } from './places.ts';

export interface SideRelease {
  readonly name: string;
  readonly namespace: string;
  readonly documents: readonly DiffDocument[];
  readonly side: CauseSide;
  /** Returns the flags, such as `--set password=x`, that set values contained in Secrets. */
  readonly secretFlags: () => ReadonlySet<string>;
}

type Releases = readonly SideRelease[];
type Side = 'before' | 'after';

// Nobody reads more.
const maxCauses = 3;

/** Returns a rendered release as a side of a comparison. */
export function sideRelease(
  release: RenderedRelease,
  objects: TracedObjects | undefined,
  kubeVersion: string,
): SideRelease {
  const { name, namespace, crds, manifests, hooks, helm } = release;
  return {
    name,
    namespace,
    documents: [...crds, ...manifests, ...hooks].map(({ path, content }) => ({ path, content, namespace })),
    side: causeSide(livingInputs(release, { kubeVersion, helm: helm.name }), objects),
    secretFlags: lazy(() => (objects === undefined ? new Set() : secretFlags(objects))),
  };
}

function secretFlags(objects: TracedObjects): ReadonlySet<string> {
  const secrets = objects.documents.filter(({ kind }) => kind === 'Secret');
  const parts = secrets.flatMap((document) => {
    const lines = partsByLine(document, objects);
    return ['data', 'stringData'].flatMap((member) => {
      const [first, last] = memberLines(document.content, [member]) ?? [1, 0];
      return lines.slice(first - 1, last).flat();
    });
  });
  const held = parts.flatMap(({ values }) => values.filter(({ how }) => how === 'exact' || how === 'computed'));
  const flags = held.flatMap(({ setBy }) => setBy.filter(({ kind }) => kind === 'set').map(({ where }) => where));
  return new Set(flags);
}

/** Returns a difference with the causes of its objects and entries, if both sides were rendered. */
export function withCauses(difference: Difference, before: Releases, after: Releases): Difference {
  if (before.length === 0 || after.length === 0) return difference;
  return { ...difference, objects: difference.objects.map((object) => objectWithCauses(object, before, after)) };
}

/** Returns an object of a difference with its causes. */
export function objectWithCauses<Change extends ObjectChange>(
  object: Change,
  before: Releases,
  after: Releases,
): Change {
  const { documents, status, from, name } = object;
  const releases = releasesOf(documents, before, after);
  if (releases === undefined) return object;
  const [was, is] = releases;
  const bare = { before: trimmed(documents.before), after: trimmed(documents.after) };
  const hidden = lazy(() => new Set([...was.secretFlags(), ...is.secretFlags()]));
  const causesAt = (place: ChangedPlace): readonly Cause[] => {
    const fewestCauses = fewest(causesOf(was.side, is.side, place));
    const causes = fewestCauses.map((cause) =>
      withoutSecrets(cause, { hidden, isSecret: object.kind === 'Secret', place }),
    );
    return causes.length > 0 ? causes : ownFile(place.document.path, is.documents);
  };
  const side = documents.after === undefined ? 'before' : 'after';
  const isWhole = status === 'renamed' || documents.before === undefined || documents.after === undefined;
  const steps = status === 'renamed' ? ['metadata', from?.name === name ? 'namespace' : 'name'] : [];
  const document = bare[side];
  const causes = isWhole && document !== undefined ? causesAt({ document, steps, side }) : [];
  const entries = object.entries.map((entry): DiffEntry => {
    const place = placeOf(entry, bare);
    if (place === undefined) return entry;
    const made = causesAt(place);
    const written = writtenAt((place.side === 'before' ? was : is).side, place);
    return {
      ...entry,
      ...(written && { place: { file: written.file, line: written.line } satisfies DiffPlace }),
      ...(made.length === 0 ? {} : { causes: made }),
    };
  });
  return { ...object, ...(causes.length === 0 ? {} : { causes }), entries };
}

// The first ones, plus another version of the chart.
function fewest(causes: readonly Cause[]): readonly Cause[] {
  const last = causes.at(-1);
  if (causes.length <= maxCauses || last?.kind !== 'chart') return causes.slice(0, maxCauses);
  return [...causes.slice(0, maxCauses - 1), last];
}

function trimmed(document: SourcedDocument | undefined): SourcedDocument | undefined {
  return document && { path: document.path, content: document.content.replace(/\n$/, '') };
}

type Documents = Readonly<Record<Side, SourcedDocument | undefined>>;

function placeOf(entry: DiffEntry, documents: Documents): ChangedPlace | undefined {
  const { op, steps, inside, lines } = emptied(entry);
  const isText = inside !== undefined || lines !== undefined;
  const [own, other]: readonly [Side, Side] =
    op === 'remove' || (lines !== undefined && isShorter(lines)) ? ['before', 'after'] : ['after', 'before'];
  const document = documents[own];
  const beside = documents[other];
  const path = steps[own] ?? steps[other] ?? [];
  if (document === undefined) return undefined;
  const otherSteps = isText ? steps[other] : op === 'remove' ? path.slice(0, -1) : undefined;
  return {
    document,
    steps: path,
    side: own,
    ...(isText ? { inside: inside?.path ?? '' } : {}),
    ...(beside && otherSteps && path.length > 0 ? { other: { document: beside, steps: otherSteps } } : {}),
  };
}

// An emptied map or list has the cause of its first member.
function emptied(entry: DiffEntry): Pick<DiffEntry, 'op' | 'steps' | 'inside' | 'lines'> {
  const { op, steps, before, after, inside } = entry;
  const hasMembers = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  const isEmpty = after === null || (typeof after === 'object' && !hasMembers(after));
  if (op !== 'change' || inside !== undefined || !isEmpty || !hasMembers(before) || steps.before === undefined)
    return entry;
  const [first = ''] = Object.keys(before);
  return { op: 'remove', steps: { before: [...steps.before, Array.isArray(before) ? 0 : first] } };
}

// Whether lines of a text were removed and none added.
function isShorter(hunks: string): boolean {
  return /^-/m.test(hunks) && !/^\+/m.test(hunks);
}

interface Hiding {
  readonly hidden: () => ReadonlySet<string>;
  readonly isSecret: boolean;
  readonly place: ChangedPlace;
}

// A line of a Secret's template may contain secret data, and so may a flag that sets a value in it.
function withoutSecrets(cause: Cause, { hidden, isSecret, place }: Hiding): Cause {
  const { kind, text, file, line } = cause;
  if (kind === 'template' && isSecret && file !== undefined && !isInClear(text, place.steps)) {
    if (line === undefined || /^:\d+, with /.test(text.slice(file.length))) return cause;
    return { ...cause, text: `${file}:${line}` };
  }
  const [, before = '', flag = ''] = /^(.*, set by )(--set\S* .*)$/s.exec(text) ?? [];
  if (flag === '' || !hidden().has(flag)) return cause;
  return { ...cause, text: `${before}${flag.replace(/^(--set-json )[{[].*|=.*/s, '$1=<hidden>').replace(' =', ' ')}` };
}

// Labels and the like are not secret unless the same line writes data.
function isInClear(text: string, [first, second]: Steps): boolean {
  return first === 'metadata' && second !== undefined && !/(?:data|stringData)["']?\s*:/.test(text);
}

// Files in crds/ are not templates: values do not affect them.
function ownFile(path: string, documents: SideRelease['documents']): readonly Cause[] {
  if (!path.includes('/crds/') || path.includes('/templates/')) return [];
  const isGone = documents.every((document) => document.path !== path);
  return [{ kind: 'template', text: `${path}${isGone ? ', removed' : ''}`, file: path }];
}

function releasesOf(
  documents: ObjectChange['documents'],
  before: Releases,
  after: Releases,
): readonly [SideRelease, SideRelease] | undefined {
  const from = documents.before && releaseOf(before, documents.before);
  const to = documents.after && releaseOf(after, documents.after);
  const was = from ?? (to && namesake(before, to));
  const is = to ?? (from && namesake(after, from));
  return was === undefined || is === undefined ? undefined : [was, is];
}

function releaseOf(releases: Releases, { path, content }: SourcedDocument): SideRelease | undefined {
  const text = ownText(content);
  return releases.find(({ documents }) => documents.some((one) => one.path === path && ownText(one.content) === text));
}

/** Returns the text of a document without surrounding white space, and without a redundant `---` from its template. */
export function ownText(content: string): string {
  return content.trim().replace(/^---[ \t]*\n\s*/, '');
}

function namesake(releases: Releases, { name, namespace }: SideRelease): SideRelease | undefined {
  const found = releases.find((one) => one.name === name && one.namespace === namespace);
  return found ?? (releases.length === 1 ? releases[0] : undefined);
}
