// A rendering as a snapshot keeps it: `<random>` for what is drawn, and fingerprints for what is secret.

import { emitYaml } from '../codec/yaml/emit.ts';
import { parseYaml } from '../codec/yaml/parse.ts';
import { fingerprint, isFingerprint } from '../diff/fingerprint.ts';
import { plainData } from '../diff/objects.ts';
import { stepsText } from '../diff/steps.ts';
import { GoError, type GoMap, type GoValue } from '../go/value.ts';
import { textMember } from '../manifest/objects.ts';
import type { SnapshotFiles } from './compare.ts';
import { markRandom, markText, type OnRandom, randomMark, type Steps } from './random.ts';

/** Says how a rendering is settled. */
export interface SettleOptions {
  /** The same files as another seed gives them; undefined where nothing is drawn. */
  readonly twin?: SnapshotFiles | undefined;
  /** The key of the fingerprints. Default `drydock`. */
  readonly secretKey?: string | undefined;
  /** Leaves the data of Secrets as they are. Default false. */
  readonly showSecrets?: boolean | undefined;
}

/** A member that is drawn at random. */
export interface RandomMember {
  /** The file of the snapshot, and the template that the object is from; empty where that is not said. */
  readonly file: string;
  readonly source: string;
  /** The document as it was rendered. */
  readonly document: string;
  /** Such as `Secret web`. */
  readonly object: string;
  /** Such as `data.password`. */
  readonly path: string;
  readonly steps: Steps;
}

/** A rendering as a snapshot keeps it. */
export interface SettledFiles {
  readonly files: SnapshotFiles;
  readonly random: readonly RandomMember[];
  /** What each document that was written anew was before: contents without the line that names the source, trimmed. */
  readonly originals: ReadonlyMap<string, string>;
}

/** Gives files as a snapshot keeps them. Documents that hold nothing random and no secret stay as they are, byte for byte. */
export function settleFiles(files: SnapshotFiles, options: SettleOptions = {}): SettledFiles {
  const settler = new Settler(options);
  const settled = new Map<string, string>();
  for (const [path, text] of files) if (isYaml(path)) settled.set(path, settler.manifest(path, text));
  // What Secrets hold is known only now: scripts carry the same data.
  const ordered = [...files].map(([path, text]) => [path, settled.get(path) ?? settler.text(path, text)] as const);
  return { files: new Map(ordered), random: settler.random, originals: settler.originals };
}

function isYaml(path: string): boolean {
  return path === '' || /\.(?:ya?ml|json)$/.test(path);
}

class Settler {
  readonly random: RandomMember[] = [];
  readonly originals = new Map<string, string>();
  readonly #options: SettleOptions;
  readonly #secrets = new Map<string, string>();

  constructor(options: SettleOptions) {
    this.#options = options;
  }

  manifest(path: string, text: string): string {
    const other = this.#options.twin?.get(path);
    const twins = other === undefined ? undefined : numbered(partsOf(other));
    return [...numbered(partsOf(text))]
      .map(([key, part]) => {
        const twin = twins?.get(key);
        const isRandom = twin !== undefined && twin !== part;
        return isRandom || mayBeSecret(part) ? this.#part(path, part, isRandom ? twin : undefined) : part;
      })
      .join('');
  }

  text(path: string, text: string): string {
    const twin = this.#options.twin?.get(path);
    let settled = twin === undefined || twin === text ? text : markText(text, twin);
    // The longer first: one may hold another.
    const secrets = [...this.#secrets].sort(([a], [b]) => b.length - a.length);
    for (const [secret, mark] of secrets) settled = settled.replaceAll(secret, mark);
    return settled;
  }

  #part(file: string, part: string, twin: string | undefined): string {
    const { head, body } = split(part);
    const value = read(body);
    const other = twin === undefined ? undefined : read(split(twin).body);
    if (!(value instanceof Map)) return part;
    const found: Steps[] = [];
    const onRandom: OnRandom = (steps) => void found.push(steps);
    const marked = other instanceof Map ? markRandom(value, other, onRandom) : value;
    const settled = this.#options.showSecrets === true ? marked : this.#withoutSecrets(marked, value);
    if (settled === value) return part;
    const [, source = ''] = /^# Source: (.+?)\s*$/m.exec(head) ?? [];
    const object = `${textMember(value, 'kind')} ${nameOf(settled)}`;
    for (const steps of found) {
      this.random.push({ file, source, document: body.trim(), object, path: stepsText(steps), steps });
    }
    const content = emitYaml(settled);
    this.originals.set(content.trim(), body.trim());
    return `${head}${content}`;
  }

  // `plain` is the same value with what was drawn, to be found in scripts.
  #withoutSecrets(value: GoValue, plain: GoValue): GoValue {
    if (Array.isArray(value) && Array.isArray(plain)) {
      const items = value.map((item, at) => this.#withoutSecrets(item, plain[at] as GoValue));
      return items.some((item, at) => item !== value[at]) ? items : value;
    }
    if (!(value instanceof Map) || !(plain instanceof Map)) return value;
    if (textMember(value, 'kind') === 'Secret' && textMember(value, 'apiVersion') === 'v1') {
      return this.#secret(value, plain);
    }
    const items = value.get('items');
    if (!Array.isArray(items)) return value;
    const settled = this.#withoutSecrets(items, plain.get('items') as GoValue);
    return settled === items ? value : new Map(value).set('items', settled);
  }

  #secret(secret: GoMap, plain: GoMap): GoMap {
    let settled = secret;
    for (const name of ['data', 'stringData']) {
      const data = secret.get(name);
      if (!(data instanceof Map) || data.size === 0) continue;
      const marked = [...data].map(([key, value]) => {
        const raw = (plain.get(name) as GoMap).get(key);
        return [key, this.#mark(value, raw === undefined ? value : raw, name === 'data')] as const;
      });
      settled = new Map(settled).set(name, new Map(marked)) as GoMap;
    }
    return settled;
  }

  #mark(value: GoValue, raw: GoValue, isEncoded: boolean): GoValue {
    const plain = isEncoded ? plainData(raw) : raw;
    const text = typeof plain === 'string' ? plain : raw;
    const isRandom = typeof value === 'string' && value.includes(randomMark);
    const mark = isRandom ? randomMark : fingerprint(text, this.#options.secretKey ?? 'drydock');
    if (typeof mark === 'string' && mark !== '') {
      for (const word of [raw, text]) {
        if (typeof word === 'string' && word.length >= 6 && !isFingerprint(word)) this.#secrets.set(word, mark);
      }
    }
    return mark;
  }
}

function mayBeSecret(part: string): boolean {
  return /\bkind["']?\s*:\s*["']?(?:Secret|\w*List)\b/.test(part) && /\b(?:data|stringData)\b/.test(part);
}

// Each with the line of dashes before it.
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = text.indexOf('\n---'); at >= 0; at = text.indexOf('\n---', at + 4)) {
    if (!/^(?:\s|$)/.test(text.charAt(at + 4))) continue;
    parts.push(text.slice(start, at + 1));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

// The documents of a template keep their order, so a document and its place among them find its twin.
function numbered(parts: readonly string[]): Map<string, string> {
  const counts = new Map<string, number>();
  return new Map(
    parts.map((part) => {
      const [, source = ''] = /^# Source: (.+?)\s*$/m.exec(part.slice(0, 2000)) ?? [];
      const count = (counts.get(source) ?? 0) + 1;
      counts.set(source, count);
      return [`${count} ${source}`, part];
    }),
  );
}

function split(part: string): { readonly head: string; readonly body: string } {
  const [head = ''] = /^---[^\n]*\n(?:# Source: [^\n]*\n)?/.exec(part) ?? [];
  return { head, body: part.slice(head.length) };
}

function read(text: string): GoValue {
  try {
    return parseYaml(text);
  } catch (error) {
    if (error instanceof GoError) return null;
    throw error;
  }
}

function nameOf(object: GoValue): string {
  return object instanceof Map ? textMember(object.get('metadata') ?? null, 'name') : '';
}
