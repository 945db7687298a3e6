// The user's values: values files and the `--set` flags, merged into one map.
// Mirrors: helm.sh/helm/v3/pkg/cli/values, options.go, v3.17.3.

import { mergeMaps, readValues } from '../chart/values-file.ts';
import { parseJsonMap } from '../codec/json.ts';
import { messageOf, RenderError } from '../core/errors.ts';
import { limitIn } from '../core/limits.ts';
import { trimSpace } from '../go/trim.ts';
import { GoError, type GoMap } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import type { JsonObject } from '../order/order.ts';
import { valueOfJson } from './patch.ts';
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
  const readFile = options.readFile ?? noFiles;
  for (const text of options.setJson ?? []) values = applyJson(text, values, helm);
  applyAll('set', helm, options.set, (text) => parseSet(text, values));
  applyAll('set-string', helm, options.setString, (text) => parseSetString(text, values));
  applyAll('set-file', helm, options.setFile, (text) => parseSetFile(text, values, readFile));
  applyAll('set-literal', helm, options.setLiteral, (text) => parseSetLiteral(text, values));
  return values;
}

function parseFile({ name, text }: ValuesFile, helm: Helm): GoMap {
  try {
    return readValues(text, helm);
  } catch (error) {
    if (!(error instanceof GoError)) throw limitIn(name, error);
    throw new RenderError('VALUES_INVALID', `failed to parse ${name}: ${error.message}`, {
      cause: error,
      place: { file: name, ...error.place },
      hint: 'A values file holds one YAML mapping; correct the line named.',
    });
  }
}

function applyJson(text: string, values: GoMap, helm: Helm): GoMap {
  const trimmed = trimSpace(text);
  if (helm.values.setJsonObjects && trimmed.startsWith('{')) return mergeMaps(values, jsonObject(trimmed, text, helm));
  try {
    parseSetJson(text, values);
    return values;
  } catch (error) {
    if (error instanceof UnterminatedIndex && helm.values.ignoresUnterminatedIndex) return values;
    throw setInvalid('set-json', `failed parsing --set-json data ${text}`, error);
  }
}

function jsonObject(json: string, text: string, { wording }: Helm): GoMap {
  try {
    return parseJsonMap(json);
  } catch (error) {
    throw setInvalid('set-json', wording.setJsonObject(text), error);
  }
}

function applyAll(flag: string, helm: Helm, texts: readonly string[] = [], parse: (text: string) => void): void {
  for (const text of texts) {
    try {
      parse(text);
    } catch (error) {
      if (error instanceof UnterminatedIndex && helm.values.ignoresUnterminatedIndex) continue;
      throw setInvalid(flag, `failed parsing --${flag} data: ${messageOf(error)}`, error);
    }
  }
}

function setInvalid(flag: string, message: string, error: unknown): unknown {
  if (!(error instanceof GoError)) return limitIn(`--${flag}`, error);
  return new RenderError('VALUES_INVALID', message, {
    cause: error,
    hint: `Correct the text of --${flag}: ${forms[flag] ?? 'KEY=VALUE'}.`,
  });
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
