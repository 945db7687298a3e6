// What tools said of a cluster, by what they were told of it: a tool that is given the same words and documents, and is answered
// the same, asks the same next and ends the same. So it need not run again; what it asks is done without it.

import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { Ask, Cluster, Stored, Told } from './api-cluster.ts';

/** How a tool ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** What a tool does at a point: asks something, and goes on by the answer, or ends. */
interface Point {
  ask?: Ask;
  readonly after: Map<string, { readonly marks: readonly string[]; readonly next: Point }>;
  ended?: Ended;
}

const newPoint = (): Point => ({ after: new Map() });

/** Gives the digest of texts. */
export function digest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('base64');
}

// What the server numbers differs from run to run, and Helm's records tell the time.
const marks = /"(?:uid|resourceVersion)":"[^"]*"/g;
const records = /"release":"(SDRzSU[A-Za-z0-9+/=]+)"/g;
const plainRecords = new Map<string, string>();

function plainRecord(data: string): string {
  const known = plainRecords.get(data);
  if (known !== undefined) return known;
  const text = gunzipSync(Buffer.from(Buffer.from(data, 'base64').toString(), 'base64')).toString();
  const plain = digest(
    text.replace(/"(?:first_deployed|last_deployed|deleted|last_run|started_at|completed_at)":"[^"]*"/g, ''),
  );
  plainRecords.set(data, plain);
  return plain;
}

/** Gives a text without what differs from run to run. */
export const plain = (text: string): string =>
  text
    .replace(marks, '')
    .replace(/"resourceVersion":\d+/g, '')
    .replace(records, (_all, data: string) => plainRecord(data));

const digests = new WeakMap<Stored, string>();

/** Gives a digest of what a cluster holds, without what differs from run to run. */
export function digestOf({ store }: Cluster): string {
  const lines = [...store].map(([key, stored]) => {
    const known = digests.get(stored) ?? digest(plain(JSON.stringify([stored.object, ...stored.applied])));
    digests.set(stored, known);
    return `${key} ${known}`;
  });
  return digest(...lines.sort());
}

/** Remembers what tools asked and said. */
export class ToolMemory {
  readonly #roots = new Map<string, Point>();
  // Each document once, however many runs send it.
  readonly #bodies = new Map<string, string>();

  /** Does to a cluster what a tool would, and gives how it would end; undefined where it is not known, with the cluster as it was. */
  recall(key: string, cluster: Cluster): Ended | undefined {
    let point = this.#roots.get(key);
    if (point === undefined) return undefined;
    const start = cluster.moment();
    const renamed = new Map<string, string>();
    while (point !== undefined && point.ended === undefined && point.ask !== undefined) {
      const told = cluster.tell(withNames(point.ask, renamed));
      const next = point.after.get(digestOfTold(told));
      if (next !== undefined) rename(next.marks, told, renamed);
      point = next?.next;
    }
    if (point?.ended === undefined) {
      cluster.backTo(start);
      return undefined;
    }
    return point.ended;
  }

  /** Remembers how a tool went. */
  keep(key: string, asked: readonly (readonly [Ask, Told])[], ended: Ended): void {
    let point = this.#roots.get(key) ?? newPoint();
    this.#roots.set(key, point);
    for (const [ask, told] of asked) {
      // Tools that ask several things at once do so in any order: the last one is kept.
      if (point.ask === undefined || !isSame(point.ask, ask)) point.after.clear();
      const body = this.#bodies.get(ask.body) ?? ask.body;
      this.#bodies.set(body, body);
      point.ask = { ...ask, body };
      delete point.ended;
      const name = digestOfTold(told);
      const next = point.after.get(name)?.next ?? newPoint();
      point.after.set(name, { marks: told.text.match(marks) ?? [], next });
      point = next;
    }
    point.ended = ended;
  }
}

const isSame = (a: Ask, b: Ask): boolean =>
  a.method === b.method && plain(a.path) === plain(b.path) && plain(a.body) === plain(b.body);

const digestOfTold = ({ code, text }: Told): string => `${code} ${digest(plain(text))}`;

function rename(old: readonly string[], { text }: Told, renamed: Map<string, string>): void {
  const now = text.match(marks) ?? [];
  for (const [at, mark] of old.entries()) if (mark !== now[at]) renamed.set(mark, now[at] as string);
}

const numberOf = (mark: string): string => mark.slice(mark.indexOf(':') + 2, -1);

// What a tool was told of numbers it hands back.
function withNames(ask: Ask, renamed: ReadonlyMap<string, string>): Ask {
  if (renamed.size === 0) return ask;
  const path = ask.path.replace(/(?<=[?&]resourceVersion=)\d+/, (version) =>
    numberOf(renamed.get(`"resourceVersion":"${version}"`) ?? `"resourceVersion":"${version}"`),
  );
  return { ...ask, path, body: ask.body.replace(marks, (mark) => renamed.get(mark) ?? mark) };
}
