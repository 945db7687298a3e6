// Helm's own files that `drydock vendor` reads, for `drydock doctor`.

import { existsSync } from 'node:fs';
import { helmHome } from '../../vendor/fetch/helm-home.node.ts';

/** A file or folder of Helm: whether it exists, and what `vendor` uses it for. */
interface HelmFile {
  readonly name: string;
  readonly status: 'ok' | 'absent';
  readonly found: string;
  readonly allows: string;
}

/** Returns which of Helm's files exist where `vendor` looks for them. */
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
      '`vendor` takes indexes and archives from here before it downloads them; it writes nothing',
    ),
    find(
      "Helm's repositories",
      repositoryConfig,
      '`vendor` looks up @name and alias:name here, with their credentials',
    ),
    find("Helm's registries", registryConfig, '`vendor` reads the credentials of OCI registries here'),
  ];
}
