// Events of an execution: for provenance, which records where each part of a text comes from, and for coverage.

import type { GoValue, ParamType } from '../go/value.ts';
import type { Final, Frame, Value } from './call.ts';
import type {
  BodyNode,
  BranchNode,
  ChainNode,
  CommandNode,
  FieldNode,
  ListNode,
  Node,
  OperandNode,
  PipeNode,
  TemplateNode,
  VariableNode,
} from './nodes.ts';

/** What an observer can see of an execution. */
export interface ObservedExecution {
  readonly frame: Frame;
  /** The output so far. */
  readonly output: string;
  /** Evaluates an operand without affecting the execution. Throws what the execution would throw. */
  evaluate(word: OperandNode, type: ParamType): unknown;
}

/**
 * Called by one execution, in the order of events. Every start has an end unless an error ends the execution. An observer does not change
 * the output.
 */
export abstract class Observer {
  /** Called when the execution has ended, with its text. */
  ended(_text: string): void {}
  /** Called when an error has ended the execution. */
  failed(): void {}
  /** Called when the text of a node was added to the output. */
  wrote(_text: string, _node: BodyNode): void {}

  listStarts(_list: ListNode): void {}
  listEnded(): void {}
  /** Called when an `if`, `with` or `range` starts. */
  branchStarts(_node: BranchNode): void {}
  branchEnded(): void {}
  /** Called when a branch is skipped: its condition is false and it has no `else`. */
  skipped(_node: BranchNode): void {}
  /** Called when a `range` proceeds to its next element. */
  elementStarts(_pipe: PipeNode, _key: string | number, _element: GoValue): void {}
  /** Called when a `template` action starts: its pipeline comes first, then the body of the other template. */
  templateStarts(_node: TemplateNode): void {}
  templateEnded(): void {}

  pipeStarts(_pipe: PipeNode): void {}
  pipeEnded(_pipe: PipeNode, _value: Value): void {}
  commandStarts(_command: CommandNode, _final: Final): void {}
  argumentStarts(_word: OperandNode): void {}
  argumentEnded(_value: Value): void {}
  variableRead(_node: VariableNode): void {}
  /** Called when a name of `.a.b.c` is looked up. */
  fieldStarts(_receiver: Value, _node: FieldNode | VariableNode | ChainNode, _at: number): void {}
  fieldEnded(_receiver: Value, _name: string, _value: Value): void {}
  /** Called before a function or method call; its arguments come next. */
  callStarts(_name: string, _final: Final): void {}
  /** Called when all arguments are evaluated. `and` and `or` have none. */
  functionStarts(_args: readonly unknown[]): void {}
  functionEnded(_result: GoValue): void {}
  /** Called when `and` or `or` has its value; `decisive` is the truth value that ends the evaluation. */
  logicEnded(_decisive: boolean, _words: readonly OperandNode[], _value: Value): void {}
  callEnded(_name: string, _whole: Node): void {}
}

/** Creates the observer of each execution of a set of templates. */
export interface Observers {
  observe(running: ObservedExecution): Observer;
}
