// Why something that is rendered is not what it was: which value, patch, template line, chart or version made the difference.

import { distinct } from '../distinct.ts';
import type { ExplainedPart, SkippedBranch, TemplatePlace } from '../trace/explain.ts';
import type { TracedObjects } from '../trace/explanation.ts';
import { memberLines } from '../trace/object.ts';
import type { TracedFile } from '../trace/release-trace.ts';
import type { Setter } from '../trace/setters.ts';
import type { ExplainedValue, ValueWay } from '../trace/values.ts';
import { valueOfJson } from '../values/patch.ts';
import { pathText, type Steps } from '../values/paths.ts';
import { editsNear, hunksOf } from './edits.ts';
import { goneItemOf, goneItems, type KnownSides, partsOfName } from './gone-items.ts';
import type { KnownInputs } from './inputs.ts';
import { partsByLine } from './lines.ts';

/**
 * Names what made a difference.
 *
 * - `value` – a value that is another one, or was removed.
 * - `patch` – the same, where an operation of an Order's `valuesPatch` sets it.
 * - `template` – a line of a template that was not there before, or where lines are gone.
 * - `file` – a file of the chart that a template reads.
 * - `chart` – another version of the chart.
 * - `kubeVersion`, `helmVersion` – another version of Kubernetes or Helm.
 * - `release` – another name or namespace of the release, or an upgrade in place of an installation.
 */
export type CauseKind = 'value' | 'patch' | 'template' | 'file' | 'chart' | 'kubeVersion' | 'helmVersion' | 'release';

/** What made a difference. */
export interface Cause {
  readonly kind: CauseKind;
  /** In words, such as `image.tag, set by values.yaml:3:5`. */
  readonly text: string;
  /** The path of the value, such as `image.tag`. */
  readonly path?: string | undefined;
  /** Whether the value stands in what changed, something was made of it, or it chose what stands there. */
  readonly how?: ValueWay | undefined;
  /** Where it is set, or the template file. */
  readonly file?: string | undefined;
  /** From 1. */
  readonly line?: number | undefined;
}

/** One of two renderings of a release. */
export interface CauseSide {
  /** What it was made of. */
  readonly known: KnownInputs;
  /** Its objects with their trace; undefined for one of which only the inputs were kept. */
  readonly objects?: TracedObjects | undefined;
}

/** A part of a document that is not the same in both renderings. */
export interface ChangedPlace {
  readonly document: { readonly path: string; readonly content: string };
  /** The field; empty for the whole document. */
  readonly steps: Steps;
  /** Which rendering the document is of: `before` where it, or the field, was removed. */
  readonly side: 'before' | 'after';
  /** Of a field that was removed: where it stood, in the later document. Default unknown. */
  readonly left?: Pick<ChangedPlace, 'document' | 'steps'> | undefined;
}

interface Sides {
  readonly before: CauseSide;
  readonly after: CauseSide;
}

/** Gives what made a difference, the most direct first. Empty where it cannot be told. */
export function causesOf(before: CauseSide, after: CauseSide, place: ChangedPlace): readonly Cause[] {
  const sides = { before, after };
  const [own, other] = place.side === 'after' ? [after, before] : [before, after];
  const parts = own.objects === undefined ? [] : partsAt(own.objects, place);
  const seen = parts.length > 0 ? { parts, other } : { parts: leftOutParts(after, place), other: before };
  const values = closest(valueCauses(seen.parts, seen.other, sides));
  const traced = parts.length > 0 ? own : after;
  // Asked in this order, each only where those before it tell nothing.
  const ways = [
    () => [...values, ...templateCauses(seen.parts, seen.other, traced)],
    () => indirectCauses(sides, place),
    () => editCauses(seen.parts, sides, place),
  ];
  let found: readonly Cause[] = [];
  for (const way of ways) if (found.length === 0) found = distinctCauses(way());
  const versions = versionCauses(sides, place.document.path);
  if (found.length === 0) return versions;
  // Another version of a chart comes with other defaults and templates: then it is told, too.
  return distinctCauses([...found, ...versions.filter(({ kind }) => kind === 'chart' && isOfChart(found))]);
}

/** Gives the line of a template that wrote a part of a document; undefined where that was not traced. */
export function writtenAt({ objects }: CauseSide, place: ChangedPlace): TemplatePlace | undefined {
  if (objects === undefined || place.steps.length === 0) return undefined;
  return partsAt(objects, place)
    .flatMap(({ place: own, through }) => [own, ...through.toReversed()].find(isFile) ?? [])
    .at(-1);
}

/** Gives the line of a template that wrote the first line of a field; undefined where that is not known. */
export function writtenFrom(
  objects: TracedObjects,
  document: ChangedPlace['document'],
  steps: Steps,
): TemplatePlace | undefined {
  const [first] = memberLines(document.content, steps.map(String)) ?? [];
  const parts = first === undefined ? [] : (partsByLine(document, objects)[first - 1] ?? []);
  return parts.flatMap(({ place, through }) => [place, ...through.toReversed()].find(isFile) ?? []).at(0);
}

// A table that was read as a whole changed because of the value in it that did.
function closest(causes: readonly Cause[]): readonly Cause[] {
  return causes.filter(({ path: table }) => {
    return table === undefined || !causes.some(({ path }) => path !== undefined && isWithin(path, table));
  });
}

function isWithin(path: string, table: string): boolean {
  return path.startsWith(`${table}.`) || path.startsWith(`${table}[`);
}

interface PartsOfLines {
  readonly first: number;
  readonly last: number;
  readonly found: readonly ExplainedPart[];
}

const manyParts = 100;
const lastParts = new WeakMap<readonly (readonly ExplainedPart[])[], PartsOfLines>();

function partsAt(objects: TracedObjects, { document, steps }: ChangedPlace): readonly ExplainedPart[] {
  const parts = partsByLine(document, objects);
  // Of a whole document it is told why it is there: for the conditions that all of its lines share.
  if (steps.length === 0) return parts[0] ?? [];
  const [first, last] = memberLines(document.content, steps.map(String)) ?? [1, parts.length];
  // What stands around an entry is asked for with each entry of a list.
  const known = lastParts.get(parts);
  if (known?.first === first && known.last === last) return known.found;
  const found = parts.slice(first - 1, last).flat();
  if (found.length >= manyParts) lastParts.set(parts, { first, last, found });
  return found;
}

// What is no longer there, and was not traced when it was: a condition that does not hold any more left it out, or one that holds
// now brought something else in its place.
function leftOutParts({ objects }: CauseSide, place: ChangedPlace): readonly ExplainedPart[] {
  const { document } = place;
  const file = objects?.trace.files.find(({ path }) => path === document.path);
  const subcharts = (objects?.trace.subcharts ?? []).filter(({ path }) => document.path.startsWith(`${path}/`));
  const skipped = branchesOf(file?.skipped ?? [], place);
  return [...subcharts.map(({ condition }) => condition), ...skipped].map((condition) => {
    return { text: '', place: condition, through: [], values: [], conditions: [condition] };
  });
}

// Those in which it stands as it stood in the document, as far as they say so themselves: the line with which it begins, and most
// of the others. What they include is not known.
function branchesOf(branches: readonly SkippedBranch[], { document, steps }: ChangedPlace): readonly SkippedBranch[] {
  const lines = document.content.split('\n').map((line) => line.trim());
  const [first, last] = memberLines(document.content, steps.length === 0 ? ['kind'] : steps.map(String)) ?? [1, 0];
  const own = steps.length === 0 ? lines : lines.slice(first - 1, last);
  const holds = ({ lines: within }: SkippedBranch, line: string): boolean =>
    within.has(line) || (line.includes(': ') && within.has(line.slice(0, line.indexOf(': ') + 1)));
  const beginning = branches.filter((branch) => holds(branch, lines[first - 1] ?? ''));
  const counts = beginning.map((branch) => own.filter((line) => line !== '' && holds(branch, line)).length);
  const most = Math.max(...counts);
  return beginning.length === 0 ? branches : beginning.filter((_, at) => counts[at] === most);
}

// What made a difference that no part of the place itself tells.
function indirectCauses(sides: Sides, place: ChangedPlace): readonly Cause[] {
  const { before, after } = sides;
  const { document, steps, side, left } = place;
  const isWhole = steps.length === 0;
  if (side === 'after') {
    // Why a document is there at all is asked of its first line; it may have been another kind of object before.
    const parts = isWhole && after.objects !== undefined ? partsAt(after.objects, { ...place, steps: ['kind'] }) : [];
    return templateCauses(parts, before, after);
  }
  const files = after.objects?.trace.files;
  const isTemplate = document.path.includes('/templates/');
  if (isTemplate && files !== undefined && !files.some(({ path }) => path === document.path)) {
    return isWhole ? [{ kind: 'template', text: `${document.path}, which is gone`, file: document.path }] : [];
  }
  const around =
    left === undefined || after.objects === undefined ? [] : partsAt(after.objects, { ...left, side: 'after' });
  const shrunk = shorterCauses(isWhole ? walkedTables(place, after) : tablesAround(around), place, sides);
  if (shrunk.length > 0) return shrunk;
  const values = closest(valueCauses(around, before, sides));
  return values.length > 0 ? values : lostLines(sides, place);
}

// Lists and tables that a template walks, and that had more in them; of what is gone as a whole nothing within is told.
function shorterCauses(
  tables: readonly WalkedTable[],
  place: ChangedPlace,
  { before, after }: Sides,
): readonly Cause[] {
  const known = { before: before.known, after: after.known };
  const { steps, document } = place;
  const names = steps.length === 0 ? partsOfName(document.content) : steps.slice(-1);
  const isGone = (path: Steps): boolean => before.known.hasPath(path) && !after.known.hasPath(path);
  const told: Cause[] = [];
  for (const { table, isList, how } of tables) {
    const named = names.find((name) => typeof name === 'string' && isGone([...table, name]));
    const lost = isList ? goneItemOf(table, place, known) : named === undefined ? [] : [named];
    if (lost.length > 0 && !told.some(({ path = '' }) => isWithin(`${pathText(table)}.`, path)))
      told.push(...lost.map((step) => goneCause([...table, step], how)));
  }
  return told;
}

interface WalkedTable {
  readonly table: Steps;
  readonly isList: boolean;
  readonly how: ValueWay;
}

// Each once: of a long list every item was read. Those around them are walked for members, not for whole objects.
function tablesOf(values: readonly ExplainedValue[], isNearest: boolean): readonly WalkedTable[] {
  const tables = new Map<string, WalkedTable>();
  for (const { steps, how } of values) {
    for (let at = isNearest ? Math.max(steps.length - 1, 0) : 0; at < steps.length; at++) {
      const table = steps.slice(0, at);
      const path = pathText(table);
      if (!tables.has(path)) tables.set(path, { table, isList: typeof steps[at] === 'number', how });
    }
  }
  return [...tables.values()];
}

const known = new WeakMap<readonly ExplainedPart[], readonly WalkedTable[]>();

function tablesAround(parts: readonly ExplainedPart[]): readonly WalkedTable[] {
  const values = known.has(parts) ? [] : parts.flatMap((part) => part.values);
  const found = known.get(parts) ?? tablesOf(values, false);
  known.set(parts, found);
  return found;
}

const walked = new WeakMap<TracedFile, readonly WalkedTable[]>();

// What the template walks that made an object for each item.
function walkedTables({ document }: ChangedPlace, { objects }: CauseSide): readonly WalkedTable[] {
  const file = objects?.trace.files.find(({ path }) => path === document.path);
  if (file === undefined) return [];
  const parts = walked.has(file) ? [] : file.lines.flatMap((line) => line.parts);
  const ranges = parts.flatMap(({ conditions }) => conditions.filter(({ text }) => text.startsWith('range ')));
  const values = ranges.flatMap((range) => range.values);
  const found = walked.get(file) ?? tablesOf(values, true);
  walked.set(file, found);
  return found;
}

function goneCause(steps: Steps, how: ValueWay): Cause {
  const path = pathText(steps);
  return { kind: 'value', text: `${path}, which was set before`, path, how };
}

// What no value and no line of what is there explains: lines that are gone from the templates that wrote it, or stand elsewhere in
// them, and files that are gone.
function editCauses(parts: readonly ExplainedPart[], { before, after }: Sides, place: ChangedPlace): readonly Cause[] {
  const { document, left, side } = place;
  if (!document.path.includes('/templates/') || after.objects === undefined) return [];
  const around = left === undefined || side === 'after' ? [] : partsAt(after.objects, { ...left, side: 'after' });
  const gone = goneFiles(around, { before, after }, place);
  if (gone.length > 0) return gone;
  // Lines are counted in the later file; of those of the earlier one it is known only about where they would be.
  const near = around.length > 0 ? around : parts;
  const places = near.flatMap(({ place: own, through }) => [own, ...through]);
  const edits = editsNear(document.path, places.filter(isFile), { before: before.known, after: after.known });
  return edits.map((edit) => ({ kind: 'template', ...edit }));
}

// A file whose name is that of what was removed, where files are read.
function goneFiles(
  around: readonly ExplainedPart[],
  { before, after }: Sides,
  { steps }: ChangedPlace,
): readonly Cause[] {
  const isRead = around.some(({ values }) => values.some(({ path }) => path.startsWith('.Files')));
  const now = after.known.files;
  if (!isRead || now === undefined) return [];
  const gone = [...(before.known.files ?? [])].filter((file) => !now.has(file) && !file.includes('/templates/'));
  return gone
    .filter((file) => file.endsWith(`/${steps.at(-1)}`))
    .map((file) => ({ kind: 'file', text: `${file}, which is gone`, file }));
}

// Lines that stand in the document as they stood in the template; of a whole document that of its kind.
function lostLines({ before, after }: Sides, { document, steps }: ChangedPlace): readonly Cause[] {
  if (!document.path.includes('/templates/')) return [];
  const [first, last] = memberLines(document.content, steps.length === 0 ? ['kind'] : steps.map(String)) ?? [1, 0];
  const lines = document.content.split('\n').slice(first - 1, last);
  return lines.flatMap((line): Cause[] => {
    const isLost = before.known.hasLine(document.path, line) && !after.known.hasLine(document.path, line);
    if (line.trim() === '' || !isLost) return [];
    return [{ kind: 'template', text: `${document.path}: ${line.trim()}, which is gone`, file: document.path }];
  });
}

// A value that stands there explains more than one that chooses.
function valueCauses(parts: readonly ExplainedPart[], other: CauseSide, sides: Sides): readonly Cause[] {
  const values = [
    ...parts.flatMap((part) => part.values),
    ...parts.flatMap(({ conditions }) => conditions.flatMap((condition) => condition.values)),
  ];
  for (const how of ['exact', 'computed', 'decides', 'shares'] as const) {
    const causes = values
      .filter((value) => value.how === how)
      .flatMap((value) => (value.path.startsWith('.') ? objectCauses(value, sides) : causeOf(value, other, sides)));
    if (causes.length > 0) return causes;
  }
  return [];
}

// Where it is set now, or that it was set before and is no longer.
function causeOf(
  { path, how, steps, value, setBy }: ExplainedValue,
  other: CauseSide,
  { before, after }: Sides,
): readonly Cause[] {
  if (isKnown({ steps, value }, other)) return [];
  if (other === after) {
    // What stands at its place now is the next item.
    const lost = lostItem(steps, { before: before.known, after: after.known });
    if (lost !== undefined) return [goneCause(lost, how)];
  }
  const [winner] = after.objects?.trace.setBy(steps) ?? setBy;
  const isGone = winner === undefined && before.known.hasPath(steps);
  const where = winner === undefined ? '' : `, set by ${placeOf(winner)}`;
  const text = `${path}${isGone ? ', which was set before' : where}`;
  return [{ kind: winner?.kind === 'patch' ? 'patch' : 'value', text, path, how, ...fileOf(winner) }];
}

function lostItem(steps: Steps, sides: KnownSides): Steps | undefined {
  const at = steps.findIndex((step, i) => {
    return typeof step === 'number' && goneItems(steps.slice(0, i), sides).includes(step);
  });
  return at < 0 ? undefined : steps.slice(0, at + 1);
}

function isKnown({ steps, value }: Pick<ExplainedValue, 'steps' | 'value'>, { known }: CauseSide): boolean {
  const go = valueOfJson(value);
  return known.hasValue(steps, go) || (value === null && !known.hasPath(steps));
}

function placeOf({ kind, where, line, column }: Setter): string {
  const place = line === undefined ? where : `${where}:${line}:${column}`;
  return kind === 'patch' ? `the patch at ${place}` : place;
}

function fileOf(setter: Setter | undefined): Pick<Cause, 'file' | 'line'> {
  return setter?.line === undefined ? {} : { file: setter.where, line: setter.line };
}

// `.Chart`, `.Capabilities` and `.Release` are compared by what is kept of them.
function objectCauses(value: ExplainedValue, sides: Sides): readonly Cause[] {
  const { path, chart, how } = value;
  const { was, is } = inputsOfBoth(sides);
  const told = (kind: CauseKind, name: string, versions: Versions): Cause[] =>
    between(kind, name, versions).map((cause) => ({ ...cause, how }));
  if (path === '.Chart.AppVersion') {
    return told('chart', `chart ${chart}, appVersion`, [was.charts[chart]?.appVersion, is.charts[chart]?.appVersion]);
  }
  if (path.startsWith('.Chart.')) return told('chart', `chart ${chart}`, versionsOf(chart, sides));
  if (path.startsWith('.Files')) return fileCauses(value, sides);
  if (path.startsWith('.Capabilities')) return told('kubeVersion', 'Kubernetes', [was.kubeVersion, is.kubeVersion]);
  if (path === '.Release.Name') return told('release', 'the name of the release:', [was.release.name, is.release.name]);
  if (path !== '.Release.Namespace') return [];
  return told('release', 'the namespace of the release:', [was.release.namespace, is.release.namespace]);
}

// A file of the chart that was edited, is new, or is gone. What stands in it is not told: it may be secret.
function fileCauses({ path, chart, how, steps: [, name], setBy }: ExplainedValue, sides: Sides): readonly Cause[] {
  const { known: before } = sides.before;
  const { known: after } = sides.after;
  if (name === undefined || before.files === undefined) return [];
  const own = `${chart}/${name}`;
  const file = setBy[0]?.where ?? own;
  const [was, is] = [before.fileOf(own), after.fileOf(own)];
  const told = (text: string, line?: number): Cause[] => [
    { kind: 'file', text: `${file}${text}`, path, how, file, ...(line === undefined ? {} : { line }) },
  ];
  if (was === undefined || is === undefined) {
    if (was === is) return [];
    return told(was === undefined ? ', which is new' : ', which is gone');
  }
  if (was.marks.length === is.marks.length && was.marks.every((mark, at) => mark === is.marks[at])) return [];
  const line = hunksOf(own, { before, after })?.[0]?.line;
  return line === undefined ? told(', which was edited') : told(`:${line}, which was edited`, line);
}

function templateCauses(parts: readonly ExplainedPart[], { known }: CauseSide, traced: CauseSide): readonly Cause[] {
  const own = editedAt(
    parts.flatMap(({ place, through }) => [place, ...through]),
    { known },
    traced,
  );
  // A condition around what is new itself says no more.
  return own.length > 0
    ? own
    : editedAt(
        parts.flatMap(({ conditions }) => conditions),
        { known },
        traced,
      );
}

function editedAt(
  places: readonly TemplatePlace[],
  { known }: Pick<CauseSide, 'known'>,
  traced: CauseSide,
): readonly Cause[] {
  return places.filter(isFile).flatMap(({ file, line, source }): Cause[] => {
    if (known.hasLine(file, source)) return [];
    // Of a long file that was recorded it is known whether it is the same, and no more.
    const [was, is] = [known.fileOf(file), traced.known.fileOf(file)];
    const isRecorded = known.textOf(file) === undefined && traced.known.textOf(file) !== undefined;
    if (isRecorded && was !== undefined && is?.numbers.length === 0) {
      return was.marks[0] === is.marks[0] ? [] : [{ kind: 'template', text: `${file}, which was edited`, file }];
    }
    return [{ kind: 'template', text: `${file}:${line}: ${source.trim()}`, file, line }];
  });
}

// A text that `tpl` runs stands in no file, and what decides about a sub-chart in none that is a template.
function isFile({ file }: TemplatePlace): boolean {
  return file !== 'gotpl' && !/\/(?:Chart|requirements)\.yaml$/.test(file);
}

function isOfChart(causes: readonly Cause[]): boolean {
  return causes.some(({ kind, file }) => kind === 'template' || file?.endsWith('/values.yaml') === true);
}

type Versions = readonly [before: string | number | undefined, after: string | number | undefined];

function versionCauses(sides: Sides, path: string): readonly Cause[] {
  const { was, is } = inputsOfBoth(sides);
  const chart = path.replace(/\/templates\/.*/s, '');
  return [
    ...between('chart', `chart ${chart}`, versionsOf(chart, sides)),
    ...between('kubeVersion', 'Kubernetes', [was.kubeVersion, is.kubeVersion]),
    ...between('helmVersion', 'Helm', [was.helm, is.helm]),
  ];
}

function between(kind: CauseKind, name: string, [from, to]: Versions): Cause[] {
  return from === to || from === undefined || to === undefined ? [] : [{ kind, text: `${name} ${from} → ${to}` }];
}

function versionsOf(chart: string, sides: Sides): Versions {
  const { was, is } = inputsOfBoth(sides);
  return [was.charts[chart]?.version, is.charts[chart]?.version];
}

function inputsOfBoth({ before, after }: Sides): {
  readonly was: KnownInputs['inputs'];
  readonly is: KnownInputs['inputs'];
} {
  return { was: before.known.inputs, is: after.known.inputs };
}

function distinctCauses(causes: readonly Cause[]): readonly Cause[] {
  return distinct(causes, ({ kind, text }) => `${kind} ${text}`);
}
