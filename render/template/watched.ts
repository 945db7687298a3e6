// An execution that counts what runs. It does nothing else than the one it extends, which counts nothing.

import { type GoFunc, type GoValue, isTrue, type ParamType } from '../go/value.ts';
import type { Value } from './call.ts';
import { Execution, type Final, type Outcome, type Surroundings } from './exec.ts';
import type { Executions } from './executions.ts';
import type { BranchNode, ListNode, Node, OperandNode, PipeNode, Template, TemplateNode } from './nodes.ts';
import { type FileRuns, Runs } from './runs.ts';

/** Functions that give one of their arguments, which the others stand in for. */
const choosers: ReadonlySet<string> = new Set(['default', 'ternary', 'coalesce']);

/** Counts of executions that it makes itself. */
export class WatchedRuns extends Runs implements Executions {
  execution(template: Template, data: GoValue, surroundings: Surroundings): Execution {
    return new WatchedExecution(template, data, { surroundings, runs: this });
  }
}

/** An execution whose parts are counted. */
export class WatchedExecution extends Execution {
  readonly #runs: Runs;
  /** The arguments of the call that ended last. */
  #lastArguments: readonly unknown[] = [];

  constructor(
    template: Template,
    data: GoValue,
    { surroundings, runs }: { readonly surroundings: Surroundings; readonly runs: Runs },
  ) {
    super(template, data, surroundings);
    this.#runs = runs;
  }

  #counts(): FileRuns {
    return this.#runs.of(this.frame.template.source);
  }

  #count(node: object, standing: object = node): void {
    this.#counts().start(node, standing);
  }

  protected override walkList(list: ListNode): Outcome {
    this.#count(list);
    return super.walkList(list);
  }

  protected override skip(node: BranchNode): Outcome {
    this.#count(node);
    return super.skip(node);
  }

  protected override walkTemplate(node: TemplateNode): void {
    this.#count(node);
    super.walkTemplate(node);
  }

  protected override evalPipe(pipe: PipeNode): Value {
    this.#count(pipe, this.standing);
    return super.evalPipe(pipe);
  }

  protected override evalArgument(word: OperandNode, type: ParamType): unknown {
    if (word.kind !== 'pipe') this.#count(word, this.standing);
    return super.evalArgument(word, type);
  }

  protected override evalCall(
    fn: GoFunc,
    name: string,
    whole: Node,
    words: readonly OperandNode[],
    final: Final,
  ): Value {
    const value = super.evalCall(fn, name, whole, words, final);
    if (choosers.has(name)) this.#choose(name, whole);
    return value;
  }

  protected override calls(args: readonly unknown[]): () => void {
    const given = args.slice();
    return () => {
      this.#lastArguments = given;
    };
  }

  #choose(name: string, whole: Node): void {
    const choice = choiceOf(name, this.#lastArguments as readonly GoValue[]);
    this.#counts().choose(whole, this.standing!, choice);
  }
}

// Gives how many ways there are and the one that was taken, in the order of the arguments. `coalesce` may find nothing.
function choiceOf(name: string, args: readonly GoValue[]): readonly [choices: number, at: number] {
  if (name === 'ternary') return [2, args[2] === true ? 0 : 1];
  if (name === 'default') return [2, isTrue(args[1] ?? null) ? 1 : 0];
  const found = args.findIndex(isTrue);
  return [args.length + 1, found < 0 ? args.length : found];
}
