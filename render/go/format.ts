// Formatted printing: Sprint, Sprintln, Sprintf, and basic values with a verb, flags, width and precision.
// Mirrors: Go, fmt, print.go and format.go, 1.23.

import { canBackquote, type FloatFormat, formatFloat, quote, quoteRune, quoteToAscii, runeText } from './number.ts';
import { isBytes } from './realm.ts';
import { isPrint } from './unicode.ts';
import { decodeUtf8, encodeUtf8, isAscii, joinBytes, runeCount } from './utf8.ts';
import { type GoMap, GoObject, type GoValue, Int, isNil, NilPointer, sortedKeys, typeOf } from './value.ts';

/** Formats a value like `%v`: the output of `{{ x }}`, `toString` and `print`. */
export function formatValue(value: GoValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatFloat(value, 'g', -1);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value === null) return '<nil>';
  if (value instanceof Int) return value.text === undefined ? value.value.toString() : value.text();
  return printed((printer) => printer.printArgument(value, 'v'));
}

/**
 * Formats values with a space between two operands that are not strings.
 * Mirrors: fmt.Sprint.
 */
export function sprint(values: readonly GoValue[]): string {
  if (values.length === 1) return formatValue(values[0] as GoValue);
  const parts: string[] = [];
  values.forEach((value, i) => {
    if (i > 0 && typeof value !== 'string' && typeof values[i - 1] !== 'string') parts.push(' ');
    parts.push(formatValue(value));
  });
  return joinBytes(parts);
}

/**
 * Formats values separated by spaces, with a newline at the end.
 * Mirrors: fmt.Sprintln.
 */
export function sprintln(values: readonly GoValue[]): string {
  return `${joinBytes([values.map(formatValue).join(' ')])}\n`;
}

/**
 * Formats values according to a format; invalid directives are reported in the text, as `%!d(string=x)`.
 * Mirrors: fmt.Sprintf.
 */
export function sprintf(format: string, ...values: GoValue[]): string {
  return sprintfAll(format, values);
}

/** Sprintf with a list of values. */
export function sprintfAll(format: string, values: readonly GoValue[]): string {
  return printed((printer) => new Directives(format, values, printer).print());
}

function printed(print: (printer: Printer) => void): string {
  const printer = new Printer();
  print(printer);
  return joinBytes([printer.out]);
}

/** How the elements of a list, map or struct are printed. */
interface Collection {
  readonly open: string;
  readonly close: string;
  /** Prints the key before an element. Default: there is none. */
  readonly label?: (at: number) => void;
  /** Reports whether an element is inside an unexported field: then its methods are not called. */
  readonly isHidden: (at: number) => boolean;
}

const stringable = new Set(['v', 's', 'x', 'X', 'q']);

/** Appends values to `out` according to the flags: the `pp` of Go. */
class Printer {
  out = '';
  flags: Flags = noFlags();
  /** While a bad verb is reported, values are printed without their `String` methods. */
  #reporting = false;

  printArgument(value: GoValue, verb: string): void {
    if (value === null) {
      if (verb === 'v' || verb === 'T') this.out += pad('<nil>', this.flags);
      else this.out += `%!${verb}(<nil>)`;
    } else if (verb === 'T') this.out += formatString(typeOf(value), this.flags);
    else if (verb === 'p') this.#printPointer(value, 'p');
    else if (isBytes(value) || !this.#printByMethod(value, verb)) this.#printValue(value, verb, 0);
  }

  #printElements(items: readonly GoValue[], verb: string, depth: number, collection: Collection): void {
    this.out += collection.open;
    for (let at = 0; at < items.length; at++) {
      if (at > 0) this.out += this.flags.sharpV ? ', ' : ' ';
      collection.label?.(at);
      const item = items[at] as GoValue;
      const isHidden = collection.isHidden(at);
      if (!isHidden && item !== null && this.#printByMethod(item, verb)) continue;
      this.#printValue(item, verb, depth + 1, isHidden);
    }
    this.out += collection.close;
  }

  #printByMethod(value: GoValue, verb: string): boolean {
    if (this.#reporting || typeof value !== 'object' || isComplex(value)) return false;
    if (verb === 'w') {
      this.#reportVerb(value, verb);
      return true;
    }
    if (this.flags.sharpV) {
      const text = value instanceof GoObject ? value.goString() : undefined;
      if (text !== undefined) this.out += formatString(text, this.flags);
      return text !== undefined;
    }
    if (!stringable.has(verb)) return false;
    const text = value instanceof GoObject ? value.string() : value instanceof Int ? value.text?.() : undefined;
    if (text !== undefined) this.#printString(text, verb);
    return text !== undefined;
  }

  #printValue(value: GoValue, verb: string, depth: number, hidden = false): void {
    if (typeof value === 'string') this.#printString(value, verb);
    else if (typeof value === 'number') this.#printFloat(value, verb);
    else if (value === null) this.out += this.flags.sharpV ? 'interface {}(nil)' : '<nil>';
    else if (typeof value === 'boolean') {
      if (verb === 't' || verb === 'v') this.out += pad(String(value), this.flags);
      else this.#reportVerb(value, verb);
    } else if (value instanceof Int) this.#printInteger(value, verb);
    else if (value instanceof Map) this.#printMap(value, verb, depth, hidden);
    else if (isComplex(value)) this.#printComplex(value, verb);
    else if (value instanceof GoObject) this.#printObject(value, verb, depth, hidden);
    else if (isBytes(value)) this.#printBytes(value, verb, depth);
    else this.#printList(typeOf(value), value, verb, { depth, hidden });
  }

  #printString(text: string, verb: string): void {
    if (verb === 's' || (verb === 'v' && !this.flags.sharpV)) this.out += formatString(text, this.flags);
    else if (verb === 'q' || verb === 'v') this.out += formatQuoted(text, this.flags);
    else if (verb === 'x' || verb === 'X') this.out += formatBytesHex(text, verb === 'X', this.flags);
    else this.#reportVerb(text, verb);
  }

  #printFloat(value: number, verb: string): void {
    const form = floatForms[verb];
    if (form === undefined) this.#reportVerb(value, verb);
    else this.out += formatFloatVerb(value, ...form, this.flags);
  }

  #printComplex(value: GoObject, verb: string): void {
    if (floatForms[verb] === undefined) {
      this.#reportVerb(value, verb);
      return;
    }
    const [real, imaginary] = [...value.layout().values()] as [number, number];
    this.out += '(';
    this.#printFloat(real, verb);
    const flags = this.flags;
    this.flags = { ...flags, plus: true };
    this.#printFloat(imaginary, verb);
    this.flags = flags;
    this.out += 'i)';
  }

  #printInteger(value: Int, verb: string): void {
    const base = bases[verb];
    if (base !== undefined) this.out += formatInteger(value.value, base, verb, this.flags);
    else if (verb === 'v') {
      const hex = this.flags.sharpV && value.kind.startsWith('u');
      this.out += hex
        ? formatInteger(value.value, 16, verb, { ...this.flags, sharp: true })
        : formatInteger(value.value, 10, verb, this.flags);
    } else if (verb === 'c') this.out += pad(runeText(codePointOf(value.value)), this.flags);
    else if (verb === 'q') this.out += pad(quoteRune(codePointOf(value.value), this.flags.plus), this.flags);
    else if (verb === 'U') this.out += formatUnicode(value.value, this.flags);
    else this.#reportVerb(value, verb);
  }

  #printBytes(bytes: Uint8Array, verb: string, depth: number): void {
    if (verb === 's') this.out += formatString(decodeUtf8(bytes), this.flags);
    else if (verb === 'q') this.out += formatQuoted(decodeUtf8(bytes), this.flags);
    else if (verb === 'x' || verb === 'X') this.out += formatBytesHex(bytes, verb === 'X', this.flags);
    else if (verb === 'v' && isUnset(this.flags)) this.out += `[${bytes.join(' ')}]`;
    else {
      const items = Array.from(bytes, (byte) => new Int(BigInt(byte), 'uint8'));
      // fmt calls an argument `[]byte`; elements of a list, and %w, use reflection, which says `[]uint8`.
      const type = depth === 0 && verb !== 'w' ? '[]byte' : '[]uint8';
      if (this.flags.sharpV && isNil(bytes)) this.out += `${type}(nil)`;
      else this.#printList(type, items, verb, { depth, hidden: false });
    }
  }

  #printList(
    type: string,
    items: readonly GoValue[],
    verb: string,
    { depth, hidden }: { readonly depth: number; readonly hidden: boolean },
  ): void {
    if (this.#printNil(items as GoValue[])) return;
    const [open, close] = this.flags.sharpV ? [`${type}{`, '}'] : ['[', ']'];
    this.#printElements(items, verb, depth, { open, close, isHidden: () => hidden });
  }

  #printMap(map: GoMap, verb: string, depth: number, hidden: boolean): void {
    if (this.#printNil(map)) return;
    const keys = sortedKeys(map);
    const items = keys.map((key) => map.get(key) ?? null);
    const label = (at: number): void => {
      this.#printString(keys[at]!, verb);
      this.out += ':';
    };
    const [open, close] = this.flags.sharpV ? [`${typeOf(map)}{`, '}'] : ['map[', ']'];
    this.#printElements(items, verb, depth, { open, close, label, isHidden: () => hidden });
  }

  /** Prints a nil list or map if it differs from an empty one: with `%#v`. */
  #printNil(value: GoValue): boolean {
    if (!this.flags.sharpV || !isNil(value)) return false;
    this.out += `${typeOf(value)}(nil)`;
    return true;
  }

  #printObject(object: GoObject, verb: string, depth: number, hidden: boolean): void {
    if (object.kind === 'ptr') {
      if (depth > 0 || object instanceof NilPointer) {
        this.#printPointer(object, verb);
        return;
      }
      this.out += '&';
    }
    const { plusV, sharpV } = this.flags;
    const layout = object.layout();
    const names = [...layout.keys()];
    const label = (at: number): void => {
      if (plusV || sharpV) this.out += `${names[at]}:`;
    };
    const isHidden = (at: number): boolean => hidden || !/^\p{Lu}/u.test(names[at]!);
    const open = sharpV ? `${object.type.replace(/^\*/, '')}{` : '{';
    this.#printElements([...layout.values()], verb, depth, { open, close: '}', label, isHidden });
  }

  // An address varies in Go; here it is constant.
  #printPointer(value: GoValue, verb: string): void {
    const pointer = Array.isArray(value) || value instanceof Map || isBytes(value);
    if (!pointer && !(value instanceof GoObject && value.kind === 'ptr')) {
      this.#reportVerb(value, verb);
      return;
    }
    const isNowhere = value instanceof NilPointer;
    const address = isNowhere ? 0n : 0xc000000000n;
    if (isNowhere && verb === 'v') this.out += this.flags.sharpV ? `(${value.type})(nil)` : pad('<nil>', this.flags);
    else if (verb === 'v' || verb === 'p') {
      const hex = formatInteger(address, 16, 'v', { ...this.flags, sharp: !this.flags.sharp });
      this.out += this.flags.sharpV ? `(${typeOf(value)})(${hex})` : hex;
    } else if (bases[verb] !== undefined && verb !== 'O') this.#printInteger(new Int(address, 'uint64'), verb);
    else this.#reportVerb(value, verb);
  }

  /** Reports a verb that does not match a value: `%!d(string=hi)`. */
  #reportVerb(value: GoValue, verb: string): void {
    this.#reporting = true;
    this.out += `%!${verb}(${typeOf(value)}=`;
    this.#printValue(value, 'v', 0);
    this.out += ')';
    this.#reporting = false;
  }
}

function isComplex(value: GoValue): value is GoObject {
  return value instanceof GoObject && value.kind === 'complex128';
}

const bases: Readonly<Record<string, 2 | 8 | 10 | 16>> = { b: 2, o: 8, O: 8, d: 10, x: 16, X: 16 };

/** The format and default precision of a float by verb. */
const floatForms: Readonly<Record<string, readonly [format: FloatFormat, precision: number]>> = {
  ...{ v: ['g', -1], b: ['b', -1], g: ['g', -1], G: ['G', -1], x: ['x', -1], X: ['X', -1] },
  ...{ e: ['e', 6], E: ['E', 6], f: ['f', 6], F: ['f', 6] },
};

class Directives {
  readonly #format: string;
  readonly #values: readonly GoValue[];
  readonly #printer: Printer;
  /** Offset of the next character. */
  #at = 0;
  /** Index of the next value. */
  #next = 0;
  /** Whether any directive selected its value with `[n]`: then surplus values are not reported. */
  #reordered = false;
  /** Whether the last `[n]` of this directive is valid. */
  #goodIndex = true;

  constructor(format: string, values: readonly GoValue[], printer: Printer) {
    this.#format = format;
    this.#values = values;
    this.#printer = printer;
  }

  print(): void {
    const format = this.#format;
    const printer = this.#printer;
    while (this.#at < format.length) {
      const percent = format.indexOf('%', this.#at);
      printer.out += format.slice(this.#at, percent < 0 ? format.length : percent);
      if (percent < 0) break;
      this.#at = percent + 1;
      this.#printDirective();
    }
    if (!this.#reordered && this.#next < this.#values.length) this.#printExtra();
  }

  #printDirective(): void {
    const flags = noFlags();
    this.#printer.flags = flags;
    this.#goodIndex = true;
    this.#readFlags(flags);
    let afterIndex = this.#readIndex();
    afterIndex = this.#readWidth(flags, afterIndex);
    afterIndex = this.#readPrecision(flags, afterIndex);
    if (!afterIndex) this.#readIndex();
    const code = this.#format.codePointAt(this.#at);
    if (code === undefined) {
      this.#printer.out += '%!(NOVERB)';
      return;
    }
    this.#at += code > 0xffff ? 2 : 1;
    this.#printVerb(runeText(code), flags);
  }

  #printVerb(verb: string, flags: Flags): void {
    const printer = this.#printer;
    const values = this.#values;
    if (verb === '%') printer.out += '%';
    else if (!this.#goodIndex) printer.out += `%!${verb}(BADINDEX)`;
    else if (this.#next >= values.length) printer.out += `%!${verb}(MISSING)`;
    else {
      if (verb === 'v' || verb === 'w') {
        flags.sharpV = flags.sharp;
        flags.plusV = flags.plus;
        flags.sharp = false;
        flags.plus = false;
      }
      printer.printArgument(values[this.#next++] as GoValue, verb);
    }
  }

  #readFlags(flags: Flags): void {
    for (; this.#at < this.#format.length; this.#at++) {
      const name = flagNames[this.#format[this.#at]!];
      if (name === undefined) return;
      flags[name] = true;
    }
  }

  #readWidth(flags: Flags, afterIndex: boolean): boolean {
    if (this.#format[this.#at] === '*') {
      this.#at++;
      const width = this.#takeInteger();
      if (width === undefined) {
        this.#printer.out += '%!(BADWIDTH)';
        return false;
      }
      if (width < 0) {
        flags.minus = true;
        flags.zero = false;
      }
      flags.width = Math.abs(width);
      return false;
    }
    const width = this.#readNumber();
    flags.width = width ?? -1;
    if (afterIndex && width !== undefined) this.#goodIndex = false; // "%[3]2d"
    return afterIndex;
  }

  #readPrecision(flags: Flags, afterIndex: boolean): boolean {
    if (this.#format[this.#at] !== '.' || this.#at + 1 >= this.#format.length) return afterIndex;
    this.#at++;
    if (afterIndex) this.#goodIndex = false; // "%[3].2d"
    const indexed = this.#readIndex();
    if (this.#format[this.#at] === '*') {
      this.#at++;
      const precision = this.#takeInteger();
      if (precision === undefined || precision < 0) this.#printer.out += '%!(BADPREC)';
      else flags.precision = precision;
      return false;
    }
    flags.precision = this.#readNumber() ?? 0;
    return indexed;
  }

  /** Reads digits; a number above a million consumes the rest of the format, as in Go. */
  #readNumber(): number | undefined {
    const start = this.#at;
    let number = 0;
    for (; this.#at < this.#format.length; this.#at++) {
      const digit = this.#format.charCodeAt(this.#at) - 48;
      if (digit < 0 || digit > 9) break;
      if (number > limit) {
        this.#at = this.#format.length;
        return undefined;
      }
      number = number * 10 + digit;
    }
    return this.#at === start ? undefined : number;
  }

  /** Uses the next value as a width or precision; undefined if it is not an integer or too large. */
  #takeInteger(): number | undefined {
    if (this.#next >= this.#values.length) return undefined;
    const value = this.#values[this.#next++];
    if (!(value instanceof Int) || value.value > limit || value.value < -limit) return undefined;
    return Number(value.value);
  }

  /** Reads `[n]`, which selects the nth value. Returns whether it was present and valid. */
  #readIndex(): boolean {
    if (this.#format[this.#at] !== '[') return false;
    this.#reordered = true;
    const close = this.#format.indexOf(']', this.#at);
    const digits = close < 0 ? '' : this.#format.slice(this.#at + 1, close);
    this.#at = close < 0 ? this.#at + 1 : close + 1;
    const index = /^[0-9]{1,8}$/.test(digits) ? Number(digits) - 1 : Number.NaN;
    if (index >= 0 && index < this.#values.length) {
      this.#next = index;
      return true;
    }
    this.#goodIndex = false;
    return !Number.isNaN(index);
  }

  #printExtra(): void {
    const printer = this.#printer;
    printer.flags = noFlags();
    printer.out += '%!(EXTRA ';
    this.#values.slice(this.#next).forEach((value, i) => {
      if (i > 0) printer.out += ', ';
      if (value !== null) printer.out += `${typeOf(value)}=`;
      printer.printArgument(value, 'v');
    });
    printer.out += ')';
  }
}

const flagNames: Readonly<Record<string, 'sharp' | 'zero' | 'plus' | 'minus' | 'space'>> = {
  '#': 'sharp',
  '0': 'zero',
  '+': 'plus',
  '-': 'minus',
  ' ': 'space',
};

const limit = 1e6;

/** The part between `%` and the verb. A width or precision of -1 is absent. */
interface Flags {
  width: number;
  precision: number;
  minus: boolean;
  plus: boolean;
  sharp: boolean;
  space: boolean;
  zero: boolean;
  /** `%+v` and `%#v` are separate formats that replace `plus` and `sharp`. */
  plusV: boolean;
  sharpV: boolean;
}

function isUnset(flags: Flags): boolean {
  return Object.values(flags).every((flag) => flag === false || flag === -1);
}

function noFlags(): Flags {
  return {
    width: -1,
    precision: -1,
    minus: false,
    plus: false,
    sharp: false,
    space: false,
    zero: false,
    plusV: false,
    sharpV: false,
  };
}

/** Pads a text to the width in characters; with zeros if requested, strings too. */
function pad(text: string, flags: Flags, zero: boolean = flags.zero): string {
  if (flags.width <= 0) return text;
  const missing = flags.width - runeCount(text);
  if (missing <= 0) return text;
  if (flags.minus) return text + ' '.repeat(missing);
  return (zero ? '0' : ' ').repeat(missing) + text;
}

/** Formats a string with `%s`: truncated to the precision, then padded. */
function formatString(text: string, flags: Flags): string {
  return pad(truncate(text, flags), flags);
}

function truncate(text: string, flags: Flags): string {
  if (flags.precision < 0 || text.length <= flags.precision) return text;
  return isAscii(text) ? text.slice(0, flags.precision) : [...text].slice(0, flags.precision).join('');
}

function formatQuoted(text: string, flags: Flags): string {
  const short = truncate(text, flags);
  if (flags.sharp && canBackquote(short)) return pad(`\`${short}\``, flags);
  return pad(flags.plus ? quoteToAscii(short) : quote(short), flags);
}

/** Formats the bytes of a string or byte slice with `%x` or `%X`. */
function formatBytesHex(text: string | Uint8Array, upper: boolean, flags: Flags): string {
  const all = typeof text === 'string' ? encodeUtf8(text) : text;
  const bytes = flags.precision >= 0 ? all.subarray(0, flags.precision) : all;
  const prefix = flags.sharp ? '0x' : '';
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'));
  const hex = flags.space ? digits.map((pair) => prefix + pair).join(' ') : prefix + digits.join('');
  return pad(bytes.length === 0 ? '' : upper ? hex.toUpperCase() : hex, flags);
}

/** Formats an integer in base 2, 8, 10 or 16; `verb` distinguishes `%O` from `%o` and `%X` from `%x`. */
function formatInteger(value: bigint, base: 2 | 8 | 10 | 16, verb: string, flags: Flags): string {
  if (flags.precision === 0 && value === 0n) return pad('', flags, false);
  const sign = value < 0n ? '-' : flags.plus ? '+' : flags.space ? ' ' : '';
  const zeroWidth = flags.zero && !flags.minus ? flags.width - sign.length : 0;
  const digits = (value < 0n ? -value : value)
    .toString(base)
    .padStart(flags.precision >= 0 ? flags.precision : zeroWidth, '0');
  let prefix = verb === 'O' ? '0o' : '';
  if (flags.sharp) {
    if (base === 2) prefix = '0b';
    else if (base === 8 && !digits.startsWith('0')) prefix += '0';
    else if (base === 16) prefix = '0x';
  }
  const text = prefix + digits;
  return pad(sign + (verb === 'X' ? text.toUpperCase() : text), flags, false);
}

/** Formats an integer with `%U`: `U+0041`, and with `#` the character after it. Treated as unsigned 64 bits. */
function formatUnicode(value: bigint, flags: Flags): string {
  const unsigned = BigInt.asUintN(64, value);
  const digits = unsigned.toString(16).toUpperCase().padStart(Math.max(4, flags.precision), '0');
  const code = unsigned <= 0x10ffffn ? Number(unsigned) : -1;
  const shown = flags.sharp && code >= 0 && isPrint(code) ? ` '${String.fromCodePoint(code)}'` : '';
  return pad(`U+${digits}${shown}`, flags, false);
}

function codePointOf(value: bigint): number {
  return value >= 0n && value <= 0x10ffffn ? Number(value) : -1;
}

/** Formats a float. `precision` is the verb's default, which the flags override. */
function formatFloatVerb(value: number, format: FloatFormat, precision: number, flags: Flags): string {
  const digits = flags.precision >= 0 ? flags.precision : precision;
  const text = formatFloat(value, format, digits);
  const signed = text.startsWith('-') || text.startsWith('+');
  const size = signed ? text.slice(1) : text;
  const plain = flags.plus ? '+' : flags.space ? ' ' : '';
  // strconv keeps the plus sign of infinity; here it is shown only on request.
  const sign = text.startsWith('-') ? '-' : plain;
  if (!Number.isFinite(value)) return pad(sign + size === 'Inf' ? '+Inf' : sign + size, flags, false);
  const number = flags.sharp && format !== 'b' ? withPoint(size, format, digits) : size;
  if (flags.zero && !flags.minus && sign !== '') return sign + number.padStart(flags.width - sign.length, '0');
  return pad(sign + number, flags);
}

// `#` forces a decimal point and, for %g, keeps trailing zeros.
function withPoint(number: string, format: FloatFormat, precision: number): string {
  const at = number.search(format === 'x' || format === 'X' ? /[pP]/ : /[eE]/);
  const mantissa = at < 0 ? number : number.slice(0, at);
  const point = mantissa.includes('.') ? mantissa : `${mantissa}.`;
  const wanted = format === 'g' || format === 'G' || format === 'x' ? (precision < 0 ? 6 : precision) : 0;
  // Go counts every character after the first that is not `0`, and a single zero once; so the x of 0x1 counts too.
  const counted = mantissa === '0' ? 1 : mantissa.replace('.', '').replace(/^0+/, '').length;
  return `${point}${'0'.repeat(Math.max(0, wanted - counted))}${at < 0 ? '' : number.slice(at)}`;
}
