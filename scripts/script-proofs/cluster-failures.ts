// Calls of a script that fail: each is told, and the next run comes to the same end as if nothing had been.

import { type Ask, type Cluster, type Fault, isWatch } from './api-cluster.ts';
import { type JsonMap, mapOf as map, type Type } from './api-discovery.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { compare, contentOf, hookKeys } from './cluster-content.ts';
import type { PublicOrder } from './public-orders.ts';
import type { ToolHost, ToolRun } from './tool-host.ts';
import { digestOf } from './tool-memory.ts';

/** What a script does to a cluster in whose calls failures are injected. */
export interface Stage {
  /** What the script does, such as `installs`. */
  readonly title: string;
  /** The Order whose objects are there when it is done. */
  readonly item: PublicOrder;
  readonly script: string;
  /** The scripts that ran before it. */
  readonly after: readonly string[];
  /** The options of the script. */
  readonly words: readonly string[];
  /** Whether nothing may have changed at the end, what chance made included. */
  readonly isSame?: boolean;
}

/** What fails: a call of which tool's script, of all calls, of those that change something, or one of each kind. */
interface Failing extends Stage {
  readonly tool: 'helm' | 'kubectl';
  readonly of: 'calls' | 'changes' | 'kinds';
}

interface Means {
  readonly types: readonly Type[];
  readonly host: ToolHost;
  /** How many failures are injected at most, one a run. */
  readonly most: number;
  /** How many runs go on at once. */
  readonly atOnce: number;
  /** How a call fails. Default: with 500. */
  readonly fault?: Fault;
}

/** What came of failures: how many of how many calls failed, and the first thing that did not hold. */
interface Found {
  readonly count: number;
  readonly total: number;
  readonly fault: string;
}

/** Injects failures into the calls of a stage, each into a cluster of its own. */
export async function failuresOf(stage: Failing, means: Means): Promise<Found> {
  const { item, script, words, isSame = false } = stage;
  const base = await startApiServer(means.types);
  const servers = [base];
  const args = ['--timeout', '30', ...words];
  try {
    for (const text of stage.after) await means.host.runScript(text, base, { args: ['--timeout', '30'] });
    const before = contentOf(base, item, isSame);
    const whole = await base.copy();
    servers.push(whole);
    const runs: ToolRun[] = [];
    const done = await means.host.runScript(script, whole, { args, hear: (run) => runs.push(run) });
    const total = stage.of === 'changes' ? whole.changes() - base.changes() : whole.calls();
    if (done.code !== 0) return { count: 0, total, fault: done.text.slice(-1500) };
    const run = new Failures(stage, { ...means, base, wanted: isSame ? before : contentOf(whole, item) });
    const all = stage.of === 'kinds' ? placesOfKinds(runs, base.cluster) : undefined;
    const places = spread(all?.length ?? total, means.most, item.title);
    await run.tryAll(all === undefined ? places : places.map((at) => all[at - 1] as number));
    return { count: run.count, total, fault: run.fault };
  } finally {
    for (const server of servers) server.close();
  }
}

// Another place in each Order where only some are tried.
function spread(total: number, most: number, title: string): number[] {
  const asked = Math.min(most, total);
  const shift = asked < total ? ((title.length * 7) % 10) / 10 : 0;
  return Array.from({ length: asked }, (_none, turn) => 1 + Math.floor(((turn + shift) * total) / asked));
}

const isChange = ({ method, path }: Ask): boolean => method !== 'GET' && !/dryRun=All|accessreviews/.test(path);

// The calls of which none is like another: of the same step of the script, the same to the same kind of object. Of those that
// change something the first and the last.
function placesOfKinds(runs: readonly ToolRun[], cluster: Cluster): number[] {
  const first = new Map<string, number>();
  const last = new Map<string, number>();
  let at = 0;
  for (const { tool, words, asked } of runs) {
    for (const [ask] of asked) {
      const url = new URL(ask.path, 'http://localhost');
      if (isWatch(url) || url.pathname === '/openapi/v2') continue;
      at++;
      const target = cluster.targetOf(url);
      const about = target
        ? `${target.type.plural}.${target.type.group} ${target.name === ''}`
        : url.pathname.split('/').slice(0, 3).join('/');
      const kind = `${stepOf(tool, words)} ${ask.method} ${about}`;
      if (!first.has(kind)) first.set(kind, at);
      if (isChange(ask)) last.set(kind, at);
    }
  }
  return [...new Set([...first.values(), ...last.values()])].sort((a, b) => a - b);
}

function stepOf(tool: string, words: readonly string[]): string {
  const count = tool === 'helm' && words[0] !== 'get' ? 1 : 2;
  const verbs = words.slice(0, count).map((word) => word.split(/[/,]/)[0]);
  const flags = words.filter((word) => word.startsWith('-')).map((word) => word.split('=')[0]);
  return [tool, ...verbs, ...flags].join(' ');
}

const isPending = (server: ApiServer): boolean =>
  [...server.objects()].some(
    ([key, { metadata }]) =>
      key.includes('sh.helm.release') && /^pending/.test(String(map((metadata as JsonMap).labels).status)),
  );

/** The failures of a stage, some at once. */
class Failures {
  readonly #stage: Failing;
  readonly #means: Means & { readonly base: ApiServer; readonly wanted: Map<string, string> };
  // What the next run came to, by what it found: after many failures that is the same.
  readonly #nextRuns = new Map<string, Promise<string>>();
  count = 0;
  fault = '';

  constructor(stage: Failing, means: Means & { readonly base: ApiServer; readonly wanted: Map<string, string> }) {
    this.#stage = stage;
    this.#means = means;
  }

  async tryAll(places: readonly number[]): Promise<void> {
    const left = [...places];
    const work = async (): Promise<void> => {
      for (let at = left.shift(); at !== undefined && this.fault === ''; at = left.shift()) await this.#tryOne(at);
    };
    await Promise.all(Array.from({ length: this.#means.atOnce }, work));
  }

  async #tryOne(at: number): Promise<void> {
    const server = await this.#means.base.copy();
    try {
      const fault = await this.#faultOf(server, at);
      // The last calls of some runs are polls, of which there are not always as many.
      if (fault === undefined) return;
      this.count++;
      if (fault !== '' && this.fault === '') this.fault = `call ${at}: ${fault}`;
    } finally {
      server.close();
    }
  }

  // Gives what does not hold after a failure; undefined where there was no such call.
  async #faultOf(server: ApiServer, at: number): Promise<string | undefined> {
    const { script, words, tool, of } = this.#stage;
    const isAny = of !== 'changes';
    server.failAt(at, /^/, isAny ? 'calls' : of, this.#means.fault);
    const broken = await this.#means.host.runScript(script, server, { args: ['--timeout', '30', ...words] });
    const failed = server.hasFailed();
    if (failed === '') return undefined;
    // What only asks, and what Helm does when all is done, may do without an answer.
    const mayGoOn = isAny || tool === 'helm';
    const isTold =
      /error: package \S+ failed|error: not everything could be removed/.test(broken.text) ||
      (broken.code !== 0 && isAny && /injected failure|error: /.test(broken.text));
    if (!isTold && !(mayGoOn && broken.code === 0))
      return `${failed}, exit code ${broken.code}:\n${broken.text.slice(-1500)}`;
    // Helm deletes nothing that it could not look at: the script says so, and nothing is there that would do it later.
    const [name = ''] = /(?<=^(?:GET|DELETE) .*\/)[^/]+$/.exec(failed) ?? [];
    const unread =
      tool === 'helm' && broken.text.includes(`/${name} `) && / stays: release /.test(broken.text) ? name : '';
    const key = `${digestOf(server.cluster)} ${unread}`;
    const next = this.#nextRuns.get(key) ?? this.#nextRun(server, unread);
    this.#nextRuns.set(key, next);
    const fault = await next;
    return fault === '' ? '' : `${failed}, and ${fault}`;
  }

  // Gives how the next run fails, or how what it leaves differs.
  async #nextRun(server: ApiServer, unread: string): Promise<string> {
    const { item, script, words, isSame = false } = this.#stage;
    const { wanted, types, host } = this.#means;
    server.failAt(0);
    const unlock = isPending(server) ? ['--unlock'] : [];
    const mended = await host.runScript(script, server, { args: ['--timeout', '30', ...words, ...unlock] });
    if (mended.code !== 0) return `the next run:\n${mended.text.slice(-1500)}`;
    const hooks = hookKeys(item.rendered, types);
    // Hooks of an installation do not run where it is found half done; what the server names is made once more.
    const found = contentOf(server, item, isSame);
    const all = new Map(wanted);
    for (const key of [...found.keys()])
      if (key.endsWith('*') || (hooks.has(key) && !wanted.has(key))) found.delete(key);
    for (const key of wanted.keys()) if (key.endsWith('*')) all.delete(key);
    for (const key of [...found.keys()])
      if (unread !== '' && !wanted.has(key) && key.endsWith(`/${unread}`)) found.delete(key);
    const difference = compare(found, all, hooks);
    return difference === '' ? '' : `after the next run: ${difference}`;
  }
}
