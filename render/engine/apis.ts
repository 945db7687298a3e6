// Which API versions a package of an Order finds: those that the packages before it provide, and those of its own `crds/`, which Helm
// installs before it asks the cluster what there is.
// Mirrors: helm.sh/helm/v3/pkg/action, install.go, `RunWithContext`, and action.go, `GetVersionSet`, v3.17.3.

import { type ApiDefinition, definitionsOf } from '../manifest/definitions.ts';
import type { Hook } from '../manifest/sort.ts';
import type { RenderedRelease } from './release.ts';

/** API versions such as `example.com/v1` and `example.com/v1/Thing`, each with the path of the package that provides it. */
export type ProvidedApis = ReadonlyMap<string, string>;

/** The API versions that a package of an Order finds beyond those of the cluster. */
export interface PackageApis {
  /** Those of packages before it and of its own `crds/`. */
  readonly brought: ProvidedApis;
  /** The names that its templates asked `.Capabilities.APIVersions.Has` for. */
  readonly queried: ReadonlySet<string>;
}

/** What a release defines. */
export interface ReleaseDefinitions {
  readonly crds: readonly ApiDefinition[];
  /** What its objects define, and the hooks that are not deleted. */
  readonly objects: readonly ApiDefinition[];
  /** What the other hooks define, which is gone after the installation. */
  readonly transient: readonly ApiDefinition[];
}

/** Returns API versions with those that a package defines; what an earlier package provides stays its own. */
export function withProvided(
  provided: ProvidedApis,
  path: string,
  definitions: readonly ApiDefinition[],
): ProvidedApis {
  const more = definitions.flatMap(({ apiVersions }) => apiVersions).filter((name) => !provided.has(name));
  return new Map([...provided, ...more.map((name) => [name, path] as const)]);
}

/** Returns what a release defines. */
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
