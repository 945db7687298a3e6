// What two renderings with other dice give differently, with `<random>` in its place.

import { alignItems } from '../diff/alignment.ts';
import { decodeBase64 } from '../go/base64.ts';
import { deepEqual } from '../go/deep-equal.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';
import { openCertificates } from './certificates.ts';

/** What is in a snapshot for what is drawn at random. */
export const randomMark = '<random>';

/** The way to a member: names and indices. */
export type RandomPath = readonly (string | number)[];

/** Called with a member that is drawn at random, with the way to it. */
export type OnRandom = (steps: RandomPath) => void;

/** Returns a value with a mark where its twin, rendered with other random values, differs. */
export function markRandom(value: GoValue, twin: GoValue, onRandom: OnRandom, steps: RandomPath = []): GoValue {
  if (value instanceof Map && twin instanceof Map) return markMembers(value, twin, { onRandom, steps });
  if (Array.isArray(value) && Array.isArray(twin) && value.length === twin.length) {
    return value.map((item, at) => markRandom(item, twin[at] as GoValue, onRandom, [...steps, at]));
  }
  if (deepEqual(value, twin)) return value;
  onRandom(steps);
  return typeof value === 'string' && typeof twin === 'string' ? markText(value, twin) : randomMark;
}

interface Place {
  readonly onRandom: OnRandom;
  readonly steps: RandomPath;
}

// Names that are drawn themselves stand for each other in their order.
function markMembers(value: GoMap, twin: GoMap, { onRandom, steps }: Place): GoMap {
  const own = [...value.keys()].filter((key) => !twin.has(key));
  const others = [...twin.keys()].filter((key) => !value.has(key));
  const isPaired = own.length === others.length;
  const marked = new Map<string, GoValue>();
  for (const [key, item] of value) {
    const at = own.indexOf(key);
    if (at < 0) marked.set(key, markRandom(item, twin.get(key) as GoValue, onRandom, [...steps, key]));
    else if (!isPaired) marked.set(key, item);
    else {
      const name = own.length === 1 ? randomMark : `<random ${at + 1}>`;
      onRandom([...steps, key]);
      marked.set(name, markRandom(item, twin.get(others[at]!) as GoValue, onRandom, [...steps, key]));
    }
  }
  return marked;
}

/** Returns a text with a mark in place of the parts of its lines that differ in its twin. */
export function markText(text: string, twin: string): string {
  const [own, other] = openCertificates(decodedPem(text), decodedPem(twin), randomMark);
  const [lines, others] = [own.split('\n'), other.split('\n')];
  if (lines.length === others.length) return lines.map((line, at) => markLine(line, others[at]!)).join('\n');
  // Between the lines that both begin and end with, nothing says which are the same.
  const most = Math.min(lines.length, others.length);
  let start = 0;
  while (start < most && lines[start] === others[start]) start++;
  let end = 0;
  while (end < most - start && lines.at(-1 - end) === others.at(-1 - end)) end++;
  return [...lines.slice(0, start), randomMark, ...lines.slice(lines.length - end)].join('\n');
}

// A certificate in base64, as webhooks hold them.
function decodedPem(text: string): string {
  if (!text.startsWith('LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t')) return text;
  try {
    return decodeUtf8(decodeBase64(text));
  } catch (error) {
    if (error instanceof GoError) return text;
    throw error;
  }
}

// Two random words share their first or last letters by chance. So many are not chance, nor is what random words cannot hold.
const fewest = 3;
const wordChars = /^[\w+/=.-]*$/;

function markLine(line: string, twin: string): string {
  if (line === twin) return line;
  const [words, others] = [wordsOf(line), wordsOf(twin)];
  let marked = '';
  let [at, other] = [0, 0];
  let island = '';
  const leave = (word: string, differing: string): void => {
    // What is the same between two random parts is a part of the text only where chance does not make it.
    const isText = island.length > fewest || !wordChars.test(island) || marked === '';
    const isOne = !isText && marked.endsWith(randomMark);
    if (!isOne) marked += island;
    const part = markWord(word, differing);
    marked = isOne
      ? marked.slice(0, -randomMark.length) + randomMark + part.slice(part.indexOf(randomMark) + randomMark.length)
      : marked + part;
    island = '';
  };
  for (const [left, right] of [...alignItems(words, others), [words.length, others.length] as const]) {
    if (left > at || right > other) leave(words.slice(at, left).join(''), others.slice(other, right).join(''));
    island += words[left] ?? '';
    [at, other] = [left + 1, right + 1];
  }
  return marked + island;
}

function wordsOf(line: string): string[] {
  return line.match(/[A-Za-z0-9]+|[^A-Za-z0-9]/gu) ?? [];
}

function markWord(word: string, twin: string): string {
  const most = Math.min(word.length, twin.length);
  let start = 0;
  while (start < most && word[start] === twin[start]) start++;
  let end = 0;
  while (end < most - start && word.at(-1 - end) === twin.at(-1 - end)) end++;
  const isText = (part: string): boolean => part.length >= fewest || !wordChars.test(part);
  const [first, last] = [word.slice(0, start), word.slice(word.length - end)];
  return `${isText(first) ? first : ''}${randomMark}${isText(last) ? last : ''}`;
}
