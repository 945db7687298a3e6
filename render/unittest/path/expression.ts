// Parses the paths of assertions: JSONPath like yaml-jsonpath, where the first name needs no `$` or dot.
// Mirrors: github.com/vmware-labs/yaml-jsonpath v0.3.2, pkg/yamlpath, slicer.go and its language; the parser is our own.

import { messageOf } from '../../core/errors.ts';
import { quote } from '../../go/number.ts';
import { compileRegexp, type Regexp } from '../../go/regexp/regexp.ts';
import { GoError } from '../../go/value.ts';

export type PathStep =
  | { readonly kind: 'root' | 'all' | 'allKeys' }
  | { readonly kind: 'names' | 'keys'; readonly names: readonly string[] }
  | { readonly kind: 'descent'; readonly name: string }
  | { readonly kind: 'items'; readonly ranges: readonly IndexRange[] }
  | { readonly kind: 'filter'; readonly filter: Filter; readonly isRecursive: boolean };

export type Filter =
  | { readonly kind: 'and' | 'or'; readonly left: Filter; readonly right: Filter }
  | { readonly kind: 'not'; readonly of: Filter }
  | { readonly kind: 'compare'; readonly operator: Operator; readonly left: Term; readonly right: Term }
  | { readonly kind: 'match'; readonly left: Term; readonly pattern: Regexp }
  | { readonly kind: 'holds'; readonly term: Term };

export type Operator = '==' | '!=' | '>=' | '<=' | '>' | '<';

/** An operand of a comparison: a literal, or a path. */
export type Term =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'path'; readonly from: 'item' | 'root'; readonly steps: readonly PathStep[] };

/** Parses a path. Throws GoError with what is wrong and where. */
export function parsePathExpression(text: string): readonly PathStep[] {
  const reader = new PathReader(text);
  const steps = reader.path();
  if (reader.at < text.length) reader.fail('invalid path syntax');
  return steps;
}

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

  path(): readonly PathStep[] {
    const steps: PathStep[] = [{ kind: 'root' }];
    if (this.#text === '' || this.#take('$')) return this.#steps(steps, false);
    if (/^[.[)]/.test(this.#text)) return this.#steps(steps, false);
    this.#name(steps, /[.[\]) &|=!><~]/g, false);
    return this.#steps(steps, false);
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

  #steps(steps: PathStep[], inFilter: boolean): readonly PathStep[] {
    while (this.at < this.#text.length && !this.#peek(')')) {
      if (this.#take('..')) {
        const name = this.#until(/[.[]/g);
        if (name === '' && !this.#peek('['))
          this.fail('child name or array access or filter missing after recursive descent');
        steps.push({ kind: 'descent', name: name === '*' ? name : withoutEscapes(name) });
      } else if (this.#take('.')) this.#name(steps, /[.[) &|=!><~]/g, inFilter);
      else if (this.#bracketNames(steps, inFilter) || this.#filterStep(steps) || this.#subscript(steps, inFilter))
        continue;
      else if (inFilter && /[\s&|=!><]/.test(this.#text.charAt(this.at))) return steps;
      else if (/[\s&|=!><]/.test(this.#text.charAt(this.at)))
        this.fail(`invalid character '${this.#text.charAt(this.at)}'`);
      else this.fail('invalid path syntax');
    }
    if (!inFilter && this.#peek(')')) this.fail('syntax error');
    return steps;
  }

  #name(steps: PathStep[], marks: RegExp, inFilter: boolean): void {
    const name = this.#until(marks);
    if (name === '') this.fail('child name missing');
    if (this.#keysOf(inFilter)) steps.push({ kind: 'keys', names: [withoutEscapes(name)] });
    else if (name === '*') steps.push({ kind: 'all' });
    else steps.push({ kind: 'names', names: [withoutEscapes(name)] });
  }

  // Whether `~` follows: then the name itself is returned.
  #keysOf(inFilter: boolean): boolean {
    if (!this.#take('~')) return false;
    if (!inFilter && this.at < this.#text.length)
      this.fail('property name operator may only be used on last child in path');
    return true;
  }

  #bracketNames(steps: PathStep[], inFilter: boolean): boolean {
    if (!/^\s*\[\s*['"]/.test(this.#text.slice(this.at))) return false;
    this.#until(/['"]/g);
    const names: string[] = [];
    do {
      this.#space();
      if (!/['"]/.test(this.#text.charAt(this.at))) this.fail(`missing "'" or '"'`);
      names.push(withoutEscapes(this.#quoted()));
      this.#space();
    } while (this.#take(','));
    if (!this.#take(']')) this.fail('missing "]" or ","');
    steps.push({ kind: this.#keysOf(inFilter) ? 'keys' : 'names', names });
    return true;
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

  #filterStep(steps: PathStep[]): boolean {
    if (!this.#take('[?(')) return false;
    const last = steps.at(-1);
    const isRecursive = last?.kind === 'descent' && last.name === '';
    this.#space();
    if (this.#peek(')]')) this.fail('missing filter');
    const filter = this.#or();
    this.#space();
    if (!this.#take(')]')) this.fail(this.at >= this.#text.length ? 'missing end of filter' : 'invalid filter syntax');
    steps.push({ kind: 'filter', filter, isRecursive });
    return true;
  }

  #subscript(steps: PathStep[], inFilter: boolean): boolean {
    if (!this.#take('[')) return false;
    const before = this.at - 1;
    const subscript = this.#until(/\]/g);
    if (!this.#take(']')) this.fail('unmatched [');
    if (subscript === '') throw new GoError(`subscript missing from [] before position ${this.at}`);
    const isAll = subscript.trim() === '*';
    try {
      const ranges = isAll ? [] : readSubscript(subscript);
      if (this.#keysOf(inFilter)) {
        if (!isAll) this.fail('property name operator can only be used on map nodes');
        steps.push({ kind: 'allKeys' });
      } else steps.push(isAll ? { kind: 'all' } : { kind: 'items', ranges });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const written = this.#text.slice(before, this.at);
      throw new GoError(`invalid array index ${written} before position ${this.at}: ${error.message}`);
    }
    return true;
  }

  // ---- conditions

  #or(): Filter {
    if (++this.#depth > maxDepth) this.fail('conditions are nested too deeply');
    let left = this.#and();
    for (this.#space(); this.#take('||'); this.#space()) left = { kind: 'or', left, right: this.#and() };
    this.#depth--;
    return left;
  }

  #and(): Filter {
    let left = this.#basic();
    for (this.#space(); this.#take('&&'); this.#space()) left = { kind: 'and', left, right: this.#basic() };
    return left;
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
      return { kind: 'not', of: this.#basic() };
    }
    const missing = ['&&', '||', ...operators].find((operator) => this.#peek(operator));
    if (missing !== undefined) this.fail(`missing first operand for binary operator ${missing}`);
    const left = this.#term('invalid filter syntax');
    this.#space();
    if (this.#take('=~')) return { kind: 'match', left, pattern: this.#pattern() };
    const operator = operators.find((text) => this.#take(text));
    if (operator === undefined) return { kind: 'holds', term: left };
    this.#space();
    const isOrder = operator !== '==' && operator !== '!=';
    if (isOrder && (isText(left) || this.#peek("'"))) this.fail(`strings cannot be compared using ${operator}`);
    return { kind: 'compare', operator, left, right: this.#term('invalid filter term') };
  }

  #term(problem: string): Term {
    if (this.#take('@')) return { kind: 'path', from: 'item', steps: this.#steps([], true) };
    if (this.#take('$')) return { kind: 'path', from: 'root', steps: this.#steps([{ kind: 'root' }], true) };
    const mark = this.#text.charAt(this.at);
    if (mark === "'" || mark === '"') {
      const start = this.at++;
      const value = this.#until(mark === "'" ? /'/g : /"/g);
      if (!this.#take(mark)) throw new GoError(`unmatched string delimiter ${mark} at position ${start}`);
      return { kind: 'literal', value };
    }
    const word = /^(?:true|false|null)/.exec(this.#text.slice(this.at))?.[0];
    if (word !== undefined) {
      this.at += word.length;
      return { kind: 'literal', value: word === 'null' ? null : word === 'true' };
    }
    const number = /^[-.0-9][-.0-9eE]*/.exec(this.#text.slice(this.at))?.[0];
    if (number === undefined) this.fail(problem);
    this.at += number.length;
    if (Number.isNaN(Number(number)))
      throw new GoError(`invalid float literal ${quote(number)} before position ${this.at}`);
    return { kind: 'literal', value: Number(number) };
  }

  #pattern(): Regexp {
    this.#space();
    const start = this.at;
    if (!this.#take('/')) this.fail('regular expression does not start with /');
    const written = /^(?:\\.|[^\\/])*/s.exec(this.#text.slice(this.at))?.[0] ?? '';
    this.at += written.length;
    if (!this.#take('/')) throw new GoError(`unmatched regular expression delimiter / at position ${start}`);
    return compileRegexp(written.replaceAll('\\/', '/'));
  }
}

function isText(term: Term): boolean {
  return term.kind === 'literal' && typeof term.value === 'string';
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
export function takeRange<T>(items: readonly T[], { from, to, step, isSingle }: IndexRange): readonly T[] {
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
