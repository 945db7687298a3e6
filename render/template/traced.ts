// An execution that remembers where its text comes from. Its text is that of the one it extends.

import { type Steps, shallow } from '../go/steps.ts';
import { type GoFunc, type GoValue, NamedMap, type ParamType } from '../go/value.ts';
import type { Value } from './call.ts';
import type { Final, Outcome, Surroundings } from './exec.ts';
import { Execution } from './exec-deep.generated.ts';
import type {
  ActionNode,
  BranchNode,
  ChainNode,
  CommandNode,
  FieldNode,
  ListNode,
  OperandNode,
  PipeNode,
  Template,
  TemplateNode,
  TextNode,
  VariableNode,
} from './nodes.ts';
import { type Call, type Condition, Gathering, type Span, type Trace, type TracedText } from './trace.ts';

/** An execution that is traced. */
export class TracedExecution extends Execution {
  private readonly trace: Trace;
  private readonly spans: Span[] = [];
  private readonly entry: Gathering;
  /** Of the `template` action that runs: what its dot is, and the condition around it. */
  private called: { readonly pipe: PipeNode | undefined; readonly condition: Condition | undefined } | undefined;
  private readonly first: Template;
  private condition: Condition | undefined;
  private calls: Call | undefined;
  private readonly branches = new Map<ListNode, BranchNode>();
  private readonly taken = new Map<BranchNode, number>();
  private readonly leftOut: Condition[] = [];
  private readonly gathered = new Map<PipeNode, Gathering>();
  private variables = new Map<number, Gathering>();
  /** What the element of the range that runs was read as. */
  private element: Gathering | undefined;

  constructor(
    template: Template,
    data: GoValue,
    { surroundings, trace }: { readonly surroundings: Surroundings; readonly trace: Trace },
  ) {
    super(template, data, surroundings);
    this.trace = trace;
    this.first = template;
    this.entry = new Gathering();
    this.entry.absorb(trace.gathering);
  }

  override run(): string {
    try {
      const text = super.run();
      this.finish(text);
      return text;
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  override *runSteps(): Steps<string> {
    try {
      const text: string = yield super.runSteps();
      this.finish(text);
      return text;
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  private abandon(): void {
    const { condition, calls } = this;
    this.trace.failures.push({ template: this.frame.template, condition, calls, gathering: this.trace.gathering });
  }

  private finish(text: string): void {
    const all = new Gathering();
    for (const gathering of this.gathered.values()) all.absorb(gathering);
    const traced: TracedText = {
      template: this.first,
      text,
      spans: this.spans,
      reads: all.reads,
      leftOut: this.leftOut,
    };
    this.trace.last = traced;
    this.trace.gathering.texts.push(traced);
  }

  protected override write(text: string, node: ActionNode | TextNode): void {
    const start = this.output.length;
    super.write(text, node);
    if (text === '') return;
    const gathering = node.kind === 'action' ? this.gathered.get(node.pipe) : undefined;
    const { template } = this.frame;
    const { condition, calls } = this;
    this.spans.push({ start, end: start + text.length, template, node, condition, gathering, calls });
  }

  protected override walkBranch(node: BranchNode): Outcome {
    const before = this.enterBranch(node);
    const outcome = super.walkBranch(node);
    this.leaveBranch(node, before);
    return outcome;
  }

  protected override *walkBranchSteps(node: BranchNode): Steps<Outcome> {
    const before = this.enterBranch(node);
    const outcome: Outcome = yield super.walkBranchSteps(node);
    this.leaveBranch(node, before);
    return outcome;
  }

  protected override walkRange(node: BranchNode): Outcome {
    const before = this.enterBranch(node);
    const outcome = super.walkRange(node);
    this.leaveBranch(node, before);
    return outcome;
  }

  protected override *walkRangeSteps(node: BranchNode): Steps<Outcome> {
    const before = this.enterBranch(node);
    const outcome: Outcome = yield super.walkRangeSteps(node);
    this.leaveBranch(node, before);
    return outcome;
  }

  // Gives how often the branch was taken before.
  private enterBranch(node: BranchNode): number {
    this.branches.set(node.list, node);
    if (node.otherwise !== undefined) this.branches.set(node.otherwise, node);
    return this.taken.get(node) ?? 0;
  }

  private leaveBranch(node: BranchNode, before: number): void {
    if ((this.taken.get(node) ?? 0) > before) return;
    const gathering = this.gathered.get(node.pipe) ?? new Gathering();
    const { template } = this.frame;
    this.leftOut.push({ template, branch: node, isElse: false, gathering, outer: this.condition });
  }

  protected override walkNodes(list: ListNode): Outcome {
    const { condition } = this;
    this.condition = this.conditionFor(list);
    const outcome = super.walkNodes(list);
    this.condition = condition;
    return outcome;
  }

  protected override *walkNodesSteps(list: ListNode): Steps<Outcome> {
    const { condition } = this;
    this.condition = this.conditionFor(list);
    const outcome: Outcome = yield super.walkNodesSteps(list);
    this.condition = condition;
    return outcome;
  }

  private conditionFor(list: ListNode): Condition | undefined {
    const outer = this.condition;
    const branch = this.branches.get(list);
    if (branch === undefined) return outer;
    this.taken.set(branch, (this.taken.get(branch) ?? 0) + 1);
    const isElse = list !== branch.list;
    const whole = this.gathered.get(branch.pipe) ?? new Gathering();
    const gathering = branch.kind === 'range' && !isElse ? (this.element ?? whole) : whole;
    return { template: this.frame.template, branch, isElse, gathering, outer };
  }

  protected override bindElement(pipe: PipeNode, key: string | number, element: GoValue): void {
    const outer = this.trace.gathering;
    const gathering = new Gathering();
    this.trace.gathering = gathering;
    const { holder } = this.frame;
    const container = bare(holder);
    const isKnown = typeof container === 'object' && container !== null && this.trace.readWhole(container);
    if (isKnown) {
      gathering.reads.clear();
      this.trace.readPart(container, key, bare(element));
    } else gathering.absorb(this.gathered.get(pipe) ?? gathering);
    this.element = gathering;
    super.bindElement(pipe, key, element);
    const [first, second] = pipe.variables;
    // An index says where an element stands, nothing of what it is.
    if (first !== undefined && second !== undefined && typeof key === 'number') {
      this.variables.set(first.slot, new Gathering());
    }
    this.trace.gathering = outer;
  }

  protected override walkTemplate(node: TemplateNode): void {
    const restore = this.enterTemplate(node);
    super.walkTemplate(node);
    restore();
  }

  protected override *walkTemplateSteps(node: TemplateNode): Steps<void> {
    const restore = this.enterTemplate(node);
    yield super.walkTemplateSteps(node);
    restore();
  }

  private enterTemplate(node: TemplateNode): () => void {
    const { calls, variables, called } = this;
    this.called = { pipe: node.pipe, condition: this.condition };
    this.calls = { template: this.frame.template, offset: node.offset, outer: calls };
    this.variables = new Map();
    return () => {
      this.calls = calls;
      this.variables = variables;
      this.called = called;
    };
  }

  protected override evalPipe(pipe: PipeNode): Value {
    // One that is too deep goes on in steps, which gather.
    if (shallow.isFull()) return super.evalPipe(pipe);
    const outer = this.startGathering();
    const value = super.evalPipe(pipe);
    this.endGathering(pipe, outer);
    return value;
  }

  protected override *evalPipeSteps(pipe: PipeNode): Steps<Value> {
    const outer = this.startGathering();
    const value: Value = yield super.evalPipeSteps(pipe);
    this.endGathering(pipe, outer);
    return value;
  }

  private startGathering(): Gathering {
    const outer = this.trace.gathering;
    this.trace.gathering = new Gathering();
    return outer;
  }

  private endGathering(pipe: PipeNode, outer: Gathering): void {
    const { gathering } = this.trace;
    this.gathered.set(pipe, gathering);
    this.trace.gathering = outer;
    outer.absorb(gathering);
  }

  protected override setVariable(node: VariableNode, value: Value, holder: GoValue): void {
    super.setVariable(node, value, holder);
    const gathering = new Gathering();
    gathering.absorb(this.trace.gathering);
    this.variables.set(node.slot, gathering);
  }

  protected override evalVariable(node: VariableNode, words: readonly OperandNode[], final: Final): Value {
    this.readVariable(node);
    return super.evalVariable(node, words, final);
  }

  protected override *evalVariableSteps(node: VariableNode, words: readonly OperandNode[], final: Final): Steps<Value> {
    this.readVariable(node);
    return yield super.evalVariableSteps(node, words, final);
  }

  private readVariable({ slot, names }: VariableNode): void {
    const value = this.frame.variables[slot];
    const gathering = this.variables.get(slot);
    if (names.length > 0) {
      // What is read of a known object says more than how one got there.
      if (gathering !== undefined && !this.trace.knows(bare(value))) this.trace.gathering.absorb(gathering);
    } else if (!this.trace.readWhole(bare(value)) && gathering !== undefined) this.trace.gathering.absorb(gathering);
  }

  protected override evalCommand(command: CommandNode, final: Final): Value {
    if (command.words[0]?.kind === 'dot') this.readDot();
    return super.evalCommand(command, final);
  }

  protected override *evalCommandSteps(command: CommandNode, final: Final): Steps<Value> {
    if (command.words[0]?.kind === 'dot') this.readDot();
    return yield super.evalCommandSteps(command, final);
  }

  protected override evalArgument(word: OperandNode, type: ParamType): unknown {
    if (word.kind === 'dot') this.readDot();
    return super.evalArgument(word, type);
  }

  protected override *evalArgumentSteps(word: OperandNode, type: ParamType): Steps<unknown> {
    if (word.kind === 'dot') this.readDot();
    return yield super.evalArgumentSteps(word, type);
  }

  private readDot(): void {
    if (this.trace.readWhole(bare(this.frame.dot))) return;
    const { called } = this;
    for (let at = this.condition; at !== undefined && at !== called?.condition; at = at.outer) {
      if (at.isElse || at.branch.kind === 'if') continue;
      this.trace.gathering.absorb(at.gathering);
      return;
    }
    const ofCall = called?.pipe === undefined ? undefined : this.gathered.get(called.pipe);
    this.trace.gathering.absorb(ofCall ?? this.entry);
  }

  protected override evalField(
    receiver: Value,
    holder: GoValue,
    node: FieldNode | VariableNode | ChainNode,
    at: number,
    words: readonly OperandNode[],
    final: Final,
  ): Value {
    if (at === 0) this.trace.missing = undefined;
    const value = super.evalField(receiver, holder, node, at, words, final);
    this.readField(receiver, node.names, { at, value });
    return value;
  }

  protected override *evalFieldSteps(
    receiver: Value,
    holder: GoValue,
    node: FieldNode | VariableNode | ChainNode,
    at: number,
    words: readonly OperandNode[],
    final: Final,
  ): Steps<Value> {
    if (at === 0) this.trace.missing = undefined;
    const value: Value = yield super.evalFieldSteps(receiver, holder, node, at, words, final);
    this.readField(receiver, node.names, { at, value });
    return value;
  }

  // Of `.Values.image.tag` the tag is read; the tables on the way only lead there.
  private readField(
    receiver: Value,
    names: readonly string[],
    { at, value }: { readonly at: number; readonly value: Value },
  ): void {
    const container = bare(receiver);
    if (typeof container !== 'object' || container === null) return;
    if (value === null || value === undefined) this.trace.miss(container, names[at] as string);
    if (at === names.length - 1) this.trace.readPart(container, names[at] as string, bare(value));
    else this.trace.pass(container, names[at] as string, bare(value));
  }

  protected override callFunction(fn: GoFunc, args: unknown[]): GoValue {
    const first = bare(args[0] as Value);
    const hasMore = args.length > 1;
    const result = super.callFunction(fn, args);
    const given = bare(result);
    // `set` and the merges give their first argument again, with more in it.
    if (typeof given === 'object' && given !== null) {
      this.trace.noteGiven(given, { isFirst: hasMore && given === first });
    }
    return result;
  }
}

// A view of a map under another type shares its entries.
function bare(value: Value): Value {
  return value instanceof NamedMap ? bare(value.target) : value;
}
