// An execution that remembers where its text comes from. Its text is that of the one it extends.

import { GoError, type GoFunc, type GoValue, isTrue, type ParamType } from '../go/value.ts';
import type { Value } from './call.ts';
import { type Final, none } from './exec.ts';
import { TemplateExecError } from './failures.ts';
import type { ChainNode, CommandNode, FieldNode, Node, OperandNode, PipeNode, VariableNode } from './nodes.ts';
import {
  type Condition,
  joinReads,
  noReads,
  nothing,
  type Origin,
  type Reads,
  readsOf,
  readsWithin,
  weaken,
  withReads,
} from './origin.ts';
import { isQuiet } from './outcomes.ts';
import { bare } from './trace.ts';
import { TracedWalk } from './traced-walk.ts';

/** A call whose arguments are evaluated. */
interface OpenCall {
  readonly name: string;
  readonly origins: Origin[];
  readonly values: Value[];
  /** Where the piped value comes from. */
  readonly final: Origin | undefined;
  /** What a method is called on. */
  readonly receiver: Value;
}

/** An execution that is traced. */
export class TracedExecution extends TracedWalk {
  #open: OpenCall | undefined;
  /** Where the value comes from that is piped into the command that runs. */
  #final: Origin = nothing;
  #receiver: Value;
  /** Whether the pipeline that runs, or one around it, assigns. */
  #isAssigned = false;
  /** The branch within which each variable was declared. */
  readonly #declared = new Map<number, Condition | undefined>();

  protected override openOrigins(): readonly Origin[] {
    return this.#open?.origins ?? [];
  }

  protected override evalPipe(pipe: PipeNode): Value {
    const outer = this.#isAssigned;
    if (pipe.assigns) this.#isAssigned = true;
    const value = super.evalPipe(pipe);
    this.#isAssigned = outer;
    this.#endPipe(pipe, value);
    return value;
  }

  #endPipe(pipe: PipeNode, value: Value): void {
    this.value = value;
    if (pipe.variables.length === 0) return;
    const { trace } = this;
    const inner = bare(value);
    // What was gathered knows for each of its parts why it is there.
    const isOwn = trace.madeOf(inner)?.isGathered === true || (pipe.assigns && usesOwn(pipe));
    for (const { slot } of pipe.variables) {
      if (!pipe.assigns) this.#declared.set(slot, this.condition);
      const reads = pipe.assigns && !isOwn ? readsWithin(this.condition, this.#declared.get(slot)) : noReads;
      this.variables.set(slot, withReads(trace.origin, reads));
    }
  }

  protected override evalVariable(node: VariableNode, words: readonly OperandNode[], final: Final): Value {
    this.#readVariable(node);
    return super.evalVariable(node, words, final);
  }

  #readVariable({ slot }: VariableNode): void {
    this.#came(this.variables.get(slot) ?? nothing);
  }

  #came(origin: Origin): void {
    this.trace.origin = origin;
    if (origin !== nothing) this.recent.push(origin);
  }

  protected override evalCommand(command: CommandNode, final: Final): Value {
    this.#startCommand(command, final);
    return super.evalCommand(command, final);
  }

  #startCommand({ words }: CommandNode, final: Final): void {
    if (final !== none) this.#final = this.trace.origin;
    this.#startWord(words[0]!);
  }

  #startWord({ kind }: OperandNode): void {
    if (kind === 'dot') this.#came(this.dot);
    else if (kind === 'string' || kind === 'number' || kind === 'bool' || kind === 'nil') this.trace.origin = nothing;
  }

  protected override evalArgument(word: OperandNode, type: ParamType): unknown {
    this.#startWord(word);
    const value = super.evalArgument(word, type);
    this.#endArgument(value as Value);
    return value;
  }

  #endArgument(value: Value): void {
    this.#open?.origins.push(this.trace.origin);
    this.#open?.values.push(value);
  }

  protected override evalField(
    receiver: Value,
    holder: GoValue,
    node: FieldNode | VariableNode | ChainNode,
    at: number,
    words: readonly OperandNode[],
    final: Final,
  ): Value {
    const from = this.#startField(receiver, node, at);
    const value = super.evalField(receiver, holder, node, at, words, final);
    this.#endField(receiver, node.names, { at, value, from });
    return value;
  }

  #startField(receiver: Value, node: FieldNode | VariableNode | ChainNode, at: number): Origin {
    const { trace } = this;
    this.#receiver = receiver;
    if (at === 0) trace.missing = undefined;
    const from = at === 0 && node.kind === 'field' ? this.dot : trace.origin;
    // A method that is called puts what it gives in its place.
    trace.origin = uncalled;
    return from;
  }

  // Of `.Values.image.tag` the tag is read; the tables on the way only lead there.
  #endField(
    receiver: Value,
    names: readonly string[],
    { at, value, from }: { readonly at: number; readonly value: Value; readonly from: Origin },
  ): void {
    const { trace } = this;
    const called = trace.origin;
    const container = bare(receiver);
    const name = names[at]!;
    if (typeof container !== 'object' || container === null) {
      trace.origin = from;
      return;
    }
    if (value === null || value === undefined) trace.miss(container, name);
    const lead = weaken(readsOf(from), 'decides');
    if (called !== uncalled) trace.origin = withReads(called, lead);
    else this.#came(withReads(trace.partOf(container, name, value), lead));
  }

  protected override evalCall(
    fn: GoFunc,
    name: string,
    whole: Node,
    words: readonly OperandNode[],
    final: Final,
  ): Value {
    const outer = this.#openCall(name, final);
    const value = super.evalCall(fn, name, whole, words, final);
    this.#open = outer;
    return value;
  }

  #openCall(name: string, final: Final): OpenCall | undefined {
    const open = this.#open;
    const receiver = this.#receiver;
    this.#open = { name, origins: [], values: [], final: final === none ? undefined : this.#final, receiver };
    return open;
  }

  protected override evalLogic(decisive: boolean, words: readonly OperandNode[], final: Final): Value {
    const value = super.evalLogic(decisive, words, final);
    this.#endLogic(decisive, words, value);
    return value;
  }

  // The last one is given; those before it let it be.
  #endLogic(decisive: boolean, words: readonly OperandNode[], value: Value): void {
    const { trace } = this;
    const { origins, values, final } = this.#open!;
    const isPiped =
      final !== undefined && origins.length === words.length - 1 && isTrue(values.at(-1) ?? null) !== decisive;
    const before = isPiped ? origins : origins.slice(0, -1);
    const last = (isPiped ? final : origins.at(-1)) ?? nothing;
    const reads = before.map((origin, at) => weaken(trace.whole(values[at], origin), 'decides'));
    const whole = { reads: joinReads(...reads, last.reads), pieces: last.pieces };
    if (isTrue(value ?? null) === decisive) trace.truths.set(whole, this.#decisiveReads(decisive, words, last));
    else if (origins.length > 0 && !isPiped) {
      // None of them was enough: each could have been.
      trace.truths.set(whole, joinReads(...origins.map((origin, at) => trace.truthOf(values[at], origin))));
    }
    trace.origin = whole;
  }

  // One was enough. Those before it were not, and where one behind it would have been, too, none decides alone.
  #decisiveReads(decisive: boolean, words: readonly OperandNode[], last: Origin): Reads {
    const { values } = this.#open!;
    const own = this.trace.truthOf(values.at(-1), last);
    const others = words.slice(1 + values.length).flatMap((word) => {
      const found = this.#aside(word);
      return found !== undefined && isTrue(found.value ?? null) === decisive ? [found.reads] : [];
    });
    return others.length === 0 ? own : weaken(joinReads(own, ...others), 'shares');
  }

  // Evaluates what the rendering passes by, and forgets that it did; undefined where that cannot be told.
  #aside(word: OperandNode): { readonly value: Value; readonly reads: Reads } | undefined {
    if (!isQuiet(word)) return undefined;
    const trace = this.trace;
    const value = this.value;
    const final = this.#final;
    const receiver = this.#receiver;
    const open = this.#open;
    const isAssigned = this.#isAssigned;
    const node = this.node;
    const { origin, missing } = trace;
    const count = this.recent.length;
    this.#open = { name: '', origins: [], values: [], final: undefined, receiver: undefined };
    try {
      const found = this.evalArgument(word, 'reflect.Value') as Value;
      return { value: found, reads: trace.truthOf(found, trace.origin) };
    } catch (error) {
      if (error instanceof TemplateExecError || error instanceof GoError) return undefined;
      throw error;
    } finally {
      Object.assign(this, { value, final, receiver, open, isAssigned, node });
      Object.assign(trace, { origin, missing });
      this.recent.length = count;
    }
  }

  protected override calls(given: readonly GoValue[]): (result: GoValue) => void {
    const { trace } = this;
    const { name, origins, final, receiver } = this.#open!;
    if (final !== undefined) origins.push(final);
    // The rest parameter takes the arguments out of the list.
    const args = given.slice();
    const before = trace.carriers.prepare(name, args);
    if (name === 'include' || name === 'tpl') {
      trace.entry = { dot: origins[1] ?? nothing, text: name === 'tpl' ? (origins[0] ?? nothing) : nothing };
      trace.last = undefined;
    }
    return (result) => {
      trace.entry = undefined;
      const condition = this.condition;
      const isAssigned = this.#isAssigned;
      this.#came(trace.carriers.carry({ name, args, origins, result, before, condition, isAssigned, receiver, trace }));
    };
  }
}

/** Stands for the origin of what no method gave. */
const uncalled: Origin = { reads: noReads, pieces: undefined };

// `$x = printf "%s,%s" $x .name` keeps what it had.
function usesOwn(pipe: PipeNode): boolean {
  const slots = new Set(pipe.variables.map(({ slot }) => slot));
  const uses = (word: OperandNode): boolean =>
    (word.kind === 'variable' && slots.has(word.slot)) || (word.kind === 'pipe' && isUsed(word));
  const isUsed = ({ commands }: PipeNode): boolean => commands.some(({ words }) => words.some(uses));
  return isUsed(pipe);
}
