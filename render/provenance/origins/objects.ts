// Propagates origins through functions that create, modify, copy or split dicts and lists: parts keep their origins.

import { strval } from '../../go/cast.ts';
import { type GoMap, type GoValue, Int, isNil } from '../../go/value.ts';
import type { Value } from '../../template/call.ts';
import {
  type Condition,
  downgrade,
  exactRead,
  joinReads,
  noOrigin,
  noReads,
  type Origin,
  originOf,
  readsOf,
  readsWithin,
  type ValueReads,
  withReads,
} from '../../template/origin.ts';
import { bare, entriesOf, hasParts, type Made, type Trace, type TracedCall } from '../../template/trace.ts';

import { pathText, valueAtSteps } from '../../values/paths.ts';

type Entry = readonly [name: string, rule: (call: TracedCall) => Origin];

export const objectRules: readonly Entry[] = [
  ['dict', dict],
  ['list', gathered],
  ['tuple', gathered],
  ['append', added],
  ['push', added],
  ['prepend', added],
  ['set', set],
  ['unset', (call) => call.origins[0] ?? noOrigin],
  ['merge', merged],
  ['mergeOverwrite', merged],
  ['deepCopy', (call) => copied(call, call.args[0] ?? null, call.result)],
  ['pick', (call) => shallow(call, call.args[0] ?? null)],
  ['omit', (call) => shallow(call, call.args[0] ?? null)],
  ['get', (call) => taken(call, 0, call.args.slice(1, 2))],
  ['index', (call) => taken(call, 0, call.args.slice(1))],
  ['dig', (call) => dug(call)],
  ['first', (call) => ended(call, () => 0)],
  ['last', (call) => ended(call, (length) => length - 1)],
  ['hasKey', hasKey],
  ['has', has],
  ['keys', keys],
  ['values', (call) => selected(call, [call.args[0] ?? null])],
  ['pluck', (call) => selected(call, call.args.slice(1))],
  ...['rest', 'initial', 'reverse', 'uniq', 'compact', 'sortAlpha', 'toStrings'].map(
    (name): Entry => [name, (call) => selected(call, [call.args[0] ?? null])],
  ),
  ...['without', 'slice'].map((name): Entry => [name, (call) => selected(call, [call.args[0] ?? null])]),
  ['concat', (call) => selected(call, call.args)],
  ['chunk', (call) => selected(call, [call.args[1] ?? null])],
];

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && hasParts(value);
}

function makeGathered(trace: Trace, value: GoValue, since?: Condition): Made | undefined {
  const inner = bare(value);
  if (!isObject(inner)) return undefined;
  const made = trace.make(inner, noOrigin);
  if (!made.isGathered) made.since = since;
  made.isGathered = true;
  return made;
}

// What decided that a part was added; it stays with the part when the part leaves the branch.
function presenceOf({ condition, isAssigned }: TracedCall, since?: Condition): ValueReads {
  return isAssigned ? readsWithin(condition, since) : noReads;
}

function dict(call: TracedCall): Origin {
  const { args, origins, result, condition, trace } = call;
  const made = makeGathered(trace, result, condition);
  const presence = presenceOf(call);
  for (let i = 0; i < args.length; i += 2) {
    const key = strval(args[i] ?? null);
    if (made !== undefined)
      putPart(made, key, { name: origins[i] ?? noOrigin, part: origins[i + 1] ?? noOrigin, presence });
  }
  return noOrigin;
}

interface PutPart {
  readonly name: Origin;
  readonly part: Origin;
  readonly presence: ValueReads;
}

function putPart(made: Made, key: string, { name, part, presence }: PutPart): void {
  const named = readsOf(name);
  made.parts.set(key, withReads(part, joinReads(downgrade(named, 'computed'), presence)));
  made.keys ??= new Map();
  made.keys.set(key, { reads: downgrade(joinReads(named, presence), 'decides'), name });
}

function gathered(call: TracedCall): Origin {
  const { origins, result, condition, trace } = call;
  const made = makeGathered(trace, result, condition);
  const presence = presenceOf(call);
  for (const [at, origin] of origins.entries()) made?.parts.set(at, withReads(origin, presence));
  return noOrigin;
}

function added(call: TracedCall): Origin {
  const { name, args, origins, result, trace } = call;
  const items = result as GoValue[];
  const isFirst = name.toLowerCase().endsWith('prepend');
  const list = bare(args[0] ?? null);
  const since = trace.madeOf(list)?.since;
  const made = makeGathered(trace, result, since);
  const presence = presenceOf(call, since);
  if (isObject(list)) {
    for (const [at, item] of entriesOf(list)) {
      made?.parts.set(Number(at) + (isFirst ? 1 : 0), kept(trace, list, { key: at, item }));
    }
  }
  made?.parts.set(isFirst ? 0 : items.length - 1, withReads(origins[1] ?? noOrigin, presence));
  return downgraded(origins[0]);
}

function downgraded(origin: Origin | undefined): Origin {
  return originOf(downgrade(readsOf(origin ?? noOrigin), 'decides'));
}

// A part that is reused in another object: its origin, and why it existed.
function kept(trace: Trace, container: object, { key, item }: { key: string | number; item: GoValue }): Origin {
  return withReads(trace.partOf(container, key, item), trace.presenceOf(container, key, item));
}

function set({ args, origins, condition, before: replaced, trace }: TracedCall): Origin {
  const map = bare(args[0] ?? null);
  if (replaced !== undefined) noteMovedValues(trace, replaced, bare(args[2] ?? null));
  if (isObject(map)) {
    const made = trace.make(map, noOrigin);
    const presence = readsWithin(condition, made.since);
    if (trace.placeOf(map) === undefined) made.isGathered = true;
    putPart(made, String(args[1]), { name: origins[1] ?? noOrigin, part: origins[2] ?? noOrigin, presence });
  }
  return origins[0] ?? noOrigin;
}

// A chart may keep its defaults in a separate table, merge the user's values into it, and continue with it as `.Values`: then users set its
// content without the name of that table.
function noteMovedValues(trace: Trace, replaced: unknown, values: Value): void {
  const to = trace.placeOf(replaced);
  if (to?.root !== 'Values' || !(values instanceof Map)) return;
  const sources = [trace.placeOf(values)];
  for (const [key, item] of values as GoMap) {
    const reads = [trace.placeOf(bare(item)), ...readsOf(trace.partOf(values, key, item)).keys()];
    for (const read of reads) {
      if (read?.steps.at(-1) === key) sources.push({ ...read, steps: read.steps.slice(0, -1) });
    }
  }
  const known = new Set([pathText(to.steps), ...trace.moved.map(({ from }) => pathText(from))]);
  for (const source of sources) {
    if (source?.root !== 'Values' || known.has(pathText(source.steps))) continue;
    known.add(pathText(source.steps));
    const table = valueAtSteps(trace.values ?? null, source.steps);
    const isWhole = table instanceof Map && table.size > 0 && [...table.keys()].every((key) => values.has(key));
    if (isWhole) trace.moved.push({ from: source.steps, to: to.steps });
  }
}

type Shape = ReadonlyMap<string, { readonly value: GoValue; readonly inner: Shape | undefined }>;

const most = 12;

/**
 * Returns what a function is about to change: for a merge the first map, and those parts of the others that a later one is merged into; for
 * `set` the `.Values` that it replaces.
 */
export function before(name: string, args: readonly GoValue[]): unknown {
  if (name === 'set' && args[1] === 'Values') {
    const map = bare(args[0] ?? null);
    return map instanceof Map ? bare(map.get('Values')) : undefined;
  }
  if (!/^(?:mustM|m)erge/.test(name)) return undefined;
  return args.map((arg, at) => (at === 0 || at < args.length - 1 ? shapeOf(arg, 0) : undefined));
}

function shapeOf(value: GoValue, depth: number): Shape | undefined {
  if (!(value instanceof Map) || depth > most) return undefined;
  return new Map([...value].map(([key, item]) => [key, { value: item, inner: shapeOf(item, depth + 1) }]));
}

// A key keeps its origin, or takes that of the map which contributed it. How the map was reached affects what it contributed.
function merged(call: TracedCall): Origin {
  const { args, origins, result, before: taken, trace } = call;
  const presence = presenceOf(call, trace.madeOf(result)?.since);
  const [shape, ...shapes] = (taken as readonly (Shape | undefined)[] | undefined) ?? [];
  const sources = args
    .slice(1)
    .map((map, at) => ({ map, shape: shapes[at], lead: downgraded(origins[at + 1]).reads }))
    .filter((one): one is Source => one.map instanceof Map);
  const lead = downgraded(origins[0]).reads;
  mergeParts(trace, { target: result, shape: shape ?? new Map(), sources, presence, lead, depth: 0 });
  const isEmpty = !(result instanceof Map) || result.size === 0;
  return isEmpty ? originOf(joinReads(...origins.map((origin) => downgraded(origin).reads))) : noOrigin;
}

/** A map merged into another one, and its state before. */
interface Source {
  readonly map: GoMap;
  readonly shape: Shape | undefined;
  /** How it was reached. */
  readonly lead: ValueReads;
}

interface Merge {
  readonly target: GoValue;
  readonly shape: Shape;
  readonly sources: readonly Source[];
  readonly presence: ValueReads;
  /** How the target was reached. */
  readonly lead: ValueReads;
  readonly depth: number;
}

function mergeParts(trace: Trace, { target, shape, sources, presence, lead, depth }: Merge): void {
  const map = bare(target);
  if (!(map instanceof Map) || depth > most) return;
  const made = trace.make(map, noOrigin);
  if (trace.placeOf(map) === undefined) made.isGathered = true;
  for (const [key, item] of map) {
    const old = shape.get(key);
    const from = sources.filter((source) => source.map.has(key));
    const giver =
      old !== undefined && same(old.value, item) ? undefined : from.find((one) => same(one.map.get(key) ?? null, item));
    if (giver !== undefined) {
      const source = bare(giver.map) as object;
      const more = joinReads(presence, giver.lead);
      const name = trace.madeOf(source)?.keys?.get(key)?.name;
      made.parts.set(key, withReads(kept(trace, source, { key, item }), more));
      made.keys ??= new Map();
      made.keys.set(key, { reads: joinReads(trace.presenceOf(source, key, item), downgrade(more, 'decides')), name });
    } else if (lead.size > 0) made.parts.set(key, withReads(kept(trace, map, { key, item }), lead));
    if (!(item instanceof Map) || (giver === undefined && item !== old?.value)) continue;
    // A table contributed by one of them is itself what the later ones are merged into.
    const later = giver === undefined ? from : from.slice(from.indexOf(giver) + 1);
    const inner = later.flatMap((one): Source[] => {
      const found = one.map.get(key);
      return found instanceof Map ? [{ map: found, shape: one.shape?.get(key)?.inner, lead: one.lead }] : [];
    });
    const was = giver === undefined ? old?.inner : giver.shape?.get(key)?.inner;
    if (inner.length > 0)
      mergeParts(trace, {
        target: item,
        shape: was ?? new Map(),
        sources: inner,
        presence,
        lead: noReads,
        depth: depth + 1,
      });
  }
}

function same(a: GoValue, b: GoValue): boolean {
  return a === b || (a instanceof Int && b instanceof Int && a.value === b.value && a.type === b.type);
}

function copied({ origins, trace }: TracedCall, from: GoValue, to: GoValue): Origin {
  const ahead: [GoValue, GoValue][] = [[from, to]];
  for (let pair = ahead.pop(); pair !== undefined; pair = ahead.pop()) {
    const [model, copy] = [bare(pair[0]), bare(pair[1])];
    if (!isObject(model) || !isObject(copy) || model === copy) continue;
    link(trace, model, copy);
    for (const [key, item] of entriesOf(copy)) {
      const old = model instanceof Map ? (model as GoMap).get(String(key)) : (model as GoValue[])[Number(key)];
      if (old !== undefined) ahead.push([old, item]);
    }
  }
  return origins[0] ?? noOrigin;
}

function link(trace: Trace, model: object, copy: object): void {
  const place = trace.placeOf(model);
  if (place !== undefined) trace.placeAs(copy, place);
  const known = trace.madeOf(model);
  if (known === undefined) return;
  const made = trace.make(copy, known.origin);
  made.isGathered = known.isGathered;
  for (const [key, part] of known.parts) made.parts.set(key, part);
  if (known.keys !== undefined) made.keys = new Map(known.keys);
}

function shallow({ origins, result, trace }: TracedCall, from: GoValue): Origin {
  const [model, copy] = [bare(from), bare(result)];
  if (isObject(model) && isObject(copy)) link(trace, model, copy);
  return origins[0] ?? noOrigin;
}

// The content of an object at the end of a path.
function taken({ args, origins, trace }: TracedCall, at: number, keys: readonly GoValue[]): Origin {
  let value: GoValue = args[at] ?? null;
  let origin = origins[at] ?? noOrigin;
  const named = origins.filter((_, i) => i !== at).map((one) => downgrade(readsOf(one), 'decides'));
  for (const key of keys) {
    const container = bare(value);
    if (!isObject(container)) break;
    const step = keyOf(container, key);
    const item =
      container instanceof Map ? (container as GoMap).get(String(step)) : (container as GoValue[])[Number(step)];
    origin = withReads(trace.partOf(container, step, item ?? null), downgrade(readsOf(origin), 'decides'));
    value = item ?? null;
  }
  return withReads(origin, joinReads(...named));
}

function keyOf(container: object, key: GoValue): string | number {
  if (container instanceof Map) return String(key);
  return key instanceof Int ? Number(key.value) : Number(key);
}

// Whether a key exists does not depend on its value.
function hasKey(call: TracedCall): Origin {
  const { args, origins, trace } = call;
  const map = bare(args[0] ?? null);
  const key = String(args[1]);
  if (!(map instanceof Map) || trace.madeOf(map)?.keys?.has(key) !== true)
    return originOf(downgrade(readsOf(taken(call, 0, args.slice(1))), 'computed'));
  const lead = origins.map((origin) => downgrade(readsOf(origin), 'decides'));
  return originOf(joinReads(trace.presenceOf(map, key, (map as GoMap).get(key) ?? null), ...lead));
}

// An existing item is one of its list; if two are equal, neither is necessary. A missing one could be any of them.
function has(call: TracedCall): Origin {
  const { args, origins, result, trace } = call;
  const [needle = null, list] = args.map((arg) => bare(arg) as GoValue);
  const needleReads = downgrade(trace.whole(needle, origins[0] ?? noOrigin), 'computed');
  const lead = downgrade(readsOf(origins[1] ?? noOrigin), 'decides');
  const found = Array.isArray(list) ? [...list.entries()].filter(([, item]) => same(item, needle)) : [];
  if (result !== true || found.length === 0 || !Array.isArray(list)) {
    return {
      ...originOf(joinReads(needleReads, downgrade(trace.whole(list ?? null, origins[1] ?? noOrigin), 'computed'))),
    };
  }
  const reads = joinReads(...found.map(([key, item]) => readsOf(kept(trace, list, { key, item }))));
  const origin = { ...originOf(joinReads(needleReads, lead, downgrade(reads, 'computed'))) };
  if (found.length > 1) trace.truths.set(origin, joinReads(needleReads, lead, downgrade(reads, 'shares')));
  return origin;
}

// `dig "a" "b" DEFAULT MAP`
function dug(call: TracedCall): Origin {
  const { args, origins, trace } = call;
  const keys = args.slice(0, -2);
  let value: GoValue = args.at(-1) ?? null;
  let origin = origins.at(-1) ?? noOrigin;
  for (const key of keys) {
    const container = bare(value);
    if (!(container instanceof Map)) break;
    const item: GoValue | undefined = (container as GoMap).get(String(key));
    origin = withReads(trace.partOf(container, String(key), item ?? null), downgrade(readsOf(origin), 'decides'));
    if (item === undefined) {
      return withReads(origins.at(-2) ?? noOrigin, downgrade(readsOf(origin), 'decides'));
    }
    value = item;
  }
  return origin;
}

function ended({ args, origins, trace }: TracedCall, find: (length: number) => number): Origin {
  const list = bare(args[0] ?? null);
  if (!Array.isArray(list) || list.length === 0)
    return originOf(downgrade(trace.whole(list ?? null, origins[0] ?? noOrigin), 'computed'));
  const at = find(list.length);
  return withReads(
    kept(trace, list, { key: at, item: list[at] ?? null }),
    downgrade(readsOf(origins[0] ?? noOrigin), 'decides'),
  );
}

function keys({ args, origins, result, trace }: TracedCall): Origin {
  const made = makeGathered(trace, result);
  const names = result as unknown as readonly string[];
  for (const [at, name] of names.entries()) {
    const map = args.map(bare).find((arg) => arg instanceof Map && arg.has(name)) as GoMap | undefined;
    if (map === undefined) continue;
    const element = map.get(name) ?? null;
    const place = trace.placeOf(bare(element));
    const own = trace.partOf(map, name, element);
    const presence = trace.presenceOf(map, name, element);
    const read = joinReads(place === undefined ? noReads : exactRead(place), readsOf(own));
    made?.parts.set(at, originOf(joinReads(downgrade(read, 'decides'), presence)));
  }
  return originOf(joinReads(...origins.map((origin) => downgrade(readsOf(origin), 'decides'))));
}

// Items of lists or values of maps, in a list: each is the next equal one.
function selected(call: TracedCall, sources: readonly GoValue[]): Origin {
  const { origins, result, trace } = call;
  const decided = joinReads(...origins.map((origin) => downgrade(readsOf(origin), 'decides')));
  const inner = bare(result);
  if (!isObject(inner)) return originOf(decided);
  const all = sources
    .map(bare)
    .filter((one): one is GoMap | GoValue[] => isObject(one))
    .flatMap((container) =>
      entriesOf(container).map(([key, item]): Candidate => ({ container, key, item, isUsed: false })),
    );
  const made = makeGathered(trace, inner as GoValue);
  for (const [at, item] of entriesOf(inner)) {
    if (Array.isArray(item) && call.name.toLowerCase().endsWith('chunk')) {
      const chunk = makeGathered(trace, item);
      for (const [i, one] of item.entries()) chunk?.parts.set(i, next(trace, all, one));
    } else made?.parts.set(at, next(trace, all, item));
  }
  return originOf(decided);
}

interface Candidate {
  readonly container: object;
  readonly key: string | number;
  readonly item: GoValue;
  isUsed: boolean;
}

function next(trace: Trace, all: Candidate[], item: GoValue): Origin {
  const found = all.find((one) => !one.isUsed && (same(one.item, item) || (isNil(one.item) && isNil(item))));
  if (found === undefined)
    return originOf(joinReads(...all.map((one) => readsOf(trace.partOf(one.container, one.key, one.item)))));
  found.isUsed = true;
  return kept(trace, found.container, found);
}
