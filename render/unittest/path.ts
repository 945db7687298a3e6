// Evaluates the paths of assertions: JSONPath like yaml-jsonpath, where the first name needs no `$` or dot. A path is read into functions.
// Mirrors: github.com/vmware-labs/yaml-jsonpath v0.3.2, pkg/yamlpath, slicer.go, path.go, filter.go, comparison.go and its language; the parser
// is our own.

import { orderKeys } from '../codec/yaml/order.ts';
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

type Operator = '==' | '!=' | '>=' | '<=' | '>' | '<';

// Deeper nested conditions would overflow the stack.
const maxDepth = 200;

function parsePath(text: string): readonly Step[] {
  const reader = new PathReader(text);
  const isNamed = reader.match(/\$|(?=[.[)])/y) === undefined;
  const steps = [...(isNamed ? [reader.name(/[^.[\]) &|=!><~]+/y, false)] : []), ...reader.steps(false)];
  if (reader.at < text.length) reader.fail();
  return steps;
}

class PathReader {
  at = 0;
  readonly #text: string;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  fail(problem = 'invalid path syntax'): never {
    throw new GoError(`${problem} at position ${this.at}, following ${quote(this.#text.slice(0, this.at))}`);
  }

  /** Reads what matches a sticky pattern: the whole match and its groups. Undefined if it does not match. */
  match(pattern: RegExp): readonly [string, ...string[]] | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text);
    this.at += found?.[0].length ?? 0;
    return found === null ? undefined : [found[0], ...found.slice(1)];
  }

  /** Reads the steps up to the end, or to the end of the operand of a condition. */
  steps(inFilter: boolean): readonly Step[] {
    const steps: Step[] = [];
    let isRecursive = false;
    for (;;) {
      const [, below] = this.match(/\.\.([^.[]*)/y) ?? [];
      if (below !== undefined) {
        isRecursive = below === '';
        if (isRecursive && this.#text[this.at] !== '[') this.fail();
        const shown = below === '*' ? below : withoutEscapes(below);
        steps.push((value) => descend(value, shown));
        continue;
      }
      if (this.match(/\./y)) steps.push(this.name(/[^.[) &|=!><~]+/y, inFilter));
      else if (this.match(/\s*\[(?=\s*['"])/y)) steps.push(this.#bracketNames(inFilter));
      else if (this.match(/\[\?\(/y)) steps.push(this.#filterStep(isRecursive));
      else if (this.match(/\[/y)) steps.push(this.#subscript(inFilter));
      else return steps;
      isRecursive = false;
    }
  }

  name(pattern: RegExp, inFilter: boolean): Step {
    const [name] = this.match(pattern) ?? this.fail('child name missing');
    if (this.#takesKeys(inFilter)) return keysNamed([withoutEscapes(name)]);
    return name === '*' ? childrenOf : membersNamed([withoutEscapes(name)]);
  }

  // Whether `~` follows: then the name itself is returned.
  #takesKeys(inFilter: boolean): boolean {
    if (this.match(/~/y) === undefined) return false;
    if (!inFilter && this.at < this.#text.length) this.fail();
    return true;
  }

  #bracketNames(inFilter: boolean): Step {
    const names: string[] = [];
    do {
      const [, single, double] =
        this.match(/\s*(?:'((?:[^'\\]|\\['\\])*)'|"((?:[^"\\]|\\["\\])*)")\s*/y) ?? this.fail();
      names.push(withoutEscapes(single ?? double ?? ''));
    } while (this.match(/,/y));
    if (this.match(/\]/y) === undefined) this.fail();
    return this.#takesKeys(inFilter) ? keysNamed(names) : membersNamed(names);
  }

  #filterStep(isRecursive: boolean): Step {
    const filter = this.#or();
    if (this.match(/\s*\)\]/y) === undefined) this.fail('invalid filter syntax');
    return (value, root) => {
      const items = Array.isArray(value) && !isRecursive ? value : [value];
      return items.filter((item) => filter(item, root));
    };
  }

  #subscript(inFilter: boolean): Step {
    const before = this.at - 1;
    const [, subscript = ''] = this.match(/([^\]]*)\]/y) ?? this.fail('unmatched [');
    if (subscript.trim() === '*') {
      if (!this.#takesKeys(inFilter)) return childrenOf;
      return (value) => (value instanceof Map ? keysOf(value) : []);
    }
    try {
      const ranges = subscript.split(',').map(readRange);
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
    while (this.match(/\s*\|\|/y)) any.push(this.#and());
    this.#depth--;
    return (item, root) => any.some((holds) => holds(item, root));
  }

  #and(): Filter {
    const all = [this.#basic()];
    while (this.match(/\s*&&/y)) all.push(this.#basic());
    return (item, root) => all.every((holds) => holds(item, root));
  }

  #basic(): Filter {
    if (this.match(/\s*\(/y)) {
      const inner = this.#or();
      if (this.match(/\s*\)/y) === undefined) this.fail('invalid filter syntax');
      return inner;
    }
    if (this.match(/\s*!(?!=)/y)) {
      if (++this.#depth > maxDepth) this.fail('conditions are nested too deeply');
      const denied = this.#basic();
      return (item, root) => !denied(item, root);
    }
    const left = this.#term();
    if (this.match(/\s*=~/y)) {
      const [, written = ''] = this.match(/\s*\/((?:\\.|[^\\/])*)\//sy) ?? this.fail('invalid regular expression');
      const pattern = compileRegexp(written.replaceAll('\\/', '/'));
      return (item, root) => {
        const values = left.find(item, root);
        return values.length > 0 && values.every((value) => typeof value === 'string' && pattern.matchString(value));
      };
    }
    const [, operator] = this.match(/\s*(==|!=|>=|<=|>|<)/y) ?? [];
    if (operator === undefined) {
      if (left.literal !== undefined) return () => left.literal === true;
      return (item, root) => left.find(item, root).length > 0;
    }
    const right = this.#term();
    const isOrder = operator !== '==' && operator !== '!=';
    if (isOrder && [left.literal, right.literal].some((value) => typeof value === 'string'))
      this.fail(`strings cannot be compared using ${operator}`);
    return (item, root) => {
      const [lefts, rights] = [left.find(item, root), right.find(item, root)];
      if (lefts.length === 0 || rights.length === 0) return false;
      return lefts.every((a) => rights.every((b) => compare(a, b, operator as Operator)));
    };
  }

  #term(): Term {
    const [, start] = this.match(/\s*([@$])/y) ?? [];
    if (start !== undefined) {
      const steps = this.steps(true);
      return { find: (item, root) => walk(start === '@' ? item : root, steps) };
    }
    const [, single, double, word] =
      this.match(/\s*(?:'([^']*)'|"([^"]*)"|(true|false|null|[-.0-9][-.0-9eE]*))/y) ?? this.fail('invalid filter term');
    if (word === undefined) return literal(single ?? double ?? '');
    if (word === 'null') return literal(null);
    if (word === 'true' || word === 'false') return literal(word === 'true');
    if (Number.isNaN(Number(word))) this.fail(`invalid float literal ${quote(word)}`);
    return literal(Number(word));
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

/** Parses a subscript. Throws RangeError with what is wrong. */
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
