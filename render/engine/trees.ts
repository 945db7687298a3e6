// Parsed templates, kept: a chart rendered again, or a `tpl` text met again, is not parsed again.

import type { ChartFile } from '../chart/chart.ts';
import { createFuncMap } from '../functions/table.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { type FuncMap, func, type GoFunc } from '../go/value.ts';
import { seededHost } from '../host.ts';
import { Kept } from '../kept.ts';
import { type ParsedFile, parseTemplate } from '../template/template.ts';

/** Are the functions that `late.ts` adds. */
const helmNames = ['include', 'tpl', 'required', 'fail', 'lookup', 'getHostByName'];

let known: FuncMap | undefined;

// Go's parser refuses unknown functions. Every rendering knows the same ones, whatever its host makes them do.
function knownFuncs(): FuncMap {
  if (known === undefined) {
    const late = helmNames.map((name): [string, GoFunc] => [name, func([], () => null)]);
    known = new Map([...createFuncMap(seededHost()), ...late]);
  }
  return known;
}

// A sub-chart that is used under two names has its files parsed under two paths.
const files = new WeakMap<ChartFile, Map<string, ParsedFile>>();

/** Parses a chart's file as the template `path`. Throws TemplateParseError. */
export function parseFile(path: string, file: ChartFile): ParsedFile {
  let byPath = files.get(file);
  if (byPath === undefined) {
    byPath = new Map();
    files.set(file, byPath);
  }
  let parsed = byPath.get(path);
  if (parsed === undefined) {
    parsed = parseTemplate(path, decodeUtf8(file.data), knownFuncs());
    byPath.set(path, parsed);
  }
  return parsed;
}

const texts = new Kept<ParsedFile>({ total: 1_000_000, each: 200_000 });

/** Parses a `tpl` text, under the name that Go's errors call it by. Throws TemplateParseError. */
export function parseText(text: string): ParsedFile {
  return texts.get(text, () => parseTemplate('gotpl', text, knownFuncs()));
}
