// Kubernetes' JSONPath templates in `helm show values --jsonpath`. Helm ignores evaluation errors: output after an error is missing. Go
// iterates over maps in random order; here keys are sorted.
// Mirrors: k8s.io/client-go, util/jsonpath, parser.go and jsonpath.go, v0.37.0.

import { emitJson } from '../codec/json.ts';
import { catchGoError } from '../core/catch.ts';
import { formatValue, sprintf } from '../go/format.ts';
import { unquoteText } from '../go/number.ts';
import { encodeUtf8 } from '../go/utf8.ts';
import { compareStrings, GoError, type GoValue, Int, sortedEntries } from '../go/value.ts';

/** A value, or undefined for none, which Go prints as `<no value>`. */
type Result = GoValue | undefined;

/** Returns what a part of a template leads to from the previous values. */
type Walk = (input: readonly Result[]) => Result[];

/** The ranges of a template while it is evaluated: those that begin or end with the current action, and those that are open. */
interface Ranges {
  begun: number;
  open: number;
  ended: number;
  /** The action with the last end. */
  lastEnd: number;
}

/** Evaluates a template for a value. Throws GoError if the template is invalid. */
export function printJsonPath(template: string, data: GoValue): string {
  const ranges: Ranges = { begun: 0, open: 0, ended: 0, lastEnd: -1 };
  const actions = new Parser(template, ranges).parse();
  return catchGoError(
    () => evaluate(actions, ranges, data).map(printResults).join(''),
    () => '',
  );
}

const isTerminator = (char: string): boolean => char === '' || ' \t\r\n.,[]$@{}'.includes(char);
const isDigit = (char: string): boolean => /^\p{Nd}$/u.test(char);

class Parser {
  readonly #input: string;
  readonly #ranges: Ranges;
  #at = 0;

  constructor(input: string, ranges: Ranges) {
    this.#input = input;
    this.#ranges = ranges;
  }

  /** Returns the steps of each text and action. */
  parse(): Walk[][] {
    const root: Walk[][] = [];
    while (this.#at < this.#input.length) {
      const open = this.#input.indexOf('{', this.#at);
      const text = this.#input.slice(this.#at, open < 0 ? undefined : open);
      if (text !== '') root.push([() => [text]]);
      if (open < 0) break;
      this.#at = open + 1;
      root.push(this.#action());
    }
    return root;
  }

  // Reads up to the closing brace.
  #action(): Walk[] {
    const steps: Walk[] = [];
    while (!this.#take('}')) {
      if (this.#take('[?(')) steps.push(this.#filter());
      else if (this.#take('..')) {
        if (steps.at(-1) === recursive) throw new GoError('invalid multiple recursive descent');
        steps.push(recursive);
        if (/^[_\p{L}\p{Nd}]/u.test(this.#input.slice(this.#at))) steps.push(this.#field());
      } else steps.push(...this.#operand());
    }
    return steps;
  }

  #operand(): readonly Walk[] {
    const char = this.#next();
    if (char === '' || char === '\r' || char === '\n') throw new GoError('unclosed action');
    if (' @$'.includes(char)) return [];
    if (char === '[') return this.#array();
    if (char === '"' || char === "'") return [this.#quoted(char)];
    if (char === '.') return [this.#field()];
    this.#at -= char.length;
    if (char === '+' || char === '-' || isDigit(char)) return [this.#number()];
    if (/^[_\p{L}]$/u.test(char)) return [this.#identifier()];
    const code = new Int(BigInt(char.codePointAt(0)!), 'int32');
    throw new GoError(`unrecognized character in action: ${sprintf('%#U', code)}`);
  }

  #identifier(): Walk {
    const name = this.#takeWhile((char) => !isTerminator(char));
    const ranges = this.#ranges;
    if (name === 'true' || name === 'false') return literal(name === 'true');
    return (input) => {
      if (name === 'range') {
        ranges.begun++;
        return [...input];
      }
      if (name !== 'end') throw new GoError(`unrecognized identifier ${name}`);
      if (ranges.open === 0) throw new GoError('not in range, nothing to end');
      ranges.ended++;
      return [];
    };
  }

  #number(): Walk {
    const start = this.#at;
    if (/^[+-]/.test(this.#input.slice(this.#at))) this.#at++;
    this.#takeWhile((char) => char === '.' || isDigit(char));
    const text = this.#input.slice(start, this.#at);
    if (/^[+-]?[0-9]+$/.test(text)) return literal(new Int(BigInt(text.replace(/^\+/, '')), 'int'));
    if (/^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/.test(text)) return literal(Number(text));
    throw new GoError(`cannot parse number ${text}`);
  }

  #quoted(mark: string): Walk {
    const start = this.#at - 1;
    for (;;) {
      const char = this.#next();
      if (char === '' || char === '\n') throw new GoError('unterminated quoted string');
      if (char === mark && this.#input[this.#at - 2] !== '\\') break;
    }
    const text = this.#input.slice(start, this.#at);
    try {
      const value = unquoteText(text);
      return () => [value];
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      throw new GoError(`unquote string ${text} error ${error.message}`);
    }
  }

  #field(): Walk {
    const start = this.#at;
    for (;;) {
      const char = this.#next();
      if (char === '\\') this.#next();
      else if (isTerminator(char)) {
        this.#at -= char.length;
        break;
      }
    }
    const name = this.#input.slice(start, this.#at);
    if (name === '*') return (input) => input.flatMap(elementsOf);
    const plain = name.replaceAll('\\', '');
    return (input) => fieldsIn(input, plain);
  }

  #array(): readonly Walk[] {
    const start = this.#at;
    for (let char = this.#next(); char !== ']'; char = this.#next())
      if (char === '' || char === '\n') throw new GoError('unterminated array');
    const text = this.#input.slice(start, this.#at - 1);
    const parts = text.split(',');
    if (parts.length > 1) {
      const lists = parts.map((part) => this.#inner(`[${part.replace(/^ +|(?<! ) +$/g, '')}]`));
      return [(input) => lists.flatMap((steps) => walk(input, steps))];
    }
    const [, key] = /^'([^']*)'$/.exec(text) ?? [];
    return key === undefined ? [sliceOf(text === '*' ? ':' : text)] : this.#inner(`.${key}`);
  }

  #filter(): Walk {
    const start = this.#at;
    let [mark, isClosed] = ['', false];
    for (;;) {
      const char = this.#next();
      if (char === '' || char === '\n') throw new GoError('unterminated filter');
      if (char === '"' || char === "'") {
        if (mark === '') mark = char;
        else if (this.#input[this.#at - 2] !== '\\' && char === mark) isClosed = true;
      } else if (char === ')' && (mark !== '') === isClosed) break;
    }
    const text = this.#input.slice(start, this.#at - 1);
    if (this.#next() !== ']') throw new GoError('unclosed array expect ]');
    const [, left, operator = '', right = ''] = /^([^!<>=]+)([!<>=]+)(.+)$/s.exec(text) ?? [];
    const lefts = this.#inner(left ?? text);
    const rights = left === undefined ? [] : this.#inner(right);
    const isRight = (item: GoValue): boolean =>
      left === undefined ? exists(item, lefts) : compares(one(item, lefts), operator, () => one(item, rights));
    return (input) => input.flatMap((value) => filtered(value, isRight));
  }

  #inner(text: string): readonly Walk[] {
    return new Parser(`{${text}}`, this.#ranges).parse()[0] ?? [];
  }

  #next(): string {
    const code = this.#input.codePointAt(this.#at);
    const char = code === undefined ? '' : String.fromCodePoint(code);
    this.#at += char.length;
    return char;
  }

  #take(word: string): boolean {
    const isThere = this.#input.startsWith(word, this.#at);
    if (isThere) this.#at += word.length;
    return isThere;
  }

  #takeWhile(accepts: (char: string) => boolean): string {
    const start = this.#at;
    for (;;) {
      const char = this.#next();
      if (char !== '' && accepts(char)) continue;
      this.#at -= char.length;
      return this.#input.slice(start, this.#at);
    }
  }
}

const recursive: Walk = (input) => input.flatMap(descendants);

function literal(value: GoValue): Walk {
  return (input) => input.map(() => value);
}

function sliceOf(text: string): Walk {
  const match = /^(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?$/.exec(text);
  if (match === null) throw new GoError(`invalid array index ${text}`);
  const [, from = '', to, step] = match;
  const numberOf = (part: string): number => {
    if (!/^-?[0-9]{1,18}$/.test(part)) throw new GoError(`array index ${part} is not a number`);
    return Number(part);
  };
  const start = from === '' ? undefined : numberOf(from);
  const known = (part: string | undefined): number | undefined =>
    part === undefined || part === ':' ? undefined : numberOf(part.slice(1));
  const isOne = to === undefined;
  const range = { from: start, to: isOne ? (start ?? 0) + 1 : known(to), step: known(step), isOne };
  return (input) => input.flatMap((value) => (value === null ? [] : sliced(value, range)));
}

function walk(input: readonly Result[], steps: readonly Walk[]): Result[] {
  return steps.reduce((values, step) => step(values), [...input]);
}

// Evaluates the actions from `start` to the end of its range.
function evaluate(actions: readonly (readonly Walk[])[], ranges: Ranges, data: Result, start = 0): Result[][] {
  const all: Result[][] = [];
  for (let at = start; at < actions.length; at++) {
    const found = walk([data], actions[at]!);
    if (ranges.ended > 0 && ranges.ended <= ranges.open) {
      ranges.ended--;
      ranges.lastEnd = at;
      break;
    }
    if (ranges.begun === 0) {
      all.push(found);
      continue;
    }
    ranges.begun--;
    ranges.open++;
    for (const value of found) all.push(...evaluate(actions, ranges, value ?? undefined, at + 1));
    // A range over an empty value is skipped to its end.
    if (found.length === 0) evaluate(actions, ranges, undefined, at + 1);
    ranges.open--;
    if (ranges.lastEnd > at) at = ranges.lastEnd;
  }
  return all;
}

function filtered(value: Result, isRight: (item: GoValue) => boolean): Result[] {
  if (!Array.isArray(value)) throw new GoError('the value is not array or slice and cannot be filtered');
  return value.filter(isRight);
}

function exists(item: GoValue, steps: readonly Walk[]): boolean {
  return catchGoError(
    () => walk([item], steps).length > 0,
    () => false,
  );
}

// A list of one value, or of none.
function one(item: GoValue, steps: readonly Walk[]): Result[] {
  const found = walk([item], steps);
  if (found.length > 1) throw new GoError('can only compare one element at a time');
  return found;
}

function fieldsIn(input: readonly Result[], name: string): Result[] {
  const found = input.flatMap((value) => (value instanceof Map && value.has(name) ? [value.get(name)] : []));
  if (found.length === 0 && input.length > 0) throw new GoError(`${name} is not found`);
  return found;
}

interface Slice {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly step: number | undefined;
  readonly isOne: boolean;
}

function sliced(value: Result, { from = 0, to, isOne, step = 1 }: Slice): Result[] {
  if (!Array.isArray(value)) throw new GoError('the value is not array or slice');
  const { length } = value;
  const start = from < 0 ? from + length : from;
  let end = to ?? length;
  if (end < 0 || (end === 0 && isOne)) end += length;
  if (start === end) return [];
  const isOutside = start >= length || start < 0 || end > length || end < 0;
  if (isOutside) throw new GoError(`array index out of bounds: index ${start}, length ${length}`);
  if (start > end) throw new GoError(`starting index ${start} is greater than ending index ${end}`);
  if (step <= 0) throw new GoError('step must be > 0');
  return value.slice(start, end).filter((_item, at) => at % step === 0);
}

function elementsOf(value: Result): Result[] {
  if (value instanceof Map) return sortedEntries(value).map(([, item]) => item);
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? [...encodeUtf8(value)].map((byte) => new Int(BigInt(byte), 'uint8')) : [];
}

function descendants(value: Result): Result[] {
  const elements = elementsOf(value);
  return elements.length === 0 ? [] : [value, ...elements.flatMap(descendants)];
}

const operators: Readonly<Record<string, (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '>': (order) => order > 0,
  '<=': (order) => order <= 0,
  '>=': (order) => order >= 0,
};

// Only values of one kind compare.
function compares(lefts: readonly Result[], operator: string, rightsOf: () => readonly Result[]): boolean {
  if (lefts.length === 0) return false;
  const rights = rightsOf();
  if (rights.length === 0) return false;
  const [left, right] = [lefts[0], rights[0]];
  const order = orderOf(left, right);
  const isOrder = operator !== '==' && operator !== '!=';
  if (typeof left === 'boolean' && isOrder) throw new GoError('invalid type for comparison');
  const holds = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  if (holds === undefined) throw new GoError(`unrecognized filter operator ${operator}`);
  return holds(order);
}

function orderOf(left: Result, right: Result): number {
  if (left instanceof Int && right instanceof Int)
    return left.value < right.value ? -1 : Number(left.value > right.value);
  if (typeof left === 'string' && typeof right === 'string') return compareStrings(left, right);
  const isPlain = (typeof left === 'number' || typeof left === 'boolean') && typeof left === typeof right;
  if (!isPlain) throw new GoError('incompatible types for comparison');
  return Math.sign(Number(left) - Number(right));
}

const printResults = (results: readonly Result[]): string => results.map(printResult).join(' ');

function printResult(value: Result): string {
  if (value === undefined) return '<no value>';
  if (value instanceof Map || Array.isArray(value)) return emitJson(value);
  return value === null ? 'null' : formatValue(value);
}
