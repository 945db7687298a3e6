// Normalizes a rendering for a snapshot: `<random>` for random values, and fingerprints for secrets.

import { emitJson, JsonNumber } from '../codec/json.ts';
import { emitYaml } from '../codec/yaml/emit.ts';
import { parseWholeYaml } from '../codec/yaml/whole.ts';
import { catchGoError, orUndefined } from '../core/catch.ts';
import { fingerprint, isFingerprint } from '../diff/fingerprint.ts';
import { type DiffDocument, plainData } from '../diff/objects.ts';
import { stepsText } from '../diff/steps.ts';
import type { RenderedRelease } from '../engine/release.ts';
import { copyTree } from '../go/copy-tree.ts';
import type { GoMap, GoValue } from '../go/value.ts';
import { member, textMember, withType } from '../manifest/objects.ts';
import type { SnapshotFiles } from './compare.ts';
import { markRandom, markText, type OnRandom, type RandomPath, randomMark } from './random.ts';

export interface NormalizeOptions {
  /** The same files rendered with another seed; undefined if nothing is random. */
  readonly twin?: SnapshotFiles | undefined;
  /** The key of the fingerprints. Default `drydock`. */
  readonly secretKey?: string | undefined;
  /** Leaves the data of Secrets unchanged. Default false. */
  readonly showSecrets?: boolean | undefined;
}

export interface RandomMember {
  /** The file of the snapshot, and the template of the object; empty if unknown. */
  readonly file: string;
  readonly source: string;
  /** The rendered document. */
  readonly document: string;
  /** For example `Secret web`. */
  readonly object: string;
  /** For example `data.password`. */
  readonly path: string;
  readonly steps: RandomPath;
}

export interface NormalizedFiles {
  readonly files: SnapshotFiles;
  readonly random: readonly RandomMember[];
  /** The original of each rewritten document: contents without the source line, trimmed. */
  readonly originals: ReadonlyMap<string, string>;
}

/** Normalizes files. Documents without random values or secrets are unchanged. */
export function normalizeFiles(files: SnapshotFiles, options: NormalizeOptions = {}): NormalizedFiles {
  const normalizer = new Normalizer(options);
  const normalized = new Map<string, string>();
  for (const [path, text] of files) if (isYaml(path)) normalized.set(path, normalizer.manifest(path, text));
  // The content of Secrets is known only now, and scripts contain the same data.
  const ordered = [...files].map(
    ([path, text]) => [path, normalized.get(path) ?? normalizer.text(path, text)] as const,
  );
  return { files: new Map(ordered), random: normalizer.random, originals: normalizer.originals };
}

function isYaml(path: string): boolean {
  return path === '' || /\.(?:ya?ml|json)$/.test(path);
}

class Normalizer {
  readonly random: RandomMember[] = [];
  readonly originals = new Map<string, string>();
  readonly #options: NormalizeOptions;
  // Fingerprints of secrets by their text in the rendering and in its twin.
  readonly #secrets = new Map<string, string>();
  readonly #twinSecrets = new Map<string, string>();

  constructor(options: NormalizeOptions) {
    this.#options = options;
  }

  manifest(path: string, text: string): string {
    const other = this.#options.twin?.get(path);
    const twins = other === undefined ? undefined : numbered(partsOf(other), sourceOf);
    return [...numbered(partsOf(text), sourceOf)]
      .map(([key, part]) => {
        const twin = twins?.get(key);
        const isRandom = twin !== undefined && twin !== part;
        return isRandom || mayBeSecret(part) ? this.#part(path, part, isRandom ? twin : undefined) : part;
      })
      .join('');
  }

  text(path: string, text: string): string {
    const twin = this.#options.twin?.get(path);
    const normalized = withMarks(text, this.#secrets);
    return twin === undefined ? normalized : markText(normalized, withMarks(twin, this.#twinSecrets));
  }

  #part(file: string, part: string, twin: string | undefined): string {
    const { head, body } = split(part);
    const value = read(body);
    const other = twin === undefined ? undefined : read(split(twin).body);
    if (!(value instanceof Map)) return part;
    const found: RandomPath[] = [];
    const onRandom: OnRandom = (steps) => void found.push(steps);
    const marked = other instanceof Map ? markRandom(value, other, onRandom) : value;
    const normalized =
      this.#options.showSecrets === true
        ? marked
        : this.#withoutSecrets(marked, { plain: value, twin: other ?? value });
    if (normalized === value) return part;
    const source = sourceOf(head);
    const object = `${textMember(value, 'kind')} ${nameOf(normalized)}`;
    for (const steps of found) {
      this.random.push({ file, source, document: body.trim(), object, path: stepsText(steps), steps });
    }
    const content = emitYaml(normalized);
    this.originals.set(content.trim(), body.trim());
    return `${head}${content}`;
  }

  #withoutSecrets(value: GoValue, { plain, twin }: Drawn, list: GoMap = new Map()): GoValue {
    if (Array.isArray(value) && Array.isArray(plain)) {
      const others = Array.isArray(twin) ? twin : [];
      const items = value.map((item, at) =>
        this.#withoutSecrets(item, { plain: plain[at] as GoValue, twin: others[at] ?? null }, list),
      );
      return items.some((item, at) => item !== value[at]) ? items : value;
    }
    if (!(value instanceof Map) || !(plain instanceof Map)) return value;
    const typed = withType(value, list, textMember(list, 'kind'));
    if (textMember(typed, 'kind') === 'Secret' && textMember(typed, 'apiVersion') === 'v1') {
      return this.#secret(value, { plain, twin });
    }
    const items = value.get('items');
    if (!Array.isArray(items)) return value;
    const inner = { plain: member(plain, 'items'), twin: member(twin, 'items') };
    const normalized = this.#withoutSecrets(items, inner, value);
    return normalized === items ? value : new Map(value).set('items', normalized);
  }

  #secret(secret: GoMap, { plain, twin }: Drawn): GoMap {
    let normalized = secret;
    for (const name of ['data', 'stringData']) {
      const data = secret.get(name);
      if (!(data instanceof Map) || data.size === 0) continue;
      const [own, other] = [member(plain, name), member(twin, name)];
      const marked = [...data].map(([key, value]) => {
        const raw = own instanceof Map ? own.get(key) : undefined;
        const drawn = { plain: raw ?? value, twin: other instanceof Map ? (other.get(key) ?? null) : null };
        return [key, this.#mark(value, drawn, name === 'data')] as const;
      });
      normalized = new Map(normalized).set(name, new Map(marked)) as GoMap;
    }
    return normalized;
  }

  #mark(value: GoValue, { plain: raw, twin }: Drawn, isEncoded: boolean): GoValue {
    const [text, other] = [textOf(raw, isEncoded), textOf(twin, isEncoded)];
    const isRandom = typeof value === 'string' && value.includes(randomMark);
    const key = this.#options.secretKey ?? 'drydock';
    const mark = isRandom ? randomFingerprint(markedText(text, other), key) : fingerprint(text, key);
    if (typeof mark !== 'string' || mark === '') return mark;
    const remember = (words: readonly GoValue[], marks: Map<string, string>): void => {
      for (const word of words) {
        if (typeof word === 'string' && word.length >= 6 && !isFingerprint(word)) marks.set(word, mark);
      }
    };
    remember([raw, text], this.#secrets);
    remember([twin, other], this.#twinSecrets);
    return mark;
  }
}

/** A random value, and its value in the twin. */
interface Drawn {
  readonly plain: GoValue;
  readonly twin: GoValue;
}

function textOf(value: GoValue, isEncoded: boolean): GoValue {
  const plain = isEncoded ? plainData(value) : value;
  return typeof plain === 'string' ? plain : value;
}

function markedText(text: GoValue, twin: GoValue): string {
  return typeof text === 'string' && typeof twin === 'string' ? markText(text, twin) : randomMark;
}

// The text around a random value still counts, and is secret too.
function randomFingerprint(marked: string, key: string): string {
  return marked === randomMark ? randomMark : String(fingerprint(marked, key)).replace('>', ' and random>');
}

function withMarks(text: string, marks: ReadonlyMap<string, string>): string {
  const forms = [...marks].flatMap(([secret, mark]) => formsOf(secret).map((form) => [form, mark] as const));
  // Longer ones first, because one may contain another.
  const secrets = forms.sort(([a], [b]) => b.length - a.length);
  return secrets.reduce((marked, [secret, mark]) => marked.replaceAll(secret, mark), text);
}

// A text, and what scripts write if it has line breaks or quotes: values are JSON, and a Secret is YAML.
function formsOf(secret: string): string[] {
  const json = emitJson(secret, { escapeHtml: false }).slice(1, -1);
  const start = 'data:\n  a: ';
  const yaml = orUndefined(() =>
    emitYaml(new Map([['data', new Map([['a', secret]])]]))
      .slice(start.length)
      .trimEnd(),
  );
  return [secret, ...[json, yaml ?? json].filter((form) => !form.includes(secret))];
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

// Items with the same key keep their order, so an item is identified by its index among them.
function numbered<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T> {
  const counts = new Map<string, number>();
  return new Map(
    items.map((item) => {
      const key = keyOf(item);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return [`${count} ${key}`, item];
    }),
  );
}

function sourceOf(part: string): string {
  return /^# Source: (.*\S)/m.exec(part.slice(0, 2000))?.[1] ?? '';
}

function split(part: string): { readonly head: string; readonly body: string } {
  const [head = ''] = /^---[^\n]*\n(?:# Source: [^\n]*\n)?/.exec(part) ?? [];
  return { head, body: part.slice(head.length) };
}

// With all digits.
function read(text: string): GoValue {
  return catchGoError(
    () => {
      const [value = null] = parseWholeYaml(text).documents;
      return copyTree(value, (scalar) => (scalar instanceof JsonNumber ? scalar.text : scalar));
    },
    () => null,
  );
}

function nameOf(object: GoValue): string {
  return object instanceof Map ? textMember(object.get('metadata') ?? null, 'name') : '';
}

// Documents of a release with `<random>` in place of random values, for comparing renderings.

/** The documents of a release without random values. */
export interface NormalizedDocuments {
  readonly documents: readonly DiffDocument[];
  /** The rendered text of each changed document by its new text; both trimmed. */
  readonly originals: ReadonlyMap<string, string>;
}

/**
 * Returns the documents of a release with `<random>` where a rendering with other random values differs. `twin` is that rendering;
 * undefined if no template used randomness.
 */
export function normalizeRelease(
  release: RenderedRelease,
  twin: RenderedRelease | undefined,
  skipCrds = false,
): NormalizedDocuments {
  const documentsOf = ({ crds, manifests, hooks, namespace }: RenderedRelease): DiffDocument[] =>
    [...(skipCrds ? [] : crds), ...manifests, ...hooks].map(({ path, content }) => ({ path, content, namespace }));
  const documents = documentsOf(release);
  if (twin === undefined) return { documents, originals: new Map() };
  // A template keeps the order of its documents, so the path and the index within it identify the twin.
  const filesOf = (all: readonly DiffDocument[]): SnapshotFiles =>
    new Map(
      [...numbered(all, ({ path }) => path)].map(([key, { content }]): [string, string] => [`${key}.yaml`, content]),
    );
  const { files, originals } = normalizeFiles(filesOf(documents), {
    twin: filesOf(documentsOf(twin)),
    showSecrets: true,
  });
  const texts = [...files.values()];
  return { documents: documents.map((document, at) => ({ ...document, content: texts[at]! })), originals };
}
