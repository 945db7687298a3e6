// A chart with features that few public charts have: a list, an object named by the server, a definition in an old `crd-install` hook,
// hooks with weights, a hook that is deleted after it ran, another namespace.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const object = (apiVersion: string, kind: string, name: string, more = ''): string =>
  `---\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: ${name}}\n${more}`;

const versions =
  '[{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]';

const crd = (plural: string, kind: string): string =>
  object(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    `${plural}.x.io`,
    `spec: {group: x.io, scope: Namespaced, names: {plural: ${plural}, kind: ${kind}, singular: ${kind.toLowerCase()}}, versions: ${versions}}\n`,
  );

const hook = (name: string, events: string, weight: number): string =>
  object(
    'v1',
    'ConfigMap',
    `${name}, annotations: {helm.sh/hook: "${events}", helm.sh/hook-weight: "${weight}"}`,
    'data: {a: b}\n',
  );

const files: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v1\nname: odd\nversion: 1.0.0\n',
  'values.yaml': 'nameOverride: odd\n',
  'templates/list.yaml': `apiVersion: v1
kind: List
items:
  - apiVersion: v1
    kind: ConfigMap
    metadata: {name: first-{{ .Values.nameOverride }}}
    data:
      text: |+
        two line breaks at the end

  - {apiVersion: v1, kind: ConfigMap, metadata: {name: second}, data: {text: "a\\tb"}}
`,
  'templates/named.yaml': object(
    'batch/v1',
    'Job',
    'x',
    'spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}\n',
  ).replace(
    '{name: x}',
    // Helm deletes hooks by name, and fails if there is none, unless the policy says that nothing is to be deleted.
    '{generateName: odd-, annotations: {helm.sh/hook: post-install, helm.sh/hook-delete-policy: hook-failed}}',
  ),
  'templates/spaces.yaml': `${object('v1', 'Namespace', 'odd-made')}${object('v1', 'ConfigMap', 'there, namespace: odd-made', 'data: {a: b}\n')}`,
  'templates/old.yaml': crd('olds', 'Old').replace(
    '{name: olds.x.io}',
    '{name: olds.x.io, annotations: {helm.sh/hook: crd-install}}',
  ),
  'templates/hooks.yaml':
    hook('late', 'post-install,post-upgrade', 5) +
    hook('early', 'pre-install,pre-upgrade', -5) +
    hook('mid', 'pre-install', 1),
  'templates/short.yaml': object(
    'batch/v1',
    'Job',
    'short, annotations: {helm.sh/hook: "pre-install,pre-upgrade"}',
    'spec: {ttlSecondsAfterFinished: 0, template: {spec: {restartPolicy: Never, containers: [{name: a, image: a}]}}}\n',
  ),
};

/** Writes the chart into a folder and returns its path. */
export async function writeOddChart(home: string): Promise<string> {
  const folder = join(home, 'odd');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}
