// Counts which parts of templates are executed, for coverage.

import { type GoValue, isTrue } from '../go/value.ts';
import type { BranchNode, ListNode, Node, OperandNode, PipeNode, TemplateNode } from './nodes.ts';
import { type ObservedExecution, Observer, type Observers } from './observer.ts';
import type { Source } from './source.ts';

/** The counts of one template file, by node. */
export class FileRuns {
  readonly #started = new Map<object, number>();
  readonly #chosen = new Map<object, number[]>();

  /** Counts one execution of a pipeline, an argument or a `template` action, one walk of a list, or one skipped branch. */
  start(node: object): void {
    this.#started.set(node, this.started(node) + 1);
  }

  /** Returns the execution count of a node. */
  started(node: object): number {
    return this.#started.get(node) ?? 0;
  }

  /**
   * Counts which choice a call took: an argument of `default`, `ternary` or `coalesce`. The last choice of `coalesce` means none of its
   * arguments.
   */
  choose(call: object, [choices, at]: readonly [choices: number, at: number]): void {
    const tally = this.#chosen.get(call) ?? new Array<number>(choices).fill(0);
    tally[at] = (tally[at] ?? 0) + 1;
    this.#chosen.set(call, tally);
  }

  /** Returns the count of each choice of a call. */
  chosen(call: object): readonly number[] {
    return this.#chosen.get(call) ?? [];
  }
}

/** The counts of any number of executions. */
export class Runs {
  readonly #files = new Map<Source, FileRuns>();

  /** Returns the counts of a file, which can be read and increased. */
  of(source: Source): FileRuns {
    const known = this.#files.get(source);
    if (known !== undefined) return known;
    const made = new FileRuns();
    this.#files.set(source, made);
    return made;
  }
}

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
