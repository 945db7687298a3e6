// Checks that explanations are correct: changing a value in a line changes that line, and changing a deciding value changes or removes it.

import type { Chart } from '../../../render/chart/chart.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { withinLimits } from '../../../render/core/limits.ts';
import { type Steps, splitPath } from '../../../render/core/paths.ts';
import { runInstall } from '../../../render/engine/release.ts';
import { type GoMap, type GoValue, Int } from '../../../render/go/value.ts';
import { createTrace } from '../../../render/provenance/origins/propagation.ts';
import { chartSources } from '../../../render/provenance/trace/objects.ts';
import { traceOf } from '../../../render/provenance/trace/release-trace.ts';
import type { ExplainedValue } from '../../../render/provenance/trace/values.ts';
import { pathText, valueAtSteps } from '../../../render/values/paths.ts';
import type { ChartResult } from '../chart-result.ts';
import { orRenderError, overlay, removed, repeatableHost, some } from '../chart-values.ts';
import type { Dice } from '../dice.ts';

interface Claim {
  readonly file: string;
  readonly line: string;
  /** The origin of the line. */
  readonly writers: string;
  readonly steps: Steps;
  readonly how: 'exact' | 'decides';
  /** The reader of the value. */
  readonly text: string;
}

const word = 'zqchangedzq';
// A changed value may be a number of repetitions.
const limits = { milliseconds: 3000, outputBytes: 2 ** 26 };

/** Checks a number of random explained places. Throws if the chart does not render with its defaults. */
export function checkPlaces(chart: Chart, count: number, dice: Dice): ChartResult {
  const { files, values } = traced(chart, new Map());
  const lines = files.flatMap(({ path, lines }) => lines.map((line) => ({ path, line })));
  const claims = some(lines, count * 3, dice).flatMap(({ path, line: { text, parts } }) => {
    const at = { file: path, line: text, writers: writersOf(parts) };
    return some(
      parts.flatMap((part) => claimsOf(part, at)),
      3,
      dice,
    );
  });
  const tried = some(claims, count, dice).map((claim) => ({
    ...claim,
    verdict: verdictOf(claim, chart, values, files),
  }));
  const counted = tried.filter(({ verdict }) => verdict !== 'stopped');
  const failed = counted.filter(({ verdict }) => verdict === 'same');
  return {
    counts: {
      exact: counted.filter(({ how }) => how === 'exact').length,
      decides: counted.filter(({ how }) => how === 'decides').length,
      stopped: tried.length - counted.length,
      unchanged: failed.length,
    },
    failures: failed.map(({ how, steps, file, line, text }) => {
      return `${how} ${pathText(steps)}: ${file}: ${line.trim().slice(0, 80)} (${text.slice(0, 160)})`;
    }),
  };
}

type File = ReturnType<typeof traceOf>['files'][number];
type Part = File['lines'][number]['parts'][number];

function traced(chart: Chart, values: GoMap): { readonly files: readonly File[]; readonly values: GoMap } {
  const trace = createTrace();
  const options = { values, host: repeatableHost(), trace, skipSchemaValidation: true };
  const release = withinLimits(limits, () => runInstall(chart, options));
  return { files: traceOf({ ...release, trace }, chartSources({ chart, given: {} })).files, values: release.values };
}

function claimsOf({ values, conditions, place }: Part, at: Pick<Claim, 'file' | 'line' | 'writers'>): Claim[] {
  const around = conditions.map((one) => ({ read: one.values, text: one.text }));
  return [{ read: values, text: place.text }, ...around].flatMap(({ read, text }) =>
    read.flatMap((value): Claim[] => {
      const { how, path } = value;
      // A user can only change values. One of several that would each be enough changes nothing alone.
      if (path.startsWith('.') || (how !== 'exact' && how !== 'decides')) return [];
      return [{ ...at, how, text, steps: stepsOf(value) }];
    }),
  );
}

// Returns the steps of the global value in the parent chart, if it sets one.
function stepsOf({ path, steps, setBy }: ExplainedValue): Steps {
  const [winner] = setBy;
  return winner === undefined || winner.path === path || winner.kind === 'import-values'
    ? steps
    : splitPath(winner.path);
}

function writersOf(parts: readonly Part[]): string {
  const places = parts.flatMap(({ place, through }) => [...through, place]);
  return places.map(({ file, line, column }) => `${file}:${line}:${column}`).join(' ');
}

/** Returns how many lines have the text and the origin of a claim. */
function countOf(files: readonly File[], { file, line, writers }: Claim): number {
  const lines = files.find(({ path }) => path === file)?.lines ?? [];
  return lines.filter(({ text, parts }) => text === line && writersOf(parts) === writers).length;
}

/** Tries other values until the line is gone. If the chart does not render with the usual ones, that means nothing. */
function verdictOf(claim: Claim, chart: Chart, values: GoMap, files: readonly File[]): 'changed' | 'same' | 'stopped' {
  const { how, steps } = claim;
  const old = valueAtSteps(values, steps) ?? null;
  const usual = how === 'exact' ? likes(old, claim.line) : [...likes(old, claim.line), emptyOf(old)];
  const wrote = countOf(files, claim);
  let stopped = 0;
  for (const [at, value] of [...usual, ...(how === 'exact' ? [] : others(old, claim))].entries()) {
    if (value === old) continue;
    const after = orRenderError(() => traced(chart, overlay(values, steps, value)));
    if (after instanceof RenderError) stopped += at < usual.length ? 1 : 0;
    else if (countOf(after.files, claim) < wrote) return 'changed';
  }
  return stopped < (how === 'exact' ? usual.length : 1) ? 'same' : 'stopped';
}

/** Returns other values of the same type, including similar ones in case the chart requires a format. */
function likes(old: GoValue, line: string): GoValue[] {
  if (typeof old === 'boolean') return [!old];
  // A slightly larger number is valid in most uses.
  if (isNumber(old)) return [1, 3].map((more) => Number(old instanceof Int ? old.value : old) + more);
  // A table can only be replaced by a table.
  if (old instanceof Map) return [new Map([[word, word]])];
  if (Array.isArray(old)) return [[word]];
  if (typeof old !== 'string') return [word];
  const digits = old.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
  const letters = old.replace(/[a-z](?=[^a-z]*$)/i, (letter) => (letter === 'q' ? 'z' : 'q'));
  // In a value of several lines, this changes only the given line.
  const own = line.trim() === '' ? old : old.replace(line.trim(), (text) => `${text}q`);
  return [word, own, `${old}q`, `1${old}`, digits, letters];
}

/** Returns values that a condition compares with, and values of other types. */
function others(old: GoValue, { text }: Claim): (GoValue | typeof removed)[] {
  const words = [...text.matchAll(/"([^"]*)"/g)].map(([, one]) => one as string);
  const bounds = [...text.matchAll(/\b\d{1,6}\b/g)].map(([one]) => Number(one));
  const numbers = isNumber(old) ? bounds.flatMap((one) => [one, one + 1, one - 1]) : [];
  // A template may look up a key in a table.
  const table = new Map([word, ...words].map((key) => [key, word]));
  return [...words, ...numbers, true, false, table, [word], removed, null];
}

function emptyOf(old: GoValue): GoValue {
  if (typeof old === 'boolean') return false;
  return old instanceof Map ? null : Array.isArray(old) ? [] : isNumber(old) ? 0 : '';
}

function isNumber(value: GoValue): boolean {
  return typeof value === 'number' || value instanceof Int;
}
