// Texts within objects that are documents: YAML, JSON, TOML, or lines such as those of a script.

import { createTwoFilesPatch, structuredPatch } from 'diff';
import { isSameDecimal } from '../codec/decimal.ts';
import { JsonNumber, prefixOfJson } from '../codec/json.ts';
import { parseToml } from '../codec/toml/parse.ts';
import { parseWholeYaml } from '../codec/yaml/whole.ts';
import { asLimit } from '../core/limits.ts';
import { copyTree } from '../go/copy-tree.ts';
import { GoError, type GoValue, int64 } from '../go/value.ts';

export type EmbeddedFormat = 'yaml' | 'json' | 'toml';

export interface EmbeddedPair {
  readonly format: EmbeddedFormat;
  readonly before: GoValue;
  readonly after: GoValue;
}

// Each parses the whole text: undefined if it can parse only a part.
const readers: Readonly<Record<EmbeddedFormat, (text: string) => GoValue | undefined>> = {
  json: parseJsonExact,
  toml: parseToml,
  yaml: (text) => {
    const { documents, rest } = parseWholeYaml(text);
    if (rest !== '') return undefined;
    return documents.length === 1 ? documents[0] : [...documents];
  },
};

// Larger texts are compared line by line.
const maxLength = 2_000_000;

/** Parses two texts with the given name. Returns undefined if they are not completely in one language. */
export function readEmbedded(before: string, after: string, name: string): EmbeddedPair | undefined {
  if (before.length + after.length > maxLength) return undefined;
  for (const format of formatsOf(before, after, name)) {
    const [left, right] = [parseEmbedded(format, before), parseEmbedded(format, after)];
    if (left !== undefined && right !== undefined) return { format, before: left, after: right };
  }
  return undefined;
}

function formatsOf(before: string, after: string, name: string): readonly EmbeddedFormat[] {
  const [, extension = ''] = /\.(ya?ml|json|toml)$/i.exec(name) ?? [];
  if (extension !== '') return [extension.toLowerCase().replace(/^yml$/, 'yaml') as EmbeddedFormat];
  if ([before, after].every((text) => /^\s*[[{]/.test(text))) return ['json', 'yaml'];
  // Another file extension, such as that of a script, determines the language.
  if (/\.\w+$/.test(name) || ![before, after].every((text) => text.trimEnd().includes('\n'))) return [];
  return /^#!/.test(before) || /^#!/.test(after) ? [] : ['yaml', 'toml'];
}

/** Parses a text. Returns undefined if it is not a map or a list in the format, completely, or nested too deeply. */
export function parseEmbedded(format: EmbeddedFormat, text: string): GoValue | undefined {
  try {
    const value = readers[format](text);
    return value instanceof Map || Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof GoError || asLimit(error) !== undefined) return undefined;
    throw error;
  }
}

/** Returns the differing lines of two texts as the hunks of a unified diff. */
export function diffText(before: string, after: string): string {
  const patch = createTwoFilesPatch('', '', before, after, undefined, undefined, { context: 2, maxEditLength: 2000 });
  // Texts with almost nothing in common are shown as one replacement.
  if (patch === undefined) return `${mark('-', before)}${mark('+', after)}`;
  return visible(patch.slice(patch.indexOf('@@')));
}

// Maximum size of a text that is parsed again to find what the entries do not show.
const maxParsed = 4_000_000;

/**
 * Returns the hunks of two texts that do not affect a parser, such as changed comments, quotes or white space. `isSame` compares the
 * earlier text with one that has a single hunk of the later.
 */
export function unsaidLines(before: string, after: string, isSame: (text: string) => boolean): string {
  const options = { context: 0, maxEditLength: 2000 };
  const hunks = structuredPatch('', '', before, after, undefined, undefined, options)?.hunks ?? [];
  if (hunks.length < 2 || hunks.length * before.length > maxParsed) return '';
  const lines = before.split('\n');
  return hunks
    .filter(({ oldStart, oldLines, lines: changed }) => {
      const added = changed.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
      // A hunk without old lines comes after its first one.
      const start = oldLines === 0 ? oldStart : oldStart - 1;
      return isSame([...lines.slice(0, start), ...added, ...lines.slice(start + oldLines)].join('\n'));
    })
    .map(({ oldStart, oldLines, newStart, newLines, lines: changed }) =>
      visible(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${changed.join('\n')}\n`),
    )
    .join('');
}

// Carriage returns are replaced with a visible character.
function visible(hunks: string): string {
  return hunks.replace(/^([-+].*)\r$/gm, '$1\\r');
}

function mark(sign: string, text: string): string {
  return text.replace(/\n$/, '').replace(/^/gm, sign).concat('\n');
}

/**
 * Parses JSON: integers are `Int`, other numbers floats, and a number with more digits than either can represent is a `JsonNumber`. Throws
 * GoError.
 */
function parseJsonExact(text: string): GoValue {
  const { value, text: read } = prefixOfJson(text, { keepNumbers: true });
  if (/[^ \t\r\n]/.test(text.slice(read.length))) throw new GoError('text after top-level value');
  return copyTree(value, (item) => (item instanceof JsonNumber ? exactValue(item) : item));
}

function exactValue(number: JsonNumber): GoValue {
  const { text } = number;
  if (/^-?\d{1,18}$/.test(text)) return int64(BigInt(text));
  const value = Number(text);
  return Number.isFinite(value) && isSameDecimal(text, String(value)) && !/^-?\d+$/.test(text) ? value : number;
}
