// The user's values: values files and the `--set` flags, merged into one map.
// Mirrors: helm.sh/helm/v3/pkg/cli/values, options.go, v3.17.3.

import { type Chart, childPath } from '../chart/chart.ts';
import { mergeMaps, readValues } from '../chart/values-file.ts';
import { parseJsonMap } from '../codec/json.ts';
import { findMember } from '../codec/yaml/places.ts';
import { convertGoError } from '../core/catch.ts';
import { type Issue, type Place, RenderError } from '../core/errors.ts';
import { limitIn } from '../core/limits.ts';
import { trimSpace } from '../go/trim.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { GoError, type GoMap } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import type { JsonObject } from '../order/order.ts';
import { valueOfJson } from './patch.ts';
import { valueAtSteps } from './paths.ts';
import { parseSet, parseSetFile, parseSetJson, parseSetLiteral, parseSetString, UnterminatedIndex } from './set.ts';

/** The text of a values file, and its name in errors. */
export interface ValuesFile {
  readonly name: string;
  readonly text: string;
}

/** The user's values. Each list is in the order of the command line. */
export interface UserValues {
  readonly valuesFiles?: readonly ValuesFile[] | undefined;
  /** Values as JSON, which override the files. */
  readonly values?: JsonObject | undefined;
  readonly setJson?: readonly string[] | undefined;
  readonly set?: readonly string[] | undefined;
  readonly setString?: readonly string[] | undefined;
  readonly setFile?: readonly string[] | undefined;
  readonly setLiteral?: readonly string[] | undefined;
  /** Reads a file named by `setFile`; may throw GoError such as `open x: no such file or directory`. */
  readonly readFile?: ((path: string) => string) | undefined;
}

/**
 * Merges the user's values in Helm's order of precedence: files in order, then `values`, setJson, set, setString, setFile, setLiteral.
 * Throws VALUES_INVALID with Helm's message.
 * Mirrors: `MergeValues`.
 */
export function mergeUserValues(options: UserValues, helm: Helm = helmOf()): GoMap {
  let values: GoMap = new Map();
  for (const file of options.valuesFiles ?? []) values = mergeMaps(values, parseFile(file, helm));
  if (options.values !== undefined) values = mergeMaps(values, valueOfJson(options.values) as GoMap);
  for (const text of options.setJson ?? []) {
    const json = trimSpace(text);
    if (helm.values.setJsonObjects && json.startsWith('{')) {
      const message = (): string => helm.wording.setJsonObject(text);
      values = mergeMaps(values, applyFlag('set-json', helm, () => parseJsonMap(json), message) ?? new Map());
    } else {
      const message = (): string => `failed parsing --set-json data ${text}`;
      applyFlag('set-json', helm, () => parseSetJson(text, values), message);
    }
  }
  const { readFile = noFiles } = options;
  const flags = [
    ['set', options.set, parseSet],
    ['set-string', options.setString, parseSetString],
    ['set-file', options.setFile, (text: string, into: GoMap) => parseSetFile(text, into, readFile)],
    ['set-literal', options.setLiteral, parseSetLiteral],
  ] as const;
  for (const [flag, texts = [], parse] of flags) {
    const message = (error: string): string => `failed parsing --${flag} data: ${error}`;
    for (const text of texts) applyFlag(flag, helm, () => parse(text, values), message);
  }
  return values;
}

function parseFile({ name, text }: ValuesFile, helm: Helm): GoMap {
  return convertGoError(
    () => readValues(text, helm),
    (error) =>
      new RenderError('VALUES_INVALID', `failed to parse ${name}: ${error.message}`, {
        cause: error,
        place: { file: name, ...error.place },
        hint: 'A values file holds one YAML mapping; correct the line named.',
      }),
    name,
  );
}

// Returns undefined for an unterminated index, if this Helm version ignores it.
function applyFlag<T>(flag: string, helm: Helm, parse: () => T, message: (error: string) => string): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof UnterminatedIndex && helm.values.ignoresUnterminatedIndex) return undefined;
    if (!(error instanceof GoError)) throw limitIn(`--${flag}`, error);
    throw new RenderError('VALUES_INVALID', message(error.message), {
      cause: error,
      hint: `Correct the text of --${flag}: ${forms[flag] ?? 'KEY=VALUE'}.`,
    });
  }
}

const forms: Readonly<Record<string, string>> = {
  set: 'key=value,list[0].name=value; a comma or dot within a key or value is written "\\," or "\\."',
  'set-string': 'key=value,list[0].name=value; a comma or dot within a key or value is written "\\," or "\\."',
  'set-json': 'key=JSON,list[0]=JSON',
  'set-file': 'key=PATH,list[0]=PATH',
  'set-literal': 'key=anything, one pair a flag',
};

function noFiles(path: string): string {
  throw new GoError(`open ${path}: there is nothing here to read files with`);
}

// The file, line and column of a value that a schema refuses. Called only after rendering has failed.

export interface ValuesSources {
  readonly chart: Chart;
  /** In order; later files override earlier ones. */
  readonly files: readonly ValuesFile[];
  /** Overrides without a place in a file: `values` and the `set` options. */
  readonly others: () => GoMap;
}

/** Returns an error with the places of its issues where they can be found; other errors unchanged. */
export function withPlaces(error: unknown, sources: ValuesSources): unknown {
  if (!(error instanceof RenderError) || error.code !== 'VALUES_INVALID' || error.place !== undefined) return error;
  const issues = error.issues.map((issue): Issue => ({ ...issue, place: placeOf(issue.path, sources) }));
  const { message, hint, cause } = error;
  return new RenderError(error.code, message, { issues, hint, cause, place: issues[0]?.place });
}

function placeOf(path: string, { chart, files, others }: ValuesSources): Place | undefined {
  const steps = path === '' ? [] : path.split('.');
  if (steps.length > 0 && valueAtSteps(others(), steps) !== undefined) return undefined;
  for (const { name, text } of files.toReversed()) {
    const { isWhole, ...place } = findMember(text, steps);
    if (isWhole) return { file: name, ...place };
  }
  return inChart(chart, chart.metadata.name, steps);
}

// The values.yaml of the chart comes before those of its subcharts, whose sections it may contain.
function inChart(chart: Chart, path: string, steps: readonly string[]): Place | undefined {
  const { valuesData } = chart;
  const found = valuesData === undefined ? undefined : findMember(decodeUtf8(valuesData), steps);
  const place = found && { file: `${path}/values.yaml`, line: found.line, column: found.column };
  if (found?.isWhole === true) return place;
  const child = chart.children.find(({ metadata }) => metadata.name === steps[0]);
  return (child && inChart(child, childPath(path, child), steps.slice(1))) ?? place;
}
