// Proves that explanations claim nothing that is not so: another value in place of one that stands in a line changes that
// line, and another in place of one that decides changes or removes it.

import type { Chart } from '../../render/chart/chart.ts';
import { RenderError } from '../../render/errors.ts';
import { type GoMap, type GoValue, Int } from '../../render/go/value.ts';
import { seededHost } from '../../render/host.ts';
import { renderRelease } from '../../render/release.ts';
import { Trace } from '../../render/template/trace.ts';
import { readPath } from '../../render/trace/object.ts';
import { chartSources } from '../../render/trace/objects.ts';
import { traceOf } from '../../render/trace/release-trace.ts';
import type { ExplainedValue } from '../../render/trace/values.ts';
import { copyValue } from '../../render/values/lookup.ts';
import { pathText } from '../../render/values/paths.ts';
import { evenly, replaceAt, type Steps } from './text-leaves.ts';

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
  /** The condition, or nothing. */
  readonly text: string;
}

const word = 'zqchangedzq';

/** Tries at most so many explained places of a chart's defaults, chosen evenly. */
export function provePrecision(chart: Chart, most: number): PrecisionVerdict {
  const trace = new Trace();
  const release = renderRelease(chart, { host: seededHost(), trace, skipSchemaValidation: true });
  const { files } = traceOf({ ...release, trace }, chartSources({ chart, given: {} }));
  const claims = files.flatMap(({ path: file, lines }) =>
    lines.flatMap(({ text, parts }) => {
      return parts.flatMap((part): Claim[] => [
        ...part.values.filter(({ how }) => how === 'exact').map(claimOf({ file, line: text, how: 'exact', text: '' })),
        ...part.conditions.flatMap((one) =>
          one.values.map(claimOf({ file, line: text, how: 'decides', text: one.text })),
        ),
      ]);
    }),
  );
  const tried = evenly(
    claims.filter(({ steps }) => steps.length > 0),
    most,
  );
  const before = new Map(files.map(({ path, text }) => [path, text]));
  const missed = tried.filter((claim) => !isTrue(claim, chart, { values: release.values, before }));
  return {
    exact: tried.filter(({ how }) => how === 'exact').length,
    decides: tried.filter(({ how }) => how === 'decides').length,
    missed: missed.map(({ how, steps, file, line, text }) => {
      return `${how} ${pathText(steps)}: ${file}: ${line.trim().slice(0, 80)}${text === '' ? '' : ` (${text})`}`;
    }),
  };
}

function claimOf(claim: Omit<Claim, 'steps'>): (value: ExplainedValue) => Claim {
  // What is no value is no user's to change.
  return ({ path, steps, setBy }) => {
    if (path.startsWith('.')) return { ...claim, steps: [] };
    // A global value is that of the chart around, where it has one.
    const winner = setBy[0]?.path;
    return { ...claim, steps: winner === undefined || winner === path ? steps : readPath(winner) };
  };
}

interface Outcome {
  readonly values: GoMap;
  readonly before: ReadonlyMap<string, string>;
}

function isTrue(claim: Claim, chart: Chart, { values, before }: Outcome): boolean {
  const { file, line, steps } = claim;
  const old = steps.reduce<GoValue>((value, step) => {
    if (value instanceof Map) return value.get(String(step)) ?? null;
    return Array.isArray(value) ? (value[Number(step)] ?? null) : null;
  }, values);
  const count = (text: string | undefined): number => (text ?? '').split('\n').filter((one) => one === line).length;
  return [...others(old, claim), ...(claim.how === 'exact' ? [] : [null])].some((value) => {
    const trace = new Trace();
    try {
      renderRelease(chart, {
        values: overlay(values, steps, value),
        host: seededHost(),
        trace,
        skipSchemaValidation: true,
      });
    } catch (error) {
      if (error instanceof RenderError) return true;
      throw error;
    }
    return count(trace.files.get(file)?.text) < count(before.get(file));
  });
}

// Values that are not the old one: of its type first, then those that a condition compares with, then of other types.
function others(old: GoValue, { how, text }: Claim): readonly GoValue[] {
  const same: GoValue[] = typeof old === 'boolean' ? [!old] : isNumber(old) ? [7654321] : [word];
  if (how === 'exact') return same;
  const words = [...text.matchAll(/"([^"]*)"/g)].map(([, one]) => one as string);
  const empty: GoValue = old instanceof Map ? null : Array.isArray(old) ? [] : isNumber(old) ? 0 : '';
  return [...same, empty, ...words, true, false, new Map([[word, word]]), [word]].filter((value) => value !== old);
}

function isNumber(value: GoValue): boolean {
  return typeof value === 'number' || value instanceof Int;
}

// A list travels whole.
function overlay(values: GoMap, steps: Steps, value: GoValue): GoMap {
  const root: GoMap = new Map();
  let table = root;
  let below: GoValue = values;
  for (const [at, step] of steps.entries()) {
    below = (below instanceof Map ? below.get(String(step)) : null) ?? null;
    const isLast = at === steps.length - 1;
    if (isLast || Array.isArray(below)) {
      const item = isLast ? value : copyValue(below);
      table.set(String(step), item);
      if (!isLast) replaceAt(root, steps, () => value);
      return root;
    }
    const inner: GoMap = new Map();
    table.set(String(step), inner);
    table = inner;
  }
  return root;
}
