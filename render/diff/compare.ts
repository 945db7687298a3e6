// Two values, member by member: what came, what went, what is another, each with the way to it.

import type { GoMap, GoValue } from '../go/value.ts';
import { isFixed, listKindOf, type Schema, schemaOfMember } from './crds.ts';
import { diffText, type EmbeddedFormat, readEmbedded } from './embedded.ts';
import { type ItemPair, knownList, pairItems } from './lists.ts';
import type { Step, Steps } from './steps.ts';
import { areSameQuantity, canonical, isScalar } from './value.ts';

/** What happened to a member; `move` says that the items of a list stand in another order. */
export type EntryOp = 'add' | 'remove' | 'change' | 'move';

/** One difference of two values. */
export interface RawEntry {
  readonly op: EntryOp;
  /** The way as people read it. */
  readonly steps: readonly Step[];
  /** The way in each side: to the member, or to the text that holds it. */
  readonly stepsBefore: Steps;
  readonly stepsAfter: Steps;
  /** Undefined where it is not there. */
  readonly before: GoValue | undefined;
  readonly after: GoValue | undefined;
  /** Where the member stands in a text of another language. */
  readonly inside: Inside | undefined;
  /** The lines of a text that differ, as hunks. */
  readonly lines: string | undefined;
  /** Whether the schema of a custom resource refuses the change. */
  readonly isFixed: boolean;
}

/** A text within an object, and the way in it. */
export interface Inside {
  readonly format: EmbeddedFormat;
  readonly steps: readonly Step[];
}

/** How values are compared. */
export interface Comparison {
  /** The schema of a custom resource; null for others. */
  readonly schema: Schema;
  /** Whether the names of lists mean what they do in Kubernetes. */
  readonly isBuiltin: boolean;
  /** Compares lists in order and texts as texts, as the controller of a workload compares pod templates. Default false. */
  readonly isExact?: boolean | undefined;
}

interface Place {
  readonly steps: readonly Step[];
  readonly before: Steps;
  readonly after: Steps;
  readonly schema: Schema;
  readonly isFixed: boolean;
  readonly isBuiltin: boolean;
  readonly isExact: boolean;
  readonly inside: Inside | undefined;
}

/** Gives every difference of two values, in the order of the later one. */
export function compareValues(before: GoValue, after: GoValue, comparison: Comparison): RawEntry[] {
  const { schema, isBuiltin, isExact = false } = comparison;
  const steps = { steps: [], before: [], after: [] };
  const place = { ...steps, schema, isFixed: isFixed(schema), isBuiltin, isExact, inside: undefined };
  return compareAt(before, after, place);
}

function compareAt(before: GoValue, after: GoValue, place: Place): RawEntry[] {
  if (before instanceof Map && after instanceof Map) return compareMaps(before, after, place);
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, place);
  if (typeof before === 'string' && typeof after === 'string') return compareTexts(before, after, place);
  if (isScalar(before) && isScalar(after) && (before === after || areQuantities(before, after, place))) return [];
  return [entryAt('change', place, { before, after })];
}

// A member that is null is as one that is not there, and some are the same empty.
const emptyMembers: ReadonlySet<string> = new Set([
  ...['labels', 'annotations', 'nodeSelector', 'affinity', 'tolerations', 'imagePullSecrets', 'securityContext'],
  ...['resources', 'limits', 'requests', 'env', 'envFrom', 'args', 'command', 'volumes', 'volumeMounts', 'finalizers'],
  ...['data', 'binaryData', 'stringData', 'initContainers', 'hostAliases', 'topologySpreadConstraints', 'secrets'],
]);

function presentMember(map: GoMap, name: string, place: Place): GoValue | undefined {
  const value = map.get(name) ?? undefined;
  if (!place.isBuiltin || place.inside !== undefined || !emptyMembers.has(name)) return value;
  const isEmpty = Array.isArray(value) ? value.length === 0 : value instanceof Map && value.size === 0;
  return isEmpty ? undefined : value;
}

/** Tells what was added, removed or changed at a place; undefined is what is not there. */
function compareEither(before: GoValue | undefined, after: GoValue | undefined, at: Place): RawEntry[] {
  if (before !== undefined && after !== undefined) return compareAt(before, after, at);
  if (after !== undefined) return [entryAt('add', at, { after })];
  return before === undefined ? [] : [entryAt('remove', at, { before })];
}

function compareMaps(before: GoMap, after: GoMap, place: Place): RawEntry[] {
  const names = [...new Set([...after.keys(), ...before.keys()])];
  return names.flatMap((name) => {
    const [left, right] = [presentMember(before, name, place), presentMember(after, name, place)];
    if (left === undefined && right === undefined) return [];
    const at = within(place, name, { before: name, after: name, schema: schemaOfMember(place.schema, name) });
    return compareEither(left, right, at);
  });
}

function compareLists(before: readonly GoValue[], after: readonly GoValue[], place: Place): RawEntry[] {
  if (canonical([...before]) === canonical([...after])) return [];
  const { pairs, isReordered } = pairItems(before, after, listKindAt(before, after, place));
  const schema = place.schema instanceof Map ? (place.schema.get('items') ?? null) : null;
  const entries = pairs.flatMap(({ before: from, after: to, key }) => {
    const left = from === undefined ? undefined : before[from];
    const right = to === undefined ? undefined : after[to];
    const at = within(place, key ?? to ?? from ?? 0, { before: from ?? 0, after: to ?? 0, schema });
    return compareEither(left, right, at);
  });
  const isMoved = isReordered || (place.isExact && isOutOfOrder(pairs));
  return isMoved ? [...entries, entryAt('move', place, { before: [...before], after: [...after] })] : entries;
}

function isOutOfOrder(pairs: readonly ItemPair[]): boolean {
  const kept = pairs.flatMap(({ before, after }) => (before === undefined || after === undefined ? [] : [before]));
  return kept.some((before, i) => before < (kept[i - 1] ?? 0));
}

function listKindAt(
  before: readonly GoValue[],
  after: readonly GoValue[],
  { steps, schema, isBuiltin, inside }: Place,
) {
  const declared = listKindOf(schema);
  if (declared !== undefined) return declared;
  const name = steps.at(-1);
  const found = typeof name === 'string' && inside === undefined ? knownList(name, [...before, ...after]) : undefined;
  return isBuiltin || found?.type === 'map' ? found : undefined;
}

function compareTexts(before: string, after: string, place: Place): RawEntry[] {
  if (before === after || areQuantities(before, after, place)) return [];
  const name = place.steps.findLast((step) => typeof step === 'string') ?? '';
  // Documents within documents are texts.
  const pair = place.inside === undefined && !place.isExact ? readEmbedded(before, after, String(name)) : undefined;
  if (pair !== undefined) {
    const inside = { format: pair.format, steps: [] };
    return compareAt(pair.before, pair.after, { ...place, schema: null, inside });
  }
  const isLong = before.trimEnd().includes('\n') || after.trimEnd().includes('\n');
  return [{ ...entryAt('change', place, { before, after }), lines: isLong ? diffText(before, after) : undefined }];
}

const quantityHolders = new Set(['limits', 'requests', 'capacity', 'allocatable', 'hard', 'default', 'defaultRequest']);
const quantityNames = new Set(['sizeLimit', 'averageValue']);

function areQuantities(before: GoValue, after: GoValue, { steps, isBuiltin, inside }: Place): boolean {
  if (!isBuiltin || inside !== undefined) return false;
  const [holder, name] = [steps.at(-2), steps.at(-1)];
  const isQuantity = quantityHolders.has(String(holder)) || quantityNames.has(String(name));
  return isQuantity && areSameQuantity(before, after);
}

function within(
  place: Place,
  step: Step,
  to: { readonly before: string | number; readonly after: string | number; readonly schema: Schema },
): Place {
  const { inside } = place;
  const fixed = place.isFixed || isFixed(to.schema);
  if (inside !== undefined) return { ...place, inside: { ...inside, steps: [...inside.steps, step] } };
  return {
    ...place,
    steps: [...place.steps, step],
    before: [...place.before, to.before],
    after: [...place.after, to.after],
    schema: to.schema,
    isFixed: fixed,
  };
}

function entryAt(op: EntryOp, place: Place, values: { readonly before?: GoValue; readonly after?: GoValue }): RawEntry {
  const { steps, inside } = place;
  return {
    op,
    steps,
    stepsBefore: place.before,
    stepsAfter: place.after,
    before: values.before,
    after: values.after,
    inside,
    lines: undefined,
    isFixed: place.isFixed,
  };
}
