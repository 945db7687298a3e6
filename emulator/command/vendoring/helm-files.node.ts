// The files of Helm that `drydock vendor` reads, for `drydock doctor`.

import { existsSync } from 'node:fs';
import { helmHome } from '../../../render/fetch/helm-home.node.ts';

/** A file or folder of Helm: whether it is there, and what for. */
export interface HelmFile {
  readonly name: string;
  readonly status: 'ok' | 'absent';
  readonly found: string;
  readonly allows: string;
}

/** Returns which of Helm's files are there, where `vendor` looks for them. */
export function findHelmFiles(env: Readonly<Record<string, string | undefined>>): readonly HelmFile[] {
  const { repositoryCache, repositoryConfig, registryConfig } = helmHome(env);
  const find = (name: string, path: string, allows: string): HelmFile => {
    const isThere = existsSync(path);
    return { name, status: isThere ? 'ok' : 'absent', found: isThere ? path : `no ${path}`, allows };
  };
  return [
    find(
      "Helm's cache",
      repositoryCache,
      'spares `vendor` downloads: it reads indexes and archives, and changes nothing',
    ),
    find(
      "Helm's repositories",
      repositoryConfig,
      'tells `vendor` where @name and alias:name are, and their credentials',
    ),
    find("Helm's registries", registryConfig, 'tells `vendor` the credentials of OCI registries'),
  ];
}
