// Executes a template: `walk` methods write output, `eval` methods return values. Nodes are visited in Go's order and the current one is
// remembered, so that errors point to the same place as Go's.
// Mirrors: Go, text/template, exec.go, 1.23.

import { asLimit, LimitReached, meter } from '../core/limits.ts';
import { formatValue } from '../go/format.ts';
import { quote } from '../go/number.ts';
import { isBytes } from '../go/realm.ts';
import {
  fieldOf,
  GoError,
  type GoFunc,
  type GoMap,
  GoObject,
  type GoValue,
  Int,
  int,
  isTrue,
  methodOf,
  NamedMap,
  type ParamType,
  sortedKeys,
  typeOf,
} from '../go/value.ts';
import { andFunc, byExecution, orFunc, printValue } from './builtins.ts';
import {
  checkCount,
  createFrame,
  type Fail,
  type Final,
  type Frame,
  fitLiteral,
  fitNil,
  fitValue,
  knownType,
  literalValue,
  maxCalls,
  none,
  parameterAt,
  type Value,
  zeroElement,
} from './call.ts';
import { TemplateExecError } from './failures.ts';
import type {
  BodyNode,
  BranchNode,
  ChainNode,
  CommandNode,
  FieldNode,
  IdentifierNode,
  ListNode,
  Node,
  OperandNode,
  PipeNode,
  Template,
  TemplateNode,
  VariableNode,
} from './nodes.ts';
import { printNode } from './nodes.ts';
import type { ObservedExecution, Observer, Observers } from './observer.ts';
import type { GoRules } from './rules.ts';

/** The value of a missing map key: the zero value of the element type, no value, or an error. */
export type MissingKey = 'zero' | 'invalid' | 'error';

/** Where an execution looks up templates and functions. */
export interface Surroundings {
  readonly missingKey: MissingKey;
  readonly rules: GoRules;
  /** Creates the observer for an execution. */
  readonly observers: Observers | undefined;
  findTemplate(name: string): Template | undefined;
  findFunction(name: string): GoFunc | undefined;
}

const noWords: readonly OperandNode[] = [];

type Outcome = 'ran' | 'broke' | 'continued';

const callHint = 'Look for a template that calls itself without end.';

// The eval methods take many parameters because an options object would be allocated for every node.
/** The execution of one template. */
export class Execution implements ObservedExecution {
  private readonly surroundings: Surroundings;
  private readonly observer: Observer | undefined;
  frame: Frame;
  /** The current node, for errors. */
  private node: Node | undefined;
  output = '';

  constructor(template: Template, data: GoValue, surroundings: Surroundings) {
    this.surroundings = surroundings;
    this.frame = createFrame(template, data ?? undefined, 0);
    this.observer = surroundings.observers?.observe(this);
  }

  /** Executes the template and returns its output. Throws `TemplateExecError`, `LimitReached`. */
  run(): string {
    try {
      this.walkList(this.frame.template.body);
      this.observer?.ended(this.output);
      return this.output;
    } catch (error) {
      this.observer?.failed();
      throw this.#placed(error);
    }
  }

  evaluate(word: OperandNode, type: ParamType): unknown {
    const { node } = this;
    try {
      return this.evalArgument(word, type);
    } finally {
      this.node = node;
    }
  }

  /** Returns the error to throw. A `LimitReached` gets its place. */
  #placed(error: unknown, node: Node | undefined = this.node): unknown {
    const limit = asLimit(error);
    if (limit === undefined) return error;
    if (node !== undefined) limit.at ??= this.#failure(node, limit.message);
    return limit;
  }

  #failure(node: Node, reason: string, cause?: Error): TemplateExecError {
    return new TemplateExecError(this.frame.template, node, reason, cause);
  }

  private readonly fail: Fail = (reason) => {
    throw this.#failure(this.node!, reason);
  };

  private walkList(list: ListNode): Outcome {
    const { nodes } = list;
    let outcome: Outcome = 'ran';
    this.observer?.listStarts(list);
    if (--meter.left < 0) meter.look();
    for (let i = 0; i < nodes.length && outcome === 'ran'; i++) {
      const node = nodes[i]!;
      this.node = node;
      switch (node.kind) {
        case 'text':
          this.write(node.text, node);
          break;
        case 'action': {
          const value = this.evalPipe(node.pipe);
          if (node.pipe.variables.length === 0) {
            this.write(printValue(value), node);
            if (this.output.length > meter.textSize) meter.made(this.output.length);
          }
          break;
        }
        case 'if':
        case 'with':
        case 'range':
          this.observer?.branchStarts(node);
          outcome = node.kind === 'range' ? this.walkRange(node) : this.walkBranch(node);
          this.observer?.branchEnded();
          break;
        case 'template':
          this.walkTemplate(node);
          break;
        case 'break':
          outcome = 'broke';
          break;
        case 'continue':
          outcome = 'continued';
      }
    }
    this.observer?.listEnded();
    return outcome;
  }

  /** Appends the result of a node to the output. */
  private write(text: string, node: BodyNode): void {
    this.output += text;
    this.observer?.wrote(text, node);
  }

  private walkBranch(node: BranchNode): Outcome {
    const value = this.evalPipe(node.pipe);
    if (!isTrue(value ?? null)) return node.otherwise === undefined ? this.skip(node) : this.walkList(node.otherwise);
    if (node.kind === 'if') return this.walkList(node.list);
    const { frame } = this;
    const { dot, holder } = frame;
    frame.dot = value;
    frame.holder = null;
    const outcome = this.walkList(node.list);
    frame.dot = dot;
    frame.holder = holder;
    return outcome;
  }

  private walkRange(node: BranchNode): Outcome {
    const value = this.evalPipe(node.pipe);
    const { frame } = this;
    const { dot, holder } = frame;
    frame.holder = value ?? null;
    const empty = value === undefined || this.walkElements(node, value) === 0;
    frame.dot = dot;
    frame.holder = holder;
    if (!empty || node.otherwise === undefined) return empty ? this.skip(node) : 'ran';
    // A `break` in the `else` of a range breaks that range in Go.
    return this.walkList(node.otherwise) === 'continued' ? 'continued' : 'ran';
  }

  /** Skips a branch whose condition is false and that has no `else`. */
  private skip(node: BranchNode): Outcome {
    this.observer?.skipped(node);
    return 'ran';
  }

  /** Walks the body once per element. Returns the number of elements. */
  private walkElements(node: BranchNode, value: GoValue): number {
    if (value instanceof Map) {
      // Go reads all entries first, because the body may change the map.
      const keys = sortedKeys(value);
      const elements = keys.map((key) => value.get(key) as GoValue);
      for (let i = 0; i < keys.length; i++) {
        this.bindElement(node.pipe, keys[i]!, elements[i] as GoValue);
        if (this.walkList(node.list) === 'broke') break;
      }
      return keys.length;
    }
    if (!Array.isArray(value) && !isBytes(value)) {
      if (value instanceof Int && this.surroundings.rules.rangesOverNumbers) return this.walkNumbers(node, value);
      // Go names the struct, not the pointer to it.
      return this.fail(`range can't iterate over ${formatValue(value).replace(/^&\{/, '{')}`);
    }
    const size = value.length;
    for (let i = 0; i < size; i++) {
      const element = value[i] as GoValue | number;
      const isByte = isBytes(value);
      this.bindElement(node.pipe, i, isByte ? new Int(BigInt(element as number), 'uint8') : (element as GoValue));
      if (this.walkList(node.list) === 'broke') break;
    }
    return size;
  }

  /** Walks the body for each integer below a number. Returns how many there are. */
  private walkNumbers(node: BranchNode, { value, kind }: Int): number {
    if (node.pipe.variables.length > 1) this.fail(`can't use ${value} to iterate over more than one variable`);
    for (let number = 0n; number < value; number++) {
      this.bindElement(node.pipe, 0, new Int(number, kind));
      if (this.walkList(node.list) === 'broke') break;
    }
    return value > 0n ? 1 : 0;
  }

  /** Sets dot and the range variables to an element and its key; the last variable holds the element. */
  private bindElement(pipe: PipeNode, key: string | number, element: GoValue): void {
    const { frame } = this;
    this.observer?.elementStarts(pipe, key, element);
    frame.dot = element;
    const [first, second] = pipe.variables;
    if (first === undefined) return;
    const index = second === undefined ? element : typeof key === 'number' ? int(key) : key;
    this.setVariable(first, index, second === undefined ? frame.holder : null);
    if (second !== undefined) this.setVariable(second, element, frame.holder);
  }

  private walkTemplate(node: TemplateNode): void {
    this.observer?.templateStarts(node);
    const template = this.surroundings.findTemplate(node.name);
    if (template === undefined) this.fail(`template ${quote(node.name)} not defined`);
    const { frame } = this;
    if (frame.depth === maxCalls)
      throw new LimitReached(`more than ${maxCalls} templates call each other`, { hint: callHint });
    const dot = node.pipe === undefined ? undefined : this.evalPipe(node.pipe);
    this.frame = createFrame(template, dot, frame.depth + 1);
    this.walkList(template.body);
    this.frame = frame;
    this.observer?.templateEnded();
  }

  private evalPipe(pipe: PipeNode): Value {
    this.observer?.pipeStarts(pipe);
    this.node = pipe;
    const { commands } = pipe;
    // Each stage unwraps the interface around its value; a nil becomes no value.
    let value: Value;
    for (let i = 0; i < commands.length; i++)
      value = this.evalCommand(commands[i]!, i === 0 ? none : value) ?? undefined;
    if (pipe.variables.length > 0) this.setVariables(pipe, value);
    this.observer?.pipeEnded(pipe, value);
    return value;
  }

  // In its own method to keep the stack frame of other pipelines small.
  private setVariables({ variables }: PipeNode, value: Value): void {
    for (const variable of variables) this.setVariable(variable, value, null);
  }

  private setVariable({ slot, variable }: VariableNode, value: Value, holder: GoValue): void {
    if (slot < 0) this.fail(`undefined variable: ${variable}`);
    this.frame.variables[slot] = value;
    this.frame.holders[slot] = holder;
  }

  private evalCommand(command: CommandNode, final: Final): Value {
    const { words } = command;
    this.observer?.commandStarts(command, final);
    const first = words[0]!;
    switch (first.kind) {
      case 'field':
        this.node = first;
        return this.evalFields(this.frame.dot, this.frame.holder, first, words, final);
      case 'identifier':
        return this.evalCall(this.functionOf(first), first.name, command, words, final);
      case 'variable':
        return this.evalVariable(first, words, final);
      case 'chain':
        return this.evalChain(first, words, final);
      case 'pipe':
        this.refuseArguments(words, final);
        return this.evalPipe(first);
    }
    this.node = first;
    this.refuseArguments(words, final);
    if (first.kind === 'dot') return this.frame.dot;
    return first.kind === 'nil' ? this.fail('nil is not a command') : literalValue(first, this.fail);
  }

  private refuseArguments(words: readonly OperandNode[], final: Final): void {
    if (words.length <= 1 && final === none) return;
    this.fail(`can't give argument to non-function ${printNode(words[0]!)}`);
  }

  /** Evaluates an operand as the argument of a parameter. */
  private evalArgument(word: OperandNode, type: ParamType): unknown {
    this.observer?.argumentStarts(word);
    this.node = word;
    switch (word.kind) {
      case 'field':
        return fitValue(this.evalFields(this.frame.dot, this.frame.holder, word, noWords, none), type, this.fail);
      case 'variable':
        return fitValue(this.evalVariable(word, noWords, none), type, this.fail);
      case 'pipe':
        return fitValue(this.evalPipe(word), type, this.fail);
      case 'dot':
        return fitValue(this.frame.dot, type, this.fail);
      case 'identifier':
        return fitValue(this.evalCall(this.functionOf(word), word.name, word, noWords, none), type, this.fail);
      case 'chain':
        return fitValue(this.evalChain(word, noWords, none), type, this.fail);
      case 'nil':
        return fitNil(type, this.fail);
      default:
        return fitLiteral(word, type, this.fail);
    }
  }

  private evalVariable(node: VariableNode, words: readonly OperandNode[], final: Final): Value {
    this.observer?.variableRead(node);
    this.node = node;
    const { slot } = node;
    if (slot < 0) return this.fail(`undefined variable: ${node.variable}`);
    const value = this.frame.variables[slot];
    if (node.names.length > 0) return this.evalFields(value, this.frame.holders[slot] ?? null, node, words, final);
    this.refuseArguments(words, final);
    return value;
  }

  private evalChain(node: ChainNode, words: readonly OperandNode[], final: Final): Value {
    this.node = node;
    const { operand } = node;
    if (operand.kind === 'nil') return this.fail(`indirection through explicit nil in ${printNode(node)}`);
    this.node = operand;
    const value =
      operand.kind === 'pipe'
        ? this.evalPipe(operand)
        : this.evalCall(
            this.functionOf(operand as IdentifierNode),
            (operand as IdentifierNode).name,
            operand,
            noWords,
            none,
          );
    return this.evalFields(value, null, node, words, final);
  }

  /** Follows `.a.b.c` from a value. Only the last name receives the arguments, if it is a method. */
  private evalFields(
    start: Value,
    startHolder: GoValue,
    node: FieldNode | VariableNode | ChainNode,
    words: readonly OperandNode[],
    final: Final,
  ): Value {
    const last = node.names.length - 1;
    let value = start;
    let holder = startHolder;
    for (let i = 0; i <= last; i++) {
      this.observer?.fieldStarts(value, node, i);
      const isLast = i === last;
      const next = this.evalField(value, holder, node, i, isLast ? words : noWords, isLast ? final : none);
      this.observer?.fieldEnded(value, node.names[i]!, next);
      holder = value ?? null;
      value = next;
    }
    return value;
  }

  private evalField(
    receiver: Value,
    holder: GoValue,
    node: FieldNode | VariableNode | ChainNode,
    at: number,
    words: readonly OperandNode[],
    final: Final,
  ): Value {
    const name = node.names[at]!;
    if (receiver === undefined) return this.fieldOfNothing(name);
    if (receiver === null) return this.fail(`nil pointer evaluating interface {}.${name}`);
    const method = receiver instanceof Map && !(receiver instanceof NamedMap) ? undefined : methodOf(receiver, name);
    if (method !== undefined) return this.evalCall(method, name, node, words, final);
    const hasArguments = words.length > 1 || final !== none;
    if (receiver instanceof Map) {
      if (hasArguments) return this.fail(`${name} is not a method but has arguments`);
      return receiver.get(name) ?? (receiver.has(name) ? null : this.missingElement(receiver, name));
    }
    const field = receiver instanceof GoObject ? fieldOf(receiver, name) : undefined;
    if (field === undefined) {
      const type = knownType(receiver, holder, node.names[at - 1]);
      const hidden = receiver instanceof GoObject && receiver.layout().has(name);
      if (hidden) return this.fail(`${name} is an unexported field of struct type ${type}`);
      return this.fail(`can't evaluate field ${name} in type ${type}`);
    }
    if (hasArguments) return this.fail(`${name} has arguments but cannot be invoked as function`);
    return field;
  }

  private fieldOfNothing(name: string): Value {
    if (this.surroundings.missingKey !== 'error') return undefined;
    return this.fail(`nil data; no entry for key ${quote(name)}`);
  }

  private missingElement(map: GoMap, name: string): Value {
    const { missingKey } = this.surroundings;
    if (missingKey === 'zero') return zeroElement(map);
    return missingKey === 'invalid' ? undefined : this.fail(`map has no entry for key ${quote(name)}`);
  }

  private functionOf(node: IdentifierNode): GoFunc {
    this.node = node;
    const fn = this.surroundings.findFunction(node.name);
    return fn ?? this.fail(`${quote(node.name)} is not a defined function`);
  }

  /** Calls a function or method. Its arguments are all words but the first, then the piped value. */
  private evalCall(fn: GoFunc, name: string, whole: Node, words: readonly OperandNode[], final: Final): Value {
    const { observer } = this;
    observer?.callStarts(name, final);
    const count = Math.max(words.length - 1, 0);
    const miscount = checkCount(name, fn, count, final === none ? 0 : 1);
    if (miscount !== undefined) return this.fail(miscount);
    if (fn.unfit !== undefined) return this.fail(fn.unfit);
    if (fn.call === byExecution) {
      if (fn === andFunc || fn === orFunc) {
        const value = this.evalLogic(fn === orFunc, words, final);
        observer?.logicEnded(fn === orFunc, words, value);
        observer?.callEnded(name, whole);
        return value;
      }
      // Go dereferences the argument's node without a nil check; the panic ends the whole execution.
      if (count === 0) throw new GoError('runtime error: index out of range [0] with length 0');
    }
    const args = new Array<unknown>(final === none ? count : count + 1);
    for (let i = 0; i < count; i++) {
      args[i] = this.evalArgument(words[i + 1]!, parameterAt(fn, i));
      observer?.argumentEnded(args[i] as Value);
    }
    if (final !== none) args[count] = fitValue(final, parameterAt(fn, count), this.fail);
    try {
      if (fn.call === byExecution) return refuseCall(args[0] as Value, words[1]!);
      observer?.functionStarts(args);
      const result = fn.rest === undefined ? fn.call(...(args as never[])) : callWithRest(fn, args);
      observer?.functionEnded(result);
      if (typeof result === 'string') meter.made(result.length);
      if (--meter.left < 0) meter.look();
      observer?.callEnded(name, whole);
      return result;
    } catch (error) {
      throw this.callFailure(error, name, whole);
    }
  }

  /** Returns the first argument that decides, or the last one. Later arguments are not evaluated. */
  private evalLogic(decisive: boolean, words: readonly OperandNode[], final: Final): Value {
    let value: Value;
    for (let i = 1; i < words.length; i++) {
      value = this.evalArgument(words[i]!, 'reflect.Value') as Value;
      this.observer?.argumentEnded(value);
      if (isTrue(value ?? null) === decisive) return value;
    }
    return final === none ? value : final;
  }

  /** Converts an exception of a function to the error of the execution. Anything but a `GoError` is a bug and is thrown unchanged. */
  private callFailure(error: unknown, name: string, whole: Node): unknown {
    if (!(error instanceof GoError)) return this.#placed(error, whole);
    return this.#failure(whole, `error calling ${name}: ${error.message}`, error);
  }
}

// Variadic arguments are passed as one list, which may be long.
function callWithRest(fn: GoFunc, args: unknown[]): GoValue {
  const rest = args.splice(fn.params.length);
  return fn.call(...(args as never[]), rest as never);
}

/** Fails as `call` does: it calls function values, and no value here is a function. */
function refuseCall(value: Value, word: OperandNode): never {
  if (value === undefined || value === null) throw new GoError('call of nil');
  throw new GoError(`non-function ${printNode(word)} of type ${typeOf(value)}`);
}
