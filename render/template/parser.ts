// Tokens to trees, one method per rule of the grammar. What it calls when it is deep is made from it by scripts/deepen.ts.
// Mirrors: Go, text/template/parse, parse.go, 1.23.

import { quote, unquote } from '../go/number.ts';
import { withoutRoom } from '../go/short-list.ts';
import { runSteps, type Steps, shallow } from '../go/steps.ts';
import { GoError } from '../go/value.ts';
import { readConstant } from './constants.ts';
import { TemplateParseError } from './failures.ts';
import { describeToken, type Lexer, type Token, type TokenKind } from './lexer.ts';
import {
  type ActionNode,
  type BodyNode,
  type BranchNode,
  type CommandNode,
  type ListNode,
  type OperandNode,
  type PipeNode,
  printNode,
  type Template,
  type TemplateNode,
  type VariableNode,
} from './nodes.ts';
import { type Declared, literals, type QuickReader } from './quick.ts';
import type { Source } from './source.ts';

/** What one text defines: its own body under its own name, and every `{{define}}` and `{{block}}` in it. */
export interface ParsedFile {
  readonly name: string;
  readonly templates: ReadonlyMap<string, Template>;
}

/** What the parsers of one file's bodies share. */
export interface Workshop {
  readonly source: Source;
  readonly lexer: Lexer;
  readonly quick: QuickReader;
  readonly isFunction: (name: string) => boolean;
  readonly templates: Map<string, Template>;
}

/** `{{else}}` and `{{end}}` close a list and stand in no tree. */
export interface Closing {
  readonly kind: 'else' | 'end';
}

/** Declared variables. */
export type Variables = { readonly offset: number; readonly name: string }[];

/** Nothing declared. Most pipelines share it. */
export const nothing: never[] = [];

/** The kinds of token that an operand starts with. */
export const operandStarts: ReadonlySet<TokenKind> = new Set([
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

// White space as Go's bytes.TrimSpace knows it; JavaScript's own list differs by U+0085 and U+FEFF.
const blank = /^[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;

/** Parses one body; a `{{define}}` or `{{block}}` gets a parser of its own over the same tokens. */
export abstract class Grammar {
  protected readonly workshop: Workshop;
  /** Tokens looked at but not taken, the next one last; there are `waiting` of them. A list that is emptied gives its room back. */
  protected readonly ahead: Token[] = [];
  protected waiting = 0;
  /** The farthest token this body has seen: an error is on its line. */
  protected farthest: Token | undefined;
  /** Names declared so far. Go forgets those of an `{{if}}` only at its end, so its `{{else}}` may name them too. */
  protected names: string[] = ['$'];
  /** Names alive when the template runs; the place is the slot. */
  protected alive: string[] = ['$'];
  protected slots = 1;
  protected rangeDepth = 0;
  protected actionOffset: number | undefined;

  constructor(workshop: Workshop) {
    this.workshop = workshop;
  }

  /** Gives the parser of a body in this text. */
  protected abstract nested(): Grammar;
  protected abstract parsePipeSteps(context: string, end: TokenKind): Steps<PipeNode>;
  protected abstract parseBranchSteps(kind: BranchNode['kind']): Steps<BranchNode>;
  protected abstract parseBlockSteps(): Steps<TemplateNode>;

  /** The whole text; `{{define}}` may stand here and nowhere else. */
  parseFile(): void {
    const nodes: BodyNode[] = [];
    while (this.peek().kind !== 'eof') {
      if (this.startsDefine()) {
        this.nested().parseDefinition();
        continue;
      }
      const node = this.parseTextOrAction();
      if (isClosing(node)) this.fail(`unexpected {{${node.kind}}}`);
      nodes.push(node);
    }
    this.define(this.workshop.source.name, { nodes });
  }

  /** Takes `{{define` if it comes next. */
  protected startsDefine(): boolean {
    if (this.peek().kind !== 'leftDelim') return false;
    const delim = this.next();
    const keyword = this.nextNonSpace();
    if (keyword.kind === 'define') return true;
    this.backUp(keyword);
    this.backUp(delim);
    return false;
  }

  /** `{{define "name"}} list {{end}}`; the keyword is past. */
  protected parseDefinition(): void {
    const context = 'define clause';
    const name = this.parseTemplateName(this.nextNonSpace(), context);
    this.expect('rightDelim', context);
    const { list, closing } = this.parseList();
    if (closing.kind !== 'end') this.fail(`unexpected {{${closing.kind}}} in ${context}`);
    this.define(name, list);
  }

  protected define(name: string, body: ListNode): void {
    const { source, templates } = this.workshop;
    const isEmpty = body.nodes.every((node) => node.kind === 'text' && blank.test(node.text));
    const old = templates.get(name);
    if (old === undefined || old.isEmpty) templates.set(name, { name, source, body, slots: this.slots, isEmpty });
    else if (!isEmpty) this.fail(`template: multiple definition of template ${quote(name)}`);
  }

  /** Text and actions up to `{{else}}` or `{{end}}`. */
  protected parseList(): { readonly list: ListNode; readonly closing: Closing } {
    const nodes: BodyNode[] = [];
    while (this.peekNonSpace().kind !== 'eof') {
      const node = this.parseTextOrAction();
      if (isClosing(node)) return { list: { nodes: withoutRoom(nodes) }, closing: node };
      nodes.push(node);
    }
    return this.fail('unexpected EOF');
  }

  protected parseTextOrAction(): BodyNode | Closing {
    const token = this.nextNonSpace();
    if (token.kind === 'text') return { kind: 'text', offset: token.offset, text: token.text };
    if (token.kind !== 'leftDelim') this.unexpected(token, 'input');
    this.actionOffset = token.offset;
    const node = this.parseAction();
    this.actionOffset = undefined;
    return node;
  }

  /** What follows `{{`: a keyword's construct or a pipeline. */
  protected parseAction(): BodyNode | Closing {
    const token = this.nextNonSpace();
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
        return { kind: 'end' };
      case 'if':
      case 'range':
      case 'with':
        return this.parseBranch(token.kind);
      case 'template':
        return this.parseTemplate();
      default:
        this.backUp(token);
        return this.parsePlainAction(token.offset);
    }
  }

  /** `{{pipeline}}`; its variables live until the `{{end}}` around it. */
  protected parsePlainAction(offset: number): ActionNode {
    return { kind: 'action', offset, pipe: this.parsePipe('command', 'rightDelim') };
  }

  protected parseJump(kind: 'break' | 'continue', offset: number): BodyNode {
    const token = this.nextNonSpace();
    if (token.kind !== 'rightDelim') this.unexpected(token, `{{${kind}}}`);
    if (this.rangeDepth === 0) this.fail(`{{${kind}}} outside {{range}}`);
    return { kind, offset };
  }

  /** `{{else}}`, or `{{else if` and `{{else with`, whose second keyword is left for `parseBranch`. */
  protected parseElse(): Closing {
    const kind = this.peekNonSpace().kind;
    if (kind !== 'if' && kind !== 'with') this.expect('rightDelim', 'else');
    return { kind: 'else' };
  }

  /** `{{if pipeline}} list {{else}} list {{end}}`, and `with` and `range` alike; the keyword is past. */
  protected parseBranch(kind: BranchNode['kind']): BranchNode {
    if (shallow.isFull()) return runSteps(this.parseBranchSteps(kind));
    shallow.enter();
    const declared = this.names.length;
    const outside = this.alive.length;
    const pipe = this.parsePipe(kind, 'rightDelim');
    const inside = this.alive.length;
    if (kind === 'range') this.rangeDepth++;
    const { list, closing } = this.parseList();
    if (kind === 'range') this.rangeDepth--;
    this.alive.length = inside;
    const otherwise = closing.kind === 'else' ? this.parseOtherwise(kind) : undefined;
    this.alive.length = outside;
    this.names.length = declared;
    shallow.leave();
    return { kind, offset: pipe.offset, pipe, list, otherwise };
  }

  /** What follows `{{else`: a list and `{{end}}`, or a chained `if` or `with` whose `{{end}}` closes both. */
  protected parseOtherwise(kind: BranchNode['kind']): ListNode {
    if (kind !== 'range' && this.peek().kind === kind) {
      this.next();
      return { nodes: [this.parseBranch(kind)] };
    }
    const { list, closing } = this.parseList();
    if (closing.kind !== 'end') this.fail(`expected end; found {{${closing.kind}}}`);
    return list;
  }

  /** `{{block "name" pipeline}} list {{end}}`: a definition and its use in one; the keyword is past. */
  protected parseBlock(): TemplateNode {
    if (shallow.isFull()) return runSteps(this.parseBlockSteps());
    shallow.enter();
    const context = 'block clause';
    const token = this.nextNonSpace();
    const name = this.parseTemplateName(token, context);
    const pipe = this.parsePipe(context, 'rightDelim');
    const block = this.nested();
    const { list, closing } = block.parseList();
    if (closing.kind !== 'end') this.fail(`unexpected {{${closing.kind}}} in ${context}`);
    block.define(name, list);
    shallow.leave();
    return { kind: 'template', offset: token.offset, name, pipe };
  }

  /** `{{template "name" pipeline}}`, the pipeline optional; the keyword is past. */
  protected parseTemplate(): TemplateNode {
    const context = 'template clause';
    const token = this.nextNonSpace();
    const name = this.parseTemplateName(token, context);
    if (this.peekNonSpace().kind === 'rightDelim') {
      this.nextNonSpace();
      return { kind: 'template', offset: token.offset, name, pipe: undefined };
    }
    return { kind: 'template', offset: token.offset, name, pipe: this.parsePipe(context, 'rightDelim') };
  }

  protected parseTemplateName(token: Token, context: string): string {
    if (token.kind !== 'string' && token.kind !== 'rawString') this.unexpected(token, context);
    return this.unquote(token);
  }

  /** Declarations, then commands with `|` between them, up to the closing token. */
  protected parsePipe(context: string, end: TokenKind): PipeNode {
    const quick = end === 'rightDelim' ? this.readQuickly(context) : undefined;
    if (quick !== undefined) return quick;
    if (shallow.isFull()) return runSteps(this.parsePipeSteps(context, end));
    shallow.enter();
    const { offset, kind } = this.peekNonSpace();
    const declared: Variables = kind === 'variable' ? [] : nothing;
    const sign = kind === 'variable' ? this.parseVariables(context, declared) : undefined;
    const commands: CommandNode[] = [];
    for (;;) {
      const token = this.peekNonSpace();
      if (token.kind === end) {
        this.next();
        break;
      }
      if (!operandStarts.has(token.kind)) this.unexpected(token, context);
      commands.push(this.parseCommand());
    }
    if (commands.length === 0) this.fail(`missing value for ${context}`);
    for (let i = 1; i < commands.length; i++) {
      const first = commands[i]?.words[0] as OperandNode;
      if (literals.has(first.kind)) this.fail(`non executable command in pipeline stage ${i + 1}`);
    }
    shallow.leave();
    const pipe: PipeNode = { kind: 'pipe', offset, variables: nothing, assigns: false, commands };
    return declared.length === 0 ? pipe : this.withVariables(pipe, declared, sign === 'assign');
  }

  /** The variables come to life only now: `$x := $x` reads the outer one. */
  protected withVariables(pipe: PipeNode, declared: Declared, assigns: boolean): PipeNode {
    const variables = declared.map(({ offset, name }) =>
      this.variable(offset, name, assigns ? undefined : this.bear(name)),
    );
    return { kind: 'pipe', offset: pipe.offset, variables, assigns, commands: pipe.commands };
  }

  /** An action's pipeline that is written as most are; undefined where it takes tokens. */
  protected readQuickly(context: string): PipeNode | undefined {
    const { ahead } = this;
    const { lexer, quick } = this.workshop;
    const first = this.waiting > 0 ? ahead[0] : undefined;
    if (this.waiting > 1 || first?.kind === 'error') return undefined;
    const pipe = quick.read(first?.offset ?? lexer.at, this.alive, context === 'range');
    if (pipe === undefined) return undefined;
    this.waiting = 0;
    this.farthest = { kind: 'rightDelim', offset: quick.closing, text: '}}' };
    lexer.leaveAction(quick.end);
    const { declared } = quick;
    if (declared.length === 0) return pipe;
    for (const { name } of declared) this.names.push(name);
    return this.withVariables(pipe, declared, quick.assigns);
  }

  /** `$a :=`, `$a =` or, after `range`, `$a, $b :=`; gives the sign, or undefined when there are no declarations. */
  protected parseVariables(context: string, declared: Variables): 'declare' | 'assign' | undefined {
    while (this.peekNonSpace().kind === 'variable') {
      const variable = this.nextNonSpace();
      const after = this.next();
      const following = after.kind === 'space' ? this.nextNonSpace() : after;
      const comma = following.kind === 'char' && following.text === ',';
      if (following.kind !== 'declare' && following.kind !== 'assign' && !comma) {
        // An argument after all.
        if (after !== following) this.backUp(following);
        this.backUp(after);
        this.backUp(variable);
        break;
      }
      declared.push({ offset: variable.offset, name: variable.text });
      this.names.push(variable.text);
      if (following.kind === 'declare' || following.kind === 'assign') return following.kind;
      if (context !== 'range' || declared.length > 1) this.fail(`too many declarations in ${context}`);
      const { kind } = this.peekNonSpace();
      if (kind !== 'variable' && kind !== 'rightDelim' && kind !== 'rightParen') {
        this.fail('range can only initialize variables');
      }
    }
    return undefined;
  }

  /** Operands with spaces between them, up to `|` (taken) or the closing token (left). */
  protected parseCommand(): CommandNode {
    const { offset } = this.peekNonSpace();
    const words: OperandNode[] = [];
    for (;;) {
      this.peekNonSpace();
      const word = this.parseOperand();
      if (word !== undefined) words.push(word);
      const token = this.next();
      if (token.kind === 'space') continue;
      if (token.kind === 'rightDelim' || token.kind === 'rightParen') this.backUp(token);
      else if (token.kind !== 'pipe') this.unexpected(token, 'operand');
      break;
    }
    if (words.length === 0) this.fail('empty command');
    return { kind: 'command', offset, words };
  }

  /** A term and the fields chained to it; undefined when no operand comes next. */
  protected parseOperand(): OperandNode | undefined {
    const term = this.parseTerm();
    if (term === undefined || this.peek().kind !== 'field') return term;
    // Go puts a chain where its second element is.
    const { offset } = this.peek();
    const names: string[] = [];
    while (this.peek().kind === 'field') names.push(this.next().text.slice(1));
    if (term.kind === 'field' || term.kind === 'variable') return { ...term, offset, names: [...term.names, ...names] };
    if (literals.has(term.kind)) this.fail(`unexpected . after term ${quote(printNode(term))}`);
    return { kind: 'chain', offset, operand: term, names };
  }

  /** A literal, a function's name, `.`, `.Field`, `$x` or a pipeline in parentheses. */
  protected parseTerm(): OperandNode | undefined {
    const token = this.nextNonSpace();
    const { offset, text } = token;
    switch (token.kind) {
      case 'identifier':
        if (!this.workshop.isFunction(text)) this.fail(`function ${quote(text)} not defined`);
        return { kind: 'identifier', offset, name: text };
      case 'dot':
      case 'nil':
        return { kind: token.kind, offset };
      case 'variable':
        if (!this.names.includes(text)) this.fail(`undefined variable ${quote(text)}`);
        return this.variable(offset, text);
      case 'field':
        return { kind: 'field', offset, names: [text.slice(1)] };
      case 'bool':
        return { kind: 'bool', offset, value: text === 'true' };
      case 'charConstant':
      case 'complex':
      case 'number': {
        const { kind } = token;
        return this.attempt(() => readConstant(offset, text, kind));
      }
      case 'leftParen':
        return this.parsePipe('parenthesized pipeline', 'rightParen');
      case 'string':
      case 'rawString':
        return { kind: 'string', offset, quoted: text, value: this.unquote(token) };
      default:
        this.backUp(token);
        return undefined;
    }
  }

  /** A use of a variable: of the innermost one of that name that is alive, unless the slot is given. */
  protected variable(offset: number, name: string, slot: number = this.alive.lastIndexOf(name)): VariableNode {
    return { kind: 'variable', offset, variable: name, names: [], slot };
  }

  protected bear(name: string): number {
    const slot = this.alive.push(name) - 1;
    this.slots = Math.max(this.slots, this.alive.length);
    return slot;
  }

  protected unquote(token: Token): string {
    return this.attempt(() => unquote(token.text));
  }

  protected attempt<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof GoError) this.fail(error.message);
      throw error;
    }
  }

  protected next(): Token {
    if (this.waiting > 0) return this.ahead[--this.waiting]!;
    this.farthest = this.workshop.lexer.next();
    return this.farthest;
  }

  protected nextNonSpace(): Token {
    while (this.waiting > 0) {
      const token = this.ahead[--this.waiting]!;
      if (token.kind !== 'space') return token;
    }
    this.farthest = this.workshop.lexer.nextNonSpace();
    return this.farthest;
  }

  protected backUp(token: Token): void {
    this.ahead[this.waiting++] = token;
  }

  protected peek(): Token {
    if (this.waiting > 0) return this.ahead[this.waiting - 1]!;
    const token = this.next();
    this.backUp(token);
    return token;
  }

  protected peekNonSpace(): Token {
    const known = this.waiting > 0 ? this.ahead[this.waiting - 1]! : undefined;
    if (known !== undefined && known.kind !== 'space') return known;
    const token = this.nextNonSpace();
    this.backUp(token);
    return token;
  }

  protected expect(kind: TokenKind, context: string): void {
    const token = this.nextNonSpace();
    if (token.kind !== kind) this.unexpected(token, context);
  }

  protected unexpected(token: Token, context: string): never {
    if (token.kind !== 'error') return this.fail(`unexpected ${describeToken(token)} in ${context}`);
    const { source, lexer } = this.workshop;
    const line = this.actionOffset === undefined ? undefined : lexer.line(this.actionOffset);
    if (line === undefined || line === lexer.line(token.offset)) return this.fail(token.text);
    const action = token.text.endsWith(' action') ? '' : ' in action';
    return this.fail(`${token.text}${action} started at ${source.name}:${line}`);
  }

  protected fail(reason: string): never {
    const { source, lexer } = this.workshop;
    const offset = this.farthest?.offset ?? 0;
    throw new TemplateParseError(source, { line: lexer.line(offset), offset }, reason);
  }
}

/** Tells whether what was parsed closes a list. */
export function isClosing(node: BodyNode | Closing): node is Closing {
  return node.kind === 'else' || node.kind === 'end';
}
