// The inputs of a rendering, as digests small enough to store beside its output, so that a later run can say what changed.

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

/** What a release was made of. It is plain JSON, and holds no value in clear. */
export interface Inputs {
  /** The version of each chart of the tree and of what it installs, by its path such as `web/charts/cache`. */
  readonly charts: Readonly<Record<string, { readonly version: string; readonly appVersion: string }>>;
  /** The name and the namespace of the release. */
  readonly release: { readonly name: string; readonly namespace: string };
  /** Such as `v1.32.0`. */
  readonly kubeVersion: string;
  /** The Helm version; older records have its major version, 3 for 3.17.3 or 4 for 4.2.3. */
  readonly helm: string | number;
  /** Three bytes of a digest for each value and each path of one, sorted; in base64. Of older records also of templates' lines. */
  readonly marks: string;
  /**
   * Three bytes for each line that is not blank, of each template and of each file that templates may read, by its path; in
   * base64. Older records have none.
   */
  readonly lines?: Readonly<Record<string, string>>;
}

/** What can be asked of inputs: whether something was among them. */
export interface KnownInputs {
  readonly inputs: Omit<Inputs, 'marks' | 'lines'>;
  hasValue(steps: Steps, value: GoValue): boolean;
  hasPath(steps: Steps): boolean;
  /** Returns a value that is at hand. */
  valueAt(steps: Steps): GoValue | undefined;
  /** Asks for a line of a template file, white space around it aside. */
  hasLine(file: string, line: string): boolean;
  /** The templates and the files that they may read; undefined where they are not known. */
  readonly files: ReadonlySet<string> | undefined;
  /** Returns one of them. */
  fileOf(path: string): KnownFile | undefined;
  /** Returns the text of one that is at hand. */
  textOf(path: string): string | undefined;
  /** Returns what was computed from these inputs and earlier ones, the same object each time. */
  comparisonWith(before: KnownInputs): InputComparison;
}

/** What attribution computes once for two inputs. */
export interface InputComparison {
  /** The edits of files by path; undefined for files that share next to nothing. */
  readonly hunks: Map<string, readonly Hunk[] | undefined>;
  /** The positions of the items that lists lost, by the path of the list. */
  readonly goneItems: Map<string, readonly number[]>;
}

/** A range of lines that differs. */
export interface Hunk {
  /** The line (from 1) of the later file at which it begins, or before which lines are gone. */
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

/** Returns what a release was made of. */
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

/** Returns what can be asked of a release that is at hand. It makes no marks, which take as long as a rendering. */
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

/** Returns what can be asked of inputs. */
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
    // What lies deeper is reported by the table around it that has a mark.
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
 * How many steps a value has at most that has a mark of its own. A mark is made of all that lies below: with one for each of ten
 * thousand levels a record took minutes.
 */
export const markedSteps = 64;

// Every value and every table, for a template may read either.
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
