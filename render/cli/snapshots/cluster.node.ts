// A fake cluster for `lookup`, with objects from files.

import { resolve } from 'node:path';
import type { Host } from '../../core/host.ts';
import type { GoMap, GoValue } from '../../go/value.ts';
import { member, readObjects, textMember } from '../../manifest/objects.ts';
import { readTextFile } from '../rendering/read.node.ts';

/**
 * Returns a host whose `lookup` finds the objects in files, relative to a folder. Throws GoError for an unreadable file, MANIFEST_INVALID.
 */
export function withCluster(host: Host, files: readonly string[], folder: string): Host {
  if (files.length === 0) return host;
  const objects = files.flatMap((file) =>
    readObjects({ path: file, content: readTextFile(resolve(folder, file), folder) }),
  );
  return { ...host, lookup: (...words) => find(objects, words) };
}

function find(
  objects: readonly GoMap[],
  [apiVersion, kind, namespace, name]: Parameters<Host['lookup']>,
): GoMap | undefined {
  const items = objects.filter((object) => {
    const metadata = member(object, 'metadata');
    const isKind = textMember(object, 'apiVersion') === apiVersion && textMember(object, 'kind') === kind;
    const isThere = namespace === '' || textMember(metadata, 'namespace') === namespace;
    return isKind && isThere && (name === '' || textMember(metadata, 'name') === name);
  });
  if (name !== '') return items[0];
  if (items.length === 0) return undefined;
  return new Map<string, GoValue>([
    ['apiVersion', apiVersion],
    ['kind', `${kind}List`],
    ['items', items],
  ]);
}
