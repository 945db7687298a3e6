// What the interpreter of PowerShell makes of expressions: values, texts, members, variables.

import { itemAt, memberOf, staticMember } from './net.ts';
import type { Node } from './parser.ts';
import { inner, partOf, partsOf, Scope, typeName, unescapeText } from './scopes.ts';
import { type Block, collected, convert, isOf, numberOf, operate, PowerShellError, textOf, truthOf } from './values.ts';

/** Evaluates expressions; what statements do is known to whoever extends it. */
export abstract class Evaluator {
  abstract readonly env: Record<string, string | undefined>;
  /** The scope of the script, and the one that is open. */
  readonly top = new Scope();
  scope = this.top;

  abstract write(stream: 1 | 2, text: string): void;
  /** Each gives what it puts out. */
  abstract statements(list: Node): unknown[];
  abstract pipeline(node: Node): unknown[];
  abstract command(node: Node, input: unknown[] | undefined): unknown[];
  /** Runs a block in a scope. */
  abstract within(scope: Scope, block: Node): unknown[];
  /** Gives the value of a pipeline as an assignment takes it. */
  abstract assigned(node: Node): unknown;
  /** What the script made of [Console]::OutputEncoding. */
  consoleEncoding: unknown = undefined;

  value(outer: Node): unknown {
    const node = inner(outer);
    switch (node.type) {
      case 'variable':
        return this.read(node.text);
      case 'string_literal':
        return this.text(node);
      case 'integer_literal':
      case 'real_literal':
        return Number(node.text);
      case 'array_expression':
        return this.listed(node);
      case 'array_literal_expression':
        return partsOf(node).map((part) => this.value(part));
      case 'parenthesized_expression':
        return this.assigned(partsOf(node)[0] as Node);
      case 'pipeline':
      case 'pipeline_chain':
      case 'command':
        return collected(node.type === 'command' ? this.command(node, undefined) : this.pipeline(node));
      case 'script_block_expression':
        return this.scriptBlock(partOf(node, 'script_block') as Node);
      case 'element_access':
        return itemAt(this.value(partsOf(node)[0] as Node), this.value(partsOf(node)[1] as Node));
      case 'member_access':
      case 'invokation_expression':
        return this.member(node);
      case 'expression_with_unary_operator':
        return this.unary(node);
      case 'cast_expression':
        return convert(this.value(partsOf(node)[1] as Node), typeName(partsOf(node)[0] as Node));
      case 'hash_literal_expression':
        return this.hash(node);
      default:
        return this.binary(node);
    }
  }

  listed(node: Node): unknown[] {
    const list = partOf(node, 'statement_list');
    return list === undefined ? [] : this.statements(list);
  }

  unary(node: Node): unknown {
    const [operand] = partsOf(node) as [Node];
    const operator = node.children.find(({ isNamed }) => !isNamed)?.text.toLowerCase();
    if (operator === undefined) return this.value(operand);
    if (operator === '-not' || operator === '!') return !truthOf(this.value(operand));
    if (operator === ',') return [this.value(operand)];
    if (operator === '-') return -numberOf(this.value(operand));
    throw new Error(`the operator ${operator}`);
  }

  binary(node: Node): unknown {
    const operands = partsOf(node).filter(({ type }) => type !== 'comparison_operator');
    const operator = (partOf(node, 'comparison_operator') ?? node.children.find(({ isNamed }) => !isNamed))?.text;
    if (operator === undefined || operands.length !== 2)
      throw new Error(`an expression of another kind: ${node.type} ${node.text}`);
    const [left, right] = operands as [Node, Node];
    const word = operator.toLowerCase();
    if (word === '-and') return truthOf(this.value(left)) && truthOf(this.value(right));
    if (word === '-or') return truthOf(this.value(left)) || truthOf(this.value(right));
    if (word === '-is') return isOf(this.value(left), typeName(right));
    if (word === '-isnot') return !isOf(this.value(left), typeName(right));
    return operate(word, this.value(left), this.value(right), this);
  }

  /** Keeps the groups of a match for `$Matches`. */
  setMatches(groups: readonly (string | undefined)[]): void {
    this.scope.set('matches', new Map(groups.map((group, at) => [String(at), group])));
  }

  member(node: Node): unknown {
    const [holder, name, list] = partsOf(node) as [Node, Node, Node | undefined];
    const key = name.text;
    const isType = inner(holder).type === 'type_literal';
    const value = isType ? undefined : this.value(holder);
    const member = isType ? staticMember(typeName(holder), key, this) : memberOf(value, key);
    if (node.type === 'member_access') return typeof member === 'function' ? (member as () => unknown)() : member;
    const listed = list === undefined ? undefined : partOf(list, 'argument_expression_list');
    const values = listed === undefined ? [] : partsOf(listed).map((part) => this.value(part));
    return (member as (...values: unknown[]) => unknown)(...values);
  }

  hash(node: Node): Map<string, unknown> {
    const body = partOf(node, 'hash_literal_body');
    const entries = body === undefined ? [] : partsOf(body);
    return new Map(
      entries.map((entry) => {
        const [key, value] = partsOf(entry) as [Node, Node];
        return [key.text.toLowerCase(), this.assigned(value)];
      }),
    );
  }

  // A block of a pipeline runs where it stands; one that is called has a scope of its own.
  scriptBlock(block: Node): Block {
    return {
      run: (...item: readonly unknown[]) => {
        const scope = item.length === 0 ? new Scope(this.scope) : this.scope;
        if (item.length > 0) scope.set('_', item[0]);
        return this.within(scope, block);
      },
    };
  }

  text(node: Node): string {
    const literal = partsOf(node)[0] as Node;
    const { text } = literal;
    if (literal.type === 'verbatim_string_characters') return text.slice(1, -1).replace(/(['\u2018-\u201b])\1/g, '$1');
    // A here-string begins and ends with the line breaks of its marks.
    if (literal.type === 'verbatim_here_string_characters') return text.replace(/^@'\r?\n|\r?\n'@$/g, '');
    const isHere = literal.type === 'expandable_here_string_literal';
    const inside = isHere ? text.replace(/^@"\r?\n/, '').replace(/\r?\n"@$/, '') : text.slice(1, -1);
    return this.expand(inside, literal, isHere);
  }

  // The pieces between what is expanded are not nodes of the tree.
  expand(inside: string, literal: Node, isHere: boolean): string {
    const parts = partsOf(literal).map((part) => ({ node: part, text: part.text.trimStart() }));
    let result = '';
    let rest = inside;
    for (const { node, text } of parts) {
      const at = rest.indexOf(text);
      const value = node.type === 'sub_expression' ? collected(this.listed(node)) : this.read(text);
      result += unescapeText(rest.slice(0, at), isHere) + textOf(value);
      rest = rest.slice(at + text.length);
    }
    return result + unescapeText(rest, isHere);
  }

  named(node: Node): { readonly scope: Scope; readonly name: string } {
    const name = node.text
      .replace(/^\$/, '')
      .replace(/^\{(.*)\}$/, '$1')
      .toLowerCase();
    return name.startsWith('script:') ? { scope: this.top, name: name.slice(7) } : { scope: this.scope, name };
  }

  read(text: string): unknown {
    const name = text
      .trim()
      .replace(/^\$/, '')
      .replace(/^\{(.*)\}$/, '$1')
      .toLowerCase();
    if (name.startsWith('env:')) return this.env[text.trim().slice(5)] ?? null;
    const variable = name.startsWith('script:') ? this.top.variables.get(name.slice(7)) : this.scope.find(name);
    if (variable === undefined)
      throw new PowerShellError(`the variable '$${name}' cannot be retrieved because it has not been set`);
    return variable.value;
  }
}
