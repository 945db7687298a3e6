// The walk of an execution that is traced: which node wrote each part of its text, and for what conditions.

import type { GoValue } from '../go/value.ts';
import type { Value } from './call.ts';
import { Execution, type Outcome, type Surroundings } from './exec.ts';
import type { ActionNode, BranchNode, ListNode, PipeNode, Template, TemplateNode, TextNode } from './nodes.ts';
import {
  type Call,
  type Condition,
  exactly,
  joinReads,
  noReads,
  nothing,
  type Origin,
  originOf,
  type Reads,
  readsOf,
  type Span,
  slice,
  weaken,
  withReads,
} from './origin.ts';
import { isTemplateOrText } from './outcomes.ts';
import { bare, hasParts, type Trace } from './trace.ts';

/** A branch that runs. */
interface Branch {
  readonly node: BranchNode;
  readonly outer: Branch | undefined;
  /** What decides it. */
  reads: Reads | undefined;
  /** Where its value comes from. */
  origin: Origin;
  /** What ran of it: its list, or what stands behind `else`. */
  taken: ListNode | undefined;
}

/** An execution that is traced, but for what its pipelines read. */
export abstract class TracedWalk extends Execution {
  protected readonly trace: Trace;
  readonly #spans: Span[] = [];
  readonly #first: Template;
  /** Where the text of the template comes from, if a value held it. */
  readonly #source: Origin | undefined;
  readonly #leftOut: Condition[] = [];
  readonly #replaced: Condition[] = [];
  protected condition: Condition | undefined;
  #calls: Call | undefined;
  #branch: Branch | undefined;
  /** What was evaluated last. */
  protected value: Value;
  /** Where dot comes from. */
  protected dot: Origin;
  /** Of the range that runs: where its element comes from, and what decides that it is there. */
  #element: { readonly origin: Origin; readonly reads: Reads } | undefined;
  protected variables = new Map<number, Origin>();
  /** The body of the template that an action calls next. */
  #entering = false;
  /** What was read since something was written. */
  protected readonly recent: Origin[] = [];

  constructor(
    template: Template,
    data: GoValue,
    { surroundings, trace }: { readonly surroundings: Surroundings; readonly trace: Trace },
  ) {
    super(template, data, surroundings);
    const { entry } = trace;
    this.trace = trace;
    this.#first = template;
    this.dot = entry?.dot ?? nothing;
    this.#source = entry?.text === nothing ? undefined : entry?.text;
    this.variables.set(0, this.dot);
    trace.entry = undefined;
  }

  override run(): string {
    try {
      const text = super.run();
      this.#finish(text);
      return text;
    } catch (error) {
      this.#abandon();
      throw error;
    }
  }

  /** Gives where the arguments come from of the call that is evaluated. */
  protected abstract openOrigins(): readonly Origin[];

  #abandon(): void {
    const condition = this.condition;
    const calls = this.#calls;
    const reads = joinReads(...this.recent.map(readsOf), ...this.openOrigins().map(readsOf));
    this.trace.failures.push({ template: this.frame.template, condition, calls, reads });
  }

  #finish(text: string): void {
    this.trace.last = {
      template: this.#first,
      text,
      spans: this.#spans,
      leftOut: this.#leftOut,
      replaced: this.#replaced,
    };
  }

  protected override write(text: string, node: ActionNode | TextNode): void {
    const start = this.output.length;
    super.write(text, node);
    this.recent.length = 0;
    if (text === '') return;
    const condition = this.condition;
    const calls = this.#calls;
    const { template } = this.frame;
    const origin = node.kind === 'action' ? this.#written(node) : this.#sourceAt(node.offset, text.length);
    this.#spans.push({ start, end: start + text.length, template, node, condition, origin, calls });
  }

  // Where what an action wrote comes from. What stands in a text that a value held was made of that value, too.
  #written({ offset }: ActionNode): Origin {
    const { trace, value } = this;
    const inner = bare(value);
    const isObject = typeof inner === 'object' && inner !== null && hasParts(inner);
    const own = isObject ? originOf(trace.standing(value, trace.origin)) : trace.origin;
    const held = this.#sourceAt(offset, 1);
    return held === undefined ? own : withReads(own, weaken(readsOf(held), 'computed'));
  }

  #sourceAt(offset: number, length: number): Origin | undefined {
    if (this.#source === undefined || this.frame.template.source !== this.#first.source) return undefined;
    return slice(this.#source, offset, offset + length);
  }

  protected override walkBranch(node: BranchNode): Outcome {
    this.#enterBranch(node);
    const outcome = super.walkBranch(node);
    this.#leaveBranch();
    return outcome;
  }

  protected override walkRange(node: BranchNode): Outcome {
    this.#enterBranch(node);
    const outcome = super.walkRange(node);
    this.#leaveBranch();
    return outcome;
  }

  #enterBranch(node: BranchNode): void {
    this.#branch = { node, outer: this.#branch, reads: undefined, origin: nothing, taken: undefined };
  }

  #leaveBranch(): void {
    const branch = this.#branch!;
    this.#branch = branch.outer;
    const { node, taken } = branch;
    if (taken !== undefined && (node.otherwise === undefined || isSilent(node, taken))) return;
    const { template } = this.frame;
    const reads = this.#decisionOf(branch);
    const left = { template, branch: node, isElse: taken === node.list, reads, outer: this.condition };
    (taken === undefined ? this.#leftOut : this.#replaced).push(left);
  }

  // What decides a branch is what was evaluated last when it is first asked.
  #decisionOf(branch: Branch): Reads {
    if (branch.reads !== undefined) return branch.reads;
    const { trace } = this;
    branch.origin = trace.origin;
    const { kind } = branch.node;
    branch.reads =
      kind === 'range'
        ? weaken(trace.whole(this.value, trace.origin), 'decides')
        : trace.truthOf(this.value, trace.origin);
    return branch.reads;
  }

  protected override walkList(list: ListNode): Outcome {
    const { condition, dot } = this;
    this.#enterList(list);
    const outcome = super.walkList(list);
    this.condition = condition;
    this.dot = dot;
    return outcome;
  }

  #enterList(list: ListNode): void {
    this.recent.length = 0;
    const branch = this.#branch;
    if (this.#entering) {
      this.#entering = false;
      this.dot = this.trace.origin;
      this.variables = new Map([[0, this.dot]]);
      return;
    }
    if (branch === undefined || (list !== branch.node.list && list !== branch.node.otherwise)) return;
    branch.taken = list;
    const { node } = branch;
    const isElse = list !== node.list;
    let reads = isSilent(node, list) ? noReads : this.#decisionOf(branch);
    if (!isElse && node.kind === 'with') this.dot = branch.origin;
    if (!isElse && node.kind === 'range' && this.#element !== undefined) {
      this.dot = this.#element.origin;
      reads = this.#element.reads;
    }
    this.condition = { template: this.frame.template, branch: node, isElse, reads, outer: this.condition };
  }

  protected override bindElement(pipe: PipeNode, key: string | number, element: GoValue): void {
    const { trace } = this;
    const branch = this.#branch!;
    const whole = this.#decisionOf(branch);
    const container = bare(this.frame.holder);
    const isObject = typeof container === 'object' && container !== null && hasParts(container);
    const way = originOf(weaken(readsOf(branch.origin), 'decides'));
    const origin = isObject ? withReads(trace.partOf(container, key, element), way.reads) : branch.origin;
    const presence = isObject ? trace.presenceOf(container, key, element) : noReads;
    const made = isObject ? trace.madeOf(container) : undefined;
    const isKnown = presence.size > 0 || made?.isGathered === true || made?.keys?.has(key) === true;
    this.#element = { origin, reads: isKnown ? joinReads(presence, way.reads) : whole };
    super.bindElement(pipe, key, element);
    const [first, second] = pipe.variables;
    if (first === undefined) return;
    this.variables.set((second ?? first).slot, origin);
    if (second === undefined) return;
    // An index says where an element stands, nothing of what it is.
    this.variables.set(first.slot, typeof key === 'number' ? nothing : this.#keyOrigin(container, key, element));
  }

  #keyOrigin(container: Value, key: string, element: GoValue): Origin {
    if (typeof container !== 'object' || container === null) return nothing;
    return originOf(keyReads(this.trace, { container, key, element }));
  }

  protected override walkTemplate(node: TemplateNode): void {
    const restore = this.#enterTemplate(node);
    super.walkTemplate(node);
    restore();
  }

  #enterTemplate(node: TemplateNode): () => void {
    const calls = this.#calls;
    const variables = this.variables;
    const branch = this.#branch;
    const condition = this.condition;
    const dot = this.dot;
    this.#calls = { template: this.frame.template, offset: node.offset, outer: calls };
    this.#entering = true;
    this.trace.origin = nothing;
    return () => {
      this.#calls = calls;
      this.variables = variables;
      this.#branch = branch;
      this.condition = condition;
      this.dot = dot;
    };
  }
}

// An `else` that writes what its condition asked about, as that would have.
function isSilent(node: BranchNode, taken: ListNode): boolean {
  return taken !== node.list && isTemplateOrText(node);
}

// Where a key comes from; where that is not known, it is a name of its element, of which something was made.
function keyReads(
  trace: Trace,
  { container, key, element }: { readonly container: object; readonly key: string; readonly element: GoValue },
): Reads {
  const known = trace.madeOf(container)?.keys?.get(key)?.name;
  if (known !== undefined) return readsOf(known);
  const place = trace.placeOf(bare(element));
  const part = trace.partOf(container, key, element);
  return weaken(joinReads(place === undefined ? noReads : exactly(place), readsOf(part)), 'computed');
}
