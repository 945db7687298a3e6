// Explains why a rendering failed: the failing lines, the values involved, and what is missing and where it can be set.

import { type Chart, childPath } from '../../chart/chart.ts';
import type { RenderError } from '../../core/errors.ts';
import type { Steps } from '../../core/paths.ts';
import { suggest } from '../../core/suggest.ts';
import { uniqueBy } from '../../core/unique-by.ts';
import { decodeUtf8 } from '../../go/utf8.ts';
import type { GoMap } from '../../go/value.ts';
import { execErrorsIn, type TemplateExecError } from '../../template/failures.ts';
import { printNode } from '../../template/nodes.ts';
import type { Read, TracedText } from '../../template/origin.ts';
import type { MissingPart, Trace } from '../../template/trace.ts';
import { pathText, valueAtSteps } from '../../values/paths.ts';
import {
  conditionsOf,
  type ExplainedCondition,
  type ExplainedPart,
  explainLine,
  explainReads,
  placeIn,
  type TemplatePlace,
} from './explain.ts';
import { conditionLines, frameOf, placeText, setterLines, titleOf, valueLines } from './report.ts';
import { type ExplainedValue, type TraceSources, type ValueTable, valuesOfRelease } from './values.ts';

/** Why a rendering failed. */
export interface FailureExplanation {
  /** The template lines behind a rendered line, or on the way to the failing template. */
  readonly places: readonly TemplatePlace[];
  /**
   * Blocks of lines for people: the failing lines, the places, what is missing or refused, the values, the conditions, and how to fix it.
   */
  readonly blocks: readonly (readonly string[])[];
}

export interface FailedRendering {
  readonly error: RenderError;
  readonly chart: Chart;
  readonly trace: Trace;
  readonly sources: TraceSources;
}

export function explainFailure({ error, chart, trace, sources }: FailedRendering): FailureExplanation {
  const values = valuesOfRelease({ values: trace.values ?? new Map(), trace }, sources);
  const { place, hint } = error;
  const frame = place?.line === undefined ? [] : failingLines(error, { chart, trace });
  const hints = hint === undefined ? [] : [hint];
  if (place?.isRendered === true) {
    const text = trace.files.get(place.file ?? '');
    if (text === undefined) return { places: [], blocks: [frame, hints] };
    const { places, blocks } = explainRenderedLine(text, place.line ?? 1, values);
    return { places, blocks: [frame, ...blocks] };
  }
  if (error.code === 'VALUES_INVALID') return { places: [], blocks: [...refusedValues(error, values), hints] };
  const exec = execErrorsIn(error).at(-1);
  const [failed] = trace.failures;
  if (exec === undefined || failed === undefined) return { places: [], blocks: [frame, hints] };
  const outer = trace.failures.slice(1).flatMap(({ calls, template }) => {
    return calls === undefined ? [] : [placeIn(calls.template, calls.offset, `template ${template.name}`)];
  });
  const places = uniqueBy(outer, titleOf);
  const missing = isNil(exec) ? explainMissing(exec, trace, { reads: [...failed.reads.keys()], values }) : undefined;
  const why = missing ?? [
    ...readBlocks(explainReads(failed.reads, values, 'computed'), conditionsOf(failed.condition, values)),
    hints,
  ];
  return { places, blocks: [frame, placeLines(places), ...why] };
}

/** Formats the explanation of a failure; empty if nothing is known beyond Helm's message. */
export function failureText({ blocks }: FailureExplanation): string {
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return shown.length === 0 ? '' : `\n${shown.join('\n\n')}\n`;
}

function placeLines(places: readonly TemplatePlace[]): string[] {
  return places.flatMap((place, at) => frameOf(at === 0 ? 'written by' : 'through', place));
}

function readBlocks(values: readonly ExplainedValue[], conditions: readonly ExplainedCondition[]): string[][] {
  return [
    values.flatMap((value) => valueLines(value, value.how === 'computed' ? 'was read' : undefined)),
    conditions.flatMap(conditionLines),
  ];
}

function refusedValues({ issues }: RenderError, values: ValueTable): string[][] {
  return issues.map(({ path, message }) => {
    const setBy = path === '' ? [] : values.settersOf(path.split('.'));
    const places = setterLines(setBy, '    ', ({ value }) => ` (${JSON.stringify(value)})`);
    return [`  ${path === '' ? 'the values' : path}: ${message}`, ...places];
  });
}

const around = 2;

// The lines of the file in the error: as rendered, as in the chart, or as executed by `tpl`.
function failingLines(
  error: RenderError,
  { chart, trace }: { readonly chart: Chart; readonly trace: Trace },
): readonly string[] {
  const exec = execErrorsIn(error).at(-1);
  const node = exec === undefined ? undefined : printNode(exec.node);
  const { file = '', line = 1, column = 1, isRendered } = exec?.place ?? error.place ?? {};
  const text = isRendered ? trace.files.get(file)?.text : (exec?.source.text ?? fileText(chart, file));
  if (text === undefined) return [];
  const all = text.split('\n');
  const at = Math.min(line, all.length);
  const first = Math.max(1, at - around);
  const shown = all[at - 1] ?? '';
  const start = isRendered ? renderedColumn(shown, column) : columnOf(node, shown, column);
  const rest = Math.max(shown.trimEnd().length - start + 1, 1);
  const width = Math.min(isRendered ? rest : (node?.length ?? 1), rest);
  const lines = all.slice(first - 1, at + around);
  const digits = String(first + lines.length - 1).length;
  const rows = lines.flatMap((one, index) => {
    const number = first + index;
    const row = `${number === at ? '>' : ' '} ${String(number).padStart(digits)} | ${one}`.trimEnd();
    if (number !== at) return [row];
    const blank = one.slice(0, start - 1).replace(/[^\t]/g, ' ');
    return [row, `  ${' '.repeat(digits)} | ${blank}${'^'.repeat(width)}`];
  });
  return [`${isRendered ? `${file}, as rendered` : file}:${at}:${start}`, ...rows];
}

// YAML's place is sometimes only the line.
function renderedColumn(shown: string, column: number): number {
  return column === 1 ? Math.max(shown.search(/\S/), 0) + 1 : column;
}

// Go's place of a field path is within it.
function columnOf(node: string | undefined, shown: string, column: number): number {
  const start = node === undefined ? -1 : shown.lastIndexOf(node, column - 1);
  return node !== undefined && start >= 0 && start + node.length >= column ? start + 1 : column;
}

function fileText(chart: Chart, file: string, folder: string = chart.metadata.name): string | undefined {
  const own = [...chart.templates, ...chart.files].find(({ name }) => `${folder}/${name}` === file);
  if (own !== undefined) return decodeUtf8(own.data);
  if (file === `${folder}/values.yaml` && chart.valuesData !== undefined) return decodeUtf8(chart.valuesData);
  for (const child of chart.children) {
    const found = fileText(child, file, childPath(folder, child));
    if (found !== undefined) return found;
  }
  return undefined;
}

// YAML reports the line where it noticed the error; if there is only literal text, an action above is the cause.
function explainRenderedLine(text: TracedText, line: number, values: ValueTable): FailureExplanation {
  let parts = explainLine(text, line, values);
  for (let above = line - 1; above >= Math.max(1, line - around); above--) {
    if (parts.some((part) => part.values.length > 0)) break;
    parts = [...explainLine(text, above, values), ...parts];
  }
  const sourced = parts.filter((part) => part.values.length > 0);
  const shown = sourced.length > 0 ? sourced : parts;
  const placesOfAll = shown.flatMap(({ through, place }) => [...through, place]);
  const places = uniqueBy(placesOfAll, titleOf);
  const read = parts.flatMap((part) => part.values);
  const conditions = shown.flatMap((part) => part.conditions);
  const why = readBlocks(
    uniqueBy(read, ({ path }) => path),
    uniqueBy(conditions, titleOf),
  );
  return { places, blocks: [placeLines(places), ...why, yamlHints(text.text.split('\n')[line - 1] ?? '', parts)] };
}

function yamlHints(line: string, parts: readonly ExplainedPart[]): string[] {
  if (/^\s*\t/.test(line)) return ['YAML takes no tab as indentation: write blanks.'];
  for (const { values, through, place } of parts) {
    const isIndented = [...through, place].some(({ text }) => /\bn?indent\b/.test(text));
    for (const { path, value, how } of values) {
      if (how !== 'exact' || typeof value !== 'string') continue;
      if (value.includes('\n')) {
        return isIndented
          ? [`${path} is not valid YAML as it comes out there: correct it where it is set.`]
          : [
              `${path} has several lines: put it through \`| nindent N\` in the template, N being the depth of its line.`,
            ];
      }
      if (/^[&*!%@`|>[\]{},?'"]|^- |: |:$| #/.test(value) && !line.includes(JSON.stringify(value))) {
        return [`${path} holds what YAML reads as its own: write \`| quote\` behind it in the template.`];
      }
    }
  }
  return [];
}

// Go has no common type for these errors, and neither do we: a dozen functions of its libraries have their own messages.
function isNil({ message }: Error): boolean {
  return /nil pointer|untyped nil|nil data|<nil>/.test(message);
}

// The missing value: the result of the field path, or the origin of a variable or an argument. Undefined if it is not known.
function explainMissing(
  exec: TemplateExecError,
  trace: Trace,
  { reads, values }: { readonly reads: readonly Read[]; readonly values: ValueTable },
): string[][] | undefined {
  const name = /\.([^.\s]+)$/.exec(exec.reason)?.[1];
  const unset = reads.find(
    (read) => read.root === 'Values' && (valueAtSteps(values.root, read.steps) ?? null) === null,
  );
  const part: MissingPart | undefined =
    trace.missing ?? (unset === undefined ? undefined : { read: unset, names: namesBeside(values.root, unset.steps) });
  if (part === undefined || part.read.root !== 'Values') return undefined;
  const { steps } = part.read;
  const full = [...steps, ...restOf(exec, name, steps)];
  const [path, absent] = [pathText(full), pathText(steps)];
  const reset = values.settersOf(steps).find(({ value }) => value === null);
  const beside = steps.length < 2 ? [] : values.settersOf(steps.slice(0, -1));
  const absence = reset === undefined ? 'is not set' : `is set to null by ${placeText(reset)}`;
  const where =
    beside.length === 0
      ? 'at the top of a values file'
      : `where the values around it are: ${beside.map(placeText).join(', ')}`;
  const near = nearPath(part, full);
  return [
    [`  ${absent} ${absence}${absent === path ? '' : `, so there is no ${path}`}`, `    could be set ${where}`],
    [...(near === undefined ? [] : [`Did you mean \`${near}\`?`]), `Set ${path}.`],
  ];
}

// What the template reads below the missing value.
function restOf({ node }: TemplateExecError, name: string | undefined, steps: Steps): readonly string[] {
  if (name === undefined) return [];
  if (node.kind !== 'field' && node.kind !== 'variable') return [name];
  const last = node.names.lastIndexOf(String(steps.at(-1)));
  return last < 0 ? [name] : node.names.slice(last + 1);
}

function namesBeside(root: GoMap, steps: Steps): readonly string[] {
  const holder = valueAtSteps(root, steps.slice(0, -1));
  return holder instanceof Map ? [...holder.keys()] : [];
}

// A similar name beside it.
function nearPath({ read: { steps }, names }: MissingPart, full: Steps): string | undefined {
  const meant = suggest(
    String(steps.at(-1)),
    names.filter((name) => name !== steps.at(-1)),
  );
  return meant === undefined ? undefined : pathText([...steps.slice(0, -1), meant, ...full.slice(steps.length)]);
}
