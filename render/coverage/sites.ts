// The parts of a template file that can be executed, with their counts.

import { escapePattern } from '../core/escape-pattern.ts';
import {
  type BranchNode,
  type CommandNode,
  nodesIn,
  type OperandNode,
  type PipeNode,
  printNode,
  type Template,
} from '../template/nodes.ts';
import type { FileRuns } from '../template/runs.ts';
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
  const actions: FileSites['actions'][number][] = [];
  const branches: FileSites['branches'][number][] = [];
  const named: FileSites['templates'][number][] = [];
  for (const { name, source, body } of templates) {
    const placeOf = (offset: number): CoveredPlace => {
      const { line, character } = source.position(offset);
      return { line, column: character };
    };
    if (name !== file.name) named.push({ ...placeOf(definitionOf(name, source.text)), name, count: countOf(body) });
    for (const node of nodesIn(body.nodes)) {
      if (node.kind === 'action') {
        actions.push({ ...placeOf(node.offset), text: printNode(node.pipe), count: countOf(node.pipe) });
      } else if (node.kind === 'template') {
        actions.push({ ...placeOf(node.offset), text: printNode(node).slice(2, -2), count: countOf(node) });
      } else if ('list' in node) {
        const text = `${node.kind} ${printNode(node.pipe)}`;
        const place = placeOf(node.offset);
        actions.push({ ...place, text, count: countOf(node.pipe) });
        branches.push({ ...place, kind: node.kind, text, outcomes: waysOf(node) });
      } else if (node.kind === 'pipe') {
        for (const { command, name: kind, offset, outcomes } of choicesIn(node))
          branches.push({ ...placeOf(offset), kind, text: printNode(command), outcomes });
      }
    }
  }
  const inOrder = (a: CoveredPlace, b: CoveredPlace): number => a.line - b.line || a.column - b.column;
  return { actions: actions.sort(inOrder), branches: branches.sort(inOrder), templates: named.sort(inOrder) };
}

function waysOf(node: BranchNode): readonly Uncounted<OutcomeCoverage>[] {
  const [taken, other] = node.kind === 'range' ? ['entered', 'empty'] : ['then', 'else'];
  return [
    { name: taken!, count: countOf(node.list) },
    { name: other!, count: countOf(node.otherwise ?? node) },
  ];
}

function countOf(node: object): Counter {
  return (runs) => runs.started(node);
}

interface Choice {
  readonly command: CommandNode;
  readonly name: BranchCoverage['kind'];
  readonly offset: number;
  readonly outcomes: readonly Uncounted<OutcomeCoverage>[];
}

// The calls of a pipeline that return one of their arguments.
function choicesIn({ commands }: PipeNode): Choice[] {
  return commands.flatMap((command, at) => {
    const [first, ...words] = command.words;
    if (first?.kind !== 'identifier') return [];
    const outcomes = outcomesOf(command, first.name, at > 0 ? [...words, 'piped'] : words);
    const { name, offset } = first;
    return outcomes.length === 0 ? [] : [{ command, name: name as BranchCoverage['kind'], offset, outcomes }];
  });
}

type Operand = OperandNode | 'piped';

function outcomesOf(
  command: CommandNode,
  name: string,
  words: readonly Operand[],
): readonly Uncounted<OutcomeCoverage>[] {
  const texts = words.map((word) => (word === 'piped' ? 'the piped value' : printNode(word)));
  const chosen = texts.map((text, at) => ({ name: text, count: (runs: FileRuns) => runs.chosen(command)[at] ?? 0 }));
  switch (name) {
    case 'and':
    case 'or': {
      // Whether a piped operand was reached cannot be determined from those before it.
      const operands = words.filter((word) => word !== 'piped');
      if (operands.length < Math.max(words.length, 2)) return [];
      // An operand was the last one if the next one was not evaluated.
      const started = (runs: FileRuns, at: number): number => (at < operands.length ? runs.started(operands[at]!) : 0);
      return texts.map((text, at) => ({
        name: text,
        count: (runs) => Math.max(started(runs, at) - started(runs, at + 1), 0),
      }));
    }
    case 'default':
    case 'ternary':
      return words.length < 2 ? [] : chosen.slice(0, 2);
    case 'coalesce':
      return [...chosen, { name: 'nothing', count: (runs) => runs.chosen(command)[words.length] ?? 0 }];
  }
  return [];
}

// A definition is found by its quoted name after the keyword; a call of the template may come before it.
function definitionOf(name: string, text: string): number {
  const quoted = escapePattern(name);
  const found = new RegExp(`\\{\\{-?\\s*(?:define|block)\\s+["\`]${quoted}["\`]`).exec(text);
  return found?.index ?? 0;
}
