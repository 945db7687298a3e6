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

type Node =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'literal'; readonly value: GoValue }
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'identifier'; readonly name: string }
  | {
      readonly type: 'slice';
      readonly from?: number;
      readonly to?: number;
      readonly isOne: boolean;
      readonly step?: number;
    }
  | { readonly type: 'union'; readonly lists: readonly (readonly Node[])[] }
  | {
      readonly type: 'filter';
      readonly left: readonly Node[];
      readonly operator: string;
      readonly right: readonly Node[];
    }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'list'; readonly nodes: readonly Node[] };

/** Evaluates a template for a value. Throws GoError if the template is invalid. */
export function printJsonPath(template: string, data: GoValue): string {
  const nodes = new Parser(template).parse();
  return catchGoError(
    () => new Evaluation(nodes).results(data, 0).map(printResults).join(''),
    () => '',
  );
}

const isTerminator = (char: string): boolean => char === '' || ' \t\r\n.,[]$@{}'.includes(char);
const isDigit = (char: string): boolean => /^\p{Nd}$/u.test(char);

class Parser {
  readonly #input: string;
  #at = 0;

  constructor(input: string) {
    this.#input = input;
  }

  parse(): Node[] {
    const root: Node[] = [];
    while (this.#at < this.#input.length) {
      const open = this.#input.indexOf('{', this.#at);
      const text = this.#input.slice(this.#at, open < 0 ? undefined : open);
      if (text !== '') root.push({ type: 'text', text });
      if (open < 0) break;
      this.#at = open + 1;
      root.push({ type: 'list', nodes: this.#action() });
    }
    return root;
  }

  // Reads up to the closing brace.
  #action(): Node[] {
    const nodes: Node[] = [];
    while (!this.#take('}')) {
      if (this.#take('[?(')) nodes.push(this.#filter());
      else if (this.#take('..')) {
        if (nodes.at(-1)?.type === 'recursive') throw new GoError('invalid multiple recursive descent');
        nodes.push({ type: 'recursive' });
        if (/^[_\p{L}\p{Nd}]/u.test(this.#input.slice(this.#at))) nodes.push(this.#field());
      } else nodes.push(...this.#operand());
    }
    return nodes;
  }

  #operand(): readonly Node[] {
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

  #identifier(): Node {
    const name = this.#takeWhile((char) => !isTerminator(char));
    return name === 'true' || name === 'false'
      ? { type: 'literal', value: name === 'true' }
      : { type: 'identifier', name };
  }

  #number(): Node {
    const start = this.#at;
    if (/^[+-]/.test(this.#input.slice(this.#at))) this.#at++;
    this.#takeWhile((char) => char === '.' || isDigit(char));
    const text = this.#input.slice(start, this.#at);
    if (/^[+-]?[0-9]+$/.test(text)) return { type: 'literal', value: new Int(BigInt(text.replace(/^\+/, '')), 'int') };
    if (/^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/.test(text)) return { type: 'literal', value: Number(text) };
    throw new GoError(`cannot parse number ${text}`);
  }

  #quoted(mark: string): Node {
    const start = this.#at - 1;
    for (;;) {
      const char = this.#next();
      if (char === '' || char === '\n') throw new GoError('unterminated quoted string');
      if (char === mark && this.#input[this.#at - 2] !== '\\') break;
    }
    const text = this.#input.slice(start, this.#at);
    try {
      return { type: 'text', text: unquoteText(text) };
    } catch (error) {
      if (!(error instanceof GoError)) throw error;
      throw new GoError(`unquote string ${text} error ${error.message}`);
    }
  }

  #field(): Node {
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
    return name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') };
  }

  #array(): readonly Node[] {
    const start = this.#at;
    for (let char = this.#next(); char !== ']'; char = this.#next())
      if (char === '' || char === '\n') throw new GoError('unterminated array');
    const text = this.#input.slice(start, this.#at - 1);
    const parts = text.split(',');
    if (parts.length > 1)
      return [{ type: 'union', lists: parts.map((part) => actionOf(`[${part.replace(/^ +|(?<! ) +$/g, '')}]`)) }];
    const [, key] = /^'([^']*)'$/.exec(text) ?? [];
    return key === undefined ? [sliceOf(text === '*' ? ':' : text)] : actionOf(`.${key}`);
  }

  #filter(): Node {
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
    if (left === undefined) return { type: 'filter', left: actionOf(text), operator: 'exists', right: [] };
    return { type: 'filter', left: actionOf(left), operator, right: actionOf(right) };
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

function actionOf(text: string): readonly Node[] {
  const [first] = new Parser(`{${text}}`).parse();
  return first?.type === 'list' ? first.nodes : [];
}

function sliceOf(text: string): Node {
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
  const [end, by] = [isOne ? (start ?? 0) + 1 : known(to), known(step)];
  return {
    type: 'slice',
    isOne,
    ...(start === undefined ? {} : { from: start }),
    ...(end === undefined ? {} : { to: end }),
    ...(by === undefined ? {} : { step: by }),
  };
}

class Evaluation {
  readonly #nodes: readonly Node[];
  #begun = 0;
  #open = 0;
  #ended = 0;
  #lastEnd = -1;

  constructor(nodes: readonly Node[]) {
    this.#nodes = nodes;
  }

  /** Evaluates the nodes from `start` to the end of its range. */
  results(data: Result, start: number): Result[][] {
    const all: Result[][] = [];
    for (let at = start; at < this.#nodes.length; at++) {
      const found = this.#walk([data], this.#nodes[at]!);
      if (this.#ended > 0 && this.#ended <= this.#open) {
        this.#ended--;
        this.#lastEnd = at;
        break;
      }
      if (this.#begun === 0) {
        all.push(found);
        continue;
      }
      this.#begun--;
      this.#open++;
      for (const value of found) all.push(...this.results(value ?? undefined, at + 1));
      // A range over an empty value is skipped to its end.
      if (found.length === 0) this.results(undefined, at + 1);
      this.#open--;
      if (this.#lastEnd > at) at = this.#lastEnd;
    }
    return all;
  }

  #walk(input: Result[], node: Node): Result[] {
    switch (node.type) {
      case 'list':
        return this.#walkAll(input, node.nodes);
      case 'text':
        return [node.text];
      case 'literal':
        return input.map(() => node.value);
      case 'field':
        return fieldsIn(input, node.name);
      case 'slice':
        return input.flatMap((value) => (value === null ? [] : sliced(value, node)));
      case 'union':
        return node.lists.flatMap((list) => this.#walkAll(input, list));
      case 'wildcard':
        return input.flatMap(elementsOf);
      case 'recursive':
        return input.flatMap(descendants);
      case 'filter':
        return input.flatMap((value) => this.#filtered(value, node));
      default:
        return this.#keyword(input, node.name);
    }
  }

  #walkAll(input: Result[], nodes: readonly Node[]): Result[] {
    return nodes.reduce((values, node) => this.#walk(values, node), input);
  }

  #keyword(input: Result[], name: string): Result[] {
    if (name === 'range') {
      this.#begun++;
      return input;
    }
    if (name !== 'end') throw new GoError(`unrecognized identifier ${name}`);
    if (this.#open === 0) throw new GoError('not in range, nothing to end');
    this.#ended++;
    return [];
  }

  #filtered(value: Result, { left, operator, right }: Extract<Node, { type: 'filter' }>): Result[] {
    if (!Array.isArray(value)) throw new GoError('the value is not array or slice and cannot be filtered');
    return value.filter((item) => {
      if (operator === 'exists') return this.#exists(item, left);
      const lefts = this.#walkAll([item], left);
      if (lefts.length > 1) throw new GoError('can only compare one element at a time');
      if (lefts.length === 0) return false;
      const rights = this.#walkAll([item], right);
      if (rights.length > 1) throw new GoError('can only compare one element at a time');
      return rights.length === 1 && compares(lefts[0], operator, rights[0]);
    });
  }

  #exists(item: GoValue, nodes: readonly Node[]): boolean {
    return catchGoError(
      () => this.#walkAll([item], nodes).length > 0,
      () => false,
    );
  }
}

function fieldsIn(input: readonly Result[], name: string): Result[] {
  const found = input.flatMap((value) => (value instanceof Map && value.has(name) ? [value.get(name)] : []));
  if (found.length === 0 && input.length > 0) throw new GoError(`${name} is not found`);
  return found;
}

function sliced(value: Result, { from = 0, to, isOne, step = 1 }: Extract<Node, { type: 'slice' }>): Result[] {
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
function compares(left: Result, operator: string, right: Result): boolean {
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
