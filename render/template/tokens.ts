// The token stream of one body, with lookahead. Errors are reported with their place.
// Mirrors: Go, text/template/parse, parse.go, 1.23.

import { maxDepth } from '../core/arguments.ts';
import { tooDeep } from '../core/limits.ts';
import { unquote } from '../go/number.ts';
import { GoError } from '../go/value.ts';
import { TemplateParseError } from './failures.ts';
import { describeToken, type Lexer, type Token, type TokenKind } from './lexer.ts';
import type { Template } from './nodes.ts';
import type { Source } from './source.ts';

/** State shared by the parsers of one file's bodies. */
export interface ParseContext {
  readonly source: Source;
  readonly lexer: Lexer;
  readonly isFunction: (name: string) => boolean;
  readonly templates: Map<string, Template>;
  /** Number of open blocks and parentheses. */
  depth: number;
}

/** Reads tokens and can put them back. */
export abstract class TokenReader {
  protected readonly context: ParseContext;
  /** Tokens that were put back, the next one last. Only the first `waiting` entries are valid, so that the array is not reallocated. */
  protected readonly ahead: Token[] = [];
  protected waiting = 0;
  /** Offset of the farthest token that this body has read. An error is reported on its line. */
  protected farthest = 0;
  /** Offset of the current action. */
  protected actionOffset: number | undefined;

  constructor(context: ParseContext) {
    this.context = context;
  }

  protected next(): Token {
    if (this.waiting > 0) return this.ahead[--this.waiting]!;
    const token = this.context.lexer.next();
    this.farthest = token.offset;
    return token;
  }

  protected nextNonSpace(): Token {
    while (this.waiting > 0) {
      const token = this.ahead[--this.waiting]!;
      if (token.kind !== 'space') return token;
    }
    const token = this.context.lexer.nextNonSpace();
    this.farthest = token.offset;
    return token;
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

  protected expectRightDelim(context: string): void {
    if (!this.takeRightDelim()) this.expect('rightDelim', context);
  }

  /** Reads the right delimiter, if it comes next, without creating a token. */
  protected takeRightDelim(): boolean {
    const closing = this.waiting === 0 ? this.context.lexer.takeRightDelim() : -1;
    if (closing < 0) return false;
    this.farthest = closing;
    return true;
  }

  protected unexpected(token: Token, context: string): never {
    if (token.kind !== 'error') return this.fail(`unexpected ${describeToken(token)} in ${context}`);
    const { source, lexer } = this.context;
    const line = this.actionOffset === undefined ? undefined : lexer.line(this.actionOffset);
    if (line === undefined || line === lexer.line(token.offset)) return this.fail(token.text);
    const action = token.text.endsWith(' action') ? '' : ' in action';
    return this.fail(`${token.text}${action} started at ${source.name}:${line}`);
  }

  protected fail(reason: string): never {
    const { source, lexer } = this.context;
    const offset = this.farthest;
    throw new TemplateParseError(source, { line: lexer.line(offset), offset }, reason);
  }

  /** Counts an opening block or parenthesis. Throws `LimitReached`. */
  protected enter(): void {
    if (++this.context.depth <= maxDepth) return;
    const { source } = this.context;
    const { line, character: column } = source.position(this.farthest);
    throw tooDeep('the template', { line, column });
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
}
