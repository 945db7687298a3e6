// The quick way through an action's pipeline: one that is written as most are becomes a tree without tokens. Where anything is
// unusual it gives nothing, and the grammar reads the same text again: what is wrong, and in which words, is its matter alone.

import { unquote } from '../go/number.ts';
import { Kept } from '../kept.ts';
import { readConstant } from './constants.ts';
import { isSpace, spaceEnd, wordEnd } from './lexer.ts';
import type { CommandNode, OperandNode, PipeNode, VariableNode } from './nodes.ts';

/** What a pipeline declares or assigns, which is for the grammar to note. */
export type Declared = readonly { readonly offset: number; readonly name: string }[];

/** A pipeline that was read from its text alone. Its tree never changes: it may stand in many places. */
export interface QuickPipeline {
  /** Its own variables are empty: `declared` has what they are to be. */
  readonly pipe: PipeNode;
  /** The variables that it declares or assigns, and by which sign. */
  readonly declared: Declared;
  readonly assigns: boolean;
  /** Where it uses variables: elsewhere, those names may have other slots. */
  readonly uses: readonly VariableNode[];
}

/** The kinds of operand that cannot be called. */
export const literals: ReadonlySet<string> = new Set(['bool', 'dot', 'nil', 'number', 'string']);

const none: never[] = [];

// What is longer stands in one place: most often the text of a dashboard.
const longest = 400;

// Whoever nests deeper goes on in steps.
const mostNested = 40;

/** What strings begin with. */
export const [quoteMark, backtick] = [34, 96] as const;
const [dollar, openParen, closeParen] = [36, 40, 41];
const [comma, minus, dot, zero, nine, colon, equals] = [44, 45, 46, 48, 57, 58, 61];
const [bar, closeBrace] = [124, 125];

/** Reads one pipeline at a time. */
class QuickReader {
  readonly #isFunction: (name: string) => boolean;
  #text = '';
  #at = 0;
  #alive: readonly string[] = none;
  #declared: Declared = none;
  #assigns = false;
  #uses: VariableNode[] = none;
  // What lists are made from: one that grows by itself gets room for seventeen, and there are very many.
  readonly #words: OperandNode[] = [];
  #wordCount = 0;
  readonly #steps: string[] = [];

  constructor(isFunction: (name: string) => boolean) {
    this.#isFunction = isFunction;
  }

  /**
   * Reads a text from the beginning of a pipeline to the end of its right delimiter; undefined where it is left to the grammar.
   * Variables are those `alive`. Two may be declared, which only a `range` does.
   */
  read(text: string, alive: readonly string[]): QuickPipeline | undefined {
    this.#text = text;
    this.#at = 0;
    this.#alive = alive;
    this.#declared = none;
    this.#assigns = false;
    this.#uses = none;
    this.#wordCount = 0;
    if (text.charCodeAt(0) === dollar && !this.#readDeclared()) return undefined;
    const pipe = this.#pipe(0, 0);
    if (pipe === undefined || !this.#endsWithDelimiter()) return undefined;
    return { pipe, declared: this.#declared, assigns: this.#assigns, uses: this.#uses };
  }

  #endsWithDelimiter(): boolean {
    const text = this.#text;
    const closing = text.charCodeAt(this.#at) === minus ? this.#at + 1 : this.#at;
    return closing + 2 === text.length && text.endsWith('}}');
  }

  /** Goes behind `$a :=`, `$a =` or `$a, $b :=` if one comes; tells whether the rest is still to be read quickly. */
  #readDeclared(): boolean {
    const start = this.#at;
    const found: { offset: number; name: string }[] = [];
    for (;;) {
      const offset = this.#skipSpace();
      if (this.#text.charCodeAt(offset) !== dollar) return false;
      const end = wordEnd(this.#text, offset + 1);
      found.push({ offset, name: this.#text.slice(offset, end) });
      this.#at = end;
      const sign = this.#text.charCodeAt(this.#skipSpace());
      const isDeclared = sign === colon && this.#text.charCodeAt(this.#at + 1) === equals;
      if (isDeclared || (sign === equals && this.#at > end)) {
        this.#at += isDeclared ? 2 : 1;
        this.#declared = found;
        this.#assigns = !isDeclared;
        return true;
      }
      if (sign !== comma) break;
      if (found.length > 1) return false;
      this.#at++;
    }
    // An argument after all.
    this.#at = start;
    return found.length === 1;
  }

  /** Commands up to what closes them, which stays. */
  #pipe(offset: number, depth: number): PipeNode | undefined {
    const first = this.#command(depth);
    if (first === undefined) return undefined;
    const commands = [first];
    while (this.#text.charCodeAt(this.#at) === bar) {
      this.#at++;
      const command = this.#command(depth);
      if (command === undefined || literals.has(command.words[0]!.kind)) return undefined;
      commands.push(command);
    }
    return { kind: 'pipe', offset, variables: none, assigns: false, commands };
  }

  /** Words up to what ends a command, which stays. */
  #command(depth: number): CommandNode | undefined {
    const offset = this.#skipSpace();
    const first = this.#wordCount;
    for (;;) {
      const word = this.#word(depth);
      if (word === undefined) return undefined;
      this.#words[this.#wordCount++] = word;
      const end = this.#at;
      if (this.#endsCommand(this.#skipSpace())) break;
      if (this.#at === end) return undefined;
    }
    const words = this.#words.slice(first, this.#wordCount);
    this.#wordCount = first;
    return { kind: 'command', offset, words };
  }

  #endsCommand(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    if (code === bar || code === closeParen || code === closeBrace) return true;
    // A trim marker wants a space before it; `at` is behind one, or no word follows.
    return code === minus && this.#text.charCodeAt(at + 1) === closeBrace && isSpace(this.#text.charCodeAt(at - 1));
  }

  #word(depth: number): OperandNode | undefined {
    const text = this.#text;
    const offset = this.#at;
    const code = text.charCodeAt(offset);
    switch (code) {
      case dot:
        return this.#field(offset);
      case dollar:
        return this.#variable(offset);
      case quoteMark:
      case backtick:
        return this.#string(offset, code);
      case openParen: {
        if (depth === mostNested) return undefined;
        this.#at = offset + 1;
        const pipe = this.#pipe(this.#skipSpace(), depth + 1);
        if (pipe === undefined || text.charCodeAt(this.#at) !== closeParen) return undefined;
        this.#at++;
        return this.#chained(pipe);
      }
    }
    const end = wordEnd(text, offset);
    if (end === offset) return undefined;
    const name = text.slice(offset, end);
    this.#at = end;
    if (code >= zero && code <= nine) {
      return /^(?:0|[1-9]\d{0,8})$/.test(name) ? readConstant(offset, name, 'number') : undefined;
    }
    if (name === 'true' || name === 'false') return { kind: 'bool', offset, value: name === 'true' };
    return this.#isFunction(name) ? this.#chained({ kind: 'identifier', offset, name }) : undefined;
  }

  #field(offset: number): OperandNode | undefined {
    const code = this.#text.charCodeAt(offset + 1);
    if (code === closeParen || code === closeBrace || code === bar || isSpace(code)) {
      this.#at = offset + 1;
      return { kind: 'dot', offset };
    }
    const names = this.#names();
    if (names === undefined) return undefined;
    // Go puts a chain where its second element is.
    return { kind: 'field', offset: names.length === 1 ? offset : offset + 1 + names[0]!.length, names };
  }

  #variable(start: number): OperandNode | undefined {
    const end = wordEnd(this.#text, start + 1);
    const variable = this.#text.slice(start, end);
    const slot = this.#alive.lastIndexOf(variable);
    this.#at = end;
    if (slot < 0) return undefined;
    const isAlone = this.#text.charCodeAt(end) !== dot;
    const names = isAlone ? none : this.#names();
    if (names === undefined) return undefined;
    const node: VariableNode = { kind: 'variable', offset: isAlone ? start : end, variable, names, slot };
    if (this.#uses === none) this.#uses = [node];
    else this.#uses.push(node);
    return node;
  }

  #chained(operand: OperandNode): OperandNode | undefined {
    const offset = this.#at;
    if (this.#text.charCodeAt(offset) !== dot) return operand;
    const names = this.#names();
    return names === undefined ? undefined : { kind: 'chain', offset, operand, names };
  }

  /** `.a.b.c` */
  #names(): string[] | undefined {
    const text = this.#text;
    let count = 0;
    let at = this.#at;
    while (text.charCodeAt(at) === dot) {
      const first = text.charCodeAt(at + 1);
      const end = wordEnd(text, at + 1);
      if (end === at + 1 || (first >= zero && first <= nine)) return undefined;
      this.#steps[count++] = text.slice(at + 1, end);
      at = end;
    }
    this.#at = at;
    return this.#steps.slice(0, count);
  }

  #string(offset: number, mark: number): OperandNode | undefined {
    const end = this.#text.indexOf(mark === backtick ? '`' : '"', offset + 1);
    if (end < 0) return undefined;
    const quoted = this.#text.slice(offset, end + 1);
    if (mark === quoteMark && (quoted.includes('\\') || quoted.includes('\n'))) return undefined;
    this.#at = end + 1;
    return { kind: 'string', offset, quoted, value: unquote(quoted) };
  }

  #skipSpace(): number {
    this.#at = spaceEnd(this.#text, this.#at);
    return this.#at;
  }
}

/** Reads pipelines, for as many templates as know the same functions. Most stand in many places, of a chart and of many charts: one
 * tree serves all of them. */
export class Pipelines {
  readonly #reader: QuickReader;
  readonly #kept = new Kept<QuickPipeline>({ total: 800_000, each: longest });

  constructor(isFunction: (name: string) => boolean) {
    this.#reader = new QuickReader(isFunction);
  }

  /**
   * Gives the pipeline from its beginning in a file to where its right delimiter stands; undefined where it takes tokens.
   * Variables are those `alive`.
   */
  read(file: string, start: number, closing: number, alive: readonly string[]): QuickPipeline | undefined {
    const part = file.slice(start, closing + 2);
    if (part.length > longest) return this.#reader.read(part, alive);
    const known = this.#kept.find(part);
    if (known !== undefined && isAtHome(known, alive)) return known;
    // A text of its own: a part of the file would hold all of it.
    const text = `${file.slice(start, closing)}}}`;
    const made = this.#reader.read(text, alive);
    if (made !== undefined) this.#kept.keep(text, made);
    return made;
  }
}

function isAtHome({ uses }: QuickPipeline, alive: readonly string[]): boolean {
  for (let i = 0; i < uses.length; i++) {
    const { variable, slot } = uses[i]!;
    if (alive.lastIndexOf(variable) !== slot) return false;
  }
  return true;
}
