// Which API versions a package of an Order finds: what everything before it brings, and its own `crds/`, which Helm
// installs before it asks the cluster what there is.
// Mirrors: helm.sh/helm/v3/pkg/action, install.go, `RunWithContext`, and action.go, `GetVersionSet`, v3.17.3.

import { definitionsOf } from './manifest/definitions.ts';
import type { Hook } from './manifest/sort.ts';
import type { SourcedDocument } from './manifest/source.ts';
import type { RenderedRelease } from './release.ts';

/** The API versions that a package of an Order finds beyond those of the cluster. */
export interface PackageApis {
  /** Names such as `example.com/v1` and `example.com/v1/Thing`, each with the path of the package that brings it. */
  readonly brought: ReadonlyMap<string, string>;
  /** The names that its templates asked `.Capabilities.APIVersions.Has` for. */
  readonly asked: ReadonlySet<string>;
}

/** What a package brings to a cluster, and where it stands in the Order. */
export interface ApiSource {
  readonly path: string;
  readonly documents: readonly SourcedDocument[];
}

/** Gives the API versions of documents, by name, with the path of the first that brings each. */
export function broughtBy(sources: readonly ApiSource[]): ReadonlyMap<string, string> {
  const brought = new Map<string, string>();
  for (const { path, documents } of sources) {
    for (const name of documents.flatMap((document) => definitionsOf(document).flatMap((found) => found.apiVersions))) {
      if (!brought.has(name)) brought.set(name, path);
    }
  }
  return brought;
}

/** Gives what stays in the cluster once a release is installed: its `crds/`, its objects, and the hooks that are not deleted. */
export function installedBy({ crds, manifests, hooks }: RenderedRelease): readonly SourcedDocument[] {
  return [...crds, ...manifests, ...hooks.filter(stays)];
}

/** Gives what a rendered package brings, and where it stands. */
export function sourceOf(item: {
  readonly selection: { readonly path: string };
  readonly release: RenderedRelease;
}): ApiSource {
  return { path: item.selection.path, documents: installedBy(item.release) };
}

function stays({ events, deletePolicies }: Hook): boolean {
  const isInstalled = events.includes('pre-install') || events.includes('post-install');
  return isInstalled && !deletePolicies.includes('hook-succeeded');
}
