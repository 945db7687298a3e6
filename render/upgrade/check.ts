// The effects of a chart upgrade on a user's values: values that moved, values that are no longer read, and changed defaults.

import type { Chart } from '../chart/chart.ts';
import { plainValue } from '../codec/plain.ts';
import type { Steps } from '../core/paths.ts';
import type { JsonObject, JsonValue } from '../order/order.ts';
import { type Leaf, leafPaths, leavesAt, withoutValue, withValue } from '../values/edit.ts';
import { pathText, startsWith, valueAtSteps } from '../values/paths.ts';

/** A user's value that has another meaning in the new version. */
export interface ValueChange {
  /** For example `image.tag`. */
  readonly path: string;
  readonly value: JsonValue;
  /**
   * - `moved` – the new version reads it elsewhere.
   * - `retyped` – the new version has a list or a table where the old one has none, or the other way round.
   * - `unread` – the old version read it, and nothing in the new one does what it did.
   * - `unused` – neither version reads it.
   */
  readonly kind: 'moved' | 'retyped' | 'unread' | 'unused';
  /** Where the new version reads it. */
  readonly to?: string;
  /** For a retyped value, the default of the new version. */
  readonly expected?: JsonValue;
}

/** A default that changed in the new version, of a value that the user does not set. */
export interface DefaultChange {
  readonly path: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
}

/** The effects of an upgrade on values. */
export interface ValuesReport {
  /** Sorted by path. */
  readonly values: readonly ValueChange[];
  readonly defaults: readonly DefaultChange[];
  /** The user's values for the new version: with moved values, and without values that nothing reads any more or that have another type. */
  readonly patched: JsonObject;
}

/** A rendering of one version. */
export interface UpgradeSide {
  readonly chart: Chart;
  /** Returns the fields of the objects that values render to; undefined if they do not render. */
  fields(values: JsonObject): ChangedFields | undefined;
  /** Returns the paths of values that a rendering does not read, among its own or others; undefined if it fails. */
  unread(values: JsonObject, among?: JsonObject): readonly Steps[] | undefined;
  /** Returns the paths that a rendering looked up and that are not set. */
  missing(values: JsonObject): readonly Steps[];
}

/** Minimum similarity of the effects of two values that count as the same value. */
const leastLikeness = 0.6;

/** Compares how two versions of a chart use values. If the old one does not render them, single values are not compared. */
export function compareUserValues(before: UpgradeSide, after: UpgradeSide, given: JsonObject): ValuesReport {
  const changes: ValueChange[] = [];
  let patched = given;
  const unreadBefore = before.unread(given);
  for (const leaf of unreadBefore === undefined ? [] : settingsIn(given, before.chart)) {
    const { steps, value } = leaf;
    // A new version may fail until the moved values are in place.
    const unreadAfter = after.unread(patched);
    const isReadAfter = unreadAfter === undefined ? isKnown(after, steps) : !holds(unreadAfter, leaf);
    const expected = otherShape(leaf, before.chart, after.chart);
    const isSame = isReadAfter && expected === undefined;
    if (isSame && !losesEffect({ before, after, given, rest: patched }, leaf)) continue;
    const path = pathText(steps);
    if (holds(unreadBefore!, leaf)) {
      changes.push({ path, value, kind: 'unused' });
      continue;
    }
    const rest = withoutValue(patched, steps);
    // A chart that reads all its values as a whole would read this one anywhere.
    const to = isSame ? undefined : findMoved({ before, after, given, rest }, leaf);
    patched = to === undefined ? rest : withValue(rest, to, value, rest);
    if (to !== undefined) changes.push({ path, value, kind: 'moved', to: pathText(to) });
    else if (expected !== undefined) changes.push({ path, value, kind: 'retyped', expected });
    else changes.push({ path, value, kind: 'unread' });
  }
  return { values: changes, defaults: changedDefaults(before, after, patched), patched };
}

/** Both versions, the user's values, and those for the new version without the value being located. */
interface Renamed {
  readonly before: UpgradeSide;
  readonly after: UpgradeSide;
  readonly given: JsonObject;
  readonly rest: JsonObject;
}

// Templates that read a table as a whole, or all values, also read values without an effect.
function losesEffect({ before, after, given, rest }: Renamed, { steps, value }: Leaf): boolean {
  if (!isKnown(before, steps) || isKnown(after, steps)) return false;
  // A value that is looked up by name counts.
  if (after.missing(withoutValue(rest, steps)).some((path) => pathText(path) === pathText(steps))) return false;
  const [old, own] = [effectAt(before, given, { steps, value }), effectAt(after, rest, { steps, value })];
  return old !== undefined && own !== undefined && old.size > 0 && likeness(old, own) === 0;
}

function effectAt(side: UpgradeSide, values: JsonObject, { steps, value }: Leaf): ReadonlySet<string> | undefined {
  const probe = probeOf(value);
  const first = side.fields(withValue(values, steps, value, values));
  const second = side.fields(withValue(values, steps, probe, values));
  return first && second && effectOf(first, second, probe);
}

// A value of the new version is the same one if changing it has the same effect.
function findMoved({ before, after, given, rest }: Renamed, { steps, value }: Leaf): Steps | undefined {
  const likenessAt = (side: UpgradeSide, values: JsonObject, path: Steps): number =>
    likeness(effect, effectAt(side, values, { steps: path, value }) ?? new Set());
  const effect = effectAt(before, withoutValue(given, steps), { steps, value }) ?? new Set();
  if (effect.size === 0) return undefined;
  const candidates = [
    ...leafPaths(plainValue(after.chart.values) as JsonObject).map((leaf) => leaf.steps),
    ...after.missing(rest),
  ];
  let best: { readonly path: Steps; readonly likeness: number } | undefined;
  const isNew = (path: Steps): boolean => isAdded(path, value, before.chart, after.chart);
  for (const path of likelyNames(steps, candidates, isNew)) {
    const own = likenessAt(after, rest, path);
    if (own < leastLikeness || own <= (best?.likeness ?? 0)) continue;
    // A value with the same effect in the old version, such as a global value beside a chart's own, is not the new name.
    const old = withoutValue(given, steps);
    if (likenessAt(before, old, path) >= leastLikeness) continue;
    best = { path, likeness: own };
    if (own === 1) break;
  }
  // What the user already sets there, or what has moved there, is kept.
  return best === undefined || isSet(rest, best.path) ? undefined : best.path;
}

// Whether the new version added a value that can have the same type: one without a default can have any.
function isAdded(path: Steps, value: JsonValue, before: Chart, after: Chart): boolean {
  if (valueAtSteps(before.values, path) !== undefined) return false;
  const own = defaultAt(after, path);
  return own === null || value === null || typeName(own) === typeName(value);
}

function typeName(value: JsonValue): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

// The new default, if it is a table, a list or a scalar, and the old one and the user's value are of another of these kinds.
function otherShape({ steps, value }: Leaf, before: Chart, after: Chart): JsonValue | undefined {
  for (let length = 1; length <= steps.length; length++) {
    const path = steps.slice(0, length);
    const [was, is] = [defaultAt(before, path), defaultAt(after, path)];
    const own = length < steps.length ? 'object' : shapeOf(value);
    if (shapeOf(was) === own && is !== null && shapeOf(is) !== own) return is;
  }
  return undefined;
}

function defaultAt({ values }: Chart, path: Steps): JsonValue {
  return plainValue(valueAtSteps(values, path) ?? null) as JsonValue;
}

function shapeOf(value: JsonValue): 'none' | 'array' | 'object' | 'scalar' {
  if (value === null) return 'none';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'object' ? 'object' : 'scalar';
}

// Another value of its type, for observing its effects.
function probeOf(value: JsonValue): JsonValue {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return value === '' ? marker : `${value}-${marker}`;
  if (Array.isArray(value)) return value.length > 0 ? [] : [{ name: marker }];
  return { ...value, name: marker };
}

function changedDefaults(before: UpgradeSide, after: UpgradeSide, patched: JsonObject): DefaultChange[] {
  const userPaths = leafPaths(patched).map(({ steps }) => steps);
  const defaults = plainValue(after.chart.values) as JsonObject;
  const unread = after.unread(patched, defaults) ?? [];
  return leafPaths(defaults).flatMap(({ steps, value }) => {
    const old = valueAtSteps(before.chart.values, steps);
    if (
      old === undefined ||
      userPaths.some((path) => startsWith(steps, path) || startsWith(path, steps)) ||
      holds(unread, { steps, value })
    )
      return [];
    const was = plainValue(old) as JsonValue;
    return JSON.stringify(was) === JSON.stringify(value) ? [] : [{ path: pathText(steps), before: was, after: value }];
  });
}

function isSet(values: JsonObject, steps: Steps): boolean {
  return leafPaths(values).some((leaf) => startsWith(leaf.steps, steps) || startsWith(steps, leaf.steps));
}

function isKnown({ chart }: UpgradeSide, steps: Steps): boolean {
  return valueAtSteps(chart.values, steps) !== undefined;
}

// A table is unread if everything in it is.
function holds(unread: readonly Steps[], { steps, value }: Leaf): boolean {
  return leavesAt(value, steps).every((leaf) => unread.some((path) => startsWith(leaf.steps, path)));
}

// A table without keys of the chart, such as labels, is one value.
function settingsIn(given: JsonObject, { values }: Chart): Leaf[] {
  const isOpen = (steps: Steps): boolean => {
    const own = valueAtSteps(values, steps);
    return steps.length > 0 && (own === undefined || !(own instanceof Map) || own.size === 0);
  };
  return leafPaths(given, isOpen);
}

// Proposes the paths that a value may have moved to.

const mostTried = 30;

/**
 * Returns the paths that a value may have moved to, the most likely first; at most 30: those that have a word in common with its path, and
 * those that `isNew` accepts, with any name.
 */
function likelyNames(steps: Steps, paths: readonly Steps[], isNew: (path: Steps) => boolean): Steps[] {
  const words = wordsOf(steps);
  const last = String(steps.at(-1)).toLowerCase();
  const scored = new Map<string, { readonly path: Steps; readonly score: number }>();
  for (const path of paths) {
    const own = wordsOf(path);
    const common = [...words].filter((word) => own.has(word)).length;
    const sameName = String(path.at(-1)).toLowerCase() === last ? 2 : 0;
    const score = sameName + (2 * common) / (words.size + own.size) + (isNew(path) ? 0.2 : 0);
    if (score > 0) scored.set(pathText(path), { path, score });
  }
  const inOrder = [...scored.values()].sort((a, b) => b.score - a.score);
  return inOrder.slice(0, mostTried).map(({ path }) => path);
}

// `serviceAccount.nameOverrides` has the words service, account, name, override.
function wordsOf(steps: Steps): ReadonlySet<string> {
  return new Set(
    steps.flatMap((step) =>
      String(step)
        .split(/[^A-Za-z\d]|(?<=[a-z\d])(?=[A-Z])/)
        .map((word) => word.toLowerCase().replace(/(?<=..)s$/, ''))
        .filter((word) => word !== ''),
    ),
  );
}

/** Fields with their texts and counts: `Deployment spec.replicas=3`. */
type ChangedFields = ReadonlyMap<string, number>;

/**
 * Returns the fields of objects, without the names of objects and list indexes, which differ between versions; a multi-line text counts
 * line by line.
 */
export function fieldsOf(objects: readonly JsonObject[]): ChangedFields {
  const fields = new Map<string, number>();
  const visit = (value: JsonValue, path: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, `${path}[]`);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) visit(item ?? null, `${path}.${key}`);
    } else {
      for (const line of typeof value === 'string' ? value.split('\n') : [JSON.stringify(value)]) {
        const field = `${path}=${line.trim()}`;
        fields.set(field, (fields.get(field) ?? 0) + 1);
      }
    }
  };
  for (const object of objects) visit(object, String(object.kind));
  return fields;
}

/** A text that no chart contains, to find a value in template output. */
const marker = 'drydock-probe';

/**
 * Returns the effect of a probe between two renderings: the fields that contain its text, with adjacent characters, or, if there are none,
 * the removed (`-`) and added (`+`) fields.
 */
function effectOf(before: ChangedFields, after: ChangedFields, probe: JsonValue): ReadonlySet<string> {
  const marked = [...after.keys()].filter((field) => field.includes(marker));
  if (marked.length > 0) return new Set(marked.map((field) => placeIn(field, String(probe))));
  const effect = new Set<string>();
  for (const [field, count] of after) if (count > (before.get(field) ?? 0)) effect.add(`+${field}`);
  for (const [field, count] of before) if (count > (after.get(field) ?? 0)) effect.add(`-${field}`);
  return effect;
}

// An image tag has a colon before it, a repository has one after it: both are in one field.
function placeIn(field: string, probe: string): string {
  const text = field.includes(probe) ? probe : marker;
  const at = field.indexOf(text);
  const around = [field[at - 1] ?? '', field[at + text.length] ?? ''].map((char) => (/\w/.test(char) ? 'w' : char));
  return `${field.slice(0, field.indexOf('='))} ${around.join(' ')}`;
}

/** Returns the similarity of two effects, from 0 to 1; 0 if one is empty. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  const common = [...a].filter((field) => b.has(field)).length;
  return common / (a.size + b.size - common);
}
