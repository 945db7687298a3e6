// Editor help for values in YAML: completion at the cursor, descriptions, and places of errors.

import { isCollection, isMap, isNode, LineCounter, parseDocument } from 'yaml';
import { helmYaml } from '../../codec/yaml/document-options.ts';
import type { Issue } from '../../core/errors.ts';
import { splitPath } from '../../core/paths.ts';
import { type EditorHelp, type EditorMark, type HoverCard, type Suggestion, withHint } from '../help.ts';
import type { KnownValue, KnownValues } from './known-values.ts';
import { pairKey } from './parts.ts';
import { placeAt, type YamlPlace } from './place.ts';

/** Where values start in a text: the known values of the chart, and the path in them. Undefined outside of values. */
type KnownAt = (
  path: readonly (string | number)[],
) => { readonly words: KnownValues; readonly path: readonly (string | number)[] } | undefined;

export function yamlHelp(wordsAt: KnownAt): EditorHelp {
  return {
    complete: (text, at) => {
      const place = placeAt(text, at);
      const found = place && wordsAt(place.path);
      if (!place || !found) return undefined;
      const options = optionsFor(place, found, text);
      return options.length === 0 ? undefined : { from: place.from, options };
    },
    describe: (text, at) => {
      const place = placeAt(text, at);
      if (!place || place.word === '') return undefined;
      const path = place.kind === 'key' && place.hasColon ? [...place.path, plainWord(place.word)] : place.path;
      const found = wordsAt(path);
      const known = found?.words.known(found.path);
      return known && found && { from: place.from, to: place.to, card: valueCard(known, found.path) };
    },
  };
}

function plainWord(word: string): string {
  return /^(["']).*\1$/.test(word) ? word.slice(1, -1) : word;
}

function optionsFor(place: YamlPlace, found: NonNullable<ReturnType<KnownAt>>, text: string): readonly Suggestion[] {
  const { words, path } = found;
  const values =
    place.kind === 'value' || typeof path.at(-1) === 'number'
      ? valuesOf(words.known(path), place.taken !== undefined)
      : [];
  if (place.kind === 'value') return values;
  const taken = place.taken ? new Set(place.taken) : namesAround(text, place);
  const names = words
    .membersAt(path)
    .filter(({ name }) => !taken.has(name))
    .map((known): Suggestion => {
      const { name, type, isMap: holdsMore, isRequired } = known;
      const written = /^[\w./-]+$/.test(name) && !/^(?:y|n|yes|no|on|off|true|false|null|~|[\d.-].*)$/i.test(name);
      const key = written ? name : JSON.stringify(name);
      const indent = ' '.repeat(place.from - text.lastIndexOf('\n', place.from - 1) - 1 + 2);
      return {
        label: name,
        apply: place.hasColon ? key : holdsMore && !place.taken ? `${key}:\n${indent}` : `${key}: `,
        kind: 'name',
        detail: [type, isRequired ? 'required' : ''].filter(Boolean).join(', '),
        card: valueCard(known, [...path, name]),
        isFirst: isRequired,
      };
    });
  return [...values, ...names];
}

function valuesOf(known: KnownValue | undefined, isInFlow: boolean): readonly Suggestion[] {
  if (!known) return [];
  const own = typeof known.own === 'object' ? [] : [known.own];
  const all = [...new Set([...known.choices, ...own])].filter((value) => value !== undefined && value !== '');
  return all.map((value) => {
    const isOwn = value === known.own;
    const written = scalar(value);
    // A comma would end it there.
    const word = isInFlow && /[,[\]{}]/.test(written) && !written.startsWith('"') ? JSON.stringify(value) : written;
    return { label: word, apply: word, kind: 'value', detail: isOwn ? "the chart's own" : '' };
  });
}

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  // A text that YAML would read as another type needs quotes.
  const read: unknown = parseDocument(value, helmYaml).toJS();
  return read === value && !/[\n#]|: |^[&*!|>%@`'"[\]{}?-]/.test(value) ? value : JSON.stringify(value);
}

// Names that are already in the same map are not suggested again.
function namesAround(text: string, { path, from }: YamlPlace): ReadonlySet<string> {
  const document = parseDocument(`${text.slice(0, from)}__here: 1${text.slice(lineEnd(text, from))}`, helmYaml);
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  if (!isMap(map)) return new Set();
  return new Set(map.items.map(pairKey));
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Returns what an editor shows for a value. */
export function valueCard(
  { about, type, own, choices, isRequired, isMap: holdsMore }: KnownValue,
  path: readonly (string | number)[],
): HoverCard {
  const texts = choices.filter((choice) => typeof choice !== 'boolean').map((choice) => JSON.stringify(choice));
  return {
    title: path.join('.'),
    rows: [
      [type, isRequired ? 'required' : ''].filter(Boolean).join(', '),
      about,
      texts.length > 0 ? `One of ${texts.slice(0, 20).join(', ')}` : '',
      own === undefined || holdsMore ? '' : `The chart's own: ${shown(own)}`,
    ].filter(Boolean),
  };
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** Returns problems of a package's values as marks in their text: each at the value with its path, or at the nearest existing parent. */
export function marksInValues(issues: readonly Issue[], text: string, prefix: string): readonly EditorMark[] {
  const isIn = (path: string): boolean => path.startsWith(prefix) && /^(?:[.[]|$)/.test(path.slice(prefix.length));
  const own = issues.filter(({ path }) => isIn(path));
  if (own.length === 0) return [];
  const lines = new LineCounter();
  const document = parseDocument(text, { ...helmYaml, lineCounter: lines });
  return own.map(({ path, message, hint, severity }) => {
    const offset = offsetOf(document.contents, splitPath(path.slice(prefix.length)));
    const { line, col } = lines.linePos(offset);
    return { line, column: col, severity, message: withHint(message, hint) };
  });
}

function offsetOf(contents: unknown, steps: readonly string[]): number {
  let offset = isNode(contents) ? (contents.range?.[0] ?? 0) : 0;
  let node = contents;
  for (const step of steps) {
    if (isMap(node)) {
      const pair = node.items.find((one) => pairKey(one) === step);
      if (!pair) return offset;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isCollection(node)) {
      node = node.get(step, true);
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    } else return offset;
  }
  return offset;
}

/** Returns the first YAML error of a text as a mark, or undefined. */
export function yamlMark(text: string): EditorMark | undefined {
  const [error] = parseDocument(text, helmYaml).errors;
  if (!error) return undefined;
  const { line = 1, col = 1 } = error.linePos?.[0] ?? {};
  return { line, column: col, severity: 'error', message: error.message.split('\n')[0] ?? error.message };
}

/** The sources of the help for an Order, called when needed. */
interface OrderHelpSources {
  /** Returns the schema of Orders; undefined if it is not available. */
  readonly order: () => KnownValues | undefined;
  /** Returns what is known of the values of a package's chart (index from 0), or undefined. */
  readonly valuesOf: (index: number) => KnownValues | undefined;
}

/** Returns the help of an editor of an Order. */
export function orderHelp({ order, valuesOf }: OrderHelpSources): EditorHelp {
  return yamlHelp((path) => {
    const [spec, list, index, chart, member, ...rest] = path;
    const isPackage = spec === 'spec' && (list === 'packages' || list === 'items') && typeof index === 'number';
    const isValues = isPackage && chart === 'chart' && member === 'values';
    const words = isValues ? valuesOf(index) : order();
    return words && { words, path: isValues ? rest : path };
  });
}
