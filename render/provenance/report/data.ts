// The data of a report, without duplicates, for a page in a file or any other page.

import { type Chart, childPath } from '../../chart/chart.ts';
import { memo } from '../../core/lazy.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import { impactedLines } from '../impact/places.ts';
import type { ExplainedCondition, ExplainedPart, TemplatePlace } from '../trace/explain.ts';
import { documentTitle, type TracedObjects } from '../trace/explanation.ts';
import { placeText } from '../trace/report.ts';
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

/** A part of a line: its text, what wrote it, the actions on the way, the values, and the conditions from the outermost, all as indexes. */
export type ReportPart = readonly [
  text: string,
  place: number,
  through: readonly number[],
  values: readonly (readonly [value: number, how: 0 | 1 | 2 | 3])[],
  conditions: readonly number[],
];

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
  /** Templates and values files; without text if unknown. */
  readonly files: readonly { readonly path: string; readonly text?: string }[];
}

export interface ReportSources {
  readonly title: string;
  /** The texts of templates and values files by their names in explanations. */
  readonly files: ReadonlyMap<string, string>;
}

const ways: Readonly<Record<ValueWay, 0 | 1 | 2 | 3>> = { exact: 0, computed: 1, decides: 2, shares: 3 };
const maxValue = 400;

export function reportData(releases: readonly TracedObjects[], { title, files: texts }: ReportSources): ReportData {
  const files: ReportData['files'][number][] = [];
  const fileAt = memo((path: string) => files.push({ path, ...(texts.has(path) && { text: texts.get(path)! }) }) - 1);
  const places = new Distinct<ReportPlace>();
  const placeAt = ({ file, line, column, text }: TemplatePlace): number =>
    places.indexOf([fileAt(file), line, column, text]);
  const values = new Distinct<ReportValue>();
  const valueAt = memo(({ path, value, setBy }: ExplainedValue) => {
    const json = JSON.stringify(value) ?? 'null';
    const shown = json.length > maxValue ? `${json.slice(0, maxValue)}…` : json;
    const setters = setBy.map((setter): ReportSetter => {
      const { where, line = 0, kind } = setter;
      return [placeText(setter), texts.has(where) ? fileAt(where) : -1, line, kind];
    });
    return values.indexOf({ path, value: shown, setBy: setters });
  });
  const conditions = new Distinct<ReportCondition>();
  const conditionAt = memo((one: ExplainedCondition) =>
    conditions.indexOf([placeAt(one), one.isElse ? 1 : 0, one.values.map(valueAt)]),
  );
  const reportPart = ({ text, place, through, values: read, conditions: taken }: ExplainedPart): ReportPart => [
    text,
    // Literal text is the same in the template.
    placeAt(place.text === text.trim() ? { ...place, text: '' } : place),
    through.map(placeAt),
    read.map((one) => [valueAt(one), ways[one.how]] as const),
    taken.map(conditionAt),
  ];
  const objects = releases.flatMap((release) =>
    release.documents.map((document): ReportObject => {
      const lines = impactedLines(document, release);
      return {
        title: documentTitle(document, release),
        source: document.path,
        lines: lines.map(({ text }) => text),
        parts: lines.map(({ parts }) => parts.map(reportPart)),
      };
    }),
  );
  return { title, objects, places: places.items, values: values.items, conditions: conditions.items, files };
}

/** A list of different items. */
class Distinct<Item> {
  readonly items: Item[] = [];
  readonly #known = new Map<string, number>();

  indexOf(item: Item): number {
    const key = JSON.stringify(item);
    const found = this.#known.get(key) ?? this.items.push(item) - 1;
    this.#known.set(key, found);
    return found;
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
