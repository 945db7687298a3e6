// The parts of a template file that can be executed, with their counts.

import { escapePattern } from '../core/escape-pattern.ts';
import type { BranchNode, CommandNode, ListNode, OperandNode, PipeNode, Template } from '../template/nodes.ts';
import { printNode } from '../template/nodes.ts';
import type { FileRuns } from '../template/runs.ts';
import type { Source } from '../template/source.ts';
import type { ParsedFile } from '../template/template.ts';

/** A place in a template file. */
export interface CoveredPlace {
  /** Line, from 1. */
  readonly line: number;
  /** Column, from 1, in UTF-16 units. */
  readonly column: number;
}

/** An action, or the condition of a branch: `{{ .Values.image }}`, `{{ if .Values.ingress }}`. */
export interface ActionCoverage extends CoveredPlace {
  /** The action without its braces. */
  readonly text: string;
  /** Execution count. */
  readonly count: number;
}

/** An outcome of a branch. */
export interface OutcomeCoverage {
  /** `then`, `else`, `entered`, `empty`, or the operand that was the result. */
  readonly name: string;
  /** The count of this outcome; for an entered `range`, the number of elements. */
  readonly count: number;
}

/** A branch: `if`, `with`, `range`, or a function that returns one of its arguments. */
export interface BranchCoverage extends CoveredPlace {
  readonly kind: 'if' | 'with' | 'range' | 'and' | 'or' | 'default' | 'ternary' | 'coalesce';
  readonly text: string;
  readonly outcomes: readonly OutcomeCoverage[];
}

/** A named template. */
export interface NamedTemplateCoverage extends CoveredPlace {
  readonly name: string;
  readonly count: number;
}

/** The parts of a template file. Each list is in the order of the file. */
export interface Sites {
  readonly actions: readonly ActionCoverage[];
  readonly branches: readonly BranchCoverage[];
  readonly templates: readonly NamedTemplateCoverage[];
}

/** Reads a count from the counts of its file. */
type Counter = (runs: FileRuns) => number;

/** A part of a file that can be counted for any run. */
type Uncounted<T> = Omit<T, 'count'> & { readonly count: Counter };

/** The parts of a file that can be counted for any run. Each list is in the order of the file. */
export interface FileSites {
  readonly actions: readonly Uncounted<ActionCoverage>[];
  readonly branches: readonly (Omit<BranchCoverage, 'outcomes'> & {
    readonly outcomes: readonly Uncounted<OutcomeCoverage>[];
  })[];
  readonly templates: readonly Uncounted<NamedTemplateCoverage>[];
}

/** Returns the parts of a parsed file with the counts of its nodes. */
export function sitesOf(file: ParsedFile, runs: FileRuns): Sites {
  const { actions, branches, templates } = listSites(file);
  const counted = <T extends { readonly count: Counter }>(part: T): Omit<T, 'count'> & { readonly count: number } => ({
    ...part,
    count: part.count(runs),
  });
  return {
    actions: actions.map(counted),
    branches: branches.map((branch) => ({ ...branch, outcomes: branch.outcomes.map(counted) })),
    templates: templates.map(counted),
  };
}

/** Returns the parts of a parsed file, or of some of its templates. */
export function listSites(file: ParsedFile, templates: Iterable<Template> = file.templates.values()): FileSites {
  const lister = new SiteLister();
  for (const template of templates) lister.addTemplate(template, template.name !== file.name);
  const inOrder = (a: CoveredPlace, b: CoveredPlace): number => a.line - b.line || a.column - b.column;
  return {
    actions: lister.actions.sort(inOrder),
    branches: lister.branches.sort(inOrder),
    templates: lister.templates.sort(inOrder),
  };
}

class SiteLister {
  readonly actions: FileSites['actions'][number][] = [];
  readonly branches: FileSites['branches'][number][] = [];
  readonly templates: FileSites['templates'][number][] = [];
  #source: Source | undefined;

  addTemplate({ name, source, body }: Template, isNamed: boolean): void {
    this.#source ??= source;
    if (isNamed) {
      this.templates.push({ ...this.#placeOf(definitionOf(name, source.text)), name, count: countOf(body) });
    }
    // An explicit stack, because branches can be nested deeply.
    const lists: ListNode[] = [body];
    for (let list = lists.pop(); list !== undefined; list = lists.pop()) this.#addList(list, lists);
  }

  #addList(list: ListNode, ahead: ListNode[]): void {
    for (const node of list.nodes) {
      switch (node.kind) {
        case 'action':
          this.#addAction(node, printNode(node.pipe), countOf(node.pipe));
          this.#addPipe(node.pipe);
          break;
        case 'template':
          this.#addAction(node, printNode(node).slice(2, -2), countOf(node));
          if (node.pipe !== undefined) this.#addPipe(node.pipe);
          break;
        case 'if':
        case 'with':
        case 'range':
          this.#addBranch(node);
          ahead.push(node.list);
          if (node.otherwise !== undefined) ahead.push(node.otherwise);
          break;
      }
    }
  }

  #addAction({ offset }: { readonly offset: number }, text: string, count: Counter): void {
    this.actions.push({ ...this.#placeOf(offset), text, count });
  }

  #addBranch(node: BranchNode): void {
    const text = `${node.kind} ${printNode(node.pipe)}`;
    this.#addAction(node, text, countOf(node.pipe));
    const [taken, other] = node.kind === 'range' ? ['entered', 'empty'] : ['then', 'else'];
    const outcomes = [
      { name: taken, count: countOf(node.list) },
      { name: other, count: countOf(node.otherwise ?? node) },
    ] as const;
    this.branches.push({ ...this.#placeOf(node.offset), kind: node.kind, text, outcomes });
    this.#addPipe(node.pipe);
  }

  // All calls within a pipeline that return one of their arguments.
  #addPipe(pipe: PipeNode): void {
    const operands: OperandNode[] = [pipe];
    for (let operand = operands.pop(); operand !== undefined; operand = operands.pop()) {
      if (operand.kind === 'chain') operands.push(operand.operand);
      if (operand.kind !== 'pipe') continue;
      operand.commands.forEach((command, at) => {
        this.#addCall(command, at > 0);
        operands.push(...command.words);
      });
    }
  }

  #addCall(command: CommandNode, isPiped: boolean): void {
    const [first, ...words] = command.words;
    if (first?.kind !== 'identifier') return;
    const outcomes = outcomesOf(first.name, [...words, ...(isPiped ? ['piped' as const] : [])], (words, at) =>
      outcomeCount(command, words, at),
    );
    if (outcomes === undefined) return;
    const kind = first.name as BranchCoverage['kind'];
    this.branches.push({ ...this.#placeOf(first.offset), kind, text: printNode(command), outcomes });
  }

  #placeOf(offset: number): CoveredPlace {
    const { line, character } = this.#source!.position(offset);
    return { line, column: character };
  }
}

function countOf(node: object): Counter {
  return (runs) => runs.started(node);
}

type Operand = OperandNode | 'piped';

// An operand of `and` and `or` was the last one if the next one was not evaluated.
function outcomeCount(command: CommandNode, words: readonly Operand[], at: number): Counter {
  if (!isLogic(command)) return (runs) => runs.chosen(command)[at] ?? 0;
  const started = (runs: FileRuns, word: Operand | undefined): number =>
    word === undefined || word === 'piped' ? 0 : runs.started(word);
  return (runs) => Math.max(started(runs, words[at]) - started(runs, words[at + 1]), 0);
}

function isLogic({ words: [first] }: CommandNode): boolean {
  return first?.kind === 'identifier' && (first.name === 'and' || first.name === 'or');
}

function outcomesOf(
  name: string,
  words: readonly Operand[],
  counterOf: (words: readonly Operand[], at: number) => Counter,
): readonly Uncounted<OutcomeCoverage>[] | undefined {
  const textOf = (word: Operand): string => (word === 'piped' ? 'the piped value' : printNode(word));
  const outcome = (text: string, at: number): Uncounted<OutcomeCoverage> => ({
    name: text,
    count: counterOf(words, at),
  });
  switch (name) {
    case 'and':
    case 'or':
      // Whether a piped operand was reached cannot be determined from those before it.
      return words.length < 2 || words.includes('piped')
        ? undefined
        : words.map((word, at) => outcome(textOf(word), at));
    case 'default':
    case 'ternary':
      return words.length < 2 ? undefined : words.slice(0, 2).map((word, at) => outcome(textOf(word), at));
    case 'coalesce':
      return [...words.map(textOf), 'nothing'].map(outcome);
  }
  return undefined;
}

// A definition is found by its quoted name after the keyword; a call of the template may come before it.
function definitionOf(name: string, text: string): number {
  const quoted = escapePattern(name);
  const found = new RegExp(`\\{\\{-?\\s*(?:define|block)\\s+["\`]${quoted}["\`]`).exec(text);
  return found?.index ?? 0;
}
