// The API versions that a package of an Order can use: those of the packages before it and those of its own `crds/`, which Helm installs
// before it queries the cluster.
// Mirrors: helm.sh/helm/v3/pkg/action, install.go, `RunWithContext`, and action.go, `GetVersionSet`, v3.17.3.

import { type ApiDefinition, definitionsOf } from '../manifest/definitions.ts';
import type { Hook } from '../manifest/sort.ts';
import type { RenderedRelease } from './release.ts';

/** API versions such as `example.com/v1` and `example.com/v1/Thing`, each with the path of the package that provides it. */
export type ProvidedApis = ReadonlyMap<string, string>;

/** The API versions available to a package beyond those of the cluster. */
export interface PackageApis {
  /** API versions of the packages before it and of its own `crds/`. */
  readonly brought: ProvidedApis;
  /** The names that its templates passed to `.Capabilities.APIVersions.Has`. */
  readonly queried: ReadonlySet<string>;
}

/** The API versions that a release defines. */
export interface ReleaseDefinitions {
  readonly crds: readonly ApiDefinition[];
  /** Defined by its objects and by hooks that are not deleted. */
  readonly objects: readonly ApiDefinition[];
  /** Defined by other hooks; they no longer exist after the installation. */
  readonly transient: readonly ApiDefinition[];
}

/** Returns API versions with those of a package added. If several packages define one, the first is recorded. */
export function withProvided(
  provided: ProvidedApis,
  path: string,
  definitions: readonly ApiDefinition[],
): ProvidedApis {
  const more = definitions.flatMap(({ apiVersions }) => apiVersions).filter((name) => !provided.has(name));
  return new Map([...provided, ...more.map((name) => [name, path] as const)]);
}

/** Returns the API versions that a release defines. */
export function releaseDefinitions({ crds, manifests, hooks }: RenderedRelease): ReleaseDefinitions {
  return {
    crds: crds.flatMap(definitionsOf),
    objects: [...manifests, ...hooks.filter(stays)].flatMap(definitionsOf),
    transient: hooks.filter((hook) => !stays(hook)).flatMap(definitionsOf),
  };
}

function stays({ events, deletePolicies }: Hook): boolean {
  const isInstalled = events.includes('pre-install') || events.includes('post-install');
  return isInstalled && !deletePolicies.includes('hook-succeeded');
}
