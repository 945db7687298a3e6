// The inputs of a rendering as short digests, stored with its output so that a later run can report what changed.

import { emitJson } from '../../codec/json.ts';
import { lazy } from '../../core/lazy.ts';
import type { RenderedRelease } from '../../engine/release.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import type { GoValue } from '../../go/value.ts';
import { valueOfJson } from '../../values/patch.ts';
import { pathText, type Steps, valueAtSteps } from '../../values/paths.ts';
import { toJsonValue } from '../trace/setters.ts';
import {
  chartsOf,
  filesOf,
  type KnownFile,
  knownFile,
  markOf,
  markOfLine,
  packMarks,
  unpackMarks,
} from './known-lines.ts';

/** The inputs of a release, as plain JSON without any plaintext value. */
export interface Inputs {
  /** The version of each chart of the tree by path, such as `web/charts/cache`, and its app version. */
  readonly charts: Readonly<Record<string, { readonly version: string; readonly appVersion: string }>>;
  /** The name and the namespace of the release. */
  readonly release: { readonly name: string; readonly namespace: string };
  /** For example `v1.32.0`. */
  readonly kubeVersion: string;
  /** The Helm version. Older records contain its major version, 3 for 3.17.3 or 4 for 4.2.3. */
  readonly helm: string | number;
  /** Three bytes of a digest for each value and each of its paths, sorted, in base64. Older records also include template lines. */
  readonly marks: string;
  /** Three bytes for each non-blank line of each template and each readable file, by path, in base64. Missing in older records. */
  readonly lines?: Readonly<Record<string, string>>;
}

/** Queries on inputs: whether something was among them. */
export interface KnownInputs {
  readonly inputs: Omit<Inputs, 'marks' | 'lines'>;
  hasValue(steps: Steps, value: GoValue): boolean;
  hasPath(steps: Steps): boolean;
  /** Returns a value that is available in full. */
  valueAt(steps: Steps): GoValue | undefined;
  /** Looks up a line of a template file, ignoring surrounding white space. */
  hasLine(file: string, line: string): boolean;
  /** The templates and the files that they can read; undefined if unknown. */
  readonly files: ReadonlySet<string> | undefined;
  /** Returns one of them. */
  fileOf(path: string): KnownFile | undefined;
  /** Returns the text of one that is available in full. */
  textOf(path: string): string | undefined;
  /** Returns the object for values computed from these and earlier inputs, always the same one. */
  comparisonWith(before: KnownInputs): InputComparison;
}

/** Values that attribution computes once for a pair of inputs. */
export interface InputComparison {
  /** The edits of files by path; undefined for files with almost nothing in common. */
  readonly hunks: Map<string, readonly Hunk[] | undefined>;
  /** The indexes of removed items by the path of the list. */
  readonly goneItems: Map<string, readonly number[]>;
}

/** A range of differing lines. */
export interface Hunk {
  /** The line (from 1) of the later file at which it starts, or before which lines were removed. */
  readonly line: number;
  readonly gone: number;
  readonly came: number;
}

function createComparisons(): KnownInputs['comparisonWith'] {
  const comparisons = new Map<KnownInputs, InputComparison>();
  return (before) => {
    const found = comparisons.get(before) ?? { hunks: new Map(), goneItems: new Map() };
    comparisons.set(before, found);
    return found;
  };
}

type MadeOf = Pick<RenderedRelease, 'chart' | 'values' | 'name' | 'namespace'>;
type MadeBy = Pick<Inputs, 'kubeVersion' | 'helm'>;

/** Returns the inputs of a release. */
export function inputsOf(release: MadeOf, by: MadeBy): Inputs {
  const marks = new Set<number>();
  for (const { steps, value } of partsOf(valueOfJson(toJsonValue(release.values)))) {
    marks.add(pathMark(steps));
    marks.add(valueMark(steps, value));
  }
  const lines = [...filesOf(release.chart)].map(([path, data]) => [path, packMarks(knownFile(path, data).marks)]);
  const sorted = [...marks].sort((a, b) => a - b);
  return { ...namesOf(release, by), marks: packMarks(sorted), lines: Object.fromEntries(lines) };
}

/** Returns queries on the inputs of an available release, without computing digests, which takes as long as a rendering. */
export function livingInputs(release: MadeOf, by: MadeBy): KnownInputs {
  const values = valueOfJson(toJsonValue(release.values));
  const files = lazy(() => new Map(filesOf(release.chart)));
  const names = lazy(() => new Set(files().keys()));
  const known = new Map<string, KnownFile>();
  const lines = new Map<string, ReadonlySet<string>>();
  const texts = new Map<string, string>();
  const textOf = (file: string): string | undefined => {
    const data = files().get(file);
    const text = texts.get(file) ?? (data && decodeUtf8(data));
    if (text !== undefined) texts.set(file, text);
    return text;
  };
  const linesOf = (file: string): ReadonlySet<string> => {
    const own = lines.get(file) ?? new Set((textOf(file) ?? '').split('\n').map((line) => line.trim()));
    lines.set(file, own);
    return own;
  };
  return {
    inputs: namesOf(release, by),
    hasValue: (steps, value) => {
      const own = valueAtSteps(values, steps);
      return own !== undefined && emitJson(own) === emitJson(value);
    },
    hasPath: (steps) => valueAtSteps(values, steps) !== undefined,
    valueAt: (steps) => valueAtSteps(values, steps),
    hasLine: (file, line) => linesOf(file).has(line.trim()),
    get files() {
      return names();
    },
    fileOf: (path) => {
      const data = files().get(path);
      const found = known.get(path) ?? (data && knownFile(path, data));
      if (found !== undefined) known.set(path, found);
      return found;
    },
    textOf,
    comparisonWith: createComparisons(),
  };
}

function namesOf({ chart, name, namespace }: MadeOf, { kubeVersion, helm }: MadeBy): KnownInputs['inputs'] {
  const charts: Record<string, Inputs['charts'][string]> = {};
  for (const [path, { metadata }] of chartsOf(chart)) {
    charts[path] = { version: metadata.version, appVersion: metadata.appVersion };
  }
  return { charts, release: { name, namespace }, kubeVersion, helm };
}

/** Returns queries on recorded inputs. */
export function knownInputs(inputs: Inputs): KnownInputs {
  const marks = new Set(unpackMarks(inputs.marks));
  const { lines } = inputs;
  const marksOf = new Map<string, readonly number[]>();
  const fileOf = (path: string): KnownFile | undefined => {
    const text = lines !== undefined && Object.hasOwn(lines, path) ? lines[path] : undefined;
    if (text === undefined) return undefined;
    const own = marksOf.get(path) ?? unpackMarks(text);
    marksOf.set(path, own);
    return { marks: own, numbers: [] };
  };
  return {
    inputs,
    // Deeper values are represented by the enclosing table with a digest.
    hasValue: (steps, value) => steps.length > markedSteps || marks.has(valueMark(steps, value)),
    hasPath: (steps) => steps.length > markedSteps || marks.has(pathMark(steps)),
    valueAt: () => undefined,
    hasLine: (file, line) => {
      if (lines === undefined) return marks.has(lineMark(file, line));
      return line.trim() === '' || fileOf(file)?.marks.includes(markOfLine(line)) === true;
    },
    files: lines && new Set(Object.keys(lines)),
    fileOf,
    textOf: () => undefined,
    comparisonWith: createComparisons(),
  };
}

interface Part {
  readonly steps: Steps;
  readonly value: GoValue;
}

/**
 * Maximum path length of a value with its own digest. A digest covers everything below it, so with one for each of ten thousand levels a
 * record took minutes.
 */
export const markedSteps = 64;

// Every value and every table, because a template may read either.
function* partsOf(values: GoValue): Generator<Part> {
  const ahead: Part[] = [{ steps: [], value: values }];
  for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    const { steps, value } = part;
    yield part;
    if (steps.length === markedSteps) continue;
    if (value instanceof Map) for (const [key, inner] of value) ahead.push({ steps: [...steps, key], value: inner });
    else if (Array.isArray(value)) ahead.push(...value.map((inner, at) => ({ steps: [...steps, at], value: inner })));
  }
}

function pathMark(steps: Steps): number {
  return markOf(`path\n${pathText(steps)}`);
}

function valueMark(steps: Steps, value: GoValue): number {
  return markOf(`value\n${pathText(steps)}\n${emitJson(value)}`);
}

function lineMark(file: string, line: string): number {
  return markOf(`line\n${file}\n${line.trim()}`);
}
