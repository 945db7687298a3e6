// The data of a report, without duplicates, for a page in a file or any other page.

import { type Chart, childPath } from '../../chart/chart.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { impactedLines } from '../impact/places.ts';
import type { ExplainedCondition, ExplainedPart, TemplatePlace } from '../trace/explain.ts';
import { documentTitle, type TracedObjects } from '../trace/explanation.ts';
import type { Setter } from '../trace/setters.ts';
import type { ExplainedValue, ValueWay } from '../trace/values.ts';

/** A place in a template: the index of its file, line and column from 1, and its source; empty for literal text. */
export type ReportPlace = readonly [file: number, line: number, column: number, text: string];

/** A place that sets a value: a description, the index of its file or -1, the line from 1 or 0, and its kind. */
export type ReportSetter = readonly [where: string, file: number, line: number, kind: Setter['kind']];

/** A value that was read. */
export interface ReportValue {
  readonly path: string;
  /** As JSON, truncated if it is long. */
  readonly value: string;
  /** The winning one first. */
  readonly setBy: readonly ReportSetter[];
}

/** A taken branch: its place, whether the line is in its `else`, and the deciding values. */
export type ReportCondition = readonly [place: number, isElse: 0 | 1, values: readonly number[]];

/** A part of a line: its text, what wrote it, the actions on the way, the values, and the conditions, all as indexes. */
export type ReportPart = readonly [
  text: string,
  place: number,
  through: readonly number[],
  values: readonly (readonly [value: number, how: 0 | 1 | 2 | 3])[],
  conditions: number,
];

/** A rendered object. */
export interface ReportObject {
  /** `KIND/NAMESPACE/NAME`. */
  readonly title: string;
  /** The template file. */
  readonly source: string;
  readonly lines: readonly string[];
  /** The parts of each line, from left to right. */
  readonly parts: readonly (readonly ReportPart[])[];
}

/** The content of a report. Indexes refer to its lists. */
export interface ReportData {
  readonly title: string;
  readonly objects: readonly ReportObject[];
  readonly places: readonly ReportPlace[];
  readonly values: readonly ReportValue[];
  readonly conditions: readonly ReportCondition[];
  /** Lists of conditions, from the outermost; the first one is empty. */
  readonly chains: readonly (readonly number[])[];
  /** Templates and values files; without text if unknown. */
  readonly files: readonly { readonly path: string; readonly text?: string }[];
}

export interface ReportSources {
  readonly title: string;
  /** The texts of templates and values files by their names in explanations. */
  readonly files: ReadonlyMap<string, string>;
}

export function reportData(releases: readonly TracedObjects[], { title, files }: ReportSources): ReportData {
  const tables = new Tables(files);
  const objects = releases.flatMap((release) =>
    release.documents.map((document): ReportObject => {
      const lines = impactedLines(document, release);
      return {
        title: documentTitle(document, release),
        source: document.path,
        lines: lines.map(({ text }) => text),
        parts: lines.map(({ parts }) => parts.map((part) => tables.part(part))),
      };
    }),
  );
  const { places, values, conditions, chains } = tables;
  return {
    title,
    objects,
    places: places.items,
    values: values.items,
    conditions: conditions.items,
    chains: chains.items,
    files: tables.files.items,
  };
}

class Table<Item> {
  readonly items: Item[] = [];
  readonly #known = new Map<string, number>();

  indexOf(key: string, make: () => Item): number {
    const found = this.#known.get(key);
    if (found !== undefined) return found;
    // Creating an item may add others to this list.
    const item = make();
    this.#known.set(key, this.items.length);
    return this.items.push(item) - 1;
  }
}

const ways: Readonly<Record<ValueWay, 0 | 1 | 2 | 3>> = { exact: 0, computed: 1, decides: 2, shares: 3 };
const maxValue = 400;

class Tables {
  readonly files = new Table<ReportData['files'][number]>();
  readonly places = new Table<ReportPlace>();
  readonly values = new Table<ReportValue>();
  readonly conditions = new Table<ReportCondition>();
  readonly chains = new Table<readonly number[]>();
  readonly #texts: ReadonlyMap<string, string>;
  readonly #reported = new WeakMap<ExplainedValue, number>();

  constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
    this.chains.indexOf('', () => []);
  }

  part({ text, place, through, values, conditions }: ExplainedPart): ReportPart {
    const chain = conditions.map((one) => this.#condition(one));
    return [
      text,
      // Literal text is the same in the template.
      this.#place(place.text === text.trim() ? { ...place, text: '' } : place),
      through.map((one) => this.#place(one)),
      values.map((one) => [this.#value(one), ways[one.how]] as const),
      this.chains.indexOf(chain.join(), () => chain),
    ];
  }

  #file(path: string): number {
    const text = this.#texts.get(path);
    return this.files.indexOf(path, () => ({ path, ...(text === undefined ? {} : { text }) }));
  }

  #place({ file, line, column, text }: TemplatePlace): number {
    const at = this.#file(file);
    return this.places.indexOf(`${at} ${line} ${column} ${text}`, () => [at, line, column, text]);
  }

  #condition(condition: ExplainedCondition): number {
    const place = this.#place(condition);
    const values = condition.values.map((one) => this.#value(one));
    return this.conditions.indexOf(`${place} ${condition.isElse} ${values.join()}`, () => {
      return [place, condition.isElse ? 1 : 0, values];
    });
  }

  #value(explained: ExplainedValue): number {
    const at = this.#reported.get(explained) ?? this.#newValue(explained);
    this.#reported.set(explained, at);
    return at;
  }

  // Another release of an Order may read the same path.
  #newValue({ chart, path, value, setBy }: ExplainedValue): number {
    const json = JSON.stringify(value) ?? 'null';
    const first = setBy[0];
    const key = `${chart} ${path} ${json} ${first?.where} ${first?.line}`;
    return this.values.indexOf(key, () => ({
      path,
      value: json.length > maxValue ? `${json.slice(0, maxValue)}…` : json,
      setBy: setBy.map(({ where, line = 0, column, kind }) => {
        const text = line === 0 ? where : `${where}:${line}:${column}`;
        return [text, this.#texts.has(where) ? this.#file(where) : -1, line, kind];
      }),
    }));
  }
}

/** Returns the templates and values files of a chart and its subcharts by their names in explanations. */
export function chartTexts(chart: Chart, folder: string = chart.metadata.name): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const visit = (one: Chart, path: string): void => {
    for (const { name, data } of one.templates) texts.set(`${path}/${name}`, decodeUtf8(data));
    for (const { name, data } of one.files) if (/\.ya?ml$/.test(name)) texts.set(`${path}/${name}`, decodeUtf8(data));
    if (one.dependenciesData !== undefined)
      texts.set(`${path}/${one.dependenciesData.name}`, decodeUtf8(one.dependenciesData.data));
    if (one.valuesData !== undefined) texts.set(`${path}/values.yaml`, decodeUtf8(one.valuesData));
    for (const child of one.children) visit(child, childPath(path, child));
  };
  visit(chart, folder);
  return texts;
}
