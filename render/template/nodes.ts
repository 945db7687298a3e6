// The parsed template tree, and its source text as Go quotes it in errors. Offsets count UTF-16 units: nodes of a body from the start of
// the file, nodes within a pipeline from the start of the pipeline.
// Mirrors: Go, text/template/parse, node.go, 1.23.

import { quote } from '../go/number.ts';
import type { GoValue } from '../go/value.ts';
import type { Source } from './source.ts';

/** A template body: that of a `{{define}}` or `{{block}}`, or the file outside of them. Immutable. */
export interface Template {
  readonly name: string;
  readonly source: Source;
  readonly body: ListNode;
  /** The largest number of variables in scope at once; `$` is the first. */
  readonly slots: number;
  /** Whether the body is only white space and comments. Such a template does not replace another. */
  readonly isEmpty: boolean;
}

/** A sequence of text and actions. */
export interface ListNode {
  readonly nodes: readonly BodyNode[];
}

/** Text between actions. */
export interface TextNode {
  readonly kind: 'text';
  readonly offset: number;
  readonly text: string;
}

/** `{{pipeline}}` */
export interface ActionNode {
  readonly kind: 'action';
  /** Offset of the pipeline. */
  readonly offset: number;
  readonly pipe: PipeNode;
}

/** `{{if}}`, `{{with}}` or `{{range}}`, up to its `{{end}}`. */
export interface BranchNode {
  readonly kind: 'if' | 'with' | 'range';
  /** Offset of the pipeline. */
  readonly offset: number;
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly otherwise: ListNode | undefined;
}

/** `{{template "name" pipeline}}`; also created by `{{block}}`. */
export interface TemplateNode {
  readonly kind: 'template';
  readonly offset: number;
  readonly name: string;
  readonly pipe: PipeNode | undefined;
}

/** `{{break}}` or `{{continue}}` */
export interface JumpNode {
  readonly kind: 'break' | 'continue';
  readonly offset: number;
}

/** A node of a body. */
export type BodyNode = TextNode | ActionNode | BranchNode | TemplateNode | JumpNode;

/** `$a, $b := command | command`: the content of an action or of parentheses. */
export interface PipeNode {
  readonly kind: 'pipe';
  readonly offset: number;
  /** Declared or assigned variables. */
  readonly variables: readonly VariableNode[];
  /** Whether the variables are assigned (`=`) rather than declared (`:=`). */
  readonly assigns: boolean;
  readonly commands: readonly CommandNode[];
}

/** Words separated by spaces: an operand and its arguments. */
export interface CommandNode {
  readonly kind: 'command';
  readonly offset: number;
  readonly words: readonly OperandNode[];
}

/** `.a.b.c` */
export interface FieldNode {
  readonly kind: 'field';
  readonly offset: number;
  readonly names: readonly string[];
}

/** `$x.a.b` */
export interface VariableNode {
  readonly kind: 'variable';
  readonly offset: number;
  /** The name including the dollar sign. */
  readonly variable: string;
  readonly names: readonly string[];
  /** The slot of the variable; -1 if the parser accepts a name that is not in scope at run time. */
  readonly slot: number;
}

/** `(pipeline).a.b`, or a field of a function's result: `now.Year`. */
export interface ChainNode {
  readonly kind: 'chain';
  readonly offset: number;
  readonly operand: OperandNode;
  readonly names: readonly string[];
}

export interface IdentifierNode {
  readonly kind: 'identifier';
  readonly offset: number;
  readonly name: string;
}

export interface SignNode {
  readonly kind: 'dot' | 'nil';
  readonly offset: number;
}

export interface BoolNode {
  readonly kind: 'bool';
  readonly offset: number;
  readonly value: boolean;
}

/** A quoted string: its text in the file and its value. */
export interface StringNode {
  readonly kind: 'string';
  readonly offset: number;
  readonly quoted: string;
  readonly value: string;
}

/** A number or character with a value for every type that can represent it, like Go's untyped constants. */
export interface NumberNode {
  readonly kind: 'number';
  readonly offset: number;
  readonly text: string;
  /** The value as a signed integer. */
  readonly int: bigint | undefined;
  readonly float: number | undefined;
  /** The value without a target type: an int, float64 or complex128; undefined if it overflows int. */
  readonly value: GoValue | undefined;
}

/** An operand or a word of a command. */
export type OperandNode =
  | FieldNode
  | VariableNode
  | ChainNode
  | IdentifierNode
  | SignNode
  | BoolNode
  | StringNode
  | NumberNode
  | PipeNode;

/** Any node that an error can point at. */
export type Node = BodyNode | CommandNode | OperandNode;

/** Returns the text of a node as Go quotes it in errors: one space between words, strings and numbers as written. */
export function printNode(node: Node): string {
  if (node.kind === 'identifier') return node.name;
  let text = '';
  // An explicit stack, because nodes can be nested deeply; the next item is last.
  const ahead: (string | Node)[] = [node];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (typeof next === 'string') text += next;
    else for (const part of partsOf(next).reverse()) ahead.push(part);
  }
  return text;
}

/** Yields nodes and all nodes in them, in the order of the text. */
export function* nodesIn(nodes: readonly Node[]): Generator<Node> {
  // An explicit stack, because nodes can be nested deeply; the next node is last.
  const ahead = [...nodes].reverse();
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    yield next;
    for (const part of partsOf(next).reverse()) if (typeof part !== 'string') ahead.push(part);
  }
}

function partsOf(node: Node): (string | Node)[] {
  switch (node.kind) {
    case 'text':
      return [node.text];
    case 'action':
      return ['{{', node.pipe, '}}'];
    case 'if':
    case 'with':
    case 'range': {
      const otherwise = node.otherwise === undefined ? [] : ['{{else}}', ...node.otherwise.nodes];
      return [`{{${node.kind} `, node.pipe, '}}', ...node.list.nodes, ...otherwise, '{{end}}'];
    }
    case 'template':
      return [`{{template ${quote(node.name)}`, ...(node.pipe === undefined ? [] : [' ', node.pipe]), '}}'];
    case 'break':
    case 'continue':
      return [`{{${node.kind}}}`];
    case 'pipe':
      return partsOfPipe(node);
    case 'command':
      return joined(node.words.map(enclosed), ' ');
    case 'chain':
      return [...enclosed(node.operand), `.${node.names.join('.')}`];
    default:
      return [printWord(node)];
  }
}

function partsOfPipe(pipe: PipeNode): (string | Node)[] {
  const commands = joined(
    pipe.commands.map((command) => [command]),
    ' | ',
  );
  if (pipe.variables.length === 0) return commands;
  return [pipe.variables.map(printWord).join(', '), pipe.assigns ? ' = ' : ' := ', ...commands];
}

/** Returns the text of an operand among others; a pipeline gets its parentheses. */
function enclosed(node: OperandNode): (string | Node)[] {
  return node.kind === 'pipe' ? ['(', node, ')'] : [node];
}

function joined(items: readonly (string | Node)[][], separator: string): (string | Node)[] {
  return items.flatMap((item, i) => (i === 0 ? item : [separator, ...item]));
}

function printWord(node: Exclude<OperandNode, PipeNode | ChainNode>): string {
  switch (node.kind) {
    case 'field':
      return `.${node.names.join('.')}`;
    case 'variable':
      return [node.variable, ...node.names].join('.');
    case 'identifier':
      return node.name;
    case 'dot':
      return '.';
    case 'nil':
      return 'nil';
    case 'bool':
      return String(node.value);
    case 'string':
      return node.quoted;
    case 'number':
      return node.text;
  }
}
