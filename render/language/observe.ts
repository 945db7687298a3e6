// Observes one rendering: which value each name in the templates looked up, and which branches were executed.

import type { GoValue } from '../go/value.ts';
import type { Value } from '../template/call.ts';
import type { BodyNode } from '../template/nodes.ts';
import type { ObservedExecution, Observer } from '../template/observer.ts';
import { RunCounter, WatchedRuns } from '../template/runs.ts';
import type { Steps } from '../values/paths.ts';
import { ValuePaths } from '../values/reads.ts';
import type { NamesNode } from './template-nodes.ts';

/** The lookups of a node: for each of its names, the paths of the tables in which it was looked up. */
export type NodeReads = Map<number, Set<Steps>>;

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
    const known = getOr(this.#runs.written, name, () => new Map<number, string>());
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
    const byNode = getOr(read, file, () => new Map<NamesNode, NodeReads>());
    const byName = getOr(byNode, this.#node, () => new Map() as NodeReads);
    getOr(byName, this.#at, () => new Set<Steps>()).add(path);
  }
}

function getOr<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
