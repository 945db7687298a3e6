// Documents of a release with `<random>` in place of random values, for comparing renderings.

import type { DiffDocument } from '../diff/objects.ts';
import type { RenderedRelease } from '../engine/release.ts';
import { normalizeFiles } from './normalize.ts';

/** The documents of a release without random values. */
export interface NormalizedDocuments {
  readonly documents: readonly DiffDocument[];
  /** The rendered text of each changed document by its new text; both trimmed. */
  readonly originals: ReadonlyMap<string, string>;
}

/** Options for `normalizeRelease`. */
export interface NormalizeReleaseOptions {
  /** Whether the files in `crds/` are left out. Default false. */
  readonly skipCrds?: boolean;
}

/** Returns all installed documents of a release: CRDs, manifests and hooks. */
function releaseDocuments({ crds, manifests, hooks, namespace }: RenderedRelease): readonly DiffDocument[] {
  return [...crds, ...manifests, ...hooks].map(({ path, content }) => ({ path, content, namespace }));
}

/**
 * Returns the documents of a release with `<random>` where a rendering with other random values differs. `twin` is that rendering;
 * undefined if no template used randomness.
 */
export function normalizeRelease(
  release: RenderedRelease,
  twin: RenderedRelease | undefined,
  { skipCrds = false }: NormalizeReleaseOptions = {},
): NormalizedDocuments {
  const shown = (one: RenderedRelease): readonly DiffDocument[] =>
    releaseDocuments(skipCrds ? { ...one, crds: [] } : one);
  const documents = shown(release);
  if (twin === undefined) return { documents, originals: new Map() };
  const { files, originals } = normalizeFiles(filesOf(documents), {
    twin: filesOf(shown(twin)),
    showSecrets: true,
  });
  const texts = [...files.values()];
  return { documents: documents.map((document, at) => ({ ...document, content: texts[at]! })), originals };
}

// A template keeps the order of its documents, so the path and the index within it identify the twin.
function filesOf(documents: readonly DiffDocument[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  return new Map(
    documents.map(({ path, content }) => {
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      return [`${path} ${count}.yaml`, content];
    }),
  );
}
