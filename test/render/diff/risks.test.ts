// The risks of changes: the rows of fixtures/diff/risks.yaml, at least one for each risk.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse, stringify } from 'yaml';
import { type Difference, diffObjects } from '../../../render/diff/difference.ts';
import { riskRules } from '../../../render/diff/risk-rules.ts';

/** Objects by kind and name, such as `Service web`; their API version is implied by the kind. */
type Objects = Readonly<Record<string, object>>;

interface Row {
  readonly name: string;
  readonly source?: string;
  /** The source of the other side. Default the same. */
  readonly newSource?: string;
  readonly before: Objects;
  readonly after?: Objects;
  readonly edits?: readonly (readonly [from: string, to: string])[];
  readonly want?: Readonly<Record<string, readonly string[]>>;
}

const rows = parse(readFileSync('fixtures/diff/risks.yaml', 'utf8'), { merge: true }) as Row[];

const groups: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['Deployment', 'StatefulSet', 'DaemonSet'].map((kind) => [kind, 'apps/v1'])),
  ...Object.fromEntries(
    ['Service', 'Pod', 'Secret', 'ConfigMap', 'Namespace', 'PersistentVolume', 'PersistentVolumeClaim'].map((kind) => [
      kind,
      'v1',
    ]),
  ),
  ...Object.fromEntries(['Ingress', 'NetworkPolicy'].map((kind) => [kind, 'networking.k8s.io/v1'])),
  ...Object.fromEntries(['ClusterRole', 'RoleBinding'].map((kind) => [kind, 'rbac.authorization.k8s.io/v1'])),
  CustomResourceDefinition: 'apiextensions.k8s.io/v1',
  PodDisruptionBudget: 'policy/v1',
  StorageClass: 'storage.k8s.io/v1',
  ValidatingWebhookConfiguration: 'admissionregistration.k8s.io/v1',
};

const flow = {
  aliasDuplicateObjects: false,
  collectionStyle: 'flow',
  flowCollectionPadding: false,
  lineWidth: 0,
} as const;

function manifest(objects: Objects, source?: string): string {
  const head = source === undefined ? '' : `# Source: ${source}\n`;
  return Object.entries(objects)
    .map(([title, { metadata, ...rest }]: [string, { metadata?: object }]) => {
      const [kind = '', name] = title.split(' ');
      const apiVersion = groups[kind] ?? 'example.com/v1';
      return `---\n${head}${stringify({ apiVersion, kind, metadata: { name, ...metadata }, ...rest }, flow)}`;
    })
    .join('');
}

function difference({ before, after, edits = [], source, newSource = source }: Row): Difference {
  const old = manifest(before, source);
  const edited = edits.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), `${text}\nhas no ${JSON.stringify(from)}`);
    return text.replace(from, () => to);
  }, old);
  const now = after === undefined ? edited : manifest(after, newSource);
  return diffObjects({ documents: old }, { documents: now });
}

for (const row of rows) {
  test(row.name, () => {
    const found = difference(row).objects.filter(({ risks }) => risks.length > 0);
    assert.deepEqual(
      Object.fromEntries(found.map(({ kind, name, risks }) => [`${kind} ${name}`, [...risks].sort()])),
      Object.fromEntries(Object.entries(row.want ?? {}).map(([title, risks]) => [title, [...risks].sort()])),
    );
    assert.ok(difference(row).objects.length > 0 || row.want === undefined);
  });
}

test('every risk has a row', () => {
  const shown = new Set(rows.flatMap(({ want = {} }) => Object.values(want).flat()));
  assert.deepEqual(
    Object.keys(riskRules).filter((risk) => !shown.has(risk)),
    [],
  );
});
