// Replaces the differences between two renderings with other random values by `<random>`.

import { catchGoError } from '../core/catch.ts';
import { commonEnds } from '../core/common-ends.ts';
import { alignItems } from '../diff/lists.ts';
import { DerReader, decodePem, tags } from '../functions/certificates/der.ts';
import { decodeBase64 } from '../go/base64.ts';
import { deepEqual } from '../go/deep-equal.ts';
import { decodeUtf8 } from '../go/utf8.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';

/** The placeholder of random values in snapshots. */
export const randomMark = '<random>';

/** The path to a member: keys and indexes. */
export type RandomPath = readonly (string | number)[];

/** Called with a random member and its path. */
export type OnRandom = (steps: RandomPath) => void;

/** Returns a value with the placeholder where its twin, rendered with other random values, differs. */
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

// Random keys are matched in order.
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

/** Returns a text with the placeholder for the parts of its lines that differ in its twin. */
export function markText(text: string, twin: string): string {
  const [own, other] = openCertificates(decodedPem(text), decodedPem(twin), randomMark);
  const [lines, others] = [own.split('\n'), other.split('\n')];
  if (lines.length === others.length) return lines.map((line, at) => markLine(line, others[at]!)).join('\n');
  // Between the common first and last lines, lines cannot be matched.
  const { start, end } = commonEnds(lines, others);
  return [...lines.slice(0, start), randomMark, ...lines.slice(lines.length - end)].join('\n');
}

// A certificate in base64, as in webhooks.
function decodedPem(text: string): string {
  if (!text.startsWith('LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t')) return text;
  return catchGoError(
    () => decodeUtf8(decodeBase64(text)),
    () => text,
  );
}

// Two random words can share their first or last letters. This many are not a coincidence, nor are characters that random words do not
// contain.
const fewest = 3;
const wordChars = /^[\w+/=.-]*$/;

function markLine(line: string, twin: string): string {
  if (line === twin) return line;
  const [words, others] = [wordsOf(line), wordsOf(twin)];
  let marked = '';
  let [at, other] = [0, 0];
  let island = '';
  const leave = (word: string, differing: string): void => {
    // A common part between two random parts belongs to the text only if it is not a coincidence.
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
  const { start, end } = commonEnds(word, twin);
  const isText = (part: string): boolean => part.length >= fewest || !wordChars.test(part);
  const [first, last] = [word.slice(0, start), word.slice(word.length - end)];
  return `${isText(first) ? first : ''}${randomMark}${isText(last) ? last : ''}`;
}

// Certificates generated by a chart: keys, serial numbers and signatures are random, names are not.

const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * Returns two texts with the parts of each certificate as lines and `mark` in place of the differences. Returns them unchanged if they have
 * different numbers of certificates.
 */
function openCertificates(text: string, twin: string, mark: string): readonly [text: string, twin: string] {
  const [own, others] = [text.match(block) ?? [], twin.match(block) ?? []];
  if (own.length === 0 || own.length !== others.length) return [text, twin];
  const opened = own.map((one, at) => openedBlock(one, others[at]!, mark));
  const open = (whole: string): string => {
    let at = 0;
    return whole.replace(block, (one) => opened[at++] ?? one);
  };
  return [open(text), open(twin)];
}

function openedBlock(own: string, other: string, mark: string): string | undefined {
  const [parts, others] = [partsOf(own), partsOf(other)];
  if (parts === undefined || parts.length !== others?.length) return undefined;
  const lines = parts.map((part, at) => (part === others[at] ? part : mark));
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n');
}

function partsOf(pem: string): readonly string[] | undefined {
  const bytes = decodePem(pem)?.bytes;
  return bytes && derParts(bytes);
}

// Every value with its tag, such as `82 web.example.com`; undefined for bytes that are not DER.
function derParts(bytes: Uint8Array): readonly string[] | undefined {
  const parts: string[] = [];
  try {
    for (const reader = new DerReader(bytes); reader.left; ) {
      const { tag, content } = reader.element(undefined, 'not DER');
      const isConstructed = (tag & 0x20) !== 0;
      // Extensions contain DER in an octet string.
      const isExtension = tag === tags.octetString && content[0] === tags.sequence;
      const inner = isConstructed || isExtension ? derParts(content) : undefined;
      if (inner === undefined && isConstructed) return undefined;
      parts.push(...(inner ?? [`${hex([tag])} ${valueText(content)}`.trimEnd()]));
    }
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
  return parts;
}

function valueText(content: Uint8Array): string {
  const isText = content.every((byte) => byte >= 0x20 && byte < 0x7f);
  return isText ? String.fromCharCode(...content) : hex(content);
}

function hex(bytes: ArrayLike<number>): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
