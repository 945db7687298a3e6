// Runs a script of PowerShell: of the language the part that our scripts use, with its scopes, pipelines and strict mode, after
// the tree of a parser that knows all of it. What it does not know ends the proof.
// Mirrors: about_Scopes, about_Functions, about_Pipelines, about_Return, about_Splatting, about_Quoting_Rules of PowerShell.

import { dirname } from 'node:path';
import { cmdlets, findTool, type Shell, unknownCommand } from './cmdlets.ts';
import { Evaluator } from './expressions.ts';
import { type Edition, runNative } from './native.ts';
import { utf8 } from './net.ts';
import type { Node } from './parser.ts';
import {
  type FunctionBody,
  inner,
  Leave,
  type Parameter,
  partOf,
  partsOf,
  Returned,
  readParameters,
  Scope,
  sorted,
  type Word,
} from './scopes.ts';
import {
  type Block,
  collected,
  errorRecord,
  itemsOf,
  NetObject,
  numberOf,
  operate,
  PowerShellError,
  textOf,
  truthOf,
} from './values.ts';

/** What a script is run with. */
export interface RunOptions {
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly edition: Edition;
  readonly write: (stream: 1 | 2, text: string) => void;
  /** Runs another script, or this one with other words; gives its exit code. */
  readonly start: (words: readonly string[]) => number;
}

/** Runs a script; gives its exit code and the pauses it made. */
export function runPowerShell(
  tree: Node,
  options: RunOptions,
): { readonly code: number; readonly pauses: readonly number[] } {
  const runner = new Runner(options);
  try {
    runner.script(tree);
    return { code: 0, pauses: runner.pauses };
  } catch (error) {
    if (error instanceof Leave && error.kind === 'exit') return { code: error.code, pauses: runner.pauses };
    if (!(error instanceof PowerShellError)) throw error;
    options.write(2, `${error.message}\n`);
    return { code: 1, pauses: runner.pauses };
  }
}

class Runner extends Evaluator implements Shell {
  cwd: string;
  readonly folders: string[] = [];
  override readonly env: Record<string, string | undefined>;
  readonly pauses: number[] = [];
  readonly #options: RunOptions;
  readonly #functions = new Map<string, FunctionBody>();

  constructor(options: RunOptions) {
    super();
    this.#options = options;
    this.cwd = options.cwd;
    this.env = { ...options.env };
    const version = new NetObject('version', { text: options.edition });
    const known: Readonly<Record<string, unknown>> = {
      true: true,
      false: false,
      null: null,
      pid: 1,
      psversiontable: new Map([['psversion', version]]),
      pscommandpath: options.path,
      psscriptroot: dirname(options.path),
      erroractionpreference: 'Continue',
    };
    for (const [name, value] of Object.entries(known)) this.top.set(name, value);
  }

  setScriptVariable(name: string, value: unknown): void {
    this.top.set(name.toLowerCase(), value);
  }

  override write(stream: 1 | 2, text: string): void {
    this.#options.write(stream, text);
  }

  startScript(words: readonly string[]): NetObject {
    const plain = words.map((word) => word.replace(/^"([\s\S]*)"$/, '$1'));
    const code = this.#options.start(plain);
    return new NetObject('Process', { handle: 1, exitcode: code, waitforexit: () => undefined });
  }

  script(tree: Node): void {
    const block = partOf(tree, 'param_block');
    const list = block === undefined ? undefined : partOf(block, 'parameter_list');
    const words = this.#options.args.map((word) =>
      /^-[A-Za-z]/.test(word) ? { parameter: word.slice(1) } : { value: word },
    );
    this.bind(readParameters(list), words, this.top);
    const body = partOf(tree, 'statement_list');
    if (body === undefined) return;
    for (const item of this.statements(body)) this.write(1, `${textOf(item)}\n`);
  }

  // ---- statements: each gives what it puts out

  override statements(list: Node): unknown[] {
    const outputs: unknown[] = [];
    for (const statement of partsOf(list)) {
      try {
        outputs.push(...this.statement(statement));
      } catch (error) {
        // What was put out before a return is put out.
        if (error instanceof Returned) throw new Returned([...outputs, ...error.outputs]);
        throw error;
      }
    }
    return outputs;
  }

  statement(node: Node): unknown[] {
    switch (node.type) {
      case 'pipeline':
        return this.pipeline(node);
      case 'if_statement':
        return this.if(node);
      case 'function_statement':
        return this.define(node);
      case 'flow_control_statement':
        return this.leave(node);
      case 'foreach_statement':
      case 'while_statement':
      case 'for_statement':
        return this.loop(node);
      case 'try_statement':
        return this.try(node);
      case 'switch_statement':
        return this.switch(node);
      case 'empty_statement':
        return [];
      default:
        throw new Error(`a statement of another kind: ${node.type} ${node.text.slice(0, 80)}`);
    }
  }

  block(node: Node): unknown[] {
    const list = partOf(node, 'statement_list');
    return list === undefined ? [] : this.statements(list);
  }

  if(node: Node): unknown[] {
    const [condition, body] = partsOf(node) as [Node, Node];
    if (truthOf(this.value(condition))) return this.block(body);
    for (const clause of partsOf(partOf(node, 'elseif_clauses') ?? ({ namedChildren: [] } as unknown as Node))) {
      const [test, then] = partsOf(clause) as [Node, Node];
      if (truthOf(this.value(test))) return this.block(then);
    }
    const last = partOf(node, 'else_clause');
    return last === undefined ? [] : this.block(partOf(last, 'statement_block') as Node);
  }

  define(node: Node): unknown[] {
    const declared = partOf(node, 'function_parameter_declaration');
    this.#functions.set((partOf(node, 'function_name') as Node).text.toLowerCase(), {
      parameters: readParameters(declared === undefined ? undefined : partOf(declared, 'parameter_list')),
      body: partOf(node, 'script_block') as Node,
    });
    return [];
  }

  leave(node: Node): unknown[] {
    const word = (node.children[0] as Node).text.toLowerCase();
    const [pipeline] = partsOf(node);
    const given = pipeline === undefined ? [] : this.pipeline(pipeline);
    if (word === 'return') throw new Returned(given);
    if (word === 'throw') throw new PowerShellError(textOf(collected(given)));
    if (word === 'exit') throw new Leave('exit', numberOf(collected(given)));
    throw new Leave(word as 'break' | 'continue');
  }

  loop(node: Node): unknown[] {
    const outputs: unknown[] = [];
    const body = partOf(node, 'statement_block') as Node;
    for (const _ of this.rounds(node)) {
      try {
        outputs.push(...this.block(body));
      } catch (error) {
        if (error instanceof Returned) throw new Returned([...outputs, ...error.outputs]);
        if (!(error instanceof Leave) || error.kind === 'exit') throw error;
        if (error.kind === 'break') break;
      }
    }
    return outputs;
  }

  *rounds(node: Node): Generator<undefined> {
    if (node.type === 'foreach_statement') {
      const [variable, list] = partsOf(node) as [Node, Node];
      for (const item of itemsOf(this.value(list))) {
        this.assign(variable, item);
        yield undefined;
      }
      return;
    }
    const clause = (type: string): Node | undefined => partOf(node, type);
    const first = clause('for_initializer');
    if (first !== undefined) this.pipeline(partsOf(first)[0] as Node);
    const condition = (clause('for_condition') ?? clause('while_condition')) as Node;
    while (truthOf(this.value(partsOf(condition)[0] as Node))) {
      yield undefined;
      const next = clause('for_iterator');
      if (next !== undefined) this.pipeline(partsOf(next)[0] as Node);
    }
  }

  try(node: Node): unknown[] {
    const last = partOf(node, 'finally_clause');
    const given: unknown[] = [];
    try {
      given.push(...this.caught(node));
    } finally {
      if (last !== undefined) given.push(...this.block(partOf(last, 'statement_block') as Node));
    }
    return given;
  }

  caught(node: Node): unknown[] {
    try {
      return this.block(partOf(node, 'statement_block') as Node);
    } catch (error) {
      if (!(error instanceof PowerShellError)) throw error;
      this.scope.set('_', errorRecord(error.message));
      const clauses = partOf(node, 'catch_clauses');
      if (clauses === undefined) throw error;
      const clause = partsOf(clauses)[0] as Node;
      return this.block(partOf(clause, 'statement_block') as Node);
    }
  }

  switch(node: Node): unknown[] {
    const value = this.value(partsOf(partOf(node, 'switch_condition') as Node)[0] as Node);
    const clauses = partOf(partOf(node, 'switch_body') as Node, 'switch_clauses');
    return (clauses === undefined ? [] : partsOf(clauses)).flatMap((clause) => {
      const [condition, body] = partsOf(clause) as [Node, Node];
      const wanted = this.value(partsOf(condition)[0] as Node);
      return truthOf(operate('-eq', value, wanted, this)) ? this.block(body) : [];
    });
  }

  // ---- pipelines and commands

  override pipeline(node: Node): unknown[] {
    const [only] = partsOf(node);
    if (node.type === 'pipeline' && only?.type === 'assignment_expression') return this.assignment(only);
    const chain = node.type === 'pipeline' ? (only as Node) : node;
    const stages = chain.type === 'pipeline_chain' ? partsOf(chain) : [chain];
    let flow: unknown[] | undefined;
    for (const stage of stages) {
      if (stage.type === 'command') flow = this.command(stage, flow);
      else flow = this.outputs(inner(stage));
    }
    return flow ?? [];
  }

  // What an expression puts out: changing a variable puts out nothing, and parentheses hide nothing but that.
  outputs(node: Node): unknown[] {
    if (node.type === 'post_increment_expression') {
      const variable = partsOf(node)[0] as Node;
      this.assign(variable, numberOf(this.value(variable)) + 1);
      return [];
    }
    const value = this.value(node);
    return itemsOf(value);
  }

  assignment(node: Node): unknown[] {
    const [left, operator, right] = partsOf(node) as [Node, Node, Node];
    const outputs = right.type === 'pipeline' ? this.assigned(right) : collected(this.statement(right));
    const target = inner(partsOf(left)[0] as Node);
    if (operator.text === '=') this.assign(target, outputs);
    else this.assign(target, operate(operator.text.slice(0, 1), this.value(target), outputs, this));
    return [];
  }

  // A list keeps being one where an expression gives it; what commands give is gathered.
  override assigned(node: Node): unknown {
    const [only] = partsOf(node);
    const found = inner(only as Node);
    return found.type === 'command' || found.type === 'pipeline_chain' || found.type === 'assignment_expression'
      ? collected(this.pipeline(node))
      : this.value(found);
  }

  assign(target: Node, value: unknown): void {
    if (target.type === 'variable') {
      const { scope, name } = this.named(target);
      scope.set(name, value);
    } else if (target.type === 'array_literal_expression') {
      const targets = partsOf(target).map(inner);
      const items = itemsOf(value);
      for (const [at, one] of targets.entries()) {
        const isLast = at === targets.length - 1;
        this.assign(one, isLast && items.length > targets.length ? items.slice(at) : (items[at] ?? null));
      }
    } else if (target.text === '[Console]::OutputEncoding') {
      this.consoleEncoding = value;
    } else throw new Error(`an assignment to ${target.type}`);
  }

  override command(node: Node, input: unknown[] | undefined): unknown[] {
    const isCalled = partOf(node, 'command_invokation_operator') !== undefined;
    const nameNode = (partOf(node, 'command_name') ?? partOf(node, 'command_name_expr')) as Node;
    const { words, isMerged } = this.words(partOf(node, 'command_elements'));
    const target = isCalled ? this.called(partsOf(nameNode)[0] as Node) : nameNode.text;
    if (typeof target !== 'string') return target.run();
    const known = this.#functions.get(target.toLowerCase());
    if (known !== undefined) return this.call(known, words);
    const cmdlet = cmdlets[target.toLowerCase()];
    if (cmdlet !== undefined) return cmdlet({ ...sorted(words), input: input ?? [] }, this);
    return this.native(target, words, { input, isMerged });
  }

  called(node: Node): string | Block {
    if (node.type === 'command_name') return node.text;
    const found = node.type === 'path_command_name' ? (partsOf(node)[0] as Node) : node;
    const value = this.value(found);
    return typeof value === 'string' ? value : (value as Block);
  }

  native(
    target: string,
    words: readonly Word[],
    { input, isMerged }: { input: unknown[] | undefined; isMerged: boolean },
  ): unknown[] {
    const tool = findTool(target, this);
    if (tool === undefined) throw unknownCommand(target);
    const { lines, said, code } = runNative({
      tool,
      words: words.map((word) => ('parameter' in word ? `-${word.parameter}` : word.value)),
      input,
      isMerged,
      cwd: this.cwd,
      env: this.env,
      edition: this.#options.edition,
      isUtf8: this.consoleEncoding === utf8,
      onError: textOf(this.scope.find('erroractionpreference')?.value),
    });
    if (said !== '') this.write(2, said);
    this.top.set('lastexitcode', code);
    return lines;
  }

  words(elements: Node | undefined): { words: Word[]; isMerged: boolean } {
    const words: Word[] = [];
    let isMerged = false;
    for (const node of elements === undefined ? [] : partsOf(elements)) {
      if (node.type === 'command_argument_sep') continue;
      const found = inner(node);
      if (node.type === 'redirection') isMerged = true;
      else if (node.type === 'command_parameter') words.push({ parameter: node.text.slice(1) });
      else if (node.type === 'generic_token') words.push({ value: node.text });
      else if (found.type === 'variable' && found.text.startsWith('@')) {
        for (const item of itemsOf(this.read(found.text.slice(1)))) words.push({ value: item });
      } else words.push({ value: this.value(found) });
    }
    return { words, isMerged };
  }

  call({ parameters, body }: FunctionBody, words: readonly Word[]): unknown[] {
    const scope = new Scope(this.scope);
    this.bind(parameters, words, scope);
    return this.within(scope, body);
  }

  override within(scope: Scope, block: Node): unknown[] {
    const outer = this.scope;
    this.scope = scope;
    try {
      const body = partOf(block, 'script_block_body');
      return body === undefined ? [] : this.block(body);
    } catch (error) {
      if (error instanceof Returned) return error.outputs;
      throw error;
    } finally {
      this.scope = outer;
    }
  }

  bind(parameters: readonly Parameter[], words: readonly Word[], scope: Scope): void {
    const given = new Map<Parameter, unknown>();
    const rest: unknown[] = [];
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as Word;
      if (!('parameter' in word)) {
        rest.push(word.value);
        continue;
      }
      const parameter = parameters.find(({ name }) => name.startsWith(word.parameter.toLowerCase()));
      if (parameter === undefined)
        throw new PowerShellError(`a parameter cannot be found that matches ${word.parameter}`);
      const next = words[at + 1];
      given.set(
        parameter,
        parameter.type === 'switch' ? true : next !== undefined && 'value' in next ? next.value : null,
      );
      if (parameter.type !== 'switch') at++;
    }
    const open = parameters.filter((parameter) => !given.has(parameter) && parameter.type !== 'switch');
    if (rest.length > open.length)
      throw new PowerShellError(`a positional parameter cannot be found for ${textOf(rest.at(-1))}`);
    for (const [at, value] of rest.entries()) given.set(open[at] as Parameter, value);
    for (const parameter of parameters) {
      const value = given.has(parameter) ? given.get(parameter) : parameter.fallback && this.value(parameter.fallback);
      scope.set(parameter.name, value, parameter.type);
    }
  }
}
