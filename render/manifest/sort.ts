// Splits rendered files into hooks and manifests in installation order, by the heads of their documents.
// Mirrors: helm.sh/helm/v3/pkg/releaseutil, manifest_sorter.go, `SortManifests`, and manifest.go, `SimpleHead`; pkg/release, hook.go, v3.17.3.

import { decodeYaml, pointerTo, stringMapType, stringType, structOf } from '../codec/struct.ts';
import { RenderError } from '../core/errors.ts';
import { asLimit } from '../core/limits.ts';
import { LruCache } from '../core/lru-cache.ts';
import { trimSpace } from '../go/trim.ts';
import { compareStrings, GoError, sortedEntries } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { splitManifests } from './split.ts';

/** A document of a rendered chart. */
export interface Manifest {
  /** The path of the template, starting with the chart's name: `web/templates/service.yaml`. */
  readonly path: string;
  /** The document without separators and surrounding white space. */
  readonly content: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** A hook of a release. */
export interface Hook extends Manifest, HookRules {}

/** A rendered chart, sorted. */
export interface SortedManifests {
  readonly hooks: readonly Hook[];
  readonly manifests: readonly Manifest[];
}

/** Options for sorting. */
export interface SortOptions {
  /** Called for hooks with unknown events, which are dropped. */
  readonly onWarning?: ((line: string) => void) | undefined;
  /** Default Helm 3. */
  readonly helm?: Helm | undefined;
}

/**
 * Sorts the documents of rendered files (path to text) by kind, keeping the order of paths and documents within a kind. Files named `_…`
 * and blank files are left out. Throws ManifestError if a document is not a YAML object.
 */
export function sortManifests(files: ReadonlyMap<string, string>, options: SortOptions = {}): SortedManifests {
  const helm = options.helm ?? helmOf();
  const hooks: Hook[] = [];
  const manifests: Manifest[] = [];
  for (const [path, text] of sortedEntries(files)) {
    if (isPartial(path) || trimSpace(text) === '') continue;
    const documents = splitManifests(text, helm.documents);
    for (const [index, content] of documents.entries()) {
      const head = headOf(content, helm, (cause) => {
        const line = lineOf(text, documents, index);
        if (cause instanceof GoError) return new ManifestError(path, line, cause, hooks);
        return asLimit(cause)?.in(path, { before: line - 1, isRendered: true }) ?? cause;
      });
      const manifest = { path, content, apiVersion: head.apiVersion, kind: head.kind, name: head.name };
      if (!isHook(head)) {
        manifests.push(manifest);
        continue;
      }
      const rules = readHookRules(head);
      if ('unknown' in rules) {
        options.onWarning?.(helm.log.unknownHook(rules.unknown));
      } else {
        hooks.push({ ...manifest, ...rules });
      }
    }
  }
  return { hooks: byKind(hooks, helm), manifests: byKind(manifests, helm) };
}

/** Reports whether a path names a partial, a template that only other templates use. */
export function isPartial(path: string): boolean {
  return path.startsWith('_', path.lastIndexOf('/') + 1);
}

/** The error for a document that is not a YAML object: MANIFEST_INVALID with Helm's message. */
export class ManifestError extends RenderError {
  /** The hooks that were found before it. */
  readonly hooks: readonly Hook[];

  /** `line` is the line of the document in the rendered file. */
  constructor(path: string, line: number, cause: GoError, hooks: readonly Hook[]) {
    const at = { line: 1, column: 1, ...cause.place };
    super('MANIFEST_INVALID', `YAML parse error on ${path}: ${cause.message}`, {
      place: { file: path, line: line + at.line - 1, column: at.column, isRendered: true },
      cause,
      hint: 'Look at what this template gives: `drydock template --debug` with the same values prints it.',
    });
    this.hooks = hooks;
  }
}

function headOf(content: string, helm: Helm, convert: (error: unknown) => unknown): ManifestHead {
  try {
    return readHead(content, helm);
  } catch (error) {
    throw convert(error);
  }
}

// Returns the line, from 1, at which a document of a text begins. Documents appear unchanged and in order.
function lineOf(text: string, documents: readonly string[], index: number): number {
  let start = 0;
  for (const before of documents.slice(0, index)) start = text.indexOf(before, start) + before.length;
  return text.slice(0, text.indexOf(documents[index] ?? '', start)).split('\n').length;
}

// By kind in the installation order. Unlisted kinds come last, by name; the empty kind comes first among them.
// Mirrors: kind_sorter.go.
function byKind<T extends Manifest>(documents: readonly T[], { kindOrder }: Helm): T[] {
  const ranks = new Map(kindOrder.map((kind, rank) => [kind, rank]));
  const rankOf = ({ kind }: T): number => ranks.get(kind) ?? ranks.size;
  return [...documents].sort((a, b) => {
    const order = rankOf(a) - rankOf(b);
    return order !== 0 || ranks.has(a.kind) ? order : compareStrings(a.kind, b.kind);
  });
}

// What Helm reads of a document: kind, name and annotations.

/** The head of a document. Missing texts are empty. */
export interface ManifestHead {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly annotations: ReadonlyMap<string, string>;
}

// A rendering without parsing spends most of its time on heads, and few documents change from one rendering to the next.
const heads = new LruCache<ManifestHead>({ total: 4_000_000, each: 2_000_000 });

const metadataType = structOf(
  '',
  { name: stringType, annotations: stringMapType },
  'struct { Name string "json:\\"name\\""; Annotations map[string]string "json:\\"annotations\\"" }',
);

/** A decoded SimpleHead. */
interface RawHead {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: Partial<Pick<ManifestHead, 'name' | 'annotations'>>;
}

/**
 * Reads the head of a document; the rest must be valid YAML. Throws GoError with the message of sigs.k8s.io/yaml, which names the target
 * type.
 */
export function readHead(document: string, { types, codec }: Helm): ManifestHead {
  return heads.get(document, () => {
    const fields = { apiVersion: stringType, kind: stringType, metadata: pointerTo(metadataType) };
    const headType = structOf('SimpleHead', fields, types.manifestHead);
    const { apiVersion = '', kind = '', metadata } = decodeYaml<RawHead>(document, headType, {}, { json: codec.json });
    return { apiVersion, kind, name: metadata?.name ?? '', annotations: metadata?.annotations ?? new Map() };
  });
}

// Which documents are hooks, and when they run.

const hookEvents = [
  'pre-install',
  'post-install',
  'pre-delete',
  'post-delete',
  'pre-upgrade',
  'post-upgrade',
  'pre-rollback',
  'post-rollback',
  'test',
] as const;

/** An event that runs a hook. */
export type HookEvent = (typeof hookEvents)[number];

const hookAnnotation = 'helm.sh/hook';
const weightAnnotation = 'helm.sh/hook-weight';
const deleteAnnotation = 'helm.sh/hook-delete-policy';

/** The annotations of a hook. */
export interface HookRules {
  readonly events: readonly HookEvent[];
  /** The weight: lowest first among the hooks of one event. 0 if the annotation is not a whole number. */
  readonly weight: number;
  /** The deletion policies in lower case, such as `hook-succeeded`. */
  readonly deletePolicies: readonly string[];
}

/** Reports whether a document has the hook annotation. */
export function isHook(head: ManifestHead): boolean {
  return head.annotations.has(hookAnnotation);
}

/** Returns the annotations of a hook, or the annotation's text if one of its events is unknown: Helm drops such a document. */
function readHookRules(head: ManifestHead): HookRules | { readonly unknown: string } {
  const wanted = head.annotations.get(hookAnnotation) ?? '';
  const found: HookEvent[] = [];
  for (const word of words(wanted)) {
    // Helm 2's name for a test.
    const event = word === 'test-success' ? 'test' : hookEvents.find((known) => known === word);
    if (event === undefined) return { unknown: wanted };
    found.push(event);
  }
  const weight = head.annotations.get(weightAnnotation) ?? '';
  const policies = head.annotations.get(deleteAnnotation);
  return {
    events: found,
    weight: /^[+-]?\d{1,18}$/.test(weight) ? Number(weight) : 0,
    deletePolicies: policies === undefined ? [] : words(policies),
  };
}

function words(list: string): string[] {
  return list.split(',').map((word) => trimSpace(word).toLowerCase());
}
