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

// Puts `connector` between the words of a camel case text and lowers capitals. A number joins the previous word unless lower-case letters
// follow: `Bld4Floor3rd` becomes `bld4_floor_3rd`.
function separateWords(text: string, connector: string): string {
  const words = new WordReader(Array.from(text));
  let result = '';
  const write = (word: Word): void => {
    result += writeWord(word, connector);
  };
  const takeAlphanumerics = (word: Word): Word => {
    let next = word;
    for (; next.kind === 'letters' || next.kind === 'number'; next = words.next()) write(next);
    return next;
  };
  const connectUnless = (word: Word, ...kinds: readonly WordKind[]): void => {
    if (word.kind !== 'connector' && word.kind !== 'punctuation' && !kinds.includes(word.kind)) result += connector;
  };

  let word = words.next();
  while (words.left) {
    if (word.kind !== 'connector') write(word);
    const previous = word;
    word = words.next();
    if (previous.kind === 'number') {
      word = takeAlphanumerics(word);
      connectUnless(word, 'none', 'invalid');
    } else if (previous.kind === 'connector') write(previous);
    else if (previous.kind === 'punctuation') continue;
    else if (word.kind !== 'number') connectUnless(word);
    else if (words.left) {
      const number = word;
      word = words.next();
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

class WordReader {
  readonly chars: readonly string[];
  #at = 0;

  constructor(chars: readonly string[]) {
    this.chars = chars;
  }

  get left(): boolean {
    return this.#at < this.chars.length;
  }

  /** Reads the next run of characters of one kind. Invalid UTF-8 belongs to the surrounding run. */
  next(): Word {
    const start = this.#at;
    if (!this.left) return { kind: 'none', chars: [] };
    const first = this.#skipInvalid();
    if (first === undefined) return this.#word('invalid', start);
    this.#at++;
    if (isConnector(first)) return this.#run('connector', start, isConnector);
    if (isPunct(first)) return this.#run('punctuation', start, isPunct);
    if (isUpper(first)) return this.#capitals(start, first);
    if (isAlphabet(first)) return this.#run('letters', start, isSmallLetter);
    if (isNumberRune(first)) return this.#run('number', start, isNumberRune);
    return this.#run('other', start, isOther);
  }

  // The last of several capitals belongs to the next word if letters follow: `HTTPStatus` is `HTTP` and `Status`.
  #capitals(start: number, first: string): Word {
    if (!this.left) return this.#word('upper', start);
    const second = this.#peek(first);
    if (!isUpper(second))
      return isAlphabet(second) ? this.#run('upper', start, isSmallLetter) : this.#word('upper', start);
    this.#run('upper', start, isUpper);
    if (this.left && isAlphabet(this.#peek(second))) this.#at--;
    return this.#word('upper', start);
  }

  #run(kind: WordKind, start: number, belongs: (char: string) => boolean): Word {
    while (this.left) {
      const before = this.#at;
      const char = this.#skipInvalid();
      if (char !== undefined && !belongs(char)) {
        this.#at = before;
        break;
      }
      if (char !== undefined) this.#at++;
    }
    return this.#word(kind, start);
  }

  #word(kind: WordKind, start: number): Word {
    return { kind, chars: this.chars.slice(start, this.#at) };
  }

  #peek(fallback: string): string {
    const before = this.#at;
    const char = this.#skipInvalid() ?? fallback;
    this.#at = before;
    return char;
  }

  #skipInvalid(): string | undefined {
    while (this.left && isInvalid(this.chars[this.#at]!)) this.#at++;
    return this.chars[this.#at];
  }
}

function isSmallLetter(char: string): boolean {
  return isAlphabet(char) && !isUpper(char);
}

function isOther(char: string): boolean {
  return !isConnector(char) && !isAlphabet(char) && !isNumberRune(char) && !isPunct(char);
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
