// The parser, one method per grammar rule.
// Mirrors: Go, text/template/parse, parse.go, 1.23.

import { maxDepth } from '../core/arguments.ts';
import { tooDeep } from '../core/limits.ts';
import { quote, unquote } from '../go/number.ts';
import { GoError } from '../go/value.ts';
import { readConstant } from './constants.ts';
import { TemplateParseError } from './failures.ts';
import { describeToken, type Lexer, type Token, type TokenKind } from './lexer.ts';
import {
  type BodyNode,
  type BranchNode,
  type CommandNode,
  type FieldNode,
  type ListNode,
  type OperandNode,
  type PipeNode,
  printNode,
  type Template,
  type TemplateNode,
  type VariableNode,
} from './nodes.ts';
import type { Source } from './source.ts';

interface ParseContext {
  readonly source: Source;
  readonly lexer: Lexer;
  readonly isFunction: (name: string) => boolean;
  readonly templates: Map<string, Template>;
  /** Number of open blocks and parentheses. */
  depth: number;
}

/** The templates that one text defines: its own body under its own name, and every `{{define}}` and `{{block}}`. */
export interface ParsedFile {
  readonly name: string;
  readonly templates: ReadonlyMap<string, Template>;
}

/** `{{else}}` and `{{end}}` close a list and are not part of the tree. */
interface Closing {
  readonly kind: 'else' | 'end';
}

const elseClosing: Closing = { kind: 'else' };
const endClosing: Closing = { kind: 'end' };

type Variables = { readonly offset: number; readonly name: string }[];

/** Shared by all pipelines without declarations, and by variables without fields. */
const nothing: never[] = [];

/** Operand kinds that cannot be called. */
const literals: ReadonlySet<string> = new Set(['bool', 'dot', 'nil', 'number', 'string']);

/** Token kinds that start an operand. */
const operandStarts: ReadonlySet<TokenKind> = new Set([
  'bool',
  'charConstant',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'rawString',
  'string',
  'variable',
  'leftParen',
]);

// White space according to Go's bytes.TrimSpace. JavaScript's `\s` differs in U+0085 and U+FEFF.
const blank = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;

/** Items of lists that are being read, of which the innermost is the last. An array that grows item by item reserves space for 16 more. */
class Stack<Item> {
  size = 0;
  readonly #items: Item[] = [];

  push(item: Item): void {
    this.#items[this.size++] = item;
  }

  /** Removes the items from an index on and returns them. */
  take(first: number): Item[] {
    const items = this.#items.slice(first, this.size);
    this.size = first;
    return items;
  }
}

/** Parses one body. A `{{define}}` or `{{block}}` gets its own parser over the same tokens. */
export class BodyParser {
  private readonly context: ParseContext;
  /** Tokens that were put back, the next one last. */
  private readonly ahead: Token[] = [];
  /** Offset of the farthest token that this body has read. An error is reported on its line. */
  private farthest = 0;
  /** Offset of the current action. */
  private actionOffset: number | undefined;
  /** Declared names. Go drops those of an `{{if}}` only at its end, so its `{{else}}` may use them. */
  private names: string[] = ['$'];
  /** Names in scope during execution; the index is the slot. */
  private inScope: string[] = ['$'];
  private slots = 1;
  private rangeDepth = 0;
  private readonly nodes = new Stack<BodyNode>();
  private readonly commands = new Stack<CommandNode>();
  private readonly words = new Stack<OperandNode>();

  constructor(context: ParseContext) {
    this.context = context;
  }

  /** Parses the whole text. `{{define}}` is allowed at this level only. */
  parseFile(): void {
    const nodes: BodyNode[] = [];
    for (let token = this.next(); token.kind !== 'eof'; token = this.next()) {
      if (token.kind === 'leftDelim' && this.takeDefine()) {
        new BodyParser(this.context).parseDefinition();
        continue;
      }
      const node = this.parseTextOrAction(token);
      if (isClosing(node)) this.fail(`unexpected {{${node.kind}}}`);
      nodes.push(node);
    }
    this.define(this.context.source.name, { nodes });
  }

  /** Reads `define` if it comes next. */
  private takeDefine(): boolean {
    if (this.peek().kind !== 'define') return false;
    this.next();
    return true;
  }

  /** Parses `{{define "name"}} list {{end}}` after the keyword. */
  private parseDefinition(): void {
    const context = 'define clause';
    const name = this.parseTemplateName(this.next(), context);
    this.expect('rightDelim', context);
    const { list, closing } = this.parseList();
    if (closing.kind !== 'end') this.fail(`unexpected {{${closing.kind}}} in ${context}`);
    this.define(name, list);
  }

  private define(name: string, body: ListNode): void {
    const { source, templates } = this.context;
    const isEmpty = body.nodes.every((node) => node.kind === 'text' && blank.test(node.text));
    const old = templates.get(name);
    if (old === undefined || old.isEmpty) templates.set(name, { name, source, body, slots: this.slots, isEmpty });
    else if (!isEmpty) this.fail(`template: multiple definition of template ${quote(name)}`);
  }

  /** Parses text and actions up to `{{else}}` or `{{end}}`. */
  private parseList(): { readonly list: ListNode; readonly closing: Closing } {
    const first = this.nodes.size;
    for (let token = this.next(); token.kind !== 'eof'; token = this.next()) {
      const node = this.parseTextOrAction(token);
      if (isClosing(node)) return { list: { nodes: this.nodes.take(first) }, closing: node };
      this.nodes.push(node);
    }
    return this.fail('unexpected EOF');
  }

  private parseTextOrAction(token: Token): BodyNode | Closing {
    if (token.kind === 'text') return token;
    if (token.kind !== 'leftDelim') this.unexpected(token, 'input');
    this.actionOffset = token.offset;
    const node = this.parseAction();
    this.actionOffset = undefined;
    return node;
  }

  /** Parses the rest of an action after `{{`: a keyword's construct, or a pipeline, whose variables are in scope until the enclosing `{{end}}`. */
  private parseAction(): BodyNode | Closing {
    const token = this.next();
    switch (token.kind) {
      case 'block':
        return this.parseBlock();
      case 'break':
      case 'continue':
        return this.parseJump(token.kind, token.offset);
      case 'else':
        return this.parseElse();
      case 'end':
        this.expect('rightDelim', 'end');
        return endClosing;
      case 'template':
        return this.parseTemplate();
      case 'if':
      case 'range':
      case 'with':
        return this.parseBranch(token.kind);
    }
    this.backUp(token);
    const pipe = this.parsePipe('command', 'rightDelim');
    return { kind: 'action', offset: pipe.offset, pipe };
  }

  private parseJump(kind: 'break' | 'continue', offset: number): BodyNode {
    const token = this.next();
    if (token.kind !== 'rightDelim') this.unexpected(token, `{{${kind}}}`);
    if (this.rangeDepth === 0) this.fail(`{{${kind}}} outside {{range}}`);
    return { kind, offset };
  }

  /** Parses `{{else}}`, `{{else if` or `{{else with`; the second keyword is left for `parseBranch`. */
  private parseElse(): Closing {
    const { kind } = this.peek();
    if (kind !== 'if' && kind !== 'with') this.expect('rightDelim', 'else');
    return elseClosing;
  }

  /** Parses `{{if pipeline}} list {{else}} list {{end}}`, `with` or `range` after the keyword. */
  private parseBranch(kind: BranchNode['kind']): BranchNode {
    this.enter();
    const declared = this.names.length;
    const outside = this.inScope.length;
    const pipe = this.parsePipe(kind, 'rightDelim');
    const inside = this.inScope.length;
    if (kind === 'range') this.rangeDepth++;
    const { list, closing } = this.parseList();
    if (kind === 'range') this.rangeDepth--;
    this.inScope.length = inside;
    const otherwise = closing.kind === 'else' ? this.parseOtherwise(kind) : undefined;
    this.inScope.length = outside;
    this.names.length = declared;
    this.context.depth--;
    return { kind, offset: pipe.offset, pipe, list, otherwise };
  }

  /** Parses what follows `{{else`: a list and `{{end}}`, or a chained `if` or `with` whose `{{end}}` closes both. */
  private parseOtherwise(kind: BranchNode['kind']): ListNode {
    if (kind !== 'range' && this.peek().kind === kind) {
      this.next();
      return { nodes: [this.parseBranch(kind)] };
    }
    const { list, closing } = this.parseList();
    if (closing.kind !== 'end') this.fail(`expected end; found {{${closing.kind}}}`);
    return list;
  }

  /** Parses `{{block "name" pipeline}} list {{end}}` after the keyword: a definition and its use. */
  private parseBlock(): TemplateNode {
    this.enter();
    const context = 'block clause';
    const token = this.next();
    const name = this.parseTemplateName(token, context);
    const pipe = this.parsePipe(context, 'rightDelim');
    const block = new BodyParser(this.context);
    const { list, closing } = block.parseList();
    if (closing.kind !== 'end') this.fail(`unexpected {{${closing.kind}}} in ${context}`);
    block.define(name, list);
    this.context.depth--;
    return { kind: 'template', offset: token.offset, name, pipe };
  }

  /** Parses `{{template "name" pipeline}}` after the keyword. The pipeline is optional. */
  private parseTemplate(): TemplateNode {
    const context = 'template clause';
    const token = this.next();
    const name = this.parseTemplateName(token, context);
    if (this.peek().kind === 'rightDelim') {
      this.next();
      return { kind: 'template', offset: token.offset, name, pipe: undefined };
    }
    const pipe = this.parsePipe(context, 'rightDelim');
    return { kind: 'template', offset: token.offset, name, pipe };
  }

  private parseTemplateName(token: Token, context: string): string {
    if (token.kind !== 'string' && token.kind !== 'rawString') this.unexpected(token, context);
    return this.unquote(token);
  }

  /** Parses declarations and commands separated by `|`, up to the closing token. */
  private parsePipe(context: string, end: TokenKind): PipeNode {
    const { offset, kind } = this.peek();
    const declared: Variables = kind === 'variable' ? [] : nothing;
    const sign = kind === 'variable' ? this.parseVariables(context, declared) : undefined;
    const first = this.commands.size;
    for (;;) {
      const token = this.peek();
      if (token.kind === end) {
        this.next();
        break;
      }
      if (!operandStarts.has(token.kind)) this.unexpected(token, context);
      this.commands.push(this.parseCommand());
    }
    const commands = this.commands.take(first);
    if (commands.length === 0) this.fail(`missing value for ${context}`);
    for (let i = 1; i < commands.length; i++) {
      const word = commands[i]?.words[0] as OperandNode;
      if (literals.has(word.kind)) this.fail(`non executable command in pipeline stage ${i + 1}`);
    }
    const pipe: PipeNode = { kind: 'pipe', offset, variables: nothing, assigns: false, commands };
    return declared.length === 0 ? pipe : this.withVariables(pipe, declared, sign === 'assign');
  }

  /** Declares the variables after the pipeline is parsed: `$x := $x` reads the outer `$x`. */
  private withVariables(pipe: PipeNode, declared: Variables, assigns: boolean): PipeNode {
    const variables = declared.map(({ offset, name }) =>
      this.variable(offset, name, assigns ? undefined : this.declare(name)),
    );
    return { kind: 'pipe', offset: pipe.offset, variables, assigns, commands: pipe.commands };
  }

  /** Parses `$a :=`, `$a =` or, after `range`, `$a, $b :=`. Returns the operator, or undefined if there are no declarations. */
  private parseVariables(context: string, declared: Variables): 'declare' | 'assign' | undefined {
    while (this.peek().kind === 'variable') {
      const variable = this.next();
      const following = this.next();
      const comma = following.kind === 'char' && following.text === ',';
      if (following.kind !== 'declare' && following.kind !== 'assign' && !comma) {
        // It is an argument, not a declaration.
        this.backUp(following);
        this.backUp(variable);
        break;
      }
      declared.push({ offset: variable.offset, name: variable.text });
      this.names.push(variable.text);
      if (following.kind === 'declare' || following.kind === 'assign') return following.kind;
      if (context !== 'range' || declared.length > 1) this.fail(`too many declarations in ${context}`);
      const { kind } = this.peek();
      if (kind !== 'variable' && kind !== 'rightDelim' && kind !== 'rightParen') {
        this.fail('range can only initialize variables');
      }
    }
    return undefined;
  }

  /** Parses operands separated by spaces, up to `|` (consumed) or the closing token (not consumed). */
  private parseCommand(): CommandNode {
    const { offset } = this.peek();
    const first = this.words.size;
    for (;;) {
      const word = this.parseOperand();
      if (word !== undefined) this.words.push(word);
      const token = this.peek();
      if (token.kind === 'rightDelim' || token.kind === 'rightParen') break;
      if (token.kind === 'pipe') {
        this.next();
        break;
      }
      if (word === undefined || token.kind === 'text' || !token.spaced) this.unexpected(token, 'operand');
    }
    if (this.words.size === first) this.fail('empty command');
    return { kind: 'command', offset, words: this.words.take(first) };
  }

  /** Parses a term and the fields chained to it. Returns undefined if no operand comes next. */
  private parseOperand(): OperandNode | undefined {
    const term = this.parseTerm();
    const token = this.peek();
    if (term === undefined || token.kind !== 'field' || token.spaced) return term;
    this.next();
    const { offset } = token;
    const names = fieldNames(token.text);
    if (term.kind === 'field' || term.kind === 'variable') return { ...term, offset, names: [...term.names, ...names] };
    if (literals.has(term.kind)) this.fail(`unexpected . after term ${quote(printNode(term))}`);
    return { kind: 'chain', offset, operand: term, names };
  }

  /** Parses a literal, a function name, `.`, `.Field`, `$x` or a parenthesized pipeline. */
  private parseTerm(): OperandNode | undefined {
    const token = this.next();
    const { text } = token;
    const offset = token.offset;
    switch (token.kind) {
      case 'identifier':
        if (!this.context.isFunction(text)) this.fail(`function ${quote(text)} not defined`);
        return { kind: 'identifier', offset, name: text };
      case 'dot':
      case 'nil':
        return { kind: token.kind, offset };
      case 'variable':
        if (!this.names.includes(text)) this.fail(`undefined variable ${quote(text)}`);
        return this.variable(offset, text);
      case 'field':
        return fieldNode(offset, fieldNames(text));
      case 'bool':
        return { kind: 'bool', offset, value: text === 'true' };
      case 'charConstant':
      case 'complex':
      case 'number': {
        const { kind } = token;
        return this.attempt(() => readConstant(offset, text, kind));
      }
      case 'leftParen': {
        this.enter();
        const pipe = this.parsePipe('parenthesized pipeline', 'rightParen');
        this.context.depth--;
        return pipe;
      }
      case 'string':
      case 'rawString':
        return { kind: 'string', offset, quoted: text, value: this.unquote(token) };
      default:
        this.backUp(token);
        return undefined;
    }
  }

  /** Returns a reference to a variable: to the innermost one of that name in scope unless a slot is given. */
  private variable(offset: number, name: string, slot: number = this.inScope.lastIndexOf(name)): VariableNode {
    return { kind: 'variable', offset, variable: name, names: nothing, slot };
  }

  private declare(name: string): number {
    const slot = this.inScope.push(name) - 1;
    this.slots = Math.max(this.slots, this.inScope.length);
    return slot;
  }

  // ---- tokens

  private next(): Token {
    return this.ahead.pop() ?? this.read();
  }

  private backUp(token: Token): void {
    this.ahead.push(token);
  }

  private peek(): Token {
    const { ahead } = this;
    if (ahead.length === 0) ahead.push(this.read());
    return ahead[ahead.length - 1] as Token;
  }

  private read(): Token {
    const token = this.context.lexer.next();
    this.farthest = token.offset;
    return token;
  }

  private expect(kind: TokenKind, context: string): void {
    const token = this.next();
    if (token.kind !== kind) this.unexpected(token, context);
  }

  private unexpected(token: Token, context: string): never {
    if (token.kind !== 'error') return this.fail(`unexpected ${describeToken(token)} in ${context}`);
    const { source, lexer } = this.context;
    const line = this.actionOffset === undefined ? undefined : lexer.line(this.actionOffset);
    if (line === undefined || line === lexer.line(token.offset)) return this.fail(token.text);
    const action = token.text.endsWith(' action') ? '' : ' in action';
    return this.fail(`${token.text}${action} started at ${source.name}:${line}`);
  }

  private fail(reason: string): never {
    const { source, lexer } = this.context;
    const offset = this.farthest;
    throw new TemplateParseError(source, { line: lexer.line(offset), offset }, reason);
  }

  /** Counts an opening block or parenthesis. Throws `LimitReached`. */
  private enter(): void {
    if (++this.context.depth <= maxDepth) return;
    const { source } = this.context;
    const { line, character: column } = source.position(this.farthest);
    throw tooDeep('the template', { line, column });
  }

  private unquote(token: Token): string {
    return this.attempt(() => unquote(token.text));
  }

  private attempt<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof GoError) this.fail(error.message);
      throw error;
    }
  }
}

function isClosing(node: BodyNode | Closing): node is Closing {
  return node.kind === 'else' || node.kind === 'end';
}

/** Splits `.a.b`. */
function fieldNames(text: string): string[] {
  return text.slice(1).split('.');
}

/** Returns `.a` or `.a.b`. Go positions a chain at its second element. */
function fieldNode(offset: number, names: readonly string[]): FieldNode {
  return { kind: 'field', offset: names.length === 1 ? offset : offset + 1 + names[0]!.length, names };
}
