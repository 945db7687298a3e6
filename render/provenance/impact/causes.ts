// Finds the causes of a difference between two renderings: the changed value, patch, template line, chart or version.

import { lazy } from '../../core/lazy.ts';
import { type Steps, splitPath } from '../../core/paths.ts';
import { uniqueBy } from '../../core/unique-by.ts';
import { valueOfJson } from '../../values/patch.ts';
import { pathText } from '../../values/paths.ts';
import type { ExplainedPart, TemplatePlace } from '../trace/explain.ts';
import type { Setter } from '../trace/setters.ts';
import { type ExplainedValue, placesOf, type ValueWay } from '../trace/values.ts';
import {
  bumpOf,
  type Cause,
  type CauseSide,
  chartOfCause,
  chartOfFile,
  chartVersionCauses,
  inputsOfBoth,
  outerCharts,
  type Sides,
  type Versions,
  versionCauses,
  versionCausesOf,
  versionsOf,
} from './cause.ts';
import { editsNear, shownLine } from './edits.ts';
import { type ChangedPlace, firstParts, isFile, leftOutParts, partsAt, rangeAt, type WalkedTable } from './places.ts';

/** Returns the causes of a difference, the most direct first; empty if they are unknown. */
export function causesOf(before: CauseSide, after: CauseSide, place: ChangedPlace): readonly Cause[] {
  const sides = { before, after };
  const switched = place.steps.length === 0 ? subchartCauses(chartOfFile(place.document.path), sides) : [];
  if (switched.length > 0) return switched;
  const [own, other] = place.side === 'after' ? [after, before] : [before, after];
  const parts = partsAt(own, place);
  const leftOut = lazy(() => (own === after && parts.length > 0 ? [] : leftOutParts(after.objects, place)));
  // Each of these is evaluated only if the previous ones find nothing.
  const searches = [
    () => directCauses(parts, other, sides),
    () => directCauses(leftOut(), before, sides),
    () => directCauses(identityParts(own, place), other, sides),
    () => indirectCauses(sides, place),
    () => editCauses(parts, sides, place),
    () => editCauses(leftOut(), sides, place),
  ];
  let found: readonly Cause[] = [];
  for (const search of searches) if (found.length === 0) found = distinctCauses(search());
  const versions = versionCauses(sides, place.document.path);
  if (found.length === 0) return versions.length > 0 ? versions : otherSubcharts(sides);
  // Another version of a chart has other defaults and templates, so it is reported too.
  return distinctCauses([...found, ...versions.filter(({ kind }) => kind === 'chart' && isOfChart(found))]);
}

// An added or removed object may be a renamed one or one of another kind.
function identityParts(side: CauseSide, place: ChangedPlace): readonly ExplainedPart[] {
  if (place.steps.length > 0) return [];
  return [['kind'], ['apiVersion'], ['metadata', 'name'], ['metadata', 'namespace']].flatMap((steps) =>
    firstParts(side, place.document, steps),
  );
}

function directCauses(parts: readonly ExplainedPart[], other: CauseSide, sides: Sides): readonly Cause[] {
  return [...closest(valueCauses(parts, other, sides)), ...templateCauses(parts, other, sides)];
}

// A table that was read as a whole changed because of a value in it.
function closest(causes: readonly Cause[]): readonly Cause[] {
  return causes.filter(({ path: table }) => {
    return table === undefined || !causes.some(({ path }) => path !== undefined && isWithin(path, table));
  });
}

function isWithin(path: string, table: string): boolean {
  return path.startsWith(`${table}.`) || path.startsWith(`${table}[`);
}

// Causes that no part of the place itself explains.
function indirectCauses(sides: Sides, place: ChangedPlace): readonly Cause[] {
  const { before, after } = sides;
  const { document, steps, side, other } = place;
  const isWhole = steps.length === 0;
  if (side === 'after') {
    // The first line of a document is asked why the document exists; it may have been another kind of object before.
    const parts = isWhole ? partsAt(after, { ...place, steps: ['kind'] }) : [];
    return templateCauses(parts, before, sides);
  }
  const files = after.objects?.trace.files;
  const isTemplate = document.path.includes('/templates/');
  if (isTemplate && files !== undefined && !files.some(({ path }) => path === document.path)) {
    if (!isWhole) return [];
    const bumped = bumpOf(chartOfFile(document.path), sides);
    return bumped ?? [fileCause(document.path, 'removed')];
  }
  const around = other && rangeAt(after, { ...other, side: 'after' });
  const tables = isWhole ? after.walkedIn(document.path) : (around?.tables() ?? []);
  const gone = goneMembers(tables, steps.at(-1), sides);
  if (gone.length > 0) return gone;
  const values = closest(valueCauses(around?.parts ?? [], before, sides));
  if (values.length > 0) return values;
  const changed = tables.filter(({ table }) => table.length > 0 && isOther(table, sides));
  return closest(changed.map(({ table, how }) => tableCause(table, how, sides)));
}

// Members of lists and tables that a template iterates over; inside of a removed one nothing is reported.
function goneMembers(tables: readonly WalkedTable[], key: Steps[number] | undefined, sides: Sides): readonly Cause[] {
  const { before, after } = sides;
  const { goneItems } = after.editsSince(before.known);
  const isGone = (path: Steps): boolean => before.known.hasPath(path) && !after.known.hasPath(path);
  const causes: Cause[] = [];
  for (const { table, isList, how } of tables) {
    const keys = typeof key === 'string' && isGone([...table, key]) ? [key] : [];
    const gone = isList ? goneItems(table) : keys;
    if (gone.length === 0 || causes.some(({ path = '' }) => isWithin(`${pathText(table)}.`, path))) continue;
    const isOne = gone.length === 1;
    causes.push(...(isOne ? gone.map((step) => goneCause([...table, step], how)) : [tableCause(table, how, sides)]));
  }
  return causes;
}

function isOther(table: Steps, { before, after }: Sides): boolean {
  const value = after.known.valueAt(table);
  return before.known.hasPath(table) && (value === undefined || !before.known.hasValue(table, value));
}

function tableCause(table: Steps, how: ValueWay, sides: Sides): Cause {
  return setCause({ path: pathText(table), steps: table, how, setBy: [] }, sides);
}

function goneCause(steps: Steps, how: ValueWay): Cause {
  const path = pathText(steps);
  return { kind: 'value', text: `${path}, no longer set`, path, how };
}

// What no value and no existing line explains: lines that were removed from or moved in the templates that wrote it, and removed files.
function editCauses(parts: readonly ExplainedPart[], sides: Sides, place: ChangedPlace): readonly Cause[] {
  const { before, after } = sides;
  const { document, other, side } = place;
  if (!document.path.includes('/templates/') || after.objects === undefined) return [];
  const around = other === undefined || side === 'after' ? [] : partsAt(after, { ...other, side: 'after' });
  const gone = goneFiles(around, { before, after }, place);
  if (gone.length > 0) return gone;
  // Lines are numbered in the later file; those of the earlier one are known only approximately.
  const near = around.length > 0 ? around : parts;
  const places = near.flatMap(({ place: own, through }) => [own, ...through]);
  const edits = editsNear(document.path, places.filter(isFile), after.editsSince(before.known));
  return edits.flatMap((edit): readonly Cause[] => {
    return bumpOf(chartOfFile(edit.file), sides) ?? [{ kind: 'template', ...edit }];
  });
}

// A file with the name of what was removed, if files are read.
function goneFiles(
  around: readonly ExplainedPart[],
  { before, after }: Sides,
  { steps }: ChangedPlace,
): readonly Cause[] {
  const isRead = around.some(({ values }) => values.some(({ path }) => path.startsWith('.Files')));
  const now = after.known.files;
  if (!isRead) return [];
  const gone = [...before.known.files].filter((file) => !now.has(file) && !file.includes('/templates/'));
  return gone
    .filter((file) => file.endsWith(`/${steps.at(-1)}`))
    .map((file) => ({ kind: 'file', text: `${file}, removed`, file }));
}

// A value that is used explains more than one that selects.
function valueCauses(parts: readonly ExplainedPart[], other: CauseSide, sides: Sides): readonly Cause[] {
  const values = [
    ...parts.flatMap((part) => part.values),
    ...parts.flatMap(({ conditions }) => conditions.flatMap((condition) => condition.values)),
  ];
  for (const how of ['exact', 'computed', 'decides', 'shares'] as const) {
    const causes = values
      .filter((value) => value.how === how)
      .flatMap((value) =>
        value.path.startsWith('.') ? objectCauses(value, other, sides) : causeOf(value, other, sides),
      );
    if (causes.length > 0) return causes;
  }
  return [];
}

// Where it is set now, or that it no longer is.
function causeOf(value: ExplainedValue, other: CauseSide, sides: Sides): readonly Cause[] {
  const { before, after } = sides;
  const { steps } = value;
  if (isKnown(value, other, sides)) return [];
  // A disabled subchart has no defaults, and one of another version has others.
  const chart = defaultsOf(value, sides);
  const moved = chart === undefined ? [] : [...subchartCauses(chart, sides), ...(bumpOf(chart, sides) ?? [])];
  if (moved.length > 0) return moved;
  // The item now at the index of a removed one is the next one.
  const { goneItems } = after.editsSince(before.known);
  const at = steps.findIndex((step, i) => typeof step === 'number' && goneItems(steps.slice(0, i)).includes(step));
  if (other !== after || at < 0) return [setCause(value, sides)];
  const list = steps.slice(0, at);
  const items = after.known.valueAt(list);
  const isEmpty = Array.isArray(items) && items.length === 0;
  return [isEmpty ? tableCause(list, value.how, sides) : goneCause(steps.slice(0, at + 1), value.how)];
}

// The chart whose values.yaml sets a value.
function defaultsOf({ chart, setBy: [winner] }: ExplainedValue, sides: Sides): string | undefined {
  if (winner?.kind === 'chart') return chart;
  if (winner?.kind !== 'import-values') return undefined;
  const { was, is } = inputsOfBoth(sides);
  let found = chart;
  for (const step of splitPath(winner.path)) {
    const inner = `${found}/charts/${step}`;
    if (was.charts[inner] === undefined && is.charts[inner] === undefined) break;
    found = inner;
  }
  return found;
}

type ChangedValue = Pick<ExplainedValue, 'path' | 'how' | 'steps' | 'setBy'>;

function setCause({ path, how, steps, setBy }: ChangedValue, { before, after }: Sides): Cause {
  const [winner] = after.objects?.trace.setBy(steps) ?? setBy;
  const isGone = winner === undefined && before.known.hasPath(steps);
  const where = winner === undefined ? '' : `, set by ${placeOf(winner)}`;
  const text = `${path}${isGone ? ', no longer set' : where}`;
  return { kind: winner?.kind === 'patch' ? 'patch' : 'value', text, path, how, ...fileOf(winner) };
}

// Why a subchart is installed on only one side: the values that enable it, or that it was added or removed.
function subchartCauses(chart: string, sides: Sides): readonly Cause[] {
  const { before, after } = sides;
  const { was, is } = inputsOfBoth(sides);
  const [root = ''] = chart.split('/charts/');
  if (was.charts[root] === undefined || is.charts[root] === undefined) return [];
  const outer = outerCharts(chart).find((one) => (was.charts[one] === undefined) !== (is.charts[one] === undefined));
  if (outer === undefined) return [];
  const decided = after.objects?.trace.subcharts.find(({ path }) => path === outer)?.condition.values ?? [];
  const changed = decided.filter((value) => !isKnown(value, before, sides)).map((value) => setCause(value, sides));
  if (changed.length > 0) return changed;
  const isNew = was.charts[outer] === undefined;
  return [{ kind: 'chart', text: `${chartOfCause(outer)}, ${isNew ? 'added' : 'removed'}` }];
}

// Lists of subcharts, such as `.Subcharts`, contain none of their values.
function otherSubcharts(sides: Sides): readonly Cause[] {
  const { was, is } = inputsOfBoth(sides);
  const charts = Object.keys({ ...was.charts, ...is.charts });
  return distinctCauses(charts.flatMap((chart) => subchartCauses(chart, sides)));
}

// A chart may keep its defaults in a separate table below the user's values.
function isKnown({ steps, value }: ExplainedValue, { known }: CauseSide, { before, after }: Sides): boolean {
  const moved = (after.objects ?? before.objects)?.trace.moved ?? [];
  const place = [steps, ...placesOf(steps, moved)].find((one) => known.hasPath(one));
  return place === undefined ? value === null : known.hasValue(place, valueOfJson(value));
}

function placeOf({ kind, where, line, column }: Setter): string {
  const place = line === undefined ? where : `${where}:${line}:${column}`;
  return kind === 'patch' ? `the patch at ${place}` : place;
}

function fileOf(setter: Setter | undefined): Pick<Cause, 'file' | 'line'> {
  return setter?.line === undefined ? {} : { file: setter.where, line: setter.line };
}

// `.Chart`, `.Capabilities` and `.Release` are compared by what is recorded of them.
function objectCauses(value: ExplainedValue, other: CauseSide, sides: Sides): readonly Cause[] {
  const { path, chart, how } = value;
  const { was, is } = inputsOfBoth(sides);
  const withHow = (causes: readonly Cause[]): Cause[] => causes.map((cause) => ({ ...cause, how }));
  if (path === '.Chart.AppVersion') {
    const versions: Versions = [was.charts[chart]?.appVersion, is.charts[chart]?.appVersion];
    return withHow(chartVersionCauses(chart, versions, 'appVersion'));
  }
  if (path.startsWith('.Chart.')) return withHow(chartVersionCauses(chart, versionsOf(chart, sides)));
  if (path.startsWith('.Files')) return fileCauses(value, other, sides);
  if (path.startsWith('.Capabilities'))
    return withHow(versionCausesOf({ kind: 'kubeVersion', name: 'Kubernetes' }, [was.kubeVersion, is.kubeVersion]));
  if (path === '.Release.Name') return withHow(releaseCauses('name', [was.release.name, is.release.name]));
  if (path !== '.Release.Namespace') return [];
  return withHow(releaseCauses('namespace', [was.release.namespace, is.release.namespace]));
}

function releaseCauses(what: 'name' | 'namespace', [from, to]: readonly [string, string]): Cause[] {
  return from === to ? [] : [{ kind: 'release', text: `the ${what} of the release: ${from} → ${to}` }];
}

// A changed, added or removed file of the chart. Its content is not shown because it may be secret.
function fileCauses(value: ExplainedValue, other: CauseSide, sides: Sides): readonly Cause[] {
  const {
    path,
    chart,
    how,
    steps: [, name],
    setBy,
  } = value;
  const { known: before } = sides.before;
  const { known: after } = sides.after;
  if (name === undefined) return [];
  const own = `${chart}/${name}`;
  const bumped = bumpOf(chart, sides);
  // The later folder is the one that users have.
  const file = (other === sides.after ? undefined : setBy[0]?.where) ?? own;
  const [was, is] = [before.fileOf(own), after.fileOf(own)];
  const causeOf = (text: string, line?: number): Cause[] => [
    { kind: 'file', text: `${file}${text}`, path, how, file, ...(line === undefined ? {} : { line }) },
  ];
  if (was === undefined || is === undefined) {
    if (was === is) return [];
    if (bumped !== undefined) return bumped;
    return causeOf(was === undefined ? ', added' : ', removed');
  }
  if (was.marks.length === is.marks.length && was.marks.every((mark, at) => mark === is.marks[at])) return [];
  if (bumped !== undefined) return bumped;
  const line = sides.after.editsSince(before).hunksOf(own)?.[0]?.line;
  return line === undefined ? causeOf(', edited') : causeOf(`:${line}, edited`, line);
}

function templateCauses(parts: readonly ExplainedPart[], other: CauseSide, sides: Sides): readonly Cause[] {
  const own = editedAt(
    parts.flatMap(({ place, through }) => [place, ...through]),
    other,
    sides,
  );
  // A condition around something new does not explain more.
  return own.length > 0
    ? own
    : editedAt(
        parts.flatMap(({ conditions }) => conditions),
        other,
        sides,
      );
}

function editedAt(places: readonly TemplatePlace[], other: CauseSide, sides: Sides): readonly Cause[] {
  const { known } = other;
  const { known: own } = other === sides.before ? sides.after : sides.before;
  return places.filter(isFile).flatMap(({ file, line, source }): readonly Cause[] => {
    if (known.hasLine(file, source)) return [];
    const chart = chartOfFile(file);
    const moved = [...subchartCauses(chart, sides), ...(bumpOf(chart, sides) ?? [])];
    if (moved.length > 0) return moved;
    if (!known.files.has(file)) return [fileCause(file, other === sides.after ? 'removed' : 'added')];
    // A removed line is reported by its position in the later file.
    if (other === sides.after) return [];
    // The record of a long file says only whether it is the same.
    const [was, is] = [known.fileOf(file), own.fileOf(file)];
    const isRecorded = known.textOf(file) === undefined && own.textOf(file) !== undefined;
    if (isRecorded && was !== undefined && is?.numbers.length === 0) {
      return was.marks[0] === is.marks[0] ? [] : [{ kind: 'template', text: `${file}, edited`, file }];
    }
    return [{ kind: 'template', text: `${file}:${line}: ${shownLine(source)}`, file, line }];
  });
}

function fileCause(file: string, what: 'added' | 'removed'): Cause {
  return { kind: 'template', text: `${file}, ${what}`, file };
}

function isOfChart(causes: readonly Cause[]): boolean {
  return causes.some(({ kind, file }) => kind === 'template' || file?.endsWith('/values.yaml') === true);
}

function distinctCauses(causes: readonly Cause[]): readonly Cause[] {
  return uniqueBy(causes, ({ kind, text }) => `${kind} ${text}`);
}
