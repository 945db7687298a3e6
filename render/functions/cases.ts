// Letter case functions: upper, title, swapcase, snakecase and others.
// Mirrors: Go, strings, `Title`; Masterminds/goutils, wordutils.go, v1.1.1; huandu/xstrings, convert.go, v1.5.0.

import {
  isDigit,
  isLetter,
  isLower,
  isNumberRune,
  isPunct,
  isSpace,
  isTitle,
  isUpper,
  toLower,
  toTitle,
  toUpper,
} from '../go/letters.ts';
import { isAscii, toValidUtf8 } from '../go/utf8.ts';
import { type FuncMap, func } from '../go/value.ts';

export const caseFuncs: FuncMap = new Map([
  ['upper', func(['string'], upper)],
  ['lower', func(['string'], lower)],
  ['title', func(['string'], title)],
  ['untitle', func(['string'], untitle)],
  ['swapcase', func(['string'], swapCase)],
  ['snakecase', func(['string'], (text) => separateWords(text, '_'))],
  ['kebabcase', func(['string'], (text) => separateWords(text, '-'))],
  ['camelcase', func(['string'], pascalCase)],
]);

function upper(text: string): string {
  return isAscii(text) ? text.toUpperCase() : mapChars(text, toUpper);
}

function lower(text: string): string {
  return isAscii(text) ? text.toLowerCase() : mapChars(text, toLower);
}

function mapChars(text: string, change: (char: string) => string): string {
  return Array.from(toValidUtf8(text), change).join('');
}

function title(text: string): string {
  let previous = ' ';
  return mapChars(text, (char) => {
    const starts = separatesWords(previous);
    previous = char;
    return starts ? toTitle(char) : char;
  });
}

// ASCII characters other than letters, digits and underscores are separators; beyond ASCII only white space is.
function separatesWords(char: string): boolean {
  if (char < '\x80') return !/\w/.test(char);
  return !isLetter(char) && !isDigit(char) && isSpace(char);
}

function untitle(text: string): string {
  let starts = true;
  return mapChars(text, (char) => {
    if (isSpace(char)) starts = true;
    else if (starts) {
      starts = false;
      return toLower(char);
    }
    return char;
  });
}

function swapCase(text: string): string {
  let afterSpace = true;
  return mapChars(text, (char) => {
    const first = afterSpace;
    afterSpace = false;
    if (isUpper(char) || isTitle(char)) return toLower(char);
    if (isLower(char)) return first ? toTitle(char) : toUpper(char);
    afterSpace = isSpace(char);
    return char;
  });
}

function isConnector(char: string): boolean {
  return char === '-' || char === '_' || isSpace(char);
}

// Each word after a connector starts in upper case; capitals after its first letter are lowered until the first lower-case letter.
function pascalCase(text: string): string {
  const chars = Array.from(toValidUtf8(text));
  const start = chars.findIndex((char) => !isConnector(char));
  // A text of only connectors gets its last one twice.
  if (start < 0) return chars.length === 0 ? '' : chars.join('') + chars.at(-1);
  let result = chars.slice(0, start).join('');
  let current = chars[start]!;
  let lowering = isUpper(current);
  current = toUpper(current);
  for (const char of chars.slice(start + 1)) {
    const previous = current;
    current = char;
    if (isConnector(previous)) {
      if (isConnector(char)) result += previous;
      else {
        lowering = isUpper(char);
        current = toUpper(char);
      }
      continue;
    }
    if (lowering && isUpper(char)) current = toLower(char);
    else lowering = false;
    result += previous;
  }
  return result + current;
}

type WordKind = 'none' | 'invalid' | 'number' | 'upper' | 'letters' | 'connector' | 'punctuation' | 'other';

interface Word {
  readonly kind: WordKind;
  readonly chars: readonly string[];
}

const noWord: Word = { kind: 'none', chars: [] };

// Puts `connector` between the words of a camel case text and lowers capitals. A number joins the previous word unless lower-case letters
// follow: `Bld4Floor3rd` becomes `bld4_floor_3rd`.
function separateWords(text: string, connector: string): string {
  const words = wordsOf(text);
  let at = 0;
  const next = (): Word => words[at++] ?? noWord;
  const isLeft = (): boolean => at < words.length;
  let result = '';
  const write = (word: Word): void => {
    result += writeWord(word, connector);
  };
  const takeAlphanumerics = (word: Word): Word => {
    let following = word;
    for (; following.kind === 'letters' || following.kind === 'number'; following = next()) write(following);
    return following;
  };
  const connectUnless = (word: Word, ...kinds: readonly WordKind[]): void => {
    if (word.kind !== 'connector' && word.kind !== 'punctuation' && !kinds.includes(word.kind)) result += connector;
  };

  let word = next();
  while (isLeft()) {
    if (word.kind !== 'connector') write(word);
    const previous = word;
    word = next();
    if (previous.kind === 'number') {
      word = takeAlphanumerics(word);
      connectUnless(word, 'none', 'invalid');
    } else if (previous.kind === 'connector') write(previous);
    else if (previous.kind === 'punctuation') continue;
    else if (word.kind !== 'number') connectUnless(word);
    else if (isLeft()) {
      const number = word;
      word = next();
      if (word.kind === 'letters') {
        result += connector;
        write(number);
        word = takeAlphanumerics(word);
        connectUnless(word, 'none', 'invalid');
      } else {
        write(number);
        connectUnless(word);
      }
    }
  }
  write(word);
  return result;
}

function writeWord(word: Word, connector: string): string {
  if (word.kind !== 'upper' && word.kind !== 'connector') return word.chars.join('');
  return word.chars
    .map((char) => (isConnector(char) ? connector : isUpper(char) ? toLower(char) : validChar(char)))
    .join('');
}

function validChar(char: string): string {
  return isInvalid(char) ? '\ufffd' : char;
}

function isInvalid(char: string): boolean {
  return char === '\ufffd' || (char >= '\udc80' && char <= '\udcff');
}

// Returns a letter for the kind of a character: dashes and underscores are connectors and punctuation.
function letterOf(char: string): string {
  if (isInvalid(char)) return '?';
  if (char === '-' || char === '_') return '-';
  if (isSpace(char)) return ' ';
  if (isPunct(char)) return '.';
  if (isUpper(char)) return 'A';
  if (isAlphabet(char)) return 'a';
  return isNumberRune(char) ? '0' : 'x';
}

// Returns the pattern of a run of one kind. Invalid UTF-8 (`?`) belongs to the run around it.
const run = (first: string, others = first): string => `\\?*[${first}](?:[${others}?]*(?:[${others}]|\\?$))?`;

/** Patterns of words in the letters of `letterOf`. */
const wordForms: readonly (readonly [kind: WordKind, form: string])[] = [
  ['connector', run('- ')],
  ['punctuation', run('.', '-.')],
  // The last of several capitals belongs to the next word if letters follow: `HTTPStatus` is `HTTP` and `Status`.
  ['upper', `\\?*A[A?]*(?=A\\?*a)|\\?*A${run('a')}|${run('A')}`],
  ['letters', run('a')],
  ['number', run('0')],
  ['other', run('x')],
  ['invalid', '\\?+'],
];

const anyWord = new RegExp(wordForms.map(([kind, form]) => `(?<${kind}>${form})`).join('|'), 'g');

function wordsOf(text: string): readonly Word[] {
  const chars = Array.from(text);
  return Array.from(chars.map(letterOf).join('').matchAll(anyWord), ({ 0: letters, index, groups }) => {
    const [kind] = wordForms.find(([name]) => groups?.[name] !== undefined)!;
    return { kind, chars: chars.slice(index, index + letters.length) };
  });
}

// A letter that is not a CJK ideograph.
function isAlphabet(char: string): boolean {
  if (!isLetter(char)) return false;
  const code = char.codePointAt(0) ?? 0;
  return !ideographs.some(([first, last]) => code >= first && code <= last);
}

const ideographs: readonly (readonly [number, number])[] = [
  [0x3400, 0x4d85],
  [0x4e00, 0x9fcc],
  [0x20000, 0x2b81d],
];
