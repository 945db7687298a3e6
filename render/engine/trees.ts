// Parsed templates, kept: a chart rendered again, or a `tpl` text met again, is not parsed again.

import type { ChartFile } from '../chart/chart.ts';
import { createFuncMap } from '../functions/table.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { type FuncMap, func, type GoFunc } from '../go/value.ts';
import { seededHost } from '../host.ts';
import { Kept } from '../kept.ts';
import { type ParsedFile, parseTemplate, renamed } from '../template/template.ts';

/** The functions that `late.ts` adds. */
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
    parsed = parseShared(path, decodeUtf8(file.data));
    byPath.set(path, parsed);
  }
  return parsed;
}

/** Gives what a chart's file was parsed into: one tree for each path that it was parsed under. */
export function treesOf(file: ChartFile): readonly ParsedFile[] {
  return [...(files.get(file)?.values() ?? [])];
}

const bodies = new Kept<ParsedFile>({ total: 6_000_000, each: 200_000 });

// Charts bring the same library charts and the same files again and again: one text is parsed once, whatever its path.
function parseShared(path: string, text: string): ParsedFile {
  // A text that may define a template of its own path's name means something else under each path.
  if (text.includes(path)) return parseTemplate(path, text, knownFuncs());
  const parsed = bodies.get(text, () => parseTemplate(path, text, knownFuncs()));
  return parsed.name === path ? parsed : renamed(parsed, path, text);
}

const texts = new Kept<ParsedFile>({ total: 1_000_000, each: 200_000 });

/** Parses a `tpl` text, under the name that Go's errors call it by. Throws TemplateParseError. */
export function parseText(text: string): ParsedFile {
  return texts.get(text, () => parseTemplate('gotpl', text, knownFuncs()));
}
