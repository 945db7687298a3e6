// What an execution reports while it runs: for traces, which remember where each part of a text comes from, and coverage.

import type { GoValue, ParamType } from '../go/value.ts';
import type { Final, Value } from './call.ts';
import type { Frame } from './frame.ts';
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

/** An execution as its observer sees it. */
export interface ObservedExecution {
  readonly frame: Frame;
  /** What is written so far. */
  readonly output: string;
  /** Evaluates a word beside the execution, which then goes on where it was. Throws what the execution would. */
  evaluate(word: OperandNode, type: ParamType): unknown;
}

/**
 * Called by the one execution that it observes, in the order in which things happen. What starts also ends, unless an error
 * ends the execution. An observer changes nothing: the text is the same without it.
 */
export abstract class Observer {
  /** The execution has ended, with this text. */
  ended(_text: string): void {}
  /** An error has ended the execution. */
  failed(): void {}
  /** The text of a node was added to the output. */
  wrote(_text: string, _node: BodyNode): void {}

  listStarts(_list: ListNode): void {}
  listEnded(): void {}
  /** An `if`, `with` or `range` starts. */
  branchStarts(_node: BranchNode): void {}
  branchEnded(): void {}
  /** A branch is passed by whose condition does not hold and that has no else. */
  skipped(_node: BranchNode): void {}
  /** A `range` goes to its next element. */
  elementStarts(_pipe: PipeNode, _key: string | number, _element: GoValue): void {}
  /** A `template` action starts: first its pipeline, then the body of the other template. */
  templateStarts(_node: TemplateNode): void {}
  templateEnded(): void {}

  pipeStarts(_pipe: PipeNode): void {}
  pipeEnded(_pipe: PipeNode, _value: Value): void {}
  commandStarts(_command: CommandNode, _final: Final): void {}
  argumentStarts(_word: OperandNode): void {}
  argumentEnded(_value: Value): void {}
  variableRead(_node: VariableNode): void {}
  /** A name of `.a.b.c` is looked up. */
  fieldStarts(_receiver: Value, _node: FieldNode | VariableNode | ChainNode, _at: number): void {}
  fieldEnded(_receiver: Value, _name: string, _value: Value): void {}
  /** A function or method is about to be called: its arguments come next. */
  callStarts(_name: string, _final: Final): void {}
  /** All arguments are evaluated. `and` and `or` have none. */
  functionStarts(_args: readonly unknown[]): void {}
  functionEnded(_result: GoValue): void {}
  /** `and` or `or` has found its value; `decisive` is the truth that ends it. */
  logicEnded(_decisive: boolean, _words: readonly OperandNode[], _value: Value): void {}
  callEnded(_name: string, _whole: Node): void {}
}

/** Creates the observer of each execution of a set of templates. */
export interface Observers {
  observe(running: ObservedExecution): Observer;
}
