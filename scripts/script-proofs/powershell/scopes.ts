// What the interpreter of PowerShell keeps: variables by scope, what ends a block early, parameters; and how it reads its tree.

import { switches } from './cmdlets.ts';
import type { Node } from './parser.ts';
import { convert } from './values.ts';

/** What leaves a loop or the script. */
export class Leave extends Error {
  readonly kind: 'return' | 'break' | 'continue' | 'exit';
  readonly code: number;

  constructor(kind: Leave['kind'], code = 0) {
    super(kind);
    this.kind = kind;
    this.code = code;
  }
}

interface Variable {
  value: unknown;
  readonly type: string | undefined;
}

/** The variables of a function or of the script, above those of whoever called it. */
export class Scope {
  readonly variables = new Map<string, Variable>();
  readonly parent: Scope | undefined;

  constructor(parent?: Scope) {
    this.parent = parent;
  }

  find(name: string): Variable | undefined {
    return this.variables.get(name) ?? this.parent?.find(name);
  }

  set(name: string, value: unknown, type?: string): void {
    const known = this.variables.get(name);
    const kind = type ?? known?.type;
    this.variables.set(name, { value: kind === undefined ? value : convert(value, kind), type: kind });
  }
}

/** A parameter of a function or a script. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly fallback: Node | undefined;
}

/** A function. */
export interface FunctionBody {
  readonly parameters: readonly Parameter[];
  readonly body: Node;
}

const passing =
  /^(?:(?:logical|bitwise|comparison|additive|multiplicative|format|range|array_literal|unary)(?:_argument)?_expression|pipeline_chain|argument_expression|pipeline)$/;

/** Gives the node that means something: most levels of the grammar hold one node of the level below. */
export function inner(node: Node): Node {
  let found = node;
  while (passing.test(found.type) && found.namedChildren.length === 1 && found.children.length === 1) {
    found = found.namedChildren[0] as Node;
  }
  return found;
}

/** Gives the parts of a node without comments. */
export const partsOf = (node: Node): readonly Node[] => node.namedChildren.filter(({ type }) => type !== 'comment');
/** Gives the first part of a kind. */
export const partOf = (node: Node, type: string): Node | undefined =>
  node.namedChildren.find((part) => part.type === type);

/** A word of a command. */
export type Word = { readonly parameter: string } | { readonly value: unknown };

/** What ends a function early, with what it put out. */
export class Returned extends Error {
  readonly outputs: unknown[];

  constructor(outputs: unknown[]) {
    super('return');
    this.outputs = outputs;
  }
}

/** Gives the words of a cmdlet's call: parameters by their names, and the others. */
export function sorted(words: readonly Word[]): { named: Map<string, unknown>; words: unknown[] } {
  const named = new Map<string, unknown>();
  const rest: unknown[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word;
    const next = words[at + 1];
    if (!('parameter' in word)) rest.push(word.value);
    else if (switches.has(word.parameter.toLowerCase()) || next === undefined || 'parameter' in next)
      named.set(word.parameter.toLowerCase(), true);
    else {
      named.set(word.parameter.toLowerCase(), next.value);
      at++;
    }
  }
  return { named, words: rest };
}

/** Gives the parameters that a list declares. */
export function readParameters(list: Node | undefined): Parameter[] {
  return (list === undefined ? [] : partsOf(list)).map((node) => {
    const types = partsOf(partOf(node, 'attribute_list') ?? ({ namedChildren: [] } as unknown as Node));
    const literal = types.map((attribute) => partOf(attribute, 'type_literal')).find((found) => found !== undefined);
    const fallback = partOf(node, 'script_parameter_default');
    return {
      name: (partOf(node, 'variable') as Node).text.slice(1).toLowerCase(),
      type: literal === undefined ? 'scriptblock' : typeName(literal).toLowerCase(),
      fallback: fallback === undefined ? undefined : partsOf(fallback)[0],
    };
  });
}

/** Gives the name of a type without its brackets. */
export const typeName = (literal: Node): string => inner(literal).text.slice(1, -1);

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0' };

/** Gives a piece of an expandable text without its escapes. */
export function unescapeText(text: string, isHere: boolean): string {
  const plain = isHere ? text : text.replace(/""/g, '"');
  return plain.replace(/`([\s\S])/g, (_all, letter: string) => escapes[letter] ?? letter);
}
