// Texts within objects that are documents themselves: YAML, JSON, TOML, or lines such as a script's.

import { createTwoFilesPatch } from 'diff';
import { parseJson } from '../codec/json.ts';
import { parseToml } from '../codec/toml/parse.ts';
import { parseYaml } from '../codec/yaml/parse.ts';
import { GoError, type GoValue } from '../go/value.ts';
import { splitStream } from '../manifest/objects.ts';

/** The languages of texts that are compared inside. */
export type EmbeddedFormat = 'yaml' | 'json' | 'toml';

/** Two texts of one language, read. */
export interface EmbeddedPair {
  readonly format: EmbeddedFormat;
  readonly before: GoValue;
  readonly after: GoValue;
}

const readers: Readonly<Record<EmbeddedFormat, (text: string) => GoValue>> = {
  json: parseJson,
  toml: parseToml,
  yaml: (text) => {
    const documents = splitStream(text).map((document) => parseYaml(document));
    return documents.length === 1 ? (documents[0] as GoValue) : documents;
  },
};

// Larger texts are compared line by line.
const maxLength = 2_000_000;

/** Reads two texts that stand at one place, whose name is given; undefined where they are not of one language. */
export function readEmbedded(before: string, after: string, name: string): EmbeddedPair | undefined {
  if (before.length + after.length > maxLength) return undefined;
  for (const format of formatsOf(before, after, name)) {
    const [left, right] = [readAs(format, before), readAs(format, after)];
    if (left !== undefined && right !== undefined) return { format, before: left, after: right };
  }
  return undefined;
}

function formatsOf(before: string, after: string, name: string): readonly EmbeddedFormat[] {
  const [, extension = ''] = /\.(ya?ml|json|toml)$/i.exec(name) ?? [];
  if (extension !== '') return [extension.toLowerCase().replace(/^yml$/, 'yaml') as EmbeddedFormat];
  if ([before, after].every((text) => /^\s*[[{]/.test(text))) return ['json', 'yaml'];
  // What another extension names, such as a script, is what that says.
  if (/\.\w+$/.test(name) || ![before, after].every((text) => text.trimEnd().includes('\n'))) return [];
  return /^#!/.test(before) || /^#!/.test(after) ? [] : ['yaml', 'toml'];
}

// A text that is one word to a reader of YAML is no document.
function readAs(format: EmbeddedFormat, text: string): GoValue | undefined {
  try {
    const value = readers[format](text);
    return value instanceof Map || Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
}

/** Gives the lines in which two texts differ, as the hunks of a unified diff. */
export function diffText(before: string, after: string): string {
  const patch = createTwoFilesPatch('', '', before, after, undefined, undefined, { context: 2, maxEditLength: 2000 });
  // Texts that share next to nothing are told as one exchange.
  if (patch === undefined) return `${mark('-', before)}${mark('+', after)}`;
  return patch.slice(patch.indexOf('@@'));
}

function mark(sign: string, text: string): string {
  return text.replace(/\n$/, '').replace(/^/gm, sign).concat('\n');
}
