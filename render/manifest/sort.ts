// Splits rendered files into hooks and manifests in installation order.
// Mirrors: helm.sh/helm/v3/pkg/releaseutil, manifest_sorter.go, `SortManifests`, v3.17.3.

import { RenderError } from '../core/errors.ts';
import { asLimit } from '../core/limits.ts';
import { trimSpace } from '../go/trim.ts';
import { compareStrings, GoError, sortedEntries } from '../go/value.ts';
import type { Helm } from '../helm/helm.ts';
import { helmOf } from '../helm/versions.ts';
import { readHead } from './head.ts';
import { type HookRules, isHook, readHookRules } from './hooks.ts';
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
      const head = orManifestError(() => readHead(content, helm.types.manifestHead), {
        path,
        line: () => lineOf(text, documents, index),
        hooks,
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

interface DocumentPlace {
  readonly path: string;
  readonly line: () => number;
  readonly hooks: readonly Hook[];
}

function orManifestError<T>(read: () => T, { path, line, hooks }: DocumentPlace): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof GoError) throw new ManifestError(path, line(), error, hooks);
    throw asLimit(error)?.in(path, { before: line() - 1, isRendered: true }) ?? error;
  }
}

// Returns the line, from 1, at which a document of a text begins. Documents appear unchanged and in order.
function lineOf(text: string, documents: readonly string[], index: number): number {
  let start = 0;
  for (const before of documents.slice(0, index)) start = text.indexOf(before, start) + before.length;
  return text.slice(0, text.indexOf(documents[index] ?? '', start)).split('\n').length;
}

function byKind<T extends Manifest>(documents: readonly T[], { kindOrder }: Helm): T[] {
  return [...documents].sort((a, b) => compareKinds(a.kind, b.kind, kindOrder));
}

// Compares kinds by Helm's installation order, which is the order of its output.
// Mirrors: helm.sh/helm/v3/pkg/releaseutil, kind_sorter.go, v3.17.3.

const ranksOf = new WeakMap<readonly string[], ReadonlyMap<string, number>>();

/**
 * Compares two kinds by an installation order: negative, zero or positive. Unlisted kinds come last, by name; the empty kind comes first
 * among them.
 */
export function compareKinds(a: string, b: string, order: readonly string[]): number {
  const ranks = ranksIn(order);
  const first = ranks.get(a);
  const second = ranks.get(b);
  if (first === undefined && second === undefined) return compareStrings(a, b);
  return (first ?? ranks.size) - (second ?? ranks.size);
}

function ranksIn(order: readonly string[]): ReadonlyMap<string, number> {
  let ranks = ranksOf.get(order);
  if (ranks === undefined) {
    ranks = new Map(order.map((kind, rank) => [kind, rank]));
    ranksOf.set(order, ranks);
  }
  return ranks;
}
