// The inputs of a rendering as short digests, stored with its output so that a later run can report what changed.

import { sha256 } from '@noble/hashes/sha2.js';
import { type Chart, childPath } from '../../chart/chart.ts';
import { emitJson } from '../../codec/json.ts';
import { lazy, memo } from '../../core/lazy.ts';
import type { Steps } from '../../core/paths.ts';
import type { RenderedRelease } from '../../engine/release.ts';
import { decodeBase64, encodeBase64 } from '../../go/base64.ts';
import { decodeUtf8, encodeUtf8 } from '../../go/utf8.ts';
import type { GoValue } from '../../go/value.ts';
import { valueOfJson } from '../../values/patch.ts';
import { pathText, valueAtSteps } from '../../values/paths.ts';
import { toJsonValue } from '../trace/setters.ts';

/** The inputs of a release, as plain JSON without any plaintext value. */
export interface Inputs {
  /** The version of each chart of the tree by path, such as `web/charts/cache`, and its app version. */
  readonly charts: Readonly<Record<string, { readonly version: string; readonly appVersion: string }>>;
  readonly release: { readonly name: string; readonly namespace: string };
  /** For example `v1.32.0`. */
  readonly kubeVersion: string;
  readonly helm: string;
  /** Three bytes of a digest for each value and each of its paths, sorted, in base64. */
  readonly marks: string;
  /** Three bytes for each non-blank line of each template and each readable file, by path, in base64. */
  readonly lines: Readonly<Record<string, string>>;
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
  /** The templates and the files that they can read. */
  readonly files: ReadonlySet<string>;
  fileOf(path: string): KnownFile | undefined;
  /** Returns the text of one that is available in full. */
  textOf(path: string): string | undefined;
}

type MadeOf = Pick<RenderedRelease, 'chart' | 'values' | 'name' | 'namespace'>;
type MadeBy = Pick<Inputs, 'kubeVersion' | 'helm'>;

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
  const textOf = memo((file: string) => {
    const data = files().get(file);
    return data && decodeUtf8(data);
  });
  const linesOf = memo((file: string) => new Set((textOf(file) ?? '').split('\n').map((line) => line.trim())));
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
    fileOf: memo((path: string) => {
      const data = files().get(path);
      return data && knownFile(path, data);
    }),
    textOf,
  };
}

function namesOf({ chart, name, namespace }: MadeOf, { kubeVersion, helm }: MadeBy): KnownInputs['inputs'] {
  const charts: Record<string, Inputs['charts'][string]> = {};
  for (const [path, { metadata }] of chartsOf(chart)) {
    charts[path] = { version: metadata.version, appVersion: metadata.appVersion };
  }
  return { charts, release: { name, namespace }, kubeVersion, helm };
}

export function knownInputs(inputs: Inputs): KnownInputs {
  const marks = new Set(unpackMarks(inputs.marks));
  const { lines } = inputs;
  const fileOf = memo((path: string): KnownFile | undefined => {
    const text = Object.hasOwn(lines, path) ? lines[path] : undefined;
    return text === undefined ? undefined : { marks: unpackMarks(text), numbers: [] };
  });
  return {
    inputs,
    // Deeper values are represented by the enclosing table with a digest.
    hasValue: (steps, value) => steps.length > markedSteps || marks.has(valueMark(steps, value)),
    hasPath: (steps) => steps.length > markedSteps || marks.has(pathMark(steps)),
    valueAt: () => undefined,
    hasLine: (file, line) => line.trim() === '' || fileOf(file)?.marks.includes(markOfLine(line)) === true,
    files: new Set(Object.keys(lines)),
    fileOf,
    textOf: () => undefined,
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

export interface KnownFile {
  /** A digest for each non-blank line, or one for a whole file. */
  readonly marks: readonly number[];
  /** The line number (from 1) for each digest; empty if unknown. */
  readonly numbers: readonly number[];
}

// Documentation and generated files are recorded as a whole.
const maxLines = 2000;
const wholeFiles = /\.(?:md|tgz|gz|zip|png|jpg|jpeg|ico|svg)$/i;

export function markOf(text: string): number {
  const [a = 0, b = 0, c = 0] = sha256(encodeUtf8(text));
  return (a << 16) | (b << 8) | c;
}

function markOfLine(line: string): number {
  return markOf(line.trim());
}

function chartsOf(chart: Chart, path = chart.metadata.name): ReadonlyMap<string, Chart> {
  const inner = chart.children.flatMap((child) => [...chartsOf(child, childPath(path, child))]);
  return new Map([[path, chart], ...inner]);
}

/** Returns the templates of a chart tree by path, and the files that they can read. */
function* filesOf(chart: Chart): Generator<readonly [path: string, data: Uint8Array]> {
  const charts = [...chartsOf(chart)];
  for (const [path, { templates }] of charts) for (const { name, data } of templates) yield [`${path}/${name}`, data];
  if (!charts.some(([, { templates }]) => templates.some(({ data }) => decodeUtf8(data).includes('.Files')))) return;
  for (const [path, { files }] of charts) {
    for (const { name, data } of files) if (!name.startsWith('ci/')) yield [`${path}/${name}`, data];
  }
}

function knownFile(path: string, data: Uint8Array): KnownFile {
  const text = decodeUtf8(data);
  if (text.split('\n').length > maxLines || wholeFiles.test(path) || text.includes('\0')) {
    return { marks: [markOf(`whole\n${text}`)], numbers: [] };
  }
  return linesOfText(text);
}

export function linesOfText(text: string): KnownFile {
  const lines = text.split('\n');
  const filled = [...lines.keys()].filter((at) => lines[at]?.trim() !== '');
  return { marks: filled.map((at) => markOfLine(lines[at] ?? '')), numbers: filled.map((at) => at + 1) };
}

function packMarks(marks: readonly number[]): string {
  return encodeBase64(Uint8Array.from(marks.flatMap((mark) => [mark >> 16, (mark >> 8) & 255, mark & 255])));
}

function unpackMarks(text: string): number[] {
  const bytes = decodeBase64(text);
  const marks: number[] = [];
  for (let at = 0; at + 2 < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    marks.push((a << 16) | (b << 8) | c);
  }
  return marks;
}
