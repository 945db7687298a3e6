// Parsed templates, kept: a chart rendered again, or a `tpl` text met again, is not parsed again.

import type { ChartFile } from '../chart/chart.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { type ParsedFile, parseTemplate } from '../template/template.ts';

/** Names the set of a chart's templates, as Go's errors do. `tpl` texts bear the same name. */
export const setName = 'gotpl';

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
    parsed = parseTemplate(path, decodeUtf8(file.data));
    byPath.set(path, parsed);
  }
  return parsed;
}

/** How many characters of `tpl` texts are kept parsed, and how long a text may be to be kept. */
const maxKept = 4_000_000;
const maxText = 200_000;

const texts = new Map<string, ParsedFile>();
let kept = 0;

/** Parses a `tpl` text. Throws TemplateParseError. */
export function parseText(text: string): ParsedFile {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const parsed = parseTemplate(setName, text);
  if (text.length <= maxText) {
    if (kept + text.length > maxKept) {
      texts.clear();
      kept = 0;
    }
    texts.set(text, parsed);
    kept += text.length;
  }
  return parsed;
}
