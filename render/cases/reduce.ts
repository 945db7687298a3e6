// Reduces the renderings kept by a search to few cases with small settings.

import type { JsonObject, JsonValue } from '../order/order.ts';
import { isObject } from '../order/shape.ts';
import type { DocumentFault } from '../validation/objects/document-issues.ts';
import { withoutValue } from '../values/edit.ts';
import {
  type Attempt,
  type CaseFailure,
  type CaseSearch,
  type CaseSettings,
  failureKey,
  type Rejection,
  rejectionKey,
} from './search.ts';

/** A case, and what no earlier case reaches. */
interface Choice {
  readonly attempt: Attempt;
  readonly wanted: ReadonlySet<number>;
}

/**
 * Returns the smallest set of renderings that reach everything the kept ones do and `before` does not, with small settings. Cases that do
 * not contradict each other are merged: first unchanged, which is cheap, and again after reduction.
 */
export function reduceCases(kept: readonly Attempt[], before: ReadonlySet<number>, search: CaseSearch): Attempt[] {
  const few = joinAll(choose(kept, before), search);
  const small = few.map(({ attempt, wanted }) => {
    const isEnough = (one: Attempt): boolean => reaches(one, wanted);
    return { attempt: shrink(attempt, isEnough, search), wanted };
  });
  return joinAll(small, search).map(({ attempt }) => attempt);
}

/** Returns failures reduced to the smallest settings that fail in the same way, without unrealistic ones. */
export function reduceFailures(failures: readonly CaseFailure[], search: CaseSearch): CaseFailure[] {
  return failures.flatMap(({ error, settings }) => {
    const key = failureKey(error);
    const isSame = ({ failure }: Attempt): boolean => failure !== undefined && failureKey(failure) === key;
    const smallest = shrink({ settings, failure: error }, isSame, search);
    return search.isUnlikely(smallest.settings)
      ? []
      : [{ error: smallest.failure ?? error, settings: smallest.settings }];
  });
}

/**
 * Returns rejections reduced to the smallest settings with the same problem, without those of values that are not in the chart: a made-up
 * value need not be valid.
 */
export function reduceRejections(rejections: readonly Rejection[], search: CaseSearch): Rejection[] {
  const smallest: Attempt[] = [];
  const found = rejections.map(({ fault, settings }): Rejection => {
    const key = rejectionKey(fault);
    const faultIn = ({ rejected }: Attempt): DocumentFault | undefined =>
      rejected.find((one) => rejectionKey(one) === key);
    // One value often has several problems.
    let attempt = smallest.find(faultIn);
    if (attempt === undefined) {
      shrinkSettings(settings, (less) => {
        const next = search.isOver ? undefined : search.attempt(less, { isChecked: true });
        const isSame = next !== undefined && faultIn(next) !== undefined;
        if (isSame) attempt = next;
        return isSame;
      });
    }
    if (attempt === undefined) return { fault, settings };
    smallest.push(attempt);
    return { fault: faultIn(attempt) ?? fault, settings: attempt.settings };
  });
  return found.filter(({ settings }) => !search.isMadeUp(settings));
}

// Greedy: the case that reaches most of the rest, with smaller settings as tie-breaker. What several reach belongs to the first one.
function choose(kept: readonly Attempt[], before: ReadonlySet<number>): Choice[] {
  const left = new Set(kept.flatMap(({ reached }) => [...reached]).filter((at) => !before.has(at)));
  const choices: Choice[] = [];
  const gainOf = ({ reached }: Attempt): number => [...reached].filter((at) => left.has(at)).length;
  while (left.size > 0) {
    const attempt = kept.reduce((a, b) => {
      const more = gainOf(b) - gainOf(a);
      return more > 0 || (more === 0 && sizeOf(b) < sizeOf(a)) ? b : a;
    });
    const wanted = new Set([...attempt.reached].filter((at) => left.delete(at)));
    choices.push({ attempt, wanted });
  }
  return choices;
}

function joinAll(choices: readonly Choice[], search: CaseSearch): Choice[] {
  const cases: Choice[] = [];
  for (const choice of choices) {
    const at = cases.findIndex((one, index) => {
      const both = together(one, choice, search);
      if (both !== undefined) cases[index] = both;
      return both !== undefined;
    });
    if (at < 0) cases.push(choice);
  }
  return cases;
}

function together(a: Choice, b: Choice, search: CaseSearch): Choice | undefined {
  const settings = joinSettings(a.attempt.settings, b.attempt.settings);
  if (settings === undefined || search.isOver) return undefined;
  const wanted = new Set([...a.wanted, ...b.wanted]);
  const attempt = search.attempt(settings);
  return reaches(attempt, wanted) ? { attempt, wanted } : undefined;
}

function reaches({ failure, reached }: Attempt, wanted: ReadonlySet<number>): boolean {
  return failure === undefined && [...wanted].every((at) => reached.has(at));
}

// Undefined if they contradict each other.
function joinSettings(a: CaseSettings, b: CaseSettings): CaseSettings | undefined {
  if (a.isUpgrade !== b.isUpgrade) return undefined;
  if (a.kubeVersion !== undefined && b.kubeVersion !== undefined && a.kubeVersion !== b.kubeVersion) return undefined;
  const values = joinValues(a.values, b.values);
  const apiVersions = [...new Set([...(a.apiVersions ?? []), ...(b.apiVersions ?? [])])];
  return values === undefined ? undefined : { ...a, ...b, values, ...(apiVersions.length > 0 && { apiVersions }) };
}

function joinValues(a: JsonObject, b: JsonObject): JsonObject | undefined {
  const all: Record<string, JsonValue> = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const own = a[key];
    if (own === undefined || JSON.stringify(own) === JSON.stringify(value)) all[key] = value;
    else {
      const inner = isObject(own) && isObject(value) ? joinValues(own, value) : undefined;
      if (inner === undefined) return undefined;
      all[key] = inner;
    }
  }
  return all;
}

function sizeOf({ settings }: Attempt): number {
  return JSON.stringify(settings).length;
}

/** Renders with smaller and smaller settings as long as that is enough. Returns the last sufficient attempt. */
function shrink<T extends Pick<Attempt, 'settings' | 'failure'>>(
  start: T,
  isEnough: (attempt: Attempt) => boolean,
  search: CaseSearch,
): T | Attempt {
  let kept: T | Attempt = start;
  shrinkSettings(start.settings, (settings) => {
    const attempt = search.isOver ? undefined : search.attempt(settings);
    if (attempt === undefined || !isEnough(attempt)) return false;
    kept = attempt;
    return true;
  });
  return kept;
}

/** Returns settings without what is not needed: whole sections first, then single values. `isEnough` is called for each attempt. */
export function shrinkSettings(start: CaseSettings, isEnough: (settings: CaseSettings) => boolean): CaseSettings {
  let kept = start;
  const attempt = (settings: CaseSettings): void => {
    if (isEnough(settings)) kept = settings;
  };
  const { kubeVersion, isUpgrade, apiVersions = [] } = start;
  if (kubeVersion !== undefined) attempt(withoutSetting(kept, 'kubeVersion'));
  if (isUpgrade !== undefined) attempt(withoutSetting(kept, 'isUpgrade'));
  if (apiVersions.length > 0) attempt(withoutSetting(kept, 'apiVersions'));
  for (const name of kept.apiVersions ?? []) {
    const rest = kept.apiVersions?.filter((one) => one !== name) ?? [];
    if (rest.length > 0) attempt({ ...kept, apiVersions: rest });
  }
  for (let depth = 1; depth <= deepestRemoved; depth++) {
    for (const path of pathsOf(kept.values, depth)) attempt({ ...kept, values: withoutValue(kept.values, path) });
  }
  return kept;
}

const deepestRemoved = 4;

function withoutSetting(settings: CaseSettings, name: 'kubeVersion' | 'apiVersions' | 'isUpgrade'): CaseSettings {
  const { [name]: _, ...rest } = settings;
  return rest;
}

function pathsOf(values: JsonObject, depth: number): string[][] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (depth === 1) return [[key]];
    return isObject(value) ? pathsOf(value, depth - 1).map((path) => [key, ...path]) : [];
  });
}
