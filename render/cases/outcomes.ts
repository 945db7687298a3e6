// The outcomes that cases should reach: every outcome of each branch, and every named template.

import type { Chart } from '../chart/chart.ts';
import { memo } from '../core/lazy.ts';
import { listTemplateFiles, type MeasureOptions, parsedFiles, type TemplateFile } from '../coverage/measure.ts';
import { type FileSites, listSites } from '../coverage/sites.ts';
import { type ListNode, type PipeNode, printNode } from '../template/nodes.ts';
import type { FileRuns, Runs } from '../template/runs.ts';
import type { Source } from '../template/source.ts';
import type { ParsedFile } from '../template/template.ts';
import { type Site, siteKind } from './observe.ts';

/** An outcome of a branch, or the call of a named template. */
export interface BranchOutcome {
  /** The path of the file, starting with the chart's folder. */
  readonly path: string;
  /** Line, from 1. */
  readonly line: number;
  /** Column, from 1, in UTF-16 units. */
  readonly column: number;
  /** `if`, `with`, `range`, a function such as `default`, or `define`. */
  readonly kind: string;
  /** The source text of the branch, such as `if .Values.ingress.enabled`, or the name of the template. */
  readonly text: string;
  /** `then`, `else`, `entered`, `empty`, an operand; `called` for a template. */
  readonly outcome: string;
}

type Place = Pick<BranchOutcome, 'path' | 'line' | 'column' | 'kind'>;

export interface Outcomes {
  readonly list: readonly BranchOutcome[];
  /** The numbers of named templates that are never included, and of the outcomes in them. */
  readonly unused: ReadonlySet<number>;
  /** The numbers of outcomes excluded by an enclosing branch: inside `if .Values.list`, `range .Values.list` is never empty. */
  readonly contradicted: ReadonlySet<number>;
  /** Returns the numbers of the outcomes reached by a rendering. */
  reached(runs: Runs): ReadonlySet<number>;
  /** Returns the key of an outcome's site, the same for all its outcomes. */
  siteOf(outcome: number): string;
  /** Returns the key of an observed site; undefined if its file does not count. */
  keyOf(site: Site, source: Source): string | undefined;
}

export function outcomesOf(chart: Chart, options: MeasureOptions): Outcomes {
  const files = listTemplateFiles(chart, options);
  const parts = files.flatMap((file) => {
    const [tree] = parsedFiles(file);
    return tree === undefined ? [] : partsOf(tree).map((part) => ({ ...part, path: file.path }));
  });
  const used = includedTemplates(listTemplateFiles(chart, { subcharts: true }).flatMap(parsedFiles));
  const pathOf = memo(
    (source: Source) => files.find((file) => parsedFiles(file).some((tree) => sourceOf(tree) === source))?.path,
  );
  return {
    list: parts.map(({ count, template, isContradicted, ...outcome }) => outcome),
    contradicted: new Set(parts.flatMap(({ isContradicted }, at) => (isContradicted ? [at] : []))),
    unused: new Set(parts.flatMap(({ template }, at) => (template === undefined || used.has(template) ? [] : [at]))),
    reached: (runs) => {
      const found = new Set<number>();
      let at = 0;
      for (const file of files) at = addReached(file, runs, { found, from: at });
      return found;
    },
    siteOf: (at) => placeKey(parts[at]!),
    keyOf: (site, source) => {
      const path = pathOf(source);
      if (path === undefined) return undefined;
      const { kind, offset } = siteKind(site);
      const { line, character } = source.position(offset);
      return placeKey({ path, line, column: character, kind });
    },
  };
}

function placeKey({ path, line, column, kind }: Place): string {
  return `${path}:${line}:${column}:${kind}`;
}

function sourceOf(tree: ParsedFile): Source | undefined {
  return tree.templates.get(tree.name)?.source;
}

// A subchart under two names has each file parsed twice, into the same nodes. Returns the index of the next file's nodes.
function addReached(
  file: TemplateFile,
  runs: Runs,
  { found, from }: { readonly found: Set<number>; readonly from: number },
): number {
  let end = from;
  for (const tree of parsedFiles(file)) {
    const source = sourceOf(tree);
    const parts = partsOf(tree);
    end = from + parts.length;
    if (source === undefined) continue;
    const counts = runs.of(source);
    parts.forEach(({ count }, at) => {
      if (count(counts) > 0) found.add(from + at);
    });
  }
  return end;
}

interface Part extends Omit<BranchOutcome, 'path'> {
  readonly count: (runs: FileRuns) => number;
  /** The enclosing named template. */
  readonly template: string | undefined;
  readonly isContradicted: boolean;
}

const knownParts = new WeakMap<ParsedFile, readonly Part[]>();

function partsOf(tree: ParsedFile): readonly Part[] {
  const known = knownParts.get(tree);
  if (known !== undefined) return known;
  const parts = [...tree.templates.values()].flatMap((template) => {
    const name = template.name === tree.name ? undefined : template.name;
    const impossible = contradictions(template.body);
    return [...outcomesIn(listSites(tree, [template]))].map((part): Part => {
      const { line, column, outcome } = part;
      const isContradicted = impossible.some((one) => {
        const place = template.source.position(one.offset);
        return one.outcome === outcome && place.line === line && place.character === column;
      });
      return { ...part, template: part.kind === 'define' ? part.text : name, isContradicted };
    });
  });
  parts.sort((a, b) => a.line - b.line || a.column - b.column);
  knownParts.set(tree, parts);
  return parts;
}

function* outcomesIn({ branches, templates }: FileSites): Generator<Omit<Part, 'template' | 'isContradicted'>> {
  for (const { outcomes, ...branch } of branches) {
    for (const { name, count } of outcomes) yield { ...branch, outcome: name, count };
  }
  for (const { name, line, column, count } of templates) {
    yield { line, column, kind: 'define', text: name, outcome: 'called', count };
  }
}

/** An outcome excluded by its context. */
interface Contradiction {
  readonly offset: number;
  readonly outcome: string;
}

// What enclosing conditions found true, by the operand's text, is not false here.
function contradictions(body: ListNode): Contradiction[] {
  const found: Contradiction[] = [];
  const visit = (list: ListNode, truths: ReadonlySet<string>): void => {
    for (const node of list.nodes) {
      if (node.kind !== 'if' && node.kind !== 'with' && node.kind !== 'range') continue;
      const { offset, kind, pipe, otherwise } = node;
      const operands = operandsOf(pipe);
      if (operands.every((operand) => truths.has(operand))) {
        found.push({ offset, outcome: kind === 'range' ? 'empty' : 'else' });
      }
      // `.` and `.name` differ inside `with` and `range`; paths that start at `$` do not.
      const kept = kind === 'if' ? truths : [...truths].filter((text) => text.startsWith('$'));
      const known =
        kind === 'range' ? [] : kind === 'with' ? ['.', ...operands.filter((one) => one.startsWith('$'))] : operands;
      visit(node.list, new Set([...kept, ...known]));
      if (otherwise !== undefined) visit(otherwise, truths);
    }
  };
  visit(body, new Set());
  return found;
}

// What is true if a pipeline is: itself, or every operand of its `and`.
function operandsOf(pipe: PipeNode): string[] {
  const [command] = pipe.commands;
  const [first, ...words] = command?.words ?? [];
  if (pipe.commands.length > 1 || first === undefined) return [printNode(pipe)];
  if (first.kind !== 'identifier') return [printNode(first)];
  return first.name === 'and' ? words.map((word) => printNode(word)) : [printNode(pipe)];
}

/** Returns the named templates whose names occur in quotes in the files of a chart, other than where they are defined. */
function includedTemplates(trees: readonly ParsedFile[]): ReadonlySet<string> {
  const named = trees.flatMap(({ name, templates }) => [...templates.keys()].filter((own) => own !== name));
  const texts = trees.map((tree) => (sourceOf(tree)?.text ?? '').replace(/\{\{-?\s*define\s+["`][^"`]*["`]/g, ''));
  const isQuoted = (name: string): boolean =>
    texts.some((text) => text.includes(`"${name}"`) || text.includes(`\`${name}\``));
  return new Set(named.filter(isQuoted));
}
