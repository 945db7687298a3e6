// What a rendering was made of, as marks that are small enough to be kept beside what it gave: later one can tell what changed.

import { sha256 } from '@noble/hashes/sha2.js';
import { type Chart, childPath } from '../chart/chart.ts';
import { emitJson } from '../codec/json.ts';
import { decodeBase64, encodeBase64 } from '../go/base64.ts';
import { decodeUtf8, encodeUtf8 } from '../go/utf8.ts';
import type { GoValue } from '../go/value.ts';
import type { RenderedRelease } from '../release.ts';
import { jsonOf } from '../trace/setters.ts';
import { valueOfJson } from '../values/patch.ts';
import { pathText, type Steps } from '../values/paths.ts';

/** What a release was made of. It is plain JSON, and holds no value in clear. */
export interface Inputs {
  /** The version of each chart of the tree and of what it installs, by its path such as `web/charts/cache`. */
  readonly charts: Readonly<Record<string, { readonly version: string; readonly appVersion: string }>>;
  /** The name and the namespace of the release. */
  readonly release: { readonly name: string; readonly namespace: string };
  /** Such as `v1.32.0`. */
  readonly kubeVersion: string;
  /** The major version of Helm. */
  readonly helm: number;
  /** Three bytes of a digest for each value, each path of one, and each line of a template, sorted; in base64. */
  readonly marks: string;
}

/** What can be asked of inputs: whether something was among them. */
export interface KnownInputs {
  readonly inputs: Omit<Inputs, 'marks'>;
  hasValue(steps: Steps, value: GoValue): boolean;
  hasPath(steps: Steps): boolean;
  /** Asks for a line of a template file, white space around it aside. */
  hasLine(file: string, line: string): boolean;
}

type MadeOf = Pick<RenderedRelease, 'chart' | 'values' | 'name' | 'namespace'>;
type MadeBy = Pick<Inputs, 'kubeVersion' | 'helm'>;

/** Gives what a release was made of. */
export function inputsOf(release: MadeOf, by: MadeBy): Inputs {
  const marks = new Set<number>();
  for (const { steps, value } of partsOf(valueOfJson(jsonOf(release.values)))) {
    marks.add(pathMark(steps));
    marks.add(valueMark(steps, value));
  }
  for (const [path, one] of chartsOf(release.chart)) {
    for (const { name: file, data } of one.templates) {
      for (const line of decodeUtf8(data).split('\n')) marks.add(lineMark(`${path}/${file}`, line));
    }
  }
  return { ...namesOf(release, by), marks: packed(marks) };
}

/** Gives what can be asked of a release that is at hand. It makes no marks, which take as long as a rendering. */
export function livingInputs(release: MadeOf, by: MadeBy): KnownInputs {
  const values = valueOfJson(jsonOf(release.values));
  const charts = chartsOf(release.chart);
  const lines = new Map<string, ReadonlySet<string>>();
  const linesOf = (file: string): ReadonlySet<string> => {
    const known = lines.get(file);
    if (known !== undefined) return known;
    const found = [...charts].flatMap(([folder, { templates }]) =>
      templates.filter(({ name }) => `${folder}/${name}` === file),
    );
    const text = found.flatMap(({ data }) => decodeUtf8(data).split('\n'));
    const own = new Set(text.map((line) => line.trim()));
    lines.set(file, own);
    return own;
  };
  return {
    inputs: namesOf(release, by),
    hasValue: (steps, value) => {
      const own = valueAt(values, steps);
      return own !== undefined && emitJson(own) === emitJson(value);
    },
    hasPath: (steps) => valueAt(values, steps) !== undefined,
    hasLine: (file, line) => linesOf(file).has(line.trim()),
  };
}

function namesOf({ chart, name, namespace }: MadeOf, { kubeVersion, helm }: MadeBy): Omit<Inputs, 'marks'> {
  const charts: Record<string, Inputs['charts'][string]> = {};
  for (const [path, { metadata }] of chartsOf(chart)) {
    charts[path] = { version: metadata.version, appVersion: metadata.appVersion };
  }
  return { charts, release: { name, namespace }, kubeVersion, helm };
}

// A chart and all below it, by their paths such as `web/charts/cache`.
function chartsOf(chart: Chart, path = chart.metadata.name): ReadonlyMap<string, Chart> {
  const inner = chart.children.flatMap((child) => [...chartsOf(child, childPath(path, child))]);
  return new Map([[path, chart], ...inner]);
}

function valueAt(values: GoValue, steps: Steps): GoValue | undefined {
  let found: GoValue | undefined = values;
  for (const step of steps) {
    if (found instanceof Map) found = found.get(String(step));
    else if (Array.isArray(found)) found = found[Number(step)];
    else return undefined;
  }
  return found;
}

/** Gives what can be asked of inputs. */
export function knownInputs(inputs: Inputs): KnownInputs {
  const marks = unpacked(inputs.marks);
  return {
    inputs,
    hasValue: (steps, value) => marks.has(valueMark(steps, value)),
    hasPath: (steps) => marks.has(pathMark(steps)),
    hasLine: (file, line) => marks.has(lineMark(file, line)),
  };
}

interface Part {
  readonly steps: Steps;
  readonly value: GoValue;
}

// Every value and every table, for a template may read either.
function* partsOf(values: GoValue): Generator<Part> {
  const ahead: Part[] = [{ steps: [], value: values }];
  for (let part = ahead.pop(); part !== undefined; part = ahead.pop()) {
    const { steps, value } = part;
    yield part;
    if (value instanceof Map) for (const [key, inner] of value) ahead.push({ steps: [...steps, key], value: inner });
    else if (Array.isArray(value)) ahead.push(...value.map((inner, at) => ({ steps: [...steps, at], value: inner })));
  }
}

function markOf(text: string): number {
  const [a = 0, b = 0, c = 0] = sha256(encodeUtf8(text));
  return (a << 16) | (b << 8) | c;
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

function packed(marks: ReadonlySet<number>): string {
  const bytes = [...marks].sort((a, b) => a - b).flatMap((mark) => [mark >> 16, (mark >> 8) & 255, mark & 255]);
  return encodeBase64(Uint8Array.from(bytes));
}

function unpacked(text: string): ReadonlySet<number> {
  const bytes = decodeBase64(text);
  const marks = new Set<number>();
  for (let at = 0; at + 2 < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3);
    marks.add((a << 16) | (b << 8) | c);
  }
  return marks;
}
