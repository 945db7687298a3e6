// Checks that explanations are correct: changing a value in a line changes that line, and changing a deciding value changes or removes it.

import { type Chart, childPath } from '../../../render/chart/chart.ts';
import { RenderError } from '../../../render/core/errors.ts';
import { withinLimits } from '../../../render/core/limits.ts';
import { type Steps, splitPath } from '../../../render/core/paths.ts';
import { type RenderedRelease, runInstall } from '../../../render/engine/release.ts';
import { decodeUtf8 } from '../../../render/go/utf8.ts';
import { type GoMap, type GoValue, Int, isTrue } from '../../../render/go/value.ts';
import { createTrace } from '../../../render/provenance/origins/propagation.ts';
import { chartSources } from '../../../render/provenance/trace/objects.ts';
import { traceOf } from '../../../render/provenance/trace/release-trace.ts';
import type { ExplainedValue } from '../../../render/provenance/trace/values.ts';
import { copyValue } from '../../../render/values/lookup.ts';
import { pathText, valueAtSteps } from '../../../render/values/paths.ts';
import type { Dice } from '../dice.ts';
import { orRenderError, repeatableHost, replaceAt, some } from './tools.ts';

/** The results for a chart. */
export interface PrecisionResult {
  /** The number of places, by the role of the value. */
  readonly exact: number;
  readonly decides: number;
  /** The number of places that several values decide together: changing all of them must change the line. */
  readonly shares: number;
  /** The number of places for which another place in a template then wrote the same line. */
  readonly moved: number;
  /** The number of places that were skipped because the chart does not render with the test values. */
  readonly stopped: number;
  /** Places that no other value changed. */
  readonly failures: readonly string[];
}

interface Claim {
  readonly file: string;
  readonly line: string;
  /** The origin of the line. */
  readonly writers: string;
  readonly steps: Steps;
  readonly how: 'exact' | 'decides' | 'shares';
  /** The value, or all values that decide together, including it. */
  readonly together: readonly Steps[];
  /** The reader of the value, and its file. */
  readonly text: string;
  readonly by: string;
}

const word = 'zqchangedzq';

/** Checks a number of random explained places with a chart's defaults. */
export function checkPrecision(chart: Chart, count: number, dice: Dice): PrecisionResult {
  const trace = createTrace();
  const release = runInstall(chart, { host: repeatableHost(), trace, skipSchemaValidation: true });
  const before = linesByFile(release);
  const { files } = traceOf({ ...release, trace }, chartSources({ chart, given: {} }));
  // Lines outside documents, such as those of NOTES.txt, are not explained.
  const places = files.flatMap(({ path, lines }) =>
    lines.filter(({ text }) => before.get(path)?.has(text)).map((line) => ({ path, line })),
  );
  const claims = some(places, count * 3, dice).flatMap(({ path, line: { text, parts } }) =>
    some(
      parts.flatMap((part) => claimsOf(part, { file: path, line: text, writers: writersOf(parts) })),
      3,
      dice,
    ),
  );
  const tried = some(claims, count, dice);
  const outcomes: Outcomes = { chart, values: release.values, before, files };
  const verdicts = tried.map((claim) => ({ ...claim, verdict: checkClaim(claim, outcomes) }));
  const decided = verdicts.filter(({ verdict }) => verdict !== 'stopped');
  const failed = decided.filter(({ verdict }) => verdict === 'same');
  return {
    exact: decided.filter(({ how }) => how === 'exact').length,
    decides: decided.filter(({ how }) => how === 'decides').length,
    shares: decided.filter(({ how }) => how === 'shares').length,
    moved: decided.filter(({ verdict }) => verdict === 'moved').length,
    stopped: tried.length - decided.length,
    failures: failed.map(({ how, steps, file, line, text }) => {
      return `${how} ${pathText(steps)}: ${file}: ${line.trim().slice(0, 80)} (${text.slice(0, 160)})`;
    }),
  };
}

type File = ReturnType<typeof traceOf>['files'][number];
type Part = File['lines'][number]['parts'][number];

function claimsOf({ values, conditions, place }: Part, at: Pick<Claim, 'file' | 'line' | 'writers'>): Claim[] {
  const around = conditions.map((one) => ({ read: one.values, text: one.text, by: one.file }));
  return [{ read: values, text: place.text, by: place.file }, ...around].flatMap(({ read, text, by }) => {
    // A user can only change values, so computed ones are not checked.
    const own = read.filter(({ path }) => !path.startsWith('.'));
    const shared = own.filter(({ how }) => how === 'shares');
    const isWhole = shared.length === read.filter(({ how }) => how === 'shares').length;
    const together = shared.map(stepsOf);
    return own.flatMap((value): Claim[] => {
      const { how } = value;
      if (how === 'computed' || (how === 'shares' && !isWhole)) return [];
      return [
        { ...at, how, text, by, steps: stepsOf(value), together: how === 'shares' ? together : [stepsOf(value)] },
      ];
    });
  });
}

// Returns the steps of the global value in the parent chart, if it sets one.
function stepsOf({ path, steps, setBy }: ExplainedValue): Steps {
  const [winner] = setBy;
  return winner === undefined || winner.path === path || winner.kind === 'import-values'
    ? steps
    : splitPath(winner.path);
}

type Lines = ReadonlyMap<string, number>;

interface Outcomes {
  readonly chart: Chart;
  readonly values: GoMap;
  readonly before: ReadonlyMap<string, Lines>;
  readonly files: readonly File[];
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

/** Marks a removed value. */
const removed = Symbol('removed');

type Verdict = 'changed' | 'moved' | 'same' | 'stopped';

// Changes all values of a claim together, in each round to their next test values. Failed renderings are ignored.
function checkClaim(claim: Claim, outcomes: Outcomes): Verdict {
  const { file, line, writers, steps, how, together } = claim;
  const { chart, values, before, files } = outcomes;
  const choices = together.map((one) => choicesOf(valueAtSteps(values, one) ?? null, claim, chart));
  const had = before.get(file)?.get(line) ?? 0;
  const shown: GoMap[] = [];
  for (let round = 0; round < Math.max(...choices.map(({ length }) => length)); round++) {
    const given: GoMap = new Map();
    for (const [at, one] of together.entries()) {
      const list = choices[at]!;
      join(given, overlay(values, one, list[round < list.length ? round : 0]!));
    }
    const after = rendered(chart, given);
    if (after === undefined) continue;
    if ((after.get(file)?.get(line) ?? 0) < had) return 'changed';
    shown.push(given);
  }
  const count = (found: readonly File[]): number =>
    (found.find(({ path }) => path === file)?.lines ?? []).filter(
      ({ text, parts }) => text === line && writersOf(parts) === writers,
    ).length;
  const wrote = count(files);
  if (shown.some((given) => count(traced(chart, given)) < wrote)) return 'moved';
  // If the chart does not render with the test values, the result means nothing.
  if (how !== 'decides') return shown.length > 0 ? 'same' : 'stopped';
  const old = valueAtSteps(values, steps) ?? null;
  const usual = [...likes(old, line), emptyOf(old)];
  return usual.every((value) => rendered(chart, overlay(values, steps, value)) !== undefined) ? 'same' : 'stopped';
}

// Returns the test values for a value, of which at least one is expected to change the line.
function choicesOf(old: GoValue, claim: Claim, chart: Chart): readonly (GoValue | typeof removed)[] {
  const other = others(old, claim);
  if (claim.how === 'exact') return other;
  if (claim.how === 'shares') {
    const all = isTrue(old) ? [emptyOf(old), ...other] : other;
    return typeof all[0] === 'boolean' ? all.slice(0, 1) : all;
  }
  // A template may look up a generated name in a list, so this tries all words of the template.
  return [...other, removed, null, ...(Array.isArray(old) ? [wordsIn(chart, claim.by)] : [])];
}

function wordsIn(chart: Chart, file: string, folder: string = chart.metadata.name): string[] {
  const own = chart.templates.find(({ name }) => `${folder}/${name}` === file);
  if (own === undefined) return chart.children.flatMap((child) => wordsIn(child, file, childPath(folder, child)));
  // A template may also read names from files of the chart.
  const named = chart.files.flatMap(({ name, data }) =>
    /\.ya?ml$/.test(name) ? [...decodeUtf8(data).matchAll(/^ *(?:name|kind|singular|plural): ([\w.-]+)$/gm)] : [],
  );
  return [...new Set([...(decodeUtf8(own.data).match(/[\w.-]+/g) ?? []), ...named.map(([, one]) => one as string)])];
}

function join(target: GoMap, more: GoMap): void {
  for (const [key, value] of more) {
    const known = target.get(key);
    if (known instanceof Map && value instanceof Map) join(known, value);
    else target.set(key, value);
  }
}

function emptyOf(old: GoValue): GoValue {
  if (typeof old === 'boolean') return false;
  return old instanceof Map ? null : Array.isArray(old) ? [] : isNumber(old) ? 0 : '';
}

function writersOf(parts: readonly Part[]): string {
  const places = parts.flatMap(({ place, through }) => [...through, place]);
  return places.map(({ file, line, column }) => `${file}:${line}:${column}`).join(' ');
}

// A changed value may be a number of repetitions.
const limits = { milliseconds: 3000, outputBytes: 2 ** 26 };

function rendered(chart: Chart, values: GoMap): ReadonlyMap<string, Lines> | undefined {
  const options = { values, host: repeatableHost(), skipSchemaValidation: true };
  const release = orRenderError(() => withinLimits(limits, () => runInstall(chart, options)));
  return release instanceof RenderError ? undefined : linesByFile(release);
}

function traced(chart: Chart, values: GoMap): readonly File[] {
  const trace = createTrace();
  const release = runInstall(chart, { values, host: repeatableHost(), trace, skipSchemaValidation: true });
  return traceOf({ ...release, trace }, chartSources({ chart, given: {} })).files;
}

// Returns different values: first of the same type, then those that a condition compares with, then of other types.
function others(old: GoValue, { how, text, line }: Claim): readonly GoValue[] {
  const same = likes(old, line);
  if (how === 'exact') return same;
  const words = [...text.matchAll(/"([^"]*)"/g)].map(([, one]) => one as string);
  const limitsOf = [...text.matchAll(/\b\d{1,6}\b/g)].map(([one]) => Number(one));
  const numbers = isNumber(old) ? limitsOf.flatMap((one) => [one, one + 1, one - 1]) : [];
  // A template may look up a key in a table.
  const table = new Map([word, ...words].map((key) => [key, word]));
  const all: GoValue[] = [...same, emptyOf(old), ...words, ...numbers, true, false, table, [word]];
  return all.filter((value) => value !== old);
}

// Returns other values of the same type, including similar ones in case the chart requires a format.
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
  return [word, own, `${old}q`, `1${old}`, digits, letters].filter((value) => value !== old);
}

function isNumber(value: GoValue): boolean {
  return typeof value === 'number' || value instanceof Int;
}

/** Returns the values that replace or remove one value. A list is set as a whole. */
export function overlay(values: GoMap, steps: Steps, value: GoValue | typeof removed): GoMap {
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
