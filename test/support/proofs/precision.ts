// Proves that explanations claim nothing that is not so: another value in place of one that stands in a line changes that
// line, and another in place of one that decides changes or removes it.

import type { Chart } from '../../../render/chart/chart.ts';
import { RenderError } from '../../../render/errors.ts';
import { type GoMap, type GoValue, Int } from '../../../render/go/value.ts';
import { createTrace } from '../../../render/origins/create.ts';
import { type RenderedRelease, renderRelease } from '../../../render/release.ts';
import { readPath } from '../../../render/trace/object.ts';
import { chartSources } from '../../../render/trace/objects.ts';
import { traceOf } from '../../../render/trace/release-trace.ts';
import type { ExplainedValue } from '../../../render/trace/values.ts';
import { copyValue } from '../../../render/values/lookup.ts';
import { pathText } from '../../../render/values/paths.ts';
import { proofHost } from './host.ts';
import { type Dice, replaceAt, type Steps, some } from './text-leaves.ts';

/** What was found out about a chart. */
export interface PrecisionVerdict {
  /** How many places were tried, by the way the value took part. */
  readonly exact: number;
  readonly decides: number;
  /** How many of them no other value changed. */
  readonly missed: readonly string[];
}

interface Claim {
  readonly file: string;
  readonly line: string;
  readonly steps: Steps;
  readonly how: 'exact' | 'decides';
  /** What read it. */
  readonly text: string;
}

const word = 'zqchangedzq';

/** Tries at most so many explained places of a chart's defaults, chosen by dice. */
export function provePrecision(chart: Chart, most: number, dice: Dice): PrecisionVerdict {
  const trace = createTrace();
  const release = renderRelease(chart, { host: proofHost(), trace, skipSchemaValidation: true });
  const before = linesByFile(release);
  const { files } = traceOf({ ...release, trace }, chartSources({ chart, given: {} }));
  // A line that is not in a document, such as one of NOTES.txt, is no claim.
  const places = files.flatMap(({ path, lines }) =>
    lines.filter(({ text }) => before.get(path)?.has(text)).map((line) => ({ path, line })),
  );
  const claims = some(places, most * 3, dice).flatMap(({ path, line: { text, parts } }) =>
    some(
      parts.flatMap((part) => claimsOf(part, { file: path, line: text })),
      3,
      dice,
    ),
  );
  const tried = some(claims, most, dice);
  const outcomes: Outcomes = { chart, values: release.values, before, known: new Map() };
  const missed = tried.filter((claim) => !isTrue(claim, outcomes));
  return {
    exact: tried.filter(({ how }) => how === 'exact').length,
    decides: tried.filter(({ how }) => how === 'decides').length,
    missed: missed.map(({ how, steps, file, line, text }) => {
      return `${how} ${pathText(steps)}: ${file}: ${line.trim().slice(0, 80)} (${text.slice(0, 160)})`;
    }),
  };
}

type Part = ReturnType<typeof traceOf>['files'][number]['lines'][number]['parts'][number];

function claimsOf({ values, conditions, place }: Part, at: Pick<Claim, 'file' | 'line'>): Claim[] {
  const own = values.map((value) => ({ value, text: place.text }));
  const around = conditions.flatMap((one) => one.values.map((value) => ({ value, text: one.text })));
  return [...own, ...around].flatMap(({ value, text }): Claim[] => {
    const { path, how } = value;
    // What is no value is no user's to change, and nothing is claimed of what was computed.
    if (path.startsWith('.') || how === 'computed') return [];
    return [{ ...at, how, text, steps: stepsOf(value) }];
  });
}

// A global value is that of the chart around, where it has one.
function stepsOf({ path, steps, setBy }: ExplainedValue): Steps {
  const [winner] = setBy;
  return winner === undefined || winner.path === path || winner.kind === 'import-values'
    ? steps
    : readPath(winner.path);
}

type Lines = ReadonlyMap<string, number>;

interface Outcomes {
  readonly chart: Chart;
  readonly values: GoMap;
  readonly before: ReadonlyMap<string, Lines>;
  /** By the path and the value in its place; undefined where the rendering fails. */
  readonly known: Map<string, ReadonlyMap<string, Lines> | undefined>;
}

function linesByFile({ manifests, hooks }: RenderedRelease): Map<string, Map<string, number>> {
  const files = new Map<string, Map<string, number>>();
  for (const { path, content } of [...manifests, ...hooks]) {
    const lines = files.get(path) ?? new Map<string, number>();
    for (const line of content.split('\n')) lines.set(line, (lines.get(line) ?? 0) + 1);
    files.set(path, lines);
  }
  return files;
}

/** Stands for a value that is taken away. */
const removed = Symbol('removed');

function isTrue(claim: Claim, outcomes: Outcomes): boolean {
  const { file, line, steps, how } = claim;
  const old = steps.reduce<GoValue>((value, step) => {
    if (value instanceof Map) return value.get(String(step)) ?? null;
    return Array.isArray(value) ? (value[Number(step)] ?? null) : null;
  }, outcomes.values);
  return [...others(old, claim), ...(how === 'exact' ? [] : ([removed, null] as const))].some((value) => {
    const after = rendered(steps, value, outcomes);
    return after === undefined || (after.get(file)?.get(line) ?? 0) < (outcomes.before.get(file)?.get(line) ?? 0);
  });
}

function rendered(
  steps: Steps,
  value: GoValue | typeof removed,
  { chart, values, known }: Outcomes,
): ReadonlyMap<string, Lines> | undefined {
  const shown = value === removed ? 'removed' : value instanceof Map ? 'a table' : JSON.stringify(value);
  const key = `${pathText(steps)} ${shown}`;
  if (known.has(key)) return known.get(key);
  let found: ReadonlyMap<string, Lines> | undefined;
  try {
    const given = overlay(values, steps, value);
    found = linesByFile(renderRelease(chart, { values: given, host: proofHost(), skipSchemaValidation: true }));
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
  }
  known.set(key, found);
  return found;
}

// Values that are not the old one: of its type first, then those that a condition compares with, then of other types.
function others(old: GoValue, { how, text }: Claim): readonly GoValue[] {
  const same: GoValue[] = typeof old === 'boolean' ? [!old] : isNumber(old) ? [7654321] : [word];
  // A table gives way to none that is not one.
  if (how === 'exact') return old instanceof Map ? [new Map([[word, word]])] : Array.isArray(old) ? [[word]] : same;
  const words = [...text.matchAll(/"([^"]*)"/g)].map(([, one]) => one as string);
  const empty: GoValue = old instanceof Map ? null : Array.isArray(old) ? [] : isNumber(old) ? 0 : '';
  return [...same, empty, ...words, true, false, new Map([[word, word]]), [word]].filter((value) => value !== old);
}

function isNumber(value: GoValue): boolean {
  return typeof value === 'number' || value instanceof Int;
}

// A list travels whole.
function overlay(values: GoMap, steps: Steps, value: GoValue | typeof removed): GoMap {
  const root: GoMap = new Map();
  let table = root;
  let below: GoValue = values;
  for (const [at, step] of steps.entries()) {
    below = (below instanceof Map ? below.get(String(step)) : null) ?? null;
    const isLast = at === steps.length - 1;
    if (isLast || Array.isArray(below)) {
      table.set(String(step), isLast ? (value === removed ? null : value) : copyValue(below));
      if (isLast) return root;
      if (value === removed) removeAt(root, steps);
      else replaceAt(root, steps, () => value);
      return root;
    }
    const inner: GoMap = new Map();
    table.set(String(step), inner);
    table = inner;
  }
  return root;
}

function removeAt(root: GoMap, steps: Steps): void {
  const last = steps.at(-1) as string | number;
  replaceAt(root, steps.slice(0, -1), (holder) => {
    if (holder instanceof Map) holder.delete(String(last));
    return Array.isArray(holder) ? holder.filter((_, at) => at !== Number(last)) : holder;
  });
}
