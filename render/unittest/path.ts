// Evaluates the paths of assertions: JSONPath like yaml-jsonpath, where the first name needs no `$` or dot. A path is read into functions.
// Mirrors: github.com/vmware-labs/yaml-jsonpath v0.3.2, pkg/yamlpath, slicer.go, path.go, filter.go, comparison.go and its language; the parser
// is our own.

import { orderKeys } from '../codec/yaml/order.ts';
import { messageOf } from '../core/errors.ts';
import { memo } from '../core/lazy.ts';
import { quote } from '../go/number.ts';
import { compileRegexp } from '../go/regexp/regexp.ts';
import { GoError, type GoMap, type GoValue, Int } from '../go/value.ts';

/** Returns the values that a step leads to from one of the previous step's values. */
type Step = (value: GoValue, root: GoValue) => readonly GoValue[];

/** Reports whether a condition holds for an item. */
type Filter = (item: GoValue, root: GoValue) => boolean;

/** An operand of a comparison: a path, or a literal. */
interface Term {
  readonly find: Step;
  readonly literal?: GoValue;
}

const stepsOf = memo(parsePath);

/** Returns all values at a path, in document order. Throws GoError, with what is wrong and where, for an invalid path. */
export function findValues(object: GoMap, path: string): readonly GoValue[] {
  return path === '' ? [object] : walk(object, stepsOf(path));
}

function walk(start: GoValue, steps: readonly Step[]): readonly GoValue[] {
  return steps.reduce<readonly GoValue[]>((found, step) => found.flatMap((value) => step(value, start)), [start]);
}

function parsePath(text: string): readonly Step[] {
  const reader = new PathReader(text);
  const steps = reader.path();
  if (reader.at < text.length) reader.fail('invalid path syntax');
  return steps;
}

type Operator = '==' | '!=' | '>=' | '<=' | '>' | '<';

const operators: readonly Operator[] = ['==', '!=', '>=', '<=', '>', '<'];
// Deeper nested conditions would overflow the stack.
const maxDepth = 200;

class PathReader {
  at = 0;
  readonly #text: string;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  fail(problem: string): never {
    throw new GoError(`${problem} at position ${this.at}, following ${quote(this.#text.slice(0, this.at))}`);
  }

  path(): readonly Step[] {
    const isNamed = !this.#take('$') && !/^[.[)]/.test(this.#text);
    const first = isNamed ? [this.#name(/[.[\]) &|=!><~]/g, false)] : [];
    return [...first, ...this.#steps(false)];
  }

  #peek(token: string): boolean {
    return this.#text.startsWith(token, this.at);
  }

  #take(token: string): boolean {
    if (!this.#peek(token)) return false;
    this.at += token.length;
    return true;
  }

  #space(): void {
    while (/\s/.test(this.#text.charAt(this.at))) this.at++;
  }

  // Returns the text before the next of several markers.
  #until(marks: RegExp): string {
    marks.lastIndex = this.at;
    const end = marks.exec(this.#text)?.index ?? this.#text.length;
    const part = this.#text.slice(this.at, end);
    this.at = end;
    return part;
  }

  #steps(inFilter: boolean): readonly Step[] {
    const steps: Step[] = [];
    let isRecursive = false;
    while (this.at < this.#text.length && !this.#peek(')')) {
      if (this.#take('..')) {
        const name = this.#until(/[.[]/g);
        isRecursive = name === '';
        if (isRecursive && !this.#peek('['))
          this.fail('child name or array access or filter missing after recursive descent');
        const shown = name === '*' ? name : withoutEscapes(name);
        steps.push((value) => descend(value, shown));
        continue;
      }
      const char = this.#text.charAt(this.at);
      if (this.#take('.')) steps.push(this.#name(/[.[) &|=!><~]/g, inFilter));
      else if (/^\s*\[\s*['"]/.test(this.#text.slice(this.at))) steps.push(this.#bracketNames(inFilter));
      else if (this.#take('[?(')) steps.push(this.#filterStep(isRecursive));
      else if (this.#take('[')) steps.push(this.#subscript(inFilter));
      else if (!/[\s&|=!><]/.test(char)) this.fail('invalid path syntax');
      else if (inFilter) return steps;
      else this.fail(`invalid character '${char}'`);
      isRecursive = false;
    }
    if (!inFilter && this.#peek(')')) this.fail('syntax error');
    return steps;
  }

  #name(marks: RegExp, inFilter: boolean): Step {
    const name = this.#until(marks);
    if (name === '') this.fail('child name missing');
    if (this.#keysOf(inFilter)) return keysNamed([withoutEscapes(name)]);
    return name === '*' ? childrenOf : membersNamed([withoutEscapes(name)]);
  }

  // Whether `~` follows: then the name itself is returned.
  #keysOf(inFilter: boolean): boolean {
    if (!this.#take('~')) return false;
    if (!inFilter && this.at < this.#text.length)
      this.fail('property name operator may only be used on last child in path');
    return true;
  }

  #bracketNames(inFilter: boolean): Step {
    this.#until(/['"]/g);
    const names: string[] = [];
    do {
      this.#space();
      if (!/['"]/.test(this.#text.charAt(this.at))) this.fail(`missing "'" or '"'`);
      names.push(withoutEscapes(this.#quoted()));
      this.#space();
    } while (this.#take(','));
    if (!this.#take(']')) this.fail('missing "]" or ","');
    return this.#keysOf(inFilter) ? keysNamed(names) : membersNamed(names);
  }

  #quoted(): string {
    const mark = this.#text.charAt(this.at++);
    const start = this.at;
    for (; this.at < this.#text.length; this.at++) {
      const char = this.#text.charAt(this.at);
      if (char === mark) return this.#text.slice(start, this.at++);
      if (char !== '\\') continue;
      const next = this.#text.charAt(this.at + 1);
      if (next !== mark && next !== '\\') this.fail(`unsupported escape sequence inside ${mark}${mark}`);
      this.at++;
    }
    this.fail(`unmatched ${mark}`);
  }

  #filterStep(isRecursive: boolean): Step {
    this.#space();
    if (this.#peek(')]')) this.fail('missing filter');
    const filter = this.#or();
    this.#space();
    if (!this.#take(')]')) this.fail(this.at >= this.#text.length ? 'missing end of filter' : 'invalid filter syntax');
    return (value, root) => {
      const items = Array.isArray(value) && !isRecursive ? value : [value];
      return items.filter((item) => filter(item, root));
    };
  }

  #subscript(inFilter: boolean): Step {
    const before = this.at - 1;
    const subscript = this.#until(/\]/g);
    if (!this.#take(']')) this.fail('unmatched [');
    if (subscript === '') throw new GoError(`subscript missing from [] before position ${this.at}`);
    const isAll = subscript.trim() === '*';
    try {
      const ranges = isAll ? [] : readSubscript(subscript);
      if (this.#keysOf(inFilter)) {
        if (!isAll) this.fail('property name operator can only be used on map nodes');
        return (value) => (value instanceof Map ? keysOf(value) : []);
      }
      if (isAll) return childrenOf;
      return (value) => (Array.isArray(value) ? ranges.flatMap((range) => takeRange(value, range)) : []);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const written = this.#text.slice(before, this.at);
      throw new GoError(`invalid array index ${written} before position ${this.at}: ${error.message}`);
    }
  }

  // ---- conditions

  #or(): Filter {
    if (++this.#depth > maxDepth) this.fail('conditions are nested too deeply');
    const any = [this.#and()];
    for (this.#space(); this.#take('||'); this.#space()) any.push(this.#and());
    this.#depth--;
    return (item, root) => any.some((holds) => holds(item, root));
  }

  #and(): Filter {
    const all = [this.#basic()];
    for (this.#space(); this.#take('&&'); this.#space()) all.push(this.#basic());
    return (item, root) => all.every((holds) => holds(item, root));
  }

  #basic(): Filter {
    this.#space();
    if (this.#take('(')) {
      const inner = this.#or();
      this.#space();
      if (!this.#take(')')) this.fail('invalid filter syntax');
      return inner;
    }
    if (!this.#peek('!=') && this.#take('!')) {
      if (++this.#depth > maxDepth) this.fail('conditions are nested too deeply');
      const denied = this.#basic();
      return (item, root) => !denied(item, root);
    }
    const missing = ['&&', '||', ...operators].find((operator) => this.#peek(operator));
    if (missing !== undefined) this.fail(`missing first operand for binary operator ${missing}`);
    const left = this.#term('invalid filter syntax');
    this.#space();
    if (this.#take('=~')) {
      const pattern = this.#pattern();
      return (item, root) => {
        const values = left.find(item, root);
        return values.length > 0 && values.every((value) => typeof value === 'string' && pattern.matchString(value));
      };
    }
    const operator = operators.find((text) => this.#take(text));
    if (operator === undefined) {
      if (left.literal !== undefined) return () => left.literal === true;
      return (item, root) => left.find(item, root).length > 0;
    }
    this.#space();
    const isOrder = operator !== '==' && operator !== '!=';
    if (isOrder && (typeof left.literal === 'string' || this.#peek("'")))
      this.fail(`strings cannot be compared using ${operator}`);
    const right = this.#term('invalid filter term');
    return (item, root) => {
      const [lefts, rights] = [left.find(item, root), right.find(item, root)];
      if (lefts.length === 0 || rights.length === 0) return false;
      return lefts.every((a) => rights.every((b) => compare(a, b, operator)));
    };
  }

  #term(problem: string): Term {
    const isOfItem = this.#take('@');
    if (isOfItem || this.#take('$')) {
      const steps = this.#steps(true);
      return { find: (item, root) => walk(isOfItem ? item : root, steps) };
    }
    const mark = this.#text.charAt(this.at);
    if (mark === "'" || mark === '"') {
      const start = this.at++;
      const value = this.#until(mark === "'" ? /'/g : /"/g);
      if (!this.#take(mark)) throw new GoError(`unmatched string delimiter ${mark} at position ${start}`);
      return literal(value);
    }
    const word = /^(?:true|false|null)/.exec(this.#text.slice(this.at))?.[0];
    if (word !== undefined) {
      this.at += word.length;
      return literal(word === 'null' ? null : word === 'true');
    }
    const number = /^[-.0-9][-.0-9eE]*/.exec(this.#text.slice(this.at))?.[0];
    if (number === undefined) this.fail(problem);
    this.at += number.length;
    if (Number.isNaN(Number(number)))
      throw new GoError(`invalid float literal ${quote(number)} before position ${this.at}`);
    return literal(Number(number));
  }

  #pattern(): ReturnType<typeof compileRegexp> {
    this.#space();
    const start = this.at;
    if (!this.#take('/')) this.fail('regular expression does not start with /');
    const written = /^(?:\\.|[^\\/])*/s.exec(this.#text.slice(this.at))?.[0] ?? '';
    this.at += written.length;
    if (!this.#take('/')) throw new GoError(`unmatched regular expression delimiter / at position ${start}`);
    return compileRegexp(written.replaceAll('\\/', '/'));
  }
}

function literal(value: GoValue): Term {
  return { find: () => [value], literal: value };
}

function withoutEscapes(text: string): string {
  return text.replace(/\\(\\?)/g, '$1');
}

/** A slice; a single index is a slice of one. */
interface IndexRange {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly step: number;
  readonly isSingle: boolean;
}

/** Parses subscripts. Throws RangeError with what is wrong. */
function readSubscript(text: string): readonly IndexRange[] {
  const members = text.split(',');
  if (members.length === 1) return [readRange(text)];
  return members.map((member, i) => {
    try {
      if (member.trim() === '*') throw new RangeError('wildcard cannot be used in union');
      return readRange(member);
    } catch (error) {
      throw new RangeError(`error in union member ${i}: ${messageOf(error)}`);
    }
  });
}

function readRange(text: string): IndexRange {
  const parts = text.split(':').map((part) => {
    const index = part.trim();
    if (index === '') return undefined;
    if (!/^[-+]?\d+$/.test(index)) throw new RangeError('non-integer array index');
    return Number(index);
  });
  if (parts.length > 3) throw new RangeError('malformed array index, too many colons');
  const [from, to, step = 1] = parts;
  if (parts.length === 1 && from === undefined) throw new RangeError('array index missing');
  if (step === 0) throw new RangeError('array index step value must be non-zero');
  return { from, to, step, isSingle: parts.length === 1 };
}

/** Returns the items of a list in a slice, in its order. */
function takeRange<T>(items: readonly T[], { from, to, step, isSingle }: IndexRange): readonly T[] {
  const { length } = items;
  const place = (index: number): number => (index < 0 ? index + length : index);
  if (isSingle) {
    const at = place(from!);
    return at >= 0 && at < length ? [items[at] as T] : [];
  }
  const taken: T[] = [];
  if (step > 0) {
    const end = Math.min(to === undefined ? length : place(to), length);
    for (let i = Math.max(from === undefined ? 0 : place(from), 0); i < end; i += step) taken.push(items[i] as T);
  } else {
    const end = Math.max(to === undefined ? -1 : place(to), -1);
    const start = Math.min(from === undefined ? length - 1 : place(from), length);
    for (let i = start; i > end; i += step) if (i < length) taken.push(items[i] as T);
  }
  return taken;
}

function membersNamed(names: readonly string[]): Step {
  return (value) => (value instanceof Map ? names.flatMap((name) => memberOf(value, name)) : []);
}

function keysNamed(names: readonly string[]): Step {
  return (value) => (value instanceof Map ? names.filter((name) => value.has(name)) : []);
}

function keysOf(map: GoMap): string[] {
  return orderKeys([...map.keys()], 'natural');
}

// A list of one, or of none.
function memberOf(map: GoMap, name: string): readonly GoValue[] {
  const value = map.get(name);
  return value === undefined ? [] : [value];
}

function childrenOf(value: GoValue): readonly GoValue[] {
  if (value instanceof Map) return keysOf(value).flatMap((key) => memberOf(value, key));
  return Array.isArray(value) ? value : [];
}

// A value and all values below it, from the top; map keys count as values too.
function descend(top: GoValue, name: string): readonly GoValue[] {
  const found: GoValue[] = [];
  const left = [top];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (name === '') found.push(value);
    else if (name === '*') found.push(...childrenOf(value));
    else if (value instanceof Map) found.push(...memberOf(value, name));
    const nodes = value instanceof Map ? withKeys(value) : childrenOf(value);
    for (const node of [...nodes].reverse()) left.push(node);
  }
  return found;
}

function withKeys(map: GoMap): readonly GoValue[] {
  return keysOf(map).flatMap((key) => [key, ...memberOf(map, key)]);
}

function compare(left: GoValue, right: GoValue, operator: Operator): boolean {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a === undefined || b === undefined) {
    const isEqual = isScalar(left) && left === right;
    if (operator === '!=') return !isEqual;
    return isEqual && operator !== '<' && operator !== '>';
  }
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  if (operator === '>=') return a >= b;
  if (operator === '<=') return a <= b;
  return operator === '>' ? a > b : a < b;
}

function numberOf(value: GoValue): number | undefined {
  if (value instanceof Int) return Number(value.value);
  return typeof value === 'number' ? value : undefined;
}

function isScalar(value: GoValue): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}
