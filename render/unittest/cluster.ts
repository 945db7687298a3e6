// The fake cluster of a suite for `lookup`.
// Mirrors: helm-unittest 1.1.0, pkg/unittest, k8s_fake_client.go; k8s.io/client-go, dynamic/fake and testing/fixture.go.

import { compareStrings, type GoMap, type GoValue } from '../go/value.ts';
import type { FakeCluster } from './suite.ts';

type Lookup = (apiVersion: string, kind: string, namespace: string, name: string) => GoMap | undefined;

/** Returns the lookup function of a cluster. */
export function lookupIn({ scheme, objects }: FakeCluster): Lookup {
  if (objects.length === 0) return () => undefined;
  return (apiVersion, kind, namespace, name) => {
    const known = scheme.get(`${apiVersion}/${kind}`);
    const at = known?.namespaced === true ? namespace : '';
    const wanted = known === undefined ? '//' : `${known.group}/${known.version}/${known.resource}`;
    const found = objects.filter((object) => resourceOf(object) === wanted);
    if (name !== '') {
      return found.find((object) => metadataOf(object, 'namespace') === at && metadataOf(object, 'name') === name);
    }
    if (found.length === 0) return undefined;
    const items = found.filter((object) => at === '' || metadataOf(object, 'namespace') === at);
    const keyOf = (object: GoMap): string => `${metadataOf(object, 'namespace')}/${metadataOf(object, 'name')}`;
    return new Map<string, GoValue>([
      ['apiVersion', apiVersion],
      ['kind', `${kind}List`],
      [
        'metadata',
        new Map([
          ['continue', ''],
          ['resourceVersion', ''],
        ]),
      ],
      ['items', items.sort((a, b) => compareStrings(keyOf(a), keyOf(b)))],
    ]);
  };
}

function textAt(map: GoMap, key: string): string {
  const value = map.get(key);
  return typeof value === 'string' ? value : '';
}

function metadataOf(object: GoMap, key: string): string {
  const metadata = object.get('metadata');
  return metadata instanceof Map ? textAt(metadata, key) : '';
}

// Group, version and the plural that Kubernetes guesses for a kind.
function resourceOf(object: GoMap): string {
  const apiVersion = textAt(object, 'apiVersion');
  return `${apiVersion.includes('/') ? '' : '/'}${apiVersion}/${pluralOf(textAt(object, 'kind').toLowerCase())}`;
}

function pluralOf(kind: string): string {
  if (kind.endsWith('endpoints')) return kind;
  if (kind.endsWith('s')) return `${kind}es`;
  return kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
