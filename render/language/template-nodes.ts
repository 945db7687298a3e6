// Finds names of values, and calls and definitions of named templates, in a template file; and observes what each name looks up in a rendering.

import { getOrCreate } from '../core/lazy.ts';
import type { Steps } from '../core/paths.ts';
import type { GoValue } from '../go/value.ts';
import type { Value } from '../template/call.ts';
import {
  type BodyNode,
  type ChainNode,
  type FieldNode,
  type Node,
  nodesIn,
  type VariableNode,
} from '../template/nodes.ts';
import type { ObservedExecution, Observer } from '../template/observer.ts';
import { RunCounter, WatchedRuns } from '../template/runs.ts';
import type { ParsedFile } from '../template/template.ts';
import { ValuePaths } from '../values/reads.ts';

/** A part of a text, in UTF-16 units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A node that looks up names. */
export type NamesNode = FieldNode | VariableNode | ChainNode;

/** Returns the span of a name of a node, by its index; undefined if the text differs there. */
export function spanOfName(node: NamesNode, at: number, text: string): TextSpan | undefined {
  // The offset of a chain of names is that of its second element; a variable is the first.
  const isPlain = node.kind === 'field' && node.names.length > 1;
  let start = isPlain ? node.offset - node.names[0]!.length : node.offset + 1;
  for (const name of node.names.slice(0, at)) start += name.length + 1;
  const name = node.names[at]!;
  return text.startsWith(name, start) && text[start - 1] === '.' ? { start, end: start + name.length } : undefined;
}

/** Returns all nodes of a file. */
export function nodesOf({ templates }: ParsedFile): Node[] {
  return [...templates.values()].flatMap(({ body }) => [...nodesIn(body.nodes)]);
}

/** The name of a template in its definition or in a call. */
export interface TemplateName extends TextSpan {
  readonly name: string;
}

/** Returns the calls of named templates in a file. A span is that of the name without its quotes. */
export function templateCalls(file: ParsedFile): TemplateName[] {
  const call = (name: string, offset: number): TemplateName[] => [
    { name, start: offset + 1, end: offset + 1 + name.length },
  ];
  return nodesOf(file).flatMap((node) => {
    if (node.kind === 'template') return call(node.name, node.offset);
    const [first, name] = node.kind === 'command' ? node.words : [];
    const isInclude = first?.kind === 'identifier' && first.name === 'include';
    return isInclude && name?.kind === 'string' ? call(name.value, name.offset) : [];
  });
}

/** Returns the definitions of named templates in a text. A span is that of the name without its quotes. */
export function templateDefinitions(text: string): TemplateName[] {
  return [...text.matchAll(/\{\{-?\s*(?:define|block)\s+(["`])([^"`\n]+)\1/g)].map((match) => {
    const start = match.index + match[0].length - match[2]!.length - 1;
    return { name: match[2]!, start, end: start + match[2]!.length };
  });
}

/** The lookups of a node: for each of its names, the paths of the tables in which it was looked up. */
type NodeReads = Map<number, Set<Steps>>;

/** Counts executions, and records which values are read where. */
export class ReadRuns extends WatchedRuns {
  readonly paths = new ValuePaths();
  /** By the name of the template file, and by node. */
  readonly read = new Map<string, Map<NamesNode, NodeReads>>();
  /** The first output of each action, truncated for display, by template file and by the offset of its pipeline. */
  readonly written = new Map<string, Map<number, string>>();

  override observe(running: ObservedExecution): Observer {
    return new ReadObserver(running, this);
  }
}

const mostWritten = 400;

class ReadObserver extends RunCounter {
  readonly #runs: ReadRuns;
  readonly #running: ObservedExecution;
  readonly #calls: string[] = [];
  #node: NamesNode | undefined;
  #at = 0;

  constructor(running: ObservedExecution, runs: ReadRuns) {
    super(running, runs);
    this.#running = running;
    this.#runs = runs;
  }

  override wrote(text: string, node: BodyNode): void {
    if (node.kind !== 'action') return;
    const { name } = this.#running.frame.template.source;
    const known = getOrCreate(this.#runs.written, name, () => new Map<number, string>());
    if (!known.has(node.offset)) known.set(node.offset, text.slice(0, mostWritten));
  }

  override callStarts(name: string): void {
    this.#calls.push(name);
  }

  override functionEnded(result: GoValue): void {
    this.#runs.paths.functionEnded(this.#calls.at(-1) ?? '', result, this.lastArguments as readonly GoValue[]);
  }

  override callEnded(...call: Parameters<RunCounter['callEnded']>): void {
    super.callEnded(...call);
    this.#calls.pop();
  }

  override fieldStarts(_holder: Value, node: NamesNode, at: number): void {
    this.#node = node;
    this.#at = at;
  }

  override fieldEnded(holder: Value, name: string, value: Value): void {
    const { paths, read } = this.#runs;
    paths.fieldEnded(name, value);
    const path = holder === undefined ? undefined : paths.of(holder as GoValue);
    if (path === undefined || this.#node === undefined) return;
    const { name: file } = this.#running.frame.template.source;
    const byNode = getOrCreate(read, file, () => new Map<NamesNode, NodeReads>());
    const byName = getOrCreate(byNode, this.#node, () => new Map() as NodeReads);
    getOrCreate(byName, this.#at, () => new Set<Steps>()).add(path);
  }
}
