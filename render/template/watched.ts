// Counts which parts of templates are executed, for coverage.

import { type GoValue, isTrue } from '../go/value.ts';
import type { BranchNode, ListNode, Node, OperandNode, PipeNode, TemplateNode } from './nodes.ts';
import { type ObservedExecution, Observer, type Observers } from './observer.ts';
import { Runs } from './runs.ts';

/** Functions that return one of their arguments. */
const choosers: ReadonlySet<string> = new Set(['default', 'ternary', 'coalesce']);

/** Counts of the observed executions. */
export class WatchedRuns extends Runs implements Observers {
  observe(running: ObservedExecution): Observer {
    return new RunCounter(running, this);
  }
}

/** Counts of one execution. */
export class RunCounter extends Observer {
  readonly #running: ObservedExecution;
  readonly #runs: Runs;
  /** The arguments of the last called function. */
  protected lastArguments: readonly unknown[] = [];

  constructor(running: ObservedExecution, runs: Runs) {
    super();
    this.#running = running;
    this.#runs = runs;
  }

  #count(node: object): void {
    this.#runs.of(this.#running.frame.template.source).start(node);
  }

  override listStarts(list: ListNode): void {
    this.#count(list);
  }

  override skipped(node: BranchNode): void {
    this.#count(node);
  }

  override templateStarts(node: TemplateNode): void {
    this.#count(node);
  }

  override pipeStarts(pipe: PipeNode): void {
    this.#count(pipe);
  }

  override argumentStarts(word: OperandNode): void {
    if (word.kind !== 'pipe') this.#count(word);
  }

  override functionStarts(args: readonly unknown[]): void {
    // Variadic arguments are passed as one list.
    this.lastArguments = args.slice();
  }

  override callEnded(name: string, whole: Node): void {
    if (!choosers.has(name)) return;
    const choice = choiceOf(name, this.lastArguments as readonly GoValue[]);
    this.#runs.of(this.#running.frame.template.source).choose(whole, choice);
  }
}

// Returns the number of choices and the one that was taken, in the order of the arguments. `coalesce` may take none.
function choiceOf(name: string, args: readonly GoValue[]): readonly [choices: number, at: number] {
  if (name === 'ternary') return [2, args[2] === true ? 0 : 1];
  if (name === 'default') return [2, isTrue(args[1] ?? null) ? 1 : 0];
  const found = args.findIndex(isTrue);
  return [args.length + 1, found < 0 ? args.length : found];
}
