// Records the origins of an execution's text: which node wrote each part, under which conditions, and what its pipelines read.

import { GoError, type GoValue, isTrue } from '../go/value.ts';
import { type Final, none, type Value } from './call.ts';
import { TemplateExecError } from './failures.ts';
import type {
  ActionNode,
  BodyNode,
  BranchNode,
  ChainNode,
  CommandNode,
  FieldNode,
  ListNode,
  Node,
  OperandNode,
  PipeNode,
  Template,
  TemplateNode,
  VariableNode,
} from './nodes.ts';
import { type ObservedExecution, Observer } from './observer.ts';
import {
  type Condition,
  downgrade,
  exactRead,
  joinReads,
  noOrigin,
  noReads,
  type Origin,
  originOf,
  readsOf,
  readsWithin,
  type Span,
  slice,
  type TemplateCall,
  type ValueReads,
  withReads,
} from './origin.ts';
import { bare, hasParts, type Trace } from './trace.ts';

/** A branch being executed. */
interface Branch {
  readonly node: BranchNode;
  readonly outer: Branch | undefined;
  /** What decides it. */
  reads: ValueReads | undefined;
  /** The origin of its value. */
  origin: Origin;
  /** The list that is executed: its own, or that of `else`. */
  taken: ListNode | undefined;
}

/** A call whose arguments are being evaluated. */
interface OpenCall {
  readonly name: string;
  readonly origins: Origin[];
  readonly values: Value[];
  /** The origin of the piped value. */
  readonly final: Origin | undefined;
  /** The receiver of a method. */
  readonly receiver: Value;
  readonly outer: OpenCall | undefined;
  /** Applies the effects of a function call to the trace when its result is available. */
  ended?: (result: GoValue) => void;
}

/** The state of a template when it calls another one. */
interface Caller {
  readonly calls: TemplateCall | undefined;
  readonly variables: Map<number, Origin>;
  readonly branch: Branch | undefined;
  readonly condition: Condition | undefined;
  readonly dot: Origin;
  readonly outer: Caller | undefined;
}

/** State that evaluation changes, and that evaluating an additional operand must not change. */
interface Evaluation {
  /** The last evaluated operand. */
  value: Value;
  open: OpenCall | undefined;
  /** The origin of the value that is piped into the current command. */
  final: Origin;
  receiver: Value;
  /** Whether the current pipeline or an enclosing one assigns. */
  isAssigned: boolean;
}

/** The observer of a traced execution. */
export class Tracer extends Observer {
  readonly #running: ObservedExecution;
  readonly #trace: Trace;
  readonly #spans: Span[] = [];
  readonly #first: Template;
  /** The origin of the template's text, if a value contains it. */
  readonly #source: Origin | undefined;
  readonly #leftOut: Condition[] = [];
  readonly #replaced: Condition[] = [];
  #condition: Condition | undefined;
  #calls: TemplateCall | undefined;
  #branch: Branch | undefined;
  #caller: Caller | undefined;
  /** The origin of dot. */
  #dot: Origin;
  /** For the current range: the origin of its element, and what made the element exist. */
  #element: { readonly origin: Origin; readonly reads: ValueReads } | undefined;
  #variables = new Map<number, Origin>();
  /** The branch in which each variable was declared. */
  readonly #declared = new Map<number, Condition | undefined>();
  /** The body of the template that an action calls next. */
  #entering = false;
  /** What was read since the last output. */
  readonly #recent: Origin[] = [];
  /** For each active list, the state to restore. */
  readonly #lists: { readonly condition: Condition | undefined; readonly dot: Origin }[] = [];
  /** For each active pipeline, whether an enclosing one assigns. */
  readonly #pipes: boolean[] = [];
  /** For each active field lookup, the origin of the receiver. */
  readonly #fields: Origin[] = [];
  #now: Evaluation = { value: undefined, open: undefined, final: noOrigin, receiver: undefined, isAssigned: false };

  constructor(running: ObservedExecution, trace: Trace) {
    super();
    const { entry } = trace;
    this.#running = running;
    this.#trace = trace;
    this.#first = running.frame.template;
    this.#dot = entry?.dot ?? noOrigin;
    this.#source = entry?.text === noOrigin ? undefined : entry?.text;
    this.#variables.set(0, this.#dot);
    trace.entry = undefined;
  }

  // ---- texts, branches and templates

  override failed(): void {
    const { template } = this.#running.frame;
    const open = this.#now.open?.origins ?? [];
    const reads = joinReads(...this.#recent.map(readsOf), ...open.map(readsOf));
    this.#trace.failures.push({ template, condition: this.#condition, calls: this.#calls, reads });
  }

  override ended(text: string): void {
    this.#trace.last = {
      template: this.#first,
      text,
      spans: this.#spans,
      leftOut: this.#leftOut,
      replaced: this.#replaced,
    };
  }

  override wrote(text: string, node: BodyNode): void {
    this.#recent.length = 0;
    if (text === '') return;
    const end = this.#running.output.length;
    const { template } = this.#running.frame;
    const origin = node.kind === 'action' ? this.#written(node) : this.#sourceAt(node.offset, text.length);
    const written = node as Span['node'];
    const condition = this.#condition;
    this.#spans.push({ start: end - text.length, end, template, node: written, condition, origin, calls: this.#calls });
  }

  // The origin of what an action wrote. An action inside a template that a value held also depends on that value.
  #written({ offset }: ActionNode): Origin {
    const trace = this.#trace;
    const { value } = this.#now;
    const inner = bare(value);
    const isObject = typeof inner === 'object' && inner !== null && hasParts(inner);
    const own = isObject ? originOf(trace.standing(value, trace.origin)) : trace.origin;
    const held = this.#sourceAt(offset, 1);
    return held === undefined ? own : withReads(own, downgrade(readsOf(held), 'computed'));
  }

  #sourceAt(offset: number, length: number): Origin | undefined {
    if (this.#source === undefined || this.#running.frame.template.source !== this.#first.source) return undefined;
    return slice(this.#source, offset, offset + length);
  }

  override branchStarts(node: BranchNode): void {
    this.#branch = { node, outer: this.#branch, reads: undefined, origin: noOrigin, taken: undefined };
  }

  override branchEnded(): void {
    const branch = this.#branch!;
    this.#branch = branch.outer;
    const { node, taken } = branch;
    if (taken !== undefined && (node.otherwise === undefined || isSilent(node, taken))) return;
    const { template } = this.#running.frame;
    const reads = this.#decisionOf(branch);
    const left = { template, branch: node, isElse: taken === node.list, reads, outer: this.#condition };
    (taken === undefined ? this.#leftOut : this.#replaced).push(left);
  }

  // A branch is decided by the operand that was last evaluated when this is first called.
  #decisionOf(branch: Branch): ValueReads {
    if (branch.reads !== undefined) return branch.reads;
    const trace = this.#trace;
    branch.origin = trace.origin;
    const { kind } = branch.node;
    branch.reads =
      kind === 'range'
        ? downgrade(trace.whole(this.#now.value, trace.origin), 'decides')
        : trace.truthOf(this.#now.value, trace.origin);
    return branch.reads;
  }

  override listStarts(list: ListNode): void {
    this.#lists.push({ condition: this.#condition, dot: this.#dot });
    this.#recent.length = 0;
    const branch = this.#branch;
    if (this.#entering) {
      this.#entering = false;
      this.#dot = this.#trace.origin;
      this.#variables = new Map([[0, this.#dot]]);
      return;
    }
    if (branch === undefined || (list !== branch.node.list && list !== branch.node.otherwise)) return;
    branch.taken = list;
    const { node } = branch;
    const isElse = list !== node.list;
    let reads = isSilent(node, list) ? noReads : this.#decisionOf(branch);
    if (!isElse && node.kind === 'with') this.#dot = branch.origin;
    if (!isElse && node.kind === 'range' && this.#element !== undefined) {
      this.#dot = this.#element.origin;
      reads = this.#element.reads;
    }
    this.#condition = { template: this.#running.frame.template, branch: node, isElse, reads, outer: this.#condition };
  }

  override listEnded(): void {
    const { condition, dot } = this.#lists.pop()!;
    this.#condition = condition;
    this.#dot = dot;
  }

  override elementStarts(pipe: PipeNode, key: string | number, element: GoValue): void {
    const trace = this.#trace;
    const branch = this.#branch!;
    const whole = this.#decisionOf(branch);
    const container = bare(this.#running.frame.holder);
    const isObject = typeof container === 'object' && container !== null && hasParts(container);
    const way = originOf(downgrade(readsOf(branch.origin), 'decides'));
    const origin = isObject ? withReads(trace.partOf(container, key, element), way.reads) : branch.origin;
    const presence = isObject ? trace.presenceOf(container, key, element) : noReads;
    const made = isObject ? trace.madeOf(container) : undefined;
    const isKnown = presence.size > 0 || made?.isGathered === true || made?.keys?.has(key) === true;
    this.#element = { origin, reads: isKnown ? joinReads(presence, way.reads) : whole };
    const [first, second] = pipe.variables;
    if (first === undefined) return;
    this.#variables.set((second ?? first).slot, origin);
    if (second === undefined) return;
    // An index is the position of an element and does not depend on its value.
    this.#variables.set(first.slot, typeof key === 'number' ? noOrigin : this.#keyOrigin(container, key, element));
  }

  #keyOrigin(container: Value, key: string, element: GoValue): Origin {
    if (typeof container !== 'object' || container === null) return noOrigin;
    return originOf(keyReads(this.#trace, { container, key, element }));
  }

  override templateStarts({ offset }: TemplateNode): void {
    const calls = this.#calls;
    this.#caller = {
      calls,
      variables: this.#variables,
      branch: this.#branch,
      condition: this.#condition,
      dot: this.#dot,
      outer: this.#caller,
    };
    this.#calls = { template: this.#running.frame.template, offset, outer: calls };
    this.#entering = true;
    this.#trace.origin = noOrigin;
  }

  override templateEnded(): void {
    const { calls, variables, branch, condition, dot, outer } = this.#caller!;
    this.#calls = calls;
    this.#variables = variables;
    this.#branch = branch;
    this.#condition = condition;
    this.#dot = dot;
    this.#caller = outer;
  }

  // ---- pipelines

  override pipeStarts(pipe: PipeNode): void {
    this.#pipes.push(this.#now.isAssigned);
    if (pipe.assigns) this.#now.isAssigned = true;
  }

  override pipeEnded(pipe: PipeNode, value: Value): void {
    this.#now.isAssigned = this.#pipes.pop()!;
    this.#now.value = value;
    if (pipe.variables.length === 0) return;
    const trace = this.#trace;
    const inner = bare(value);
    // A collected list knows for each part why it exists.
    const isOwn = trace.madeOf(inner)?.isGathered === true || (pipe.assigns && usesOwn(pipe));
    for (const { slot } of pipe.variables) {
      if (!pipe.assigns) this.#declared.set(slot, this.#condition);
      const reads = pipe.assigns && !isOwn ? readsWithin(this.#condition, this.#declared.get(slot)) : noReads;
      this.#variables.set(slot, withReads(trace.origin, reads));
    }
  }

  override variableRead({ slot }: VariableNode): void {
    this.#came(this.#variables.get(slot) ?? noOrigin);
  }

  #came(origin: Origin): void {
    this.#trace.origin = origin;
    if (origin !== noOrigin) this.#recent.push(origin);
  }

  override commandStarts({ words }: CommandNode, final: Final): void {
    if (final !== none) this.#now.final = this.#trace.origin;
    this.argumentStarts(words[0]!);
  }

  override argumentStarts({ kind }: OperandNode): void {
    if (kind === 'dot') this.#came(this.#dot);
    else if (kind === 'string' || kind === 'number' || kind === 'bool' || kind === 'nil') this.#trace.origin = noOrigin;
  }

  override argumentEnded(value: Value): void {
    this.#now.open?.origins.push(this.#trace.origin);
    this.#now.open?.values.push(value);
  }

  override fieldStarts(receiver: Value, node: FieldNode | VariableNode | ChainNode, at: number): void {
    const trace = this.#trace;
    this.#now.receiver = receiver;
    if (at === 0) trace.missing = undefined;
    this.#fields.push(at === 0 && node.kind === 'field' ? this.#dot : trace.origin);
    // The result of a method replaces its receiver.
    trace.origin = uncalled;
  }

  // `.Values.image.tag` reads the tag; the tables on the way only lead to it.
  override fieldEnded(receiver: Value, name: string, value: Value): void {
    const trace = this.#trace;
    const from = this.#fields.pop()!;
    const called = trace.origin;
    const container = bare(receiver);
    if (typeof container !== 'object' || container === null) {
      trace.origin = from;
      return;
    }
    if (value === null || value === undefined) trace.miss(container, name);
    const lead = downgrade(readsOf(from), 'decides');
    if (called !== uncalled) trace.origin = withReads(called, lead);
    else this.#came(withReads(trace.partOf(container, name, value), lead));
  }

  override callStarts(name: string, final: Final): void {
    const { open: outer, receiver } = this.#now;
    const piped = final === none ? undefined : this.#now.final;
    this.#now.open = { name, origins: [], values: [], final: piped, receiver, outer };
  }

  override callEnded(): void {
    this.#now.open = this.#now.open!.outer;
  }

  override logicEnded(decisive: boolean, words: readonly OperandNode[], value: Value): void {
    const trace = this.#trace;
    // The last one is returned because those before it did not decide.
    const { origins, values, final } = this.#now.open!;
    const isPiped =
      final !== undefined && origins.length === words.length - 1 && isTrue(values.at(-1) ?? null) !== decisive;
    const before = isPiped ? origins : origins.slice(0, -1);
    const last = (isPiped ? final : origins.at(-1)) ?? noOrigin;
    const reads = before.map((origin, at) => downgrade(trace.whole(values[at], origin), 'decides'));
    const whole = { reads: joinReads(...reads, last.reads), pieces: last.pieces };
    if (isTrue(value ?? null) === decisive) trace.truths.set(whole, this.#decisiveReads(decisive, words, last));
    else if (origins.length > 0 && !isPiped) {
      // None was enough; each could have been.
      trace.truths.set(whole, joinReads(...origins.map((origin, at) => trace.truthOf(values[at], origin))));
    }
    trace.origin = whole;
  }

  // One was enough. Those before it were not, and if a later one would have been too, none decides alone.
  #decisiveReads(decisive: boolean, words: readonly OperandNode[], last: Origin): ValueReads {
    const { values } = this.#now.open!;
    const own = this.#trace.truthOf(values.at(-1), last);
    const others = words.slice(1 + values.length).flatMap((word) => {
      const found = this.#aside(word);
      return found !== undefined && isTrue(found.value ?? null) === decisive ? [found.reads] : [];
    });
    return others.length === 0 ? own : downgrade(joinReads(own, ...others), 'shares');
  }

  // Evaluates an operand that the rendering skips and discards the effects. Returns undefined if that is not possible.
  #aside(word: OperandNode): { readonly value: Value; readonly reads: ValueReads } | undefined {
    if (!isQuiet(word)) return undefined;
    const trace = this.#trace;
    const now = this.#now;
    const { origin, missing } = trace;
    const [recent, pipes, fields] = [this.#recent.length, this.#pipes.length, this.#fields.length];
    this.#now = { ...now, open: undefined };
    try {
      const found = this.#running.evaluate(word, 'reflect.Value') as Value;
      return { value: found, reads: trace.truthOf(found, trace.origin) };
    } catch (error) {
      if (error instanceof TemplateExecError || error instanceof GoError) return undefined;
      throw error;
    } finally {
      this.#now = now;
      Object.assign(trace, { origin, missing });
      this.#recent.length = recent;
      this.#pipes.length = pipes;
      this.#fields.length = fields;
    }
  }

  override functionStarts(given: readonly unknown[]): void {
    const trace = this.#trace;
    const open = this.#now.open!;
    const { name, origins, final, receiver } = open;
    if (final !== undefined) origins.push(final);
    // The variadic parameter flattens its list.
    const args = given.slice() as GoValue[];
    const before = trace.rules.prepare(name, args);
    if (name === 'include' || name === 'tpl') {
      trace.entry = { dot: origins[1] ?? noOrigin, text: name === 'tpl' ? (origins[0] ?? noOrigin) : noOrigin };
      trace.last = undefined;
    }
    open.ended = (result) => {
      trace.entry = undefined;
      const condition = this.#condition;
      const { isAssigned } = this.#now;
      this.#came(trace.rules.carry({ name, args, origins, result, before, condition, isAssigned, receiver, trace }));
    };
  }

  override functionEnded(result: GoValue): void {
    this.#now.open?.ended?.(result);
  }
}

/** The origin of a result without a method. */
const uncalled: Origin = { reads: noReads, pieces: undefined };

// `$x = printf "%s,%s" $x .name` keeps the origins of `$x`.
function usesOwn(pipe: PipeNode): boolean {
  const slots = new Set(pipe.variables.map(({ slot }) => slot));
  const uses = (word: OperandNode): boolean =>
    (word.kind === 'variable' && slots.has(word.slot)) || (word.kind === 'pipe' && isUsed(word));
  const isUsed = ({ commands }: PipeNode): boolean => commands.some(({ words }) => words.some(uses));
  return isUsed(pipe);
}

// An `else` that writes what its condition tested, as the other branch would have.
function isSilent(node: BranchNode, taken: ListNode): boolean {
  return taken !== node.list && isTemplateOrText(node);
}

// The origin of a key. If it is unknown, it is the name of its element.
function keyReads(
  trace: Trace,
  { container, key, element }: { readonly container: object; readonly key: string; readonly element: GoValue },
): ValueReads {
  const known = trace.madeOf(container)?.keys?.get(key)?.name;
  if (known !== undefined) return readsOf(known);
  const place = trace.placeOf(bare(element));
  const part = trace.partOf(container, key, element);
  return downgrade(joinReads(place === undefined ? noReads : exactRead(place), readsOf(part)), 'computed');
}

/** Functions without side effects that appear in conditions. */
const quiet: ReadonlySet<string> = new Set(
  (
    'and or not eq ne lt le gt ge empty default coalesce ternary all any has hasKey contains hasPrefix hasSuffix len ' +
    'int int64 float64 toString toStrings lower upper trim trimPrefix trimSuffix quote squote print printf index get dig ' +
    'first last keys values list dict kindIs kindOf typeIs typeOf deepEqual regexMatch semverCompare until add sub min max'
  ).split(' '),
);

const known = new WeakMap<object, boolean>();

/** Reports whether an operand can be evaluated in addition to the rendering: it writes nothing, changes nothing and uses no randomness. */
function isQuiet(word: OperandNode): boolean {
  let found = known.get(word);
  if (found === undefined) {
    found =
      word.kind === 'chain' ? isQuiet(word.operand) : word.kind === 'pipe' ? isQuietPipe(word) : isQuietWord(word);
    known.set(word, found);
  }
  return found;
}

function isQuietPipe({ variables, commands }: PipeNode): boolean {
  return variables.length === 0 && commands.every(({ words }) => words.every(isQuiet));
}

function isQuietWord(word: OperandNode): boolean {
  return word.kind !== 'identifier' || quiet.has(word.name);
}

/**
 * Reports whether an `if` with a false condition has the same outcome as one with a true condition: the condition checks for template
 * syntax before `tpl`, and the `else` writes the text unchanged, as `tpl` would.
 */
function isTemplateOrText(node: BranchNode): boolean {
  let found = known.get(node);
  if (found === undefined) {
    found = node.kind === 'if' && needsBraces(node.pipe) && isOneAction(node.otherwise) && isOnlyTpl(node.list);
    known.set(node, found);
  }
  return found;
}

function needsBraces({ commands }: PipeNode): boolean {
  const [name, needle] = commands.at(-1)?.words ?? [];
  return isNamed(name, 'contains') && needle?.kind === 'string' && needle.value.includes('{{');
}

function isNamed(node: Node | undefined, name: string): boolean {
  return node?.kind === 'identifier' && node.name === name;
}

function isOneAction(list: ListNode | undefined): boolean {
  const nodes = shownOf(list);
  return nodes.length === 1 && nodes[0]?.kind === 'action';
}

function isOnlyTpl(list: ListNode | undefined): boolean {
  return shownOf(list).every((node) => {
    if (node.kind === 'if') return isOnlyTpl(node.list) && isOnlyTpl(node.otherwise);
    return node.kind === 'action' && node.pipe.commands.length === 1 && isNamed(node.pipe.commands[0]?.words[0], 'tpl');
  });
}

// White space between actions is usually trimmed.
function shownOf(list: ListNode | undefined): readonly BodyNode[] {
  return (list?.nodes ?? []).filter((node) => node.kind !== 'text' || node.text.trim() !== '');
}
