// Calls of a script that fail: each is told, and the next run comes to the same end as if nothing had been.

import { type JsonMap, mapOf as map, type Type } from './api-discovery.ts';
import { type ApiServer, startApiServer } from './api-server.ts';
import { compare, contentOf, hookKeys } from './cluster-content.ts';
import type { Outcome } from './cluster-runs.ts';
import type { PublicOrder } from './public-orders.ts';

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

/** What fails: a call of which tool's script, of all calls or of those that change something. */
interface Failing extends Stage {
  readonly tool: 'helm' | 'kubectl';
  readonly of: 'calls' | 'changes';
}

interface Means {
  readonly types: readonly Type[];
  readonly runScript: (text: string, server: ApiServer, args?: readonly string[]) => Promise<Outcome>;
  /** How many failures are injected at most, one a run. */
  readonly most: number;
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
  try {
    for (const text of stage.after) await means.runScript(text, base, ['--timeout', '30']);
    const before = contentOf(base, item, isSame);
    const whole = await base.copy();
    servers.push(whole);
    const done = await means.runScript(script, whole, ['--timeout', '30', ...words]);
    const total = stage.of === 'calls' ? whole.calls() : whole.changes() - base.changes();
    if (done.code !== 0) return { count: 0, total, fault: done.text.slice(-1500) };
    const wanted = isSame ? before : contentOf(whole, item);
    const asked = Math.min(means.most, total);
    for (let turn = 0; turn < asked; turn++) {
      // Another place in each Order where only some are tried.
      const at = 1 + Math.floor(((turn + (asked < total ? ((item.title.length * 7) % 10) / 10 : 0)) * total) / asked);
      const server = await base.copy();
      servers.push(server);
      const fault = await faultOf(stage, { ...means, server, at, wanted });
      server.close();
      // The last calls of some runs are polls, of which there are not always as many.
      if (fault === undefined) return { count: turn, total, fault: '' };
      if (fault !== '') return { count: turn + 1, total, fault: `call ${at} of ${total}: ${fault}` };
    }
    return { count: asked, total, fault: '' };
  } finally {
    for (const server of servers) server.close();
  }
}

const isPending = (server: ApiServer): boolean =>
  [...server.objects()].some(
    ([key, { metadata }]) =>
      key.includes('sh.helm.release') && /^pending/.test(String(map((metadata as JsonMap).labels).status)),
  );

// Gives what does not hold after a failure; undefined where there was no such call.
async function faultOf(
  { item, script, words, tool, of, isSame = false }: Failing,
  { types, runScript, server, at, wanted }: Means & { server: ApiServer; at: number; wanted: Map<string, string> },
): Promise<string | undefined> {
  server.failAt(at, /^/, of);
  const broken = await runScript(script, server, ['--timeout', '30', ...words]);
  const failed = server.hasFailed();
  if (failed === '') return undefined;
  // What only asks, and what Helm does when all is done, may do without an answer.
  const mayGoOn = of === 'calls' || tool === 'helm';
  const isTold =
    /error: package \S+ failed|error: not everything could be removed/.test(broken.text) ||
    (broken.code !== 0 && of === 'calls' && /injected failure|error: /.test(broken.text));
  if (!isTold && !(mayGoOn && broken.code === 0))
    return `${failed}, exit code ${broken.code}:\n${broken.text.slice(-1500)}`;
  const unlock = isPending(server) ? ['--unlock'] : [];
  const mended = await runScript(script, server, ['--timeout', '30', ...words, ...unlock]);
  if (mended.code !== 0) return `${failed}, and the next run:\n${mended.text.slice(-1500)}`;
  const hooks = hookKeys(item.rendered, types);
  // Hooks of an installation do not run where it is found half done; what the server names is made once more.
  const found = contentOf(server, item, isSame);
  const all = new Map(wanted);
  for (const key of [...found.keys()]) if (key.endsWith('*') || (hooks.has(key) && !wanted.has(key))) found.delete(key);
  for (const key of wanted.keys()) if (key.endsWith('*')) all.delete(key);
  // Helm deletes nothing that it could not look at first, and says nothing of it.
  const [unread = ''] = /(?<=^GET .*\/)[^/]+$/.exec(failed) ?? [];
  if (tool === 'helm')
    for (const key of [...found.keys()]) if (!wanted.has(key) && key.endsWith(`/${unread}`)) found.delete(key);
  const difference = compare(found, all, hooks);
  return difference === '' ? '' : `${failed}, and after the next run: ${difference}`;
}
