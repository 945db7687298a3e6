// Observes one rendering: which values each branch of the templates depends on, and what they are compared with.

import type { Steps } from '../core/paths.ts';
import { type GoMap, type GoValue, Int } from '../go/value.ts';
import { type Final, none, type Value } from '../template/call.ts';
import type {
  BranchNode,
  ChainNode,
  CommandNode,
  FieldNode,
  Node,
  OperandNode,
  PipeNode,
  VariableNode,
} from '../template/nodes.ts';
import type { ObservedExecution, Observer } from '../template/observer.ts';
import { RunCounter, WatchedRuns } from '../template/runs.ts';
import type { Source } from '../template/source.ts';
import { type Reads, ValuePaths } from '../values/reads.ts';

export interface ObservedValue {
  readonly path: Steps;
  /** Null if it does not exist. */
  readonly value: GoValue;
}

/** What a branch read before its decision, over all its executions. */
export interface ObservedInputs {
  /** By path. */
  readonly values: Map<string, ObservedValue>;
  /** Constants that were compared with a value. */
  readonly constants: Set<string | number>;
  /** Constraints of `semverCompare`. */
  readonly versionRanges: Set<string>;
  /** Arguments of `.Capabilities.APIVersions.Has`. */
  readonly apiVersions: Set<string>;
  /** Enclosing objects that decide as well. */
  readonly others: Set<'upgrade' | 'kubeVersion' | 'lookup'>;
}

/** A place in a template file with several outcomes. */
export type Site = BranchNode | CommandNode;

/** Functions that return one of their arguments. */
const choosers: ReadonlySet<string> = new Set(['and', 'or', 'default', 'ternary', 'coalesce']);
/** Functions whose constants are possible values. */
const comparisons: ReadonlySet<string> = new Set(
  'eq ne lt le gt ge has contains hasPrefix hasSuffix list kindIs kindOf typeIs regexMatch mustRegexMatch'.split(' '),
);
/** Functions that look up a name in a map argument. */
const lookups: ReadonlySet<string> = new Set(['get', 'index', 'hasKey', 'dig', 'pluck']);

const mostRecent = 8;

/** Observes one rendering, which receives `runs` and `reads` as options. */
export class CaseWatch {
  readonly runs: ObservedRuns;
  /** The files of the sites, and the inputs of each site. */
  readonly sites = new Map<Site, { readonly source: Source; readonly inputs: ObservedInputs }>();
  /** What was read last, the newest at the end: if the rendering failed, the likely cause. */
  readonly recent: ObservedValue[] = [];
  /** The inputs of the active branches, the innermost last; if the rendering failed, of those around the failure. */
  readonly around: ObservedInputs[] = [];
  /** Missing values that were read, by path. */
  readonly missing = new Map<string, Steps>();
  readonly paths = new ValuePaths();
  readonly #open: { readonly at: object; readonly inputs: ObservedInputs }[] = [];

  constructor() {
    this.runs = new ObservedRuns(this);
  }

  get reads(): Reads {
    return this.paths.reads;
  }

  /** The merged values of the whole chart. */
  get values(): GoMap {
    return this.paths.values;
  }

  /** Records that a name was looked up in something, if that is part of the values. */
  lookedUp(holder: Value, name: string | number, value: GoValue): void {
    const path = holder === undefined ? undefined : this.paths.of(holder);
    if (path !== undefined) this.add({ path: [...path, name], value });
  }

  add(read: ObservedValue): void {
    const key = JSON.stringify(read.path);
    // On the way to `image.tag`, `image` decides nothing.
    const last = this.recent.at(-1)?.path;
    const parent = last !== undefined && isParent(last, read.path) ? JSON.stringify(last) : undefined;
    for (const { inputs } of this.#open) {
      if (parent !== undefined) inputs.values.delete(parent);
      inputs.values.set(key, read);
    }
    if (read.value === null) this.missing.set(key, read.path);
    this.recent.push(read);
    if (this.recent.length > mostRecent) this.recent.shift();
  }

  /** Calls back with the inputs of everything that is being decided. */
  decide(note: (inputs: ObservedInputs) => void): void {
    for (const { inputs } of this.#open) note(inputs);
  }

  opened(at: object, inputs: ObservedInputs): void {
    this.#open.push({ at, inputs });
  }

  closed(at: object): ObservedInputs | undefined {
    return this.#open.at(-1)?.at === at ? this.#open.pop()?.inputs : undefined;
  }

  /** The inputs of the innermost pipeline so far, for a function with a piped value. */
  get piped(): ObservedInputs | undefined {
    return this.#open.at(-1)?.inputs;
  }

  /** Returns the inputs of a site, which can be extended. */
  inputsOf(site: Site, source: Source): ObservedInputs {
    const known = this.sites.get(site);
    if (known !== undefined) return known.inputs;
    const inputs = noInputs();
    this.sites.set(site, { source, inputs });
    return inputs;
  }
}

function isParent(path: Steps, of: Steps): boolean {
  return path.length === of.length - 1 && path.every((step, at) => step === of[at]);
}

export function noInputs(): ObservedInputs {
  return {
    values: new Map(),
    constants: new Set(),
    versionRanges: new Set(),
    apiVersions: new Set(),
    others: new Set(),
  };
}

function addInputs(to: ObservedInputs, from: ObservedInputs): void {
  if (to === from) return;
  for (const [key, value] of from.values) to.values.set(key, value);
  for (const constant of from.constants) to.constants.add(constant);
  for (const range of from.versionRanges) to.versionRanges.add(range);
  for (const version of from.apiVersions) to.apiVersions.add(version);
  for (const other of from.others) to.others.add(other);
}

class ObservedRuns extends WatchedRuns {
  readonly #watch: CaseWatch;

  constructor(watch: CaseWatch) {
    super();
    this.#watch = watch;
  }

  override observe(running: ObservedExecution): Observer {
    return new SiteObserver(running, this, this.#watch);
  }
}

class SiteObserver extends RunCounter {
  readonly #watch: CaseWatch;
  readonly #execution: ObservedExecution;
  /** The branch whose condition comes next. */
  #branch: BranchNode | undefined;
  readonly #conditions = new Map<PipeNode, BranchNode | undefined>();
  readonly #calls: string[] = [];
  /** The inputs of dot in each active branch. */
  readonly #dots: ObservedInputs[] = [];
  /** The inputs of each variable by name; names are precise enough for proposals. */
  readonly #variables = new Map<string, ObservedInputs>();

  constructor(running: ObservedExecution, runs: WatchedRuns, watch: CaseWatch) {
    super(running, runs);
    this.#execution = running;
    this.#watch = watch;
  }

  get #source(): Source {
    return this.#execution.frame.template.source;
  }

  override branchStarts(node: BranchNode): void {
    this.#branch = node;
  }

  override pipeStarts(pipe: PipeNode): void {
    super.pipeStarts(pipe);
    const branch = this.#branch?.pipe === pipe ? this.#branch : undefined;
    this.#branch = undefined;
    if (branch !== undefined) this.#dots.push(this.#dots.at(-1) ?? noInputs());
    this.#conditions.set(pipe, branch);
    this.#watch.opened(pipe, branch === undefined ? noInputs() : this.#watch.inputsOf(branch, this.#source));
  }

  override pipeEnded(pipe: PipeNode, _value: Value): void {
    const inputs = this.#watch.closed(pipe);
    if (inputs === undefined) return;
    const branch = this.#conditions.get(pipe);
    if (branch !== undefined) this.#watch.around.push(inputs);
    if (branch !== undefined && branch.kind !== 'if') this.#dots[this.#dots.length - 1] = inputs;
    for (const { variable } of pipe.variables) {
      const known = this.#variables.get(variable) ?? noInputs();
      addInputs(known, inputs);
      this.#variables.set(variable, known);
    }
  }

  override branchEnded(): void {
    this.#dots.pop();
    this.#watch.around.pop();
  }

  override argumentStarts(word: OperandNode): void {
    super.argumentStarts(word);
    if (word.kind === 'dot') this.#dotRead();
  }

  #dotRead(): void {
    const dot = this.#dots.at(-1);
    if (dot !== undefined) this.#watch.decide((inputs) => addInputs(inputs, dot));
  }

  override variableRead({ variable }: VariableNode): void {
    const known = this.#variables.get(variable);
    if (known !== undefined) this.#watch.decide((inputs) => addInputs(inputs, known));
  }

  override commandStarts(command: CommandNode, final: Final): void {
    const [first] = command.words;
    if (first?.kind === 'dot') this.#dotRead();
    if (first?.kind !== 'identifier' || !choosers.has(first.name)) return;
    const inputs = this.#watch.inputsOf(command, this.#source);
    if (final !== none && this.#watch.piped !== undefined) addInputs(inputs, this.#watch.piped);
    this.#watch.opened(command, inputs);
  }

  override callStarts(name: string, _final: Final): void {
    this.#calls.push(name);
    if (name === 'lookup') this.#watch.decide(({ others }) => others.add('lookup'));
  }

  override functionStarts(args: readonly unknown[]): void {
    super.functionStarts(args);
    const name = this.#calls.at(-1) ?? '';
    const [first] = args as readonly GoValue[];
    if (lookups.has(name)) this.#lookUp(args as readonly GoValue[]);
    else if (comparisons.has(name)) this.#compare(args as readonly GoValue[]);
    else if (name === 'semverCompare' && typeof first === 'string') {
      this.#watch.decide(({ versionRanges }) => versionRanges.add(first));
    } else if (name === 'Has' && typeof first === 'string') {
      this.#watch.decide(({ apiVersions }) => apiVersions.add(first));
    }
  }

  override functionEnded(result: GoValue): void {
    this.#watch.paths.functionEnded(this.#calls.at(-1) ?? '', result, this.lastArguments as readonly GoValue[]);
  }

  #lookUp(args: readonly GoValue[]): void {
    const holders = args.filter((arg) => arg instanceof Map);
    let holder: Value = holders.at(-1);
    for (const name of args) {
      if (!(holder instanceof Map)) return;
      if (typeof name !== 'string') continue;
      const value: GoValue = holder.get(name) ?? null;
      this.#watch.lookedUp(holder, name, value);
      holder = value;
    }
  }

  #compare(args: readonly GoValue[]): void {
    for (const arg of args) {
      const constant = arg instanceof Int ? Number(arg.value) : arg;
      if (typeof constant !== 'string' && typeof constant !== 'number') continue;
      this.#watch.decide(({ constants }) => constants.add(constant));
    }
  }

  override callEnded(name: string, whole: Node): void {
    super.callEnded(name, whole);
    this.#calls.pop();
    this.#watch.closed(whole);
  }

  override fieldStarts(_holder: Value, node: FieldNode | VariableNode | ChainNode, at: number): void {
    const name = node.names[at];
    if (name === 'IsUpgrade' || name === 'IsInstall') this.#watch.decide(({ others }) => others.add('upgrade'));
    if (name === 'KubeVersion') this.#watch.decide(({ others }) => others.add('kubeVersion'));
  }

  override fieldEnded(holder: Value, name: string, value: Value): void {
    this.#watch.paths.fieldEnded(name, value);
    this.#watch.lookedUp(holder, name, value ?? null);
  }
}

/** Returns the word by which coverage identifies a site, and its position in the file. */
export function siteKind(site: Site): { readonly kind: string; readonly offset: number } {
  if (site.kind !== 'command') return site;
  const first = site.words[0] as OperandNode & { readonly name: string };
  return { kind: first.name, offset: first.offset };
}
