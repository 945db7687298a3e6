// Compares two values member by member: added, removed and changed members with their paths.

import type { Steps } from '../core/paths.ts';
import type { GoMap, GoValue } from '../go/value.ts';
import { listMember, member, textMember } from '../manifest/objects.ts';
import { diffText, type EmbeddedFormat, parseEmbedded, readEmbedded, unsaidLines } from './embedded.ts';
import { knownList, type ListKind, pairItems } from './lists.ts';
import type { DiffStep } from './steps.ts';
import { areSameQuantity, canonical, isSameScalar, isScalar } from './value.ts';

/** The change of a member; `move` means that the items of a list are in another order. */
export type EntryOp = 'add' | 'remove' | 'change' | 'move';

export interface RawEntry {
  readonly op: EntryOp;
  /** The path for people. */
  readonly steps: readonly DiffStep[];
  /** The path in each side: to the member, or to the text that contains it. */
  readonly stepsBefore: Steps;
  readonly stepsAfter: Steps;
  /** Undefined on the side where it does not exist. */
  readonly before: GoValue | undefined;
  readonly after: GoValue | undefined;
  /** Set if the member is in a text in another language. */
  readonly inside: Inside | undefined;
  /** The differing lines of a text, as hunks. */
  readonly lines: string | undefined;
  /** Whether the schema of a custom resource refuses the change. */
  readonly isFixed: boolean;
}

/** A text within an object, and the path in it. */
export interface Inside {
  readonly format: EmbeddedFormat;
  readonly steps: readonly DiffStep[];
}

export interface ValueComparison {
  /** The schema of a custom resource; null for others. */
  readonly schema: CrdSchema;
  /** Whether list names have their Kubernetes meaning. */
  readonly isBuiltin: boolean;
  readonly kind: string;
}

interface Place {
  readonly steps: readonly DiffStep[];
  readonly before: Steps;
  readonly after: Steps;
  readonly schema: CrdSchema;
  readonly isFixed: boolean;
  readonly isBuiltin: boolean;
  readonly kind: string;
  readonly inside: Inside | undefined;
}

/** Returns all differences between two values, in the order of the later one. */
export function compareValues(before: GoValue, after: GoValue, comparison: ValueComparison): RawEntry[] {
  const place = { ...comparison, steps: [], before: [], after: [], inside: undefined };
  return compareAt(before, after, { ...place, isFixed: isFixed(comparison.schema) });
}

function compareAt(before: GoValue, after: GoValue, place: Place): RawEntry[] {
  if (before instanceof Map && after instanceof Map) return compareMaps(before, after, place);
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, place);
  if (typeof before === 'string' && typeof after === 'string') return compareTexts(before, after, place);
  if (isScalar(before) && isScalar(after)) {
    if (isSameScalar(before, after, place.inside !== undefined) || areQuantities(before, after, place)) return [];
  }
  return [entryAt('change', place, { before, after })];
}

// Members of Kubernetes types with the same meaning whether empty or missing: maps and lists, never pointers to structs.
const emptyMembers: ReadonlySet<string> = new Set([
  ...['labels', 'annotations', 'nodeSelector', 'tolerations', 'imagePullSecrets', 'resources', 'limits', 'requests'],
  ...['env', 'envFrom', 'args', 'command', 'volumes', 'volumeMounts', 'finalizers', 'data', 'binaryData', 'stringData'],
  ...['initContainers', 'hostAliases', 'topologySpreadConstraints', 'secrets'],
]);

/** Maps of texts with user-defined keys: there an empty text is a text. */
export const textMaps: ReadonlySet<string> = new Set([
  ...['data', 'binaryData', 'stringData', 'labels', 'annotations', 'matchLabels', 'nodeSelector', 'parameters'],
]);

// In these `null` is an empty text, not a missing member.
const freeMaps: ReadonlySet<string> = new Set([...textMaps, ...['selector', 'volumeAttributes', 'options']]);

function presentMember(map: GoMap, name: string, place: Place): GoValue | undefined {
  const value = map.get(name);
  if (value === null) return isNullMissing(name, place) ? undefined : null;
  if (!isTyped(place)) return value;
  const isEmpty = Array.isArray(value) ? value.length === 0 : value instanceof Map && value.size === 0;
  // The server defaults a pod's security context to an empty one; a container's empty security context is a separate value.
  const isSame = emptyMembers.has(name) || (name === 'securityContext' && place.steps.at(-1) === 'spec');
  return isEmpty && isSame ? undefined : value;
}

// In the schemas of a definition the names are user-defined.
function isTyped({ isBuiltin, inside, kind, steps }: Place): boolean {
  const isInSchema = kind === 'CustomResourceDefinition' && steps.includes('openAPIV3Schema');
  return isBuiltin && inside === undefined && !isInSchema;
}

// A server drops a null member, unless the schema of a custom resource allows it.
function isNullMissing(name: string, place: Place): boolean {
  if (isTyped(place)) return !freeMaps.has(String(place.steps.at(-1)));
  const schema = schemaOfMember(place.schema, name);
  return place.inside === undefined && schema instanceof Map && schema.get('nullable') !== true;
}

/** Returns the addition, removal or change at a path; undefined stands for a missing member. */
function compareEither(before: GoValue | undefined, after: GoValue | undefined, at: Place): RawEntry[] {
  if (before !== undefined && after !== undefined) return compareAt(before, after, at);
  if (after !== undefined) return [entryAt('add', at, { after })];
  return before === undefined ? [] : [entryAt('remove', at, { before })];
}

function compareMaps(before: GoMap, after: GoMap, place: Place): RawEntry[] {
  const names = [...new Set([...after.keys(), ...before.keys()])];
  return names.flatMap((name) => {
    const [left, right] = [presentMember(before, name, place), presentMember(after, name, place)];
    if (left === right) return [];
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
  return isReordered ? [...entries, entryAt('move', place, { before: [...before], after: [...after] })] : entries;
}

function listKindAt(
  before: readonly GoValue[],
  after: readonly GoValue[],
  { steps, schema, isBuiltin, inside, kind }: Place,
): ListKind | undefined {
  const declared = listKindOf(schema);
  if (declared !== undefined) return declared;
  const name = steps.at(-1);
  const found = typeof name === 'string' && inside === undefined ? knownList(name, [...before, ...after]) : undefined;
  if (found === undefined || (!isBuiltin && found.type !== 'map')) return undefined;
  // Another order in a pod replaces the pod. The effect in a custom resource is unknown.
  const isInPod = kind === 'Pod' || steps.includes('template') || steps[0] === 'template';
  return isBuiltin && !isInPod ? found : { ...found, isOrdered: true };
}

function compareTexts(before: string, after: string, place: Place): RawEntry[] {
  if (before === after || areQuantities(before, after, place)) return [];
  const name = place.steps.findLast((step) => typeof step === 'string') ?? '';
  // Embedded documents are texts.
  const pair = place.inside === undefined ? readEmbedded(before, after, String(name)) : undefined;
  const isLong = before.trimEnd().includes('\n') || after.trimEnd().includes('\n');
  const asText = (lines: string | undefined): RawEntry => ({ ...entryAt('change', place, { before, after }), lines });
  if (pair === undefined) return [asText(isLong ? diffText(before, after) : undefined)];
  const { format } = pair;
  const compareWith = (value: GoValue): RawEntry[] =>
    compareAt(pair.before, value, { ...place, schema: null, inside: { format, steps: [] } });
  const entries = compareWith(pair.after);
  // A pod sees the text itself, including comments, quotes and white space.
  if (entries.length === 0) return [asText(isLong ? diffText(before, after) : undefined)];
  const unsaid = unsaidLines(before, after, (text) => {
    const value = parseEmbedded(format, text);
    return value !== undefined && compareWith(value).length === 0;
  });
  return unsaid === '' ? entries : [...entries, asText(unsaid)];
}

function areQuantities(before: GoValue, after: GoValue, place: Place): boolean {
  return isTyped(place) && isQuantity(place.kind, place.steps) && areSameQuantity(before, after);
}

function within(
  place: Place,
  step: DiffStep,
  to: { readonly before: string | number; readonly after: string | number; readonly schema: CrdSchema },
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

// The members of built-in kinds that are quantities, so that `1000m` equals `1`, by the member that contains the list of resources.
// Mirrors: Kubernetes 1.32, pkg/apis/*/types.go, the fields of type `resource.Quantity` and `ResourceList`.
const lists = new Set(['limits', 'requests', 'capacity', 'allocatable', 'allocatedResources', 'overhead', 'podFixed']);
const limitRange = new Set(['default', 'defaultRequest', 'max', 'min', 'maxLimitRequestRatio']);
const single = new Set(['sizeLimit', 'divisor', 'averageValue', 'targetAverageValue']);
// The keys of these are user-defined.
const others = new Set(['ConfigMap', 'Secret', 'CustomResourceDefinition']);

/** Reports whether the type of a member is a quantity. */
function isQuantity(kind: string, steps: readonly DiffStep[]): boolean {
  const [holder, name] = [steps.at(-2), String(steps.at(-1))];
  if (others.has(kind) || steps[0] === 'metadata' || holder === 'annotations' || holder === 'labels') return false;
  if (single.has(name)) return true;
  if (typeof holder !== 'string') return false;
  if (holder === 'hard') return kind === 'ResourceQuota';
  if (limitRange.has(holder)) return kind === 'LimitRange';
  if (kind === 'HorizontalPodAutoscaler') return holder === 'target' && name === 'value';
  return lists.has(holder) && steps[0] === 'spec';
}

/** The schema at a path of a custom resource; null if there is none. */
export type CrdSchema = GoValue;

/** Returns the schema of a kind from the definitions among objects, the later ones first; null if there is none. */
export function schemaOf(definitions: readonly GoMap[], group: string, kind: string, version: string): CrdSchema {
  for (const definition of definitions.toReversed()) {
    const spec = member(definition, 'spec');
    if (textMember(spec, 'group') !== group || textMember(member(spec, 'names'), 'kind') !== kind) continue;
    const listed = listMember(spec, 'versions');
    const found = listed.find((item) => textMember(item, 'name') === version) ?? listed[0] ?? null;
    const schema = member(member(found, 'schema'), 'openAPIV3Schema');
    return schema ?? member(member(spec, 'validation'), 'openAPIV3Schema');
  }
  return null;
}

/** Returns the schema of a member of a map. */
function schemaOfMember(schema: CrdSchema, name: string): CrdSchema {
  return member(member(schema, 'properties'), name) ?? member(schema, 'additionalProperties');
}

/** Returns the merge strategy of a list in a schema, or undefined. */
function listKindOf(schema: CrdSchema): ListKind | undefined {
  const type = textMember(schema, 'x-kubernetes-list-type');
  if (type === 'set') return { type, keys: [], isOrdered: false };
  if (type === 'atomic') return { type, keys: [], isOrdered: true };
  const keys = member(schema, 'x-kubernetes-list-map-keys');
  if (type !== 'map' || !Array.isArray(keys)) return undefined;
  return { type, keys: keys.map(String), isOrdered: false };
}

/** Reports whether a schema makes the member immutable: it has a rule that it equals its old value. */
function isFixed(schema: CrdSchema): boolean {
  return listMember(schema, 'x-kubernetes-validations').some((rule) =>
    /^\s*(?:self\s*==\s*oldSelf|oldSelf\s*==\s*self)\s*$/.test(textMember(rule, 'rule')),
  );
}
