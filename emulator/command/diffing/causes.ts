// Why objects of two renderings differ: each entry of a difference gets what made it.

import type { DiffEntry, Difference, DiffPlace, ObjectChange } from '../../../render/diff/difference.ts';
import type { DiffDocument } from '../../../render/diff/objects.ts';
import { type Cause, type CauseSide, causesOf, writtenAt } from '../../../render/impact/causes.ts';
import type { SourcedDocument } from '../../../render/manifest/source.ts';

/** A release of one side: what it was made of, and what it gave. */
export interface SideRelease {
  readonly name: string;
  readonly namespace: string;
  readonly documents: readonly DiffDocument[];
  readonly side: CauseSide;
}

type Releases = readonly SideRelease[];
type Side = 'before' | 'after';

// More would not be read.
const maxCauses = 3;

/** Gives a difference with its causes, as far as both sides were rendered. */
export function withCauses(difference: Difference, before: Releases, after: Releases): Difference {
  if (before.length === 0 || after.length === 0) return difference;
  return { ...difference, objects: difference.objects.map((object) => explained(object, before, after)) };
}

function explained(object: ObjectChange, before: Releases, after: Releases): ObjectChange {
  const { documents } = object;
  const from = documents.before && releaseOf(before, documents.before);
  const to = documents.after && releaseOf(after, documents.after);
  const was = from ?? (to && namesake(before, to));
  const is = to ?? (from && namesake(after, from));
  if (was === undefined || is === undefined) return object;
  const find = (side: Side, steps: readonly (string | number)[]): readonly Cause[] => {
    const document = documents[side];
    if (document === undefined) return [];
    const own = { path: document.path, content: document.content.replace(/\n$/, '') };
    const later = side === 'before' && steps.length > 0 ? documents.after : undefined;
    const left = later && {
      document: { path: later.path, content: later.content.replace(/\n$/, '') },
      steps: steps.slice(0, -1),
    };
    const told = causesOf(was.side, is.side, { document: own, steps, side, left }).slice(0, maxCauses);
    const isSecret = object.kind === 'Secret';
    const made = isSecret ? told.map((cause) => (isInClear(cause, steps) ? cause : withoutContent(cause))) : told;
    return made.length > 0 ? made : ownFile(own.path, is.documents);
  };
  const writer = (side: Side, steps: readonly (string | number)[]): DiffPlace | undefined => {
    const document = documents[side];
    const own = document && { path: document.path, content: document.content.replace(/\n$/, '') };
    return own && writtenAt((side === 'before' ? was : is).side, { document: own, steps, side });
  };
  const isOne = documents.before === undefined || documents.after === undefined;
  const steps =
    object.status === 'renamed' ? ['metadata', object.from?.name === object.name ? 'namespace' : 'name'] : [];
  const isWhole = isOne || object.status === 'renamed';
  const causes = isWhole ? find(documents.after === undefined ? 'before' : 'after', steps) : [];
  const entries = object.entries.map((entry): DiffEntry => {
    const [kind, steps] = [
      entry.op === 'remove' ? 'before' : 'after',
      entry.steps.after ?? entry.steps.before ?? [],
    ] as const;
    const made = find(kind, steps);
    const place = writer(kind, steps);
    return {
      ...entry,
      ...(place && { place: { file: place.file, line: place.line } }),
      ...(made.length === 0 ? {} : { causes: made }),
    };
  });
  return { ...object, ...(causes.length === 0 ? {} : { causes }), entries };
}

// Labels and the like of a Secret are told in clear, and so is what made them: a value that stands there as it is, a line that
// writes nothing else.
function isInClear({ kind, how, text }: Cause, [first, second]: readonly (string | number)[]): boolean {
  if (first !== 'metadata' || second === undefined) return false;
  return kind === 'template' ? !/(?:data|stringData)["']?\s*:/.test(text) : how === 'exact';
}

// What a Secret is made of is as secret as what it holds: of lines and of flags it is told where they stand.
function withoutContent(cause: Cause): Cause {
  const { kind, text, file, line } = cause;
  if (kind === 'template' && file !== undefined) {
    if (text === `${file}, which is gone` || /^:\d+, where /.test(text.slice(file.length))) return cause;
    return { ...cause, text: line === undefined ? `${file}, where a line is gone` : `${file}:${line}` };
  }
  return { ...cause, text: text.replace(/(, set by --set(?!-file)\S* [^=]*=).*$/s, '$1<hidden>') };
}

// What stands in crds/ is as it stands there: no value has a say in it.
function ownFile(path: string, documents: SideRelease['documents']): readonly Cause[] {
  if (!path.includes('/crds/') || path.includes('/templates/')) return [];
  const isGone = documents.every((document) => document.path !== path);
  return [{ kind: 'template', text: `${path}${isGone ? ', which is gone' : ''}`, file: path }];
}

function releaseOf(releases: Releases, { path, content }: SourcedDocument): SideRelease | undefined {
  const text = ownText(content);
  return releases.find(({ documents }) => documents.some((one) => one.path === path && ownText(one.content) === text));
}

/** Gives the text of a document without white space around it, and without `---` where its template writes that twice. */
export function ownText(content: string): string {
  return content.trim().replace(/^---[ \t]*\n\s*/, '');
}

function namesake(releases: Releases, { name, namespace }: SideRelease): SideRelease | undefined {
  const found = releases.find((one) => one.name === name && one.namespace === namespace);
  return found ?? (releases.length === 1 ? releases[0] : undefined);
}
